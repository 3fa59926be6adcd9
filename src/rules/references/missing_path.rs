//! A path in backticks that never existed.

use super::finding::{replace, same_subject};
use super::nearby::{Siblings, list_of, names_its_source};
use super::own::is_own_page;
use super::passing::{DATA, OUTLOOKS, WORKING};
use super::verdict::{PathVerdict, ask_fates, verdict_by_end};
use super::{MEASURED, applies_to_names, shown};
use crate::agents::files;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::parse::Document;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::Questions;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, MentionForm, Miss};

const INFO: RuleInfo = RuleInfo {
    name: "missing-path",
    group: Group::References,
    levels: &[Level::Info, Level::Warning],
    summary: "a path in backticks never existed",
    explanation: "\
## What it does
Reports paths in code spans that are not in the repository and never were, where the folder that they name is there, or the text sends the reader there (`see`, `run`): as info,
or as a warning where a hint file of this repository relies on a source file or a page as on one that is there, where exactly one
tracked file has that name and lies close by, where the same list or table names other files of
that folder and at least half of them are there, where a skill names a page or script beside others of its own, and where the path lies
in a folder of an agent, such as `.claude/commands`, that is there. A drawn tree of which most files are there means the others, too.
A folder is a warning where its list or table names three or more others beside it that are there, and few that are not.
An absolute path into the home of one person, `/Users/jo/app/x.ts`, is a warning; one below `/home` only where this repository has
the file. Hint files of a Claude plugin name its files by
`${CLAUDE_PLUGIN_ROOT}`; such a path counts from the folder of the manifest,
and is reported where its own folder is there.

## Why is this bad?
A wrong path sends the agent searching. Such paths are often written from memory, by people and by agents.

## Example
```markdown
Extend the coverage in `tests/test_pytest_plugin.py`.
```
in a repository whose `tests` has no such file.

## How to fix
Correct the path; `--unsafe-fixes` writes that of the file close by.
",
    evidence: &[MEASURED],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct MissingPath;

impl Rule for MissingPath {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        let siblings = Siblings::default();
        ask_fates(cx, &INFO, questions, |document, mention| {
            let is_own = mention.of_bundle
                || is_own_page(cx.workspace, document, mention)
                || siblings.stand_beside(cx.workspace, document, mention);
            let applies = || applies_to_names(cx.workspace, document, cx.selected, INFO.name);
            let has_near = matches!(mention.place, Miss::Absent { near: Some(_), .. });
            let is_own =
                is_own || is_agents_own(cx.workspace, document, mention) || is_meant(cx.workspace, document, mention);
            let level = if has_near || is_own { Level::Warning } else { Level::Info };
            match mention.form {
                MentionForm::File => (is_own || applies()).then_some(level),
                MentionForm::Directory => {
                    let stands = siblings.stand_beside(cx.workspace, document, mention);
                    (stands && !mention.hedged && applies()).then_some(Level::Warning)
                }
                _ => None,
            }
        });
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let applies = applies_to_names(cx.workspace, document, cx.selected, INFO.name);
        let siblings = Siblings::default();
        let is_path = |mention: &&Mention| matches!(mention.form, MentionForm::File | MentionForm::Directory);
        for mention in cx.workspace.mentions.of(&document.path).iter().filter(is_path) {
            if mention.form == MentionForm::Directory
                && (mention.hedged || !applies || !siblings.stand_beside(cx.workspace, document, mention))
            {
                continue;
            }
            if let Miss::Outside { inside } = &mention.place
                && (applies || inside.is_some() && is_handed_out(document))
            {
                findings.push(of_one_machine(document, mention, inside.as_ref()));
            }
            let Miss::Absent { candidates, near } = &mention.place else { continue };
            // In a cut-off history the path may have existed; without history it never did.
            let never = match verdict_by_end(cx, document, mention, candidates) {
                PathVerdict::Never => true,
                PathVerdict::Unknown => cx.answers.notes.is_empty(),
                PathVerdict::Renamed { .. } | PathVerdict::Deleted { .. } => false,
            };
            let is_misplaced = near.is_some() && mention.relied_on;
            let is_own = mention.of_bundle && mention.claimed
                || is_own_page(cx.workspace, document, mention)
                || applies && is_agents_own(cx.workspace, document, mention)
                || applies && is_meant(cx.workspace, document, mention);
            if names_its_source(cx.workspace, document, mention) || is_compiled(cx.workspace, candidates) {
                continue;
            }
            let Some(first) = candidates.first().filter(|_| never && (mention.claimed || is_misplaced || is_own))
            else {
                continue;
            };
            let has_siblings = applies && siblings.stand_beside(cx.workspace, document, mention);
            let is_page = document.kind == Kind::SkillPage && !mention.of_bundle && !cx.selected.contains(INFO.name);
            if !applies && !is_own || is_page && !has_siblings {
                continue;
            }
            let level = if near.is_some() || is_own || has_siblings { Level::Warning } else { Level::Info };
            let message = format!("`{}` names no {} of this repository, now or ever", mention.path, noun(mention));
            let list = is_own.then(|| list_of(document, mention.span.start)).flatten();
            let agents = near.as_ref().and_then(|near| folder_of_agent(mention, near));
            let dead_folder = || match cx.workspace.listing.has_dir(first.parent()) {
                true => first.to_str_lossy().into_owned(),
                false => format!("folder {}", String::from_utf8_lossy(first.parent())),
            };
            let key = agents.or(list).unwrap_or_else(dead_folder);
            let cause = same_subject(key, &mention.path, "name no file of this repository");
            let finding = Finding::new(INFO.name, level, &document.path, mention.span, message).cause(cause);
            findings.push(match near {
                Some(near) => {
                    let finding = finding.help(format!("did you mean {}?", shown(near)));
                    replace(document, mention, first, near, Applicability::Unsafe, finding)
                }
                None => finding.help("correct the path, or drop the mention"),
            });
        }
    }
}

fn noun(mention: &Mention) -> &'static str {
    if mention.form == MentionForm::Directory { "folder" } else { "file" }
}

/// The folder of an agent in which the text looks for what lies in that of another one, as a name of the cause.
fn folder_of_agent(mention: &Mention, near: &RepoPath) -> Option<String> {
    let folder = mention.path.trim_start_matches("./").split('/').next()?;
    let is_moved = files::is_agent_folder(folder.as_bytes()) && !near.as_bytes().starts_with(folder.as_bytes());
    is_moved.then(|| format!("folder {folder}"))
}

/// Whether the text is no record, and stands with what is in use.
fn is_handed_out(document: &Document) -> bool {
    document.kind != Kind::Plan && discover::why_set_aside(document.path.as_bytes()).is_none()
}

/// A path into the home of one person.
fn of_one_machine(document: &Document, mention: &Mention, inside: Option<&RepoPath>) -> Finding {
    let message = format!("`{}` lies in the home of one person, and nowhere else", mention.path);
    let key = format!("home in {}", shown(&document.path));
    let cause = same_subject(key, &mention.path, "lie in the home of one person");
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, mention.span, message).cause(cause);
    finding.help(match inside {
        Some(inside) => format!("did you mean {}?", shown(inside)),
        None => "name what lies in the repository, or begin with `~/` or a variable".to_owned(),
    })
}

/// Whether a path is that of what a compiler makes of a TypeScript file which is there: modules import each other by it.
fn is_compiled(workspace: &Workspace, candidates: &[RepoPath]) -> bool {
    candidates.iter().any(|candidate| {
        let stem = candidate.as_bytes().strip_suffix(b"js").or_else(|| candidate.as_bytes().strip_suffix(b"jsx"));
        let sources = [&b"ts"[..], b"tsx"];
        stem.is_some_and(|stem| sources.iter().any(|end| workspace.listing.contains(&[stem, end].concat())))
    })
}

/// Whether the text surely means a file of this repository that is there.
fn is_meant(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    is_surely_meant(workspace, document, mention) || is_told_as_there(workspace, document, mention)
}

/// Whether a hint file of this repository, which speaks of it and not of projects in general, relies on a source file or a page
/// of it by a path, and names nothing that is to be added.
fn is_told_as_there(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let ending = path::extension(mention.path.as_bytes());
    let file = path::file_name(mention.path.as_bytes());
    // Where a template has the name of a page, the page is yet to be written.
    let has_namesake = || ending == Some(b"md") && !workspace.listing.with_name_in_any_case(file).is_empty();
    let name = String::from_utf8_lossy(path::file_name(document.path.as_bytes())).to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    // What tools keep in folders of their own, their users write.
    let first = mention.path.trim_start_matches("./").split('/').next().unwrap_or_default();
    let is_of_a_tool = first.starts_with('.') && first.len() > 2 && first != ".github";
    mention.claimed
        && !is_of_a_tool
        && mention.relied_on
        && !mention.to_come
        && !document.kind.is_general()
        && !WORKING.iter().any(|name| file == name.as_bytes())
        && ending.is_some_and(|ending| !DATA.contains(&ending))
        && !words.any(|word| OUTLOOKS.contains(&word.trim_end_matches('s')))
        && !has_namesake()
}

/// Whether the text tells the reader to read a page beside others that are there, or names a workflow of this repository.
fn is_surely_meant(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let ending = path::extension(mention.path.as_bytes());
    let is_alike = |name: &[u8]| ending.is_some() && path::extension(name) == ending;
    let has_alike = |dir: &[u8]| workspace.listing.children(dir).iter().any(|(name, _)| is_alike(name));
    let stands = || candidates.iter().map(RepoPath::parent).any(|dir| !dir.is_empty() && has_alike(dir));
    let is_general = document.kind == Kind::Skill || matches!(document.kind.role(), Some(Role::Command));
    let is_workflow = mention.path.trim_start_matches("./").starts_with(".github/workflows/") && !is_general;
    let is_page = mention.to_be_read && mention.path.ends_with(".md");
    // Where a template has that name, the file is yet to be written.
    let name = path::file_name(mention.path.as_bytes());
    mention.claimed && (is_page || is_workflow) && stands() && workspace.listing.with_name_in_any_case(name).is_empty()
}

/// Whether the path is one of the files that agents keep in their own folders of this repository, in a folder of theirs that is
/// there: `.claude/commands/…`.
fn is_agents_own(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let mut parts = mention.path.trim_start_matches("./").split('/');
    let (Some(agent), Some(folder), Some(_)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let stands = workspace.listing.has_dir(format!("{agent}/{folder}").as_bytes());
    // A skill in another folder may be a copy, and speak of where it came from.
    let is_copy = matches!(document.kind, Kind::Skill | Kind::SkillPage)
        && !path::is_at_or_below(document.path.as_bytes(), agent.as_bytes());
    mention.relied_on
        && stands
        && !is_copy
        && files::is_agent_folder(agent.as_bytes())
        && [".md", ".mdc", ".py", ".sh", ".js", ".mjs", ".ts", ".ps1"].iter().any(|end| mention.path.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Past, check, check_at, findings, show};
    use crate::base::finding::Level;

    #[test]
    fn what_never_was_is_told_and_mended_where_one_file_is_close() {
        let files = ["tests/test_a.py", "src/lib/utils/date.ts", "src/utils/x.ts"];
        let text = "Extend `tests/test_b.py`. Dates: `src/utils/date.ts`.\n";
        let want = ["warning tests/test_b.py", "warning src/utils/date.ts unsafe src/lib/utils/date.ts"];
        assert_eq!(check("missing-path", text, &files, &[]), want);
    }

    #[test]
    fn a_path_with_hidden_characters_is_not_offered() {
        let text = "Dates: `src/utils/date.ts`.\n";
        let files = ["src/l\u{e4}b/utils/date.ts", "src/utils/x.ts"];
        assert_eq!(
            check("missing-path", text, &files, &[]),
            ["warning src/utils/date.ts unsafe src/l\u{e4}b/utils/date.ts"]
        );
        let files = ["src/l\u{200b}b/utils/date.ts", "src/utils/x.ts"];
        assert_eq!(check("missing-path", text, &files, &[]), ["warning src/utils/date.ts"]);
    }

    #[test]
    fn a_list_that_names_files_which_are_there_means_the_others_too() {
        let files = ["src/server/queues.ts", "src/server/logger.ts", "docs/a.md"];
        let text = "- Queues: `src/server/queues.ts`\n- Hooks: `src/server/hooks.ts`\n\nSee `src/server/x1.ts`.\n\n\
                    | Area | File |\n| --- | --- |\n| Log | `src/server/logger.ts`, `src/server/spans.ts` |\n\n\
                    - `docs/a.md`\n- `docs/b1.md`\n- `docs/c1.md`\n";
        let files = files.map(|file| (file, ""));
        let text = format!("---\ndescription: y\n---\n{text}");
        let files = [&[(".claude/commands/x.md", &*text)], &files[..]].concat();
        let want = [
            "warning src/server/hooks.ts",
            "info src/server/x1.ts",
            "warning src/server/spans.ts",
            "info docs/b1.md",
            "info docs/c1.md",
        ];
        assert_eq!(show(&findings("missing-path", &files, &[], &[], false), &text), want);
    }

    #[test]
    fn a_hint_file_that_relies_on_a_path_means_a_file_that_is_there() {
        let files = ["src/core/a1.rs", "docs/a1.md", "data/a1.csv", ".tasks/a1.md"];
        let text = "Guards live in `src/core/jumps.rs`.\n- **Pages**: `docs/never1.md`, `data/rows.csv`, `docs/NOTES.md`\n\n\
                    Add tests in `src/core/tests.rs`. You may keep a log in `docs/journal.md`.\n\
                    - `.tasks/prd.md`: the requirements\n";
        let want = [
            "warning src/core/jumps.rs",
            "warning docs/never1.md",
            "info data/rows.csv",
            "info docs/NOTES.md",
            "info src/core/tests.rs",
            "info docs/journal.md",
            "info .tasks/prd.md",
        ];
        assert_eq!(check("missing-path", text, &files, &[]), want);
        let all_info = |path: &str, text: &str| {
            let found = check_at("missing-path", path, text, &files, &[]);
            !found.is_empty() && found.iter().all(|line| line.starts_with("info"))
        };
        // TypeScript imports what the compiler will make.
        assert_eq!(check("missing-path", "Import from `src/types.js`.\n", &["src/types.ts", "src/a.js"], &[]), [""; 0]);
        // Prompts and agents describe projects in general.
        assert!(all_info(".claude/agents/x.md", "Guards live in `src/core/jumps.rs`.\n"));
    }

    #[test]
    fn a_template_is_not_the_file_that_was_meant() {
        let files = ["design/a.md", ".claude/docs/templates/concept.md", ".claude/docs/index.md"];
        let text = "1. `design/gdd/concept.md` holds the pillars, `design/index.md` the systems.\n";
        let want = ["info design/index.md"];
        assert_eq!(check_at("missing-path", ".claude/agents/x.md", text, &files, &[]), want);
        let files = ["pkg/common/hooks.ts", "pkg/node/x.ts"];
        let want = ["warning node/hooks.ts unsafe common/hooks.ts"];
        assert_eq!(check_at("missing-path", "pkg/AGENTS.md", "See `node/hooks.ts`.\n", &files, &[]), want);
        let files = ["design/a.md", "design/templates/concept.md"];
        assert_eq!(check("missing-path", "Read `design/concept.md`.\n", &files, &[]), ["info design/concept.md"]);
    }

    #[test]
    fn what_the_reader_is_told_to_read_is_meant() {
        let files = ["docs/flow/a1.md", ".github/workflows/ci1.yml", "src/main.rs", "assets/d1.md"];
        let text = "Read `docs/flow/b1.md` first. The list in `docs/flow/c1.md` is long. A push triggers `.github/workflows/deploy.yml`.\n\n\
                    `docs/flow/d1.md` comes from `assets/d1.md`.\n\nLook at `src/main.rs` and `src/eval1.rs`.\n";
        let want = [
            "warning docs/flow/b1.md",
            "warning docs/flow/c1.md",
            "warning .github/workflows/deploy.yml",
            "warning src/eval1.rs",
        ];
        assert_eq!(check("missing-path", text, &files, &[]), want);
    }

    #[test]
    fn a_bundle_names_its_files_by_a_variable() {
        let text = "Run `${CLAUDE_PLUGIN_ROOT}/scripts/go.sh`, then `bash \"${CLAUDE_PLUGIN_ROOT}/scripts/kept.sh\"`.\n\n\
                    ```sh\nnode ${CLAUDE_PLUGIN_ROOT}/lib/gone.js --x\n```\n\n`${CLAUDE_PLUGIN_ROOT}/scripts/*.sh` `${CLAUDE_PLUGIN_ROOT}/docs/<n>.md`\n\
                    `${CLAUDE_PLUGIN_ROOT}/scripts/` `${OTHER}/scripts/go.sh`\n\n```md\n---\nname: x\n---\n${CLAUDE_PLUGIN_ROOT}/scripts/any.sh\n```\n\nCreate `${CLAUDE_PLUGIN_ROOT}/notes/new1.md`.\n";
        let manifest = ("p/.claude-plugin/plugin.json", "{}");
        let files = [manifest, ("p/commands/a.md", text), ("p/scripts/kept.sh", ""), ("scripts/go.sh", "")];
        let want = ["warning ${CLAUDE_PLUGIN_ROOT}/scripts/go.sh"];
        assert_eq!(show(&findings("missing-path", &files, &[], &[], false), text), want);
        let past = [("p/scripts/go.sh", Past::Deleted)];
        let want = ["error ${CLAUDE_PLUGIN_ROOT}/scripts/go.sh"];
        assert_eq!(show(&findings("stale-path", &files, &past, &[], false), text), want);
        // Outside of a bundle the variable's value is unknown.
        let alone = [("CLAUDE.md", text), ("scripts/kept.sh", "")];
        assert_eq!(findings("missing-path", &alone, &[], &[], false), []);
    }

    #[test]
    fn files_in_an_agents_own_folder_are_meant() {
        let files = [".claude/commands/flow/start.md", ".claude/scripts/a.sh"];
        let text = "Read `.claude/commands/flow/steps/begin.md`. Run (.claude/scripts/net/get.sh). See `.claude/hooks/x.sh`.\n\
                    Keep `.claude/commands/your-own.md`, `.claude/commands/state.json`. Create `.claude/commands/new.md`.\n";
        let want = [
            "warning .claude/commands/flow/steps/begin.md",
            "warning .claude/scripts/net/get.sh",
            "info .claude/commands/state.json",
        ];
        assert_eq!(check("missing-path", text, &files, &[]), want);
        let skill = "---\nname: x\ndescription: y\n---\nThe steps are in `.claude/commands/flow/begin.md`.\n";
        let level =
            |path: &str| check_at("missing-path", path, skill, &files, &[])[0].split(' ').next().map(str::to_owned);
        assert_eq!(level(".claude/skills/x/SKILL.md").as_deref(), Some("warning"));
        assert_eq!(level(".agents/skills/x/SKILL.md").as_deref(), Some("info"));
    }

    #[test]
    fn a_skill_names_scripts_beside_its_own() {
        let skill =
            "---\nname: x\ndescription: y\n---\nCall `scripts/convert.py`, not `lib/a.py`. See `scripts/notes.txt`.\n";
        let found = |files: &[(&str, &str)]| {
            let found = findings("missing-path", files, &[], &[], false);
            show(&found.into_iter().filter(|finding| finding.level > Level::Info).collect::<Vec<_>>(), skill)
        };
        let other = ("skills/x/scripts/make.py", "");
        assert_eq!(found(&[("skills/x/SKILL.md", skill), other]), ["warning scripts/convert.py"]);
        assert_eq!(found(&[("skills/x/SKILL.md", skill), ("scripts/make.py", "")]), [""; 0]);
        assert_eq!(found(&[("skills/x/SKILL.md", skill), ("skills/x/scripts/x.txt", "")]), [""; 0]);
    }

    #[test]
    fn what_is_no_path_of_this_repository_is_silent() {
        let files = ["tests/a.py", "src/a.rs", "docs/a.md"];
        let text = "`deps/ncrypto/x.cc` `tests/foo.py` `docs/your-page.md` `src/a.rs` `a.rs` `origin/main` `tests/b`\n\
                    `github.com/x/y.md` `src/{a,b}.rs` `tests/*.py` `src/<x>.rs` `b.rs` `docs/gone.md`\n\n\
                    Files such as `src/b.rs`. Save it as `docs/b.md`.\n";
        assert_eq!(check("missing-path", text, &files, &[("docs/gone.md", Past::Deleted)]), [""; 0]);
    }
}
