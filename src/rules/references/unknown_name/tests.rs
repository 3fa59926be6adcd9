//! Names that nobody has, by example.

use super::super::testing::{Past, findings, show};
use super::INFO;

const FILES: &[(&str, &str)] = &[
    (".claude/commands/plan.md", "Plan it.\n"),
    (".claude/commands/dev/build-it.md", "Build it.\n"),
    (".claude/commands/ship.md", "Ship it.\n"),
    (".claude/agents/code-reviewer.md", "---\nname: code-reviewer\ndescription: x\n---\nReview.\n"),
    (".claude/agents/test-writer.md", "---\nname: test-writer\ndescription: x\n---\nWrite.\n"),
    (".claude/agents/implementer-fe.md", "---\nname: implementer-fe\ndescription: x\n---\nWrite.\n"),
    (".claude/agents/implementer-be.md", "---\nname: implementer-be\ndescription: x\n---\nWrite.\n"),
    (".claude/skills/pdf-forms/SKILL.md", "---\nname: pdf-forms\ndescription: x\n---\nFill.\n"),
    (".claude/skills/data-charts/SKILL.md", "---\nname: data-charts\ndescription: x\n---\nDraw.\n"),
    ("docs/guide.md", ""),
];

fn check_at(path: &str, text: &str, past: &[(&str, Past<'_>)]) -> Vec<String> {
    let files: Vec<(&str, &str)> = FILES.iter().copied().chain([(path, text)]).collect();
    let found = findings(INFO.name, &files, past, &[], false);
    show(&found.into_iter().filter(|finding| finding.path == path.into()).collect::<Vec<_>>(), text)
}

fn check(text: &str) -> Vec<String> {
    check_at("AGENTS.md", text, &[])
}

#[test]
fn a_path_out_of_the_repository_says_where_a_skill_is() {
    let past = [(".claude/skills/rows-contract/SKILL.md", Past::Deleted)];
    let text = "- Use the `rows-contract` skill.\n";
    assert_eq!(check_at("AGENTS.md", text, &past), ["warning rows-contract"]);
    let told = format!("{text}- It is at `../other/skills/rows-contract/SKILL.md`.\n");
    assert_eq!(check_at("AGENTS.md", &told, &past), [""; 0]);
}

#[test]
fn a_list_of_commands_most_of_which_are_there() {
    let text = "| Command | Does |\n| --- | --- |\n| `/plan` | a |\n| `/ship now` | b |\n| `/verify-all <x>` | c |\n| `/compact` | d |\n";
    assert_eq!(check(text), ["warning verify-all"]);
    assert_eq!(
        check("- `/plan`: a\n- **`/ship`**: b\n\n- [ ] `/build-it`: c\n- `/roll-back`: d\n"),
        ["warning roll-back"]
    );
    let fence = "```\n/plan x\n/ship    # y\n/undo-it z\n/usr/bin/x\n```\n";
    assert_eq!(check(fence), ["warning undo-it"]);
}

#[test]
fn lists_that_prove_nothing_are_left_alone() {
    for text in [
        // One that is there, too many that are not, what an agent has itself, paths, other places.
        "- `/plan`\n- `/roll-back`\n",
        "- `/plan`\n- `/ship`\n- `/one-a`\n- `/two-b`\n- `/three-c`\n",
        "- `/plan`\n- `/ship`\n- `/clear`\n",
        "- `/plan`\n- `/ship`\n- `/api/users`\n- `/docs/guide.md`\n",
        "- `/plan`\n- `/ship`\n- `/guide`\n",
        "- `/plan`\n- `/ship`\n- `/acme:roll-back`\n",
        "- `/plan`\n- `/ship`\n- `/roll-back` (from the acme plugin)\n",
        "- `/plan`\n- `/ship`\n- `/roll-back`: planned\n",
        "## Plugin commands\n\n- `/plan`\n- `/ship`\n- `/roll-back`\n",
        "- `/plan`\n- `/ship`\n- `/your-command`\n",
        "- `/plan`\n- `/ship`\n- `/roll-back`: replaces the former one\n",
        "| Command | Of |\n| --- | --- |\n| `/plan` | x |\n| `/ship` | y |\n| `/roll-back` | `acme:roll-back` |\n",
        "| Directory | Does |\n| --- | --- |\n| `/plan` | a |\n| `/ship` | b |\n| `/verify-all` | c |\n",
        "- `/plan`\n- `/ship`\n- `/roll-back` → suggested → `git revert HEAD`\n",
        "Endpoints: `/users`, `/plan`, `/ship`.\n",
    ] {
        assert_eq!(check(text), [""; 0], "{text}");
    }
    let plugins = [(".claude/settings.json", "{\"enabledPlugins\": {\"a@b\": true}}\n")];
    let text = "- `/plan`\n- `/ship`\n- `/roll-back`\n";
    let files: Vec<(&str, &str)> = FILES.iter().copied().chain(plugins).chain([("AGENTS.md", text)]).collect();
    assert!(findings(INFO.name, &files, &[], &[], false).is_empty());
}

#[test]
fn a_list_of_subagents_or_skills_needs_more() {
    let list = "- **code-reviewer** - a\n- **test-writer** - b\n- **implementer-fe** - c\n- **security-auditor** - d\n";
    assert_eq!(check(list), ["warning security-auditor"]);
    assert_eq!(check(&list.replace("security-auditor", "quality")), [""; 0]);
    assert_eq!(check(&list.replace("- **test-writer** - b\n", "")), [""; 0]);
}

#[test]
fn what_a_build_puts_where_it_was_is_there() {
    let past = [("packs/row-sums/SKILL.md", Past::Renamed("parts/row-sums/INDEX.in.md"))];
    let text = "Use the `row-sums` skill.\n";
    let at = |file: &str| {
        let files: Vec<(&str, &str)> = FILES.iter().copied().chain([("AGENTS.md", text), (file, "")]).collect();
        findings(INFO.name, &files, &past, &[], false).len()
    };
    assert_eq!(at("parts/row-sums/INDEX.in.md"), 0);
    for other in ["parts/row-sums/notes.md", "parts/rows/INDEX.in.md", "parts/row-sums/index.py"] {
        assert_eq!(at(other), 1, "{other}");
    }
}

#[test]
fn removed_files_tell_the_new_name() {
    let past = [
        (".claude/commands/make-it.md", Past::Renamed(".claude/commands/dev/build-it.md")),
        (".claude/commands/PRPs/old-way.md", Past::Deleted),
        (".claude/agents/qa-lead.md", Past::Deleted),
        (".claude/skills/pdf-old/SKILL.md", Past::Renamed(".claude/skills/pdf-forms/SKILL.md")),
        ("docs/tour-page.md", Past::Deleted),
        (".claude/commands/users.md", Past::Deleted),
        (".claude/commands/now-agent.md", Past::Renamed(".claude/agents/test-writer.md")),
    ];
    let at = |text: &str| check_at("AGENTS.md", text, &past);
    assert_eq!(at("Run `/make-it fast`.\n"), ["warning make-it unsafe build-it"]);
    assert_eq!(at("```\n/old-way x\n```\n"), ["warning old-way"]);
    assert_eq!(at("Run `/now-agent`.\n"), ["warning now-agent"]);
    assert_eq!(
        at("Ask the `qa-lead` agent. The `pdf-old` skill.\n"),
        ["warning qa-lead", "warning pdf-old unsafe pdf-forms"]
    );
    assert_eq!(at("Open `/tour-page`. Call `/users`. We removed `/old-way`.\n"), [""; 0]);
    assert_eq!(at("This replaces the former `/old-way` command. Steps are in the `pdf-old` local skill.\n"), [""; 0]);
    assert_eq!(at("This replaces the slow `/old-way` command.\n"), ["warning old-way"; 0]);
}

#[test]
fn what_the_text_tells_of_the_past_or_makes_itself_is_not_called() {
    let past = [(".claude/agents/qa-lead.md", Past::Deleted), (".claude/skills/pdf-old/SKILL.md", Past::Deleted)];
    let at = |text: &str| check_at("AGENTS.md", text, &past);
    assert_eq!(at("Ask the `qa-lead` agent. Use the `pdf-old` skill.\n"), ["warning qa-lead", "warning pdf-old"]);
    for text in [
        "This one consolidates the `qa-lead` agent and another.\n",
        "It combines what the `pdf-old` skill did.\n",
        "The `qa-lead` agent lies in `dev/`, which is gitignored.\n",
        "The `qa-lead` agent did so in PR #12.\n",
        "\u{5143}\u{306e} `pdf-old` skill\u{ff08}\u{30de}\u{30fc}\u{30b1}\u{30c3}\u{30c8}\u{30d7}\u{30ec}\u{30a4}\u{30b9}\u{7248}\u{ff09}\n",
        "When creating `qa-lead`:\n\n1. Write it.\n\nThen ask the `qa-lead` agent.\n",
        "| Language | Package |\n| --- | --- |\n| Python | `pdf-old` skill |\n",
    ] {
        assert_eq!(at(text), [""; 0], "{text}");
    }
    let table = "| Language | Skill |\n| --- | --- |\n| Python | `pdf-old` skill |\n";
    assert_eq!(at(table), ["warning pdf-old"]);
}

#[test]
fn skills_behind_a_dollar() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: x\n---\nDo it.\n");
    let names = ["code-review", "doc-review", "ui-review"];
    let own: Vec<(String, String)> =
        names.iter().map(|name| (format!(".agents/skills/{name}/SKILL.md"), skill(name))).collect();
    let check = |text: &str| {
        let own = own.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        let files: Vec<(&str, &str)> = own.chain([("AGENTS.md", text)]).collect();
        show(&findings(INFO.name, &files, &[], &[], false), text)
    };
    let text = "- `$code-review` and `$doc-review`: before each merge.\n- `$ui-review`: for pages.\n";
    assert_eq!(check(text), [""; 0]);
    assert_eq!(check(&format!("{text}- `$heap-review`: for memory.\n")), ["warning heap-review"]);
    // A variable, a slip of none, too few others.
    assert_eq!(check(&format!("{text}Set `$home` and `$MY-VAR` and `$my_var`.\n")), [""; 0]);
    assert_eq!(check("- `$code-review`: a.\n- `$heap-review`: b.\n"), [""; 0]);
    assert_eq!(check(&format!("{text}- `$heap-review`: from the acme plugin\n")), [""; 0]);
}

#[test]
fn fields_of_other_programs_and_prose_in_fields() {
    let at = |path: &str, front: &str| check_at(path, &format!("---\n{front}\n---\nDo it.\n"), &[]);
    let doubtful = "description: \"Audit, for example one module\"\nagent: scanner\nargument-hint: \"Optional: one\"";
    assert_eq!(at(".github/prompts/x.prompt.md", doubtful), ["warning scanner"]);
    // Claude Code looks at the field only where the command forks.
    assert_eq!(at(".claude/commands/x.md", "description: x\nagent: scanner"), [""; 0]);
    assert_eq!(at(".claude/commands/x.md", "description: x\ncontext: fork\nagent: scanner"), ["warning scanner"]);
}

#[test]
fn slips_families_and_fields() {
    assert_eq!(check("Ask the `code-reviewr` agent.\n"), ["warning code-reviewr unsafe code-reviewer"]);
    assert_eq!(check("Task(subagent_type=\"test-writter\")\n"), ["warning test-writter unsafe test-writer"]);
    assert_eq!(check("The `implementer` agent does it.\n"), ["warning implementer"]);
    assert_eq!(check("Ask the `some-other` agent. The `general-purpose` agent.\n"), [""; 0]);
    assert_eq!(check("First call the skills: `pdf-fomrs`.\n"), ["warning pdf-fomrs unsafe pdf-forms"]);
    assert_eq!(check("Skill(skill: \"pdf-fomrs\")\n"), ["warning pdf-fomrs unsafe pdf-forms"]);
    assert_eq!(check("The skill `any-other`, and Ann Lee's `pdf-fomrs` skill.\n"), [""; 0]);
    let command = |agent: &str| format!("---\ndescription: x\nagent: {agent}\n---\nDo it.\n");
    let at = |agent: &str| check_at(".opencode/command/x.md", &command(agent), &[]);
    assert_eq!(at("scanner"), ["warning scanner"]);
    assert_eq!(at("code-reviewer"), [""; 0]);
    assert_eq!(at("build"), [""; 0]);
    // A skill: frameworks have a field of this name, too.
    assert_eq!(at("pdf-forms"), [""; 0]);
    let agent = |skills: &str| format!("---\nname: x\ndescription: y\nskills: {skills}\n---\nDo it.\n");
    let at = |skills: &str| check_at(".claude/agents/x.md", &agent(skills), &[]);
    assert_eq!(at("[pdf-forms, not-there]"), ["warning not-there"]);
    assert_eq!(at("[not-there, other-one]"), [""; 0]);
}

#[test]
fn files_in_the_folder_of_a_skill_are_no_skills() {
    let rules = ["async-all", "async-any", "bundle-lazy"].map(|name| format!(".claude/skills/fast/rules/{name}.md"));
    let page = ".claude/skills/fast/SKILL.md";
    let text = "---\nname: fast\ndescription: x\n---\n- `async-all` - a\n- `async-any` - b\n- `bundle-lazy` - c\n- `bundle-more` - d\n";
    let files: Vec<(&str, &str)> = rules.iter().map(|rule| (rule.as_str(), "x\n")).chain([(page, text)]).collect();
    assert!(findings(INFO.name, &files, &[], &[], false).is_empty());
}

#[test]
fn a_bare_name_of_several_words_that_history_knows() {
    let past = [
        ("agents/tweet-thread-writer.md", Past::Deleted),
        ("packs/js-type-coercion/SKILL.md", Past::Renamed("packs/js-guard-type-coercion/SKILL.md")),
        (".claude/skills/two-words/SKILL.md", Past::Deleted),
        (".claude/skills/plan-the-work/SKILL.md", Past::Deleted),
        ("docs/how-we-work.md", Past::Deleted),
    ];
    let at = |text: &str| check_at("AGENTS.md", text, &past);
    assert_eq!(
        at("If so, delegate to **`js-type-coercion`**.\n"),
        ["warning js-type-coercion unsafe js-guard-type-coercion"]
    );
    let table = "| Channel | Agent | Backup |\n| --- | --- | --- |\n| X | tweet-thread-writer | code-reviewer |\n";
    assert_eq!(at(table), ["warning tweet-thread-writer"]);
    assert_eq!(at("Agent(subagent_type: \"tweet-thread-writer\")\n"), ["warning tweet-thread-writer"]);
    // Too short a name, no history, a page of documents, a name that a file still has, what was told to be gone.
    assert_eq!(at("Take `two-words` or `some-other-name`, `how-we-work`. We removed `js-type-coercion`.\n"), [""; 0]);
    let still = [("docs/plan-the-work.md", ""), ("AGENTS.md", "Open `plan-the-work`.\n")];
    let files: Vec<(&str, &str)> = FILES.iter().copied().chain(still).collect();
    assert!(findings(INFO.name, &files, &past, &[], false).is_empty());
}

#[test]
fn what_is_handed_out_names_its_own_collection() {
    let past = [("packs/js-type-coercion/SKILL.md", Past::Deleted), (".claude/agents/qa-lead.md", Past::Deleted)];
    let skill = |text: &str| format!("---\nname: js-best\ndescription: x\n---\n{text}");
    let at = |text: &str| check_at("packs/js-best/SKILL.md", &skill(text), &past);
    assert_eq!(at("Pair with `js-type-coercion`.\n"), ["warning js-type-coercion"]);
    // Slips and lists prove nothing where the readers have their own.
    assert_eq!(at("Ask the `code-reviewr` agent. The `implementer` agent does it.\n"), [""; 0]);
    assert_eq!(at("- `/plan`\n- `/ship`\n- `/roll-back`\n"), [""; 0]);
    assert_eq!(check_at("examples/js-best/SKILL.md", &skill("Pair with `js-type-coercion`.\n"), &past), [""; 0]);
}

#[test]
fn a_name_that_a_plugin_brings_is_told_anywhere_in_the_text() {
    let past = [(".claude/commands/set-it-up.md", Past::Deleted)];
    let at = |text: &str| check_at("AGENTS.md", text, &past);
    assert_eq!(at("Run `/set-it-up` first.\n"), ["warning set-it-up"]);
    let brought = "Run `/set-it-up` first.\n\n## More\n\n- Skills come from the upstream plugin\n  (`/plan-it`). `/set-it-up` writes\n  the rest.\n";
    assert_eq!(at(brought), [""; 0]);
    let companion = "Run `/set-it-up` first.\n\n- **Companion:** `npx skills add acme/api`. Installs\n  the `/set-it-up` reference.\n";
    assert_eq!(at(companion), [""; 0]);
    // Another item of the list speaks of plugins.
    let apart = "- Skills come from the upstream plugin\n- Run `/set-it-up` first.\n";
    assert_eq!(at(apart), ["warning set-it-up"]);
}

#[test]
fn programs_in_a_folder_called_agent_are_no_subagents() {
    let text = "- `sum_rows.py` - a\n- `key_rows.py` - b\n- `cut_rows.py` - c\n- `deep-query` - d\n";
    let programs = ["sum_rows", "key_rows", "cut_rows"];
    let at = |ending: &str| {
        let paths: Vec<String> = programs.iter().map(|name| format!("agent/lambda/{name}{ending}")).collect();
        let text = text.replace(".py", if ending == ".py" { ".py" } else { "" }).replace('_', "-");
        let paths: Vec<String> = paths.iter().map(|path| path.replace('_', "-")).collect();
        let files: Vec<(&str, &str)> =
            paths.iter().map(|path| (path.as_str(), "")).chain([("AGENTS.md", text.as_str())]).collect();
        show(&findings(INFO.name, &files, &[], &[], false), &text)
    };
    assert_eq!(at(".py"), [""; 0]);
    assert_eq!(at(".md"), ["warning deep-query"]);
}

#[test]
fn names_behind_a_bundle_or_folder_of_this_repository() {
    let bundle = [
        (".claude-plugin/plugin.json", "{\"name\": \"acme\"}"),
        ("commands/deploy.md", "---\ndescription: x\n---\nDo it.\n"),
        ("commands/acme-init.md", "---\ndescription: x\n---\nDo it.\n"),
        ("skills/audit/SKILL.md", "---\nname: audit-all\ndescription: x\n---\nDo it.\n"),
        (".claude/skills/the-left/SKILL.md", "---\nname: the-left\ndescription: x\n---\nDo it.\n"),
        ("commands/build-feature.md", "Do it.\n"),
        ("skills/words/SKILL.md", "---\nname: Many Words\ndescription: x\n---\nDo it.\n"),
        (".claude/commands/opsx/apply.md", "Do it.\n"),
        (".claude/commands/opsx/archive.md", "Do it.\n"),
    ];
    let past = [
        ("commands/close.md", Past::Renamed("commands/deploy.md")),
        ("commands/gone.md", Past::Deleted),
        ("commands/left.md", Past::Renamed(".claude/skills/the-left/SKILL.md")),
    ];
    let at = |path: &str, text: &str| {
        let files: Vec<(&str, &str)> = bundle.iter().copied().chain([(path, text)]).collect();
        show(&findings(INFO.name, &files, &past, &[], false), text)
    };
    let check = |text: &str| at("CLAUDE.md", text);
    assert_eq!(check("Run `/acme:explore`, then `/acme:deploy`.\n"), ["warning explore"]);
    assert_eq!(check("Run /opsx:continue then.\n"), ["warning continue"]);
    assert_eq!(check("Run `/acme:init`.\n"), ["warning init unsafe acme-init"]);
    assert_eq!(check("Run `/acme:close`.\n"), ["warning close unsafe deploy"]);
    assert_eq!(check("Run `/acme:gone`.\n"), ["warning gone"]);
    // What left the bundle is called otherwise, and the only one that begins so is meant.
    assert_eq!(check("Run `/acme:left`.\n"), ["warning left"]);
    assert_eq!(check("Run `/acme:build`.\n"), ["warning build unsafe build-feature"]);
    assert_eq!(at("commands/help.md", "```\n/acme:explore x\n```\n"), ["warning explore"]);
    for text in [
        // Names that are there, under whatever folder; other namespaces; marks, places, examples, what is yet to come.
        "`/acme:many-words`, `/acme:audit`, `/acme:audit-all`, `/acme:apply`, `/opsx:apply`, `/opsx:archive`\n",
        "`/other:explore` and `/acme-x:explore` and `x/acme:explore` and `acme:explore`\n",
        "<!-- /acme:explore -->\n",
        "`/acme:<name>`, `/acme:*`, `/acme:my-skill`, `/acme:cmd2`, `{/acme:explore}`, `/acme:explore/x`, `/acme:explore:deep`\n",
        "There is no `/acme:explore`.\n",
        "## Planned commands\n\n- `/acme:explore`\n",
        "Candidates for a next version:\n\n- `/acme:explore`\n",
        "- [ ] TODO: write `/acme:explore`\n",
        "```yaml\naction: /acme:explore\n```\n",
    ] {
        assert_eq!(check(text), [""; 0], "{text}");
    }
    // One command makes no collection.
    let few = [("CLAUDE.md", "Run `/opsx:continue`.\n"), (".claude/commands/opsx/apply.md", "Do it.\n")];
    assert!(findings(INFO.name, &few, &past, &[], false).is_empty());
}

const PLUGINS: &[(&str, &str)] = &[
    (".claude-plugin/plugin.json", "{\"name\": \"whole\"}"),
    ("skills/lines/SKILL.md", "---\nname: lines\ndescription: x\n---\nx\n"),
    ("skills/words/SKILL.md", "---\nname: words\ndescription: x\n---\nx\n"),
    ("core/.claude-plugin/plugin.json", "{\"name\": \"core\"}"),
    ("core/skills/rows/SKILL.md", "---\nname: rows\ndescription: x\n---\nx\n"),
    ("core/skills/cells/SKILL.md", "---\nname: cells\ndescription: x\n---\nx\n"),
    ("look/.claude-plugin/plugin.json", "{\"name\": \"look\"}"),
    ("look/skills/roam-about/SKILL.md", "---\nname: roam-about\ndescription: x\n---\nx\n"),
    ("look/agents/judge-it.md", "---\nname: judge-it\ndescription: x\n---\nx\n"),
];

fn in_plugins(text: &str) -> Vec<String> {
    let at = "look/agents/tester.md";
    let text = format!("---\nname: tester\ndescription: x\n{text}");
    let files: Vec<(&str, &str)> = PLUGINS.iter().copied().chain([(at, &*text)]).collect();
    let found = findings(INFO.name, &files, &[], &[], false);
    show(&found.into_iter().filter(|finding| finding.path == at.into()).collect::<Vec<_>>(), &text)
}

#[test]
fn a_skill_is_called_behind_the_name_of_a_plugin_that_lacks_it() {
    let moved = "skills:\n  - core:roam-about\n  - core:rows\n---\nTest.\n";
    assert_eq!(in_plugins(moved), ["warning roam-about unsafe look:roam-about"]);
    assert_eq!(in_plugins("---\nUse `Skill(core:roam-about)`.\n"), ["warning roam-about unsafe look:roam-about"]);
    assert_eq!(in_plugins("---\n```\nTask with subagent_type=\"core:weigh-it\"\n```\n"), ["warning weigh-it"]);
    assert_eq!(in_plugins("skills:\n  - whole:roam-about\n---\nx\n"), ["warning roam-about unsafe look:roam-about"]);
    assert_eq!(in_plugins("skills:\n  - whole:lines\n---\nx\n"), [""; 0]);
    for fine in [
        "skills:\n  - look:roam-about\n  - core:rows\n  - other:roam-about\n---\nTest.\n",
        "---\nUse `Skill(look:roam-about)` and core:roam-about. Scope: `core:weigh-it`.\n",
        "---\n`subagent_type=\"look:judge-it\"`, formerly `subagent_type=\"core:judge-it\"`.\n",
    ] {
        assert_eq!(in_plugins(fine), [""; 0], "{fine}");
    }
}

#[test]
fn what_went_into_homes_is_still_there() {
    let past = [(".claude/skills/review-pages/SKILL.md", Past::Deleted)];
    let of = |hint: &str| {
        let text = "Then `/review-pages` is run.\n";
        let files: Vec<(&str, &str)> =
            FILES.iter().copied().chain([("CLAUDE.md", hint), (".claude/rules/pages.md", text)]).collect();
        findings(INFO.name, &files, &past, &[], false)
            .iter()
            .filter(|it| it.path.as_bytes().ends_with(b"pages.md"))
            .count()
    };
    assert_eq!(of("x\n"), 1);
    assert_eq!(of("Skills of all projects moved to ~/.claude/skills.\n"), 0);
    assert_eq!(of("| `~/.claude/skills/` | review-pages, memory |\n"), 0);
    assert_eq!(of("Settings are in ~/.claude/skills/README.md.\n"), 1);
}
