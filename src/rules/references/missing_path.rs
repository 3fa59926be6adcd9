//! A path in backticks that never existed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::stale_path::WORKING;
use super::{
    MEASURED, Verdict, applies_to_names, ask_fates, block_around, list_of, replace, same_subject, shown, verdict_by_end,
};
use crate::agents::files;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::parse::Document;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::Questions;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Form, Mention, Miss};

const INFO: RuleInfo = RuleInfo {
    name: "missing-path",
    group: Group::References,
    levels: &[Level::Info, Level::Warning],
    summary: "a path in backticks never existed",
    explanation: "\
## What it does
Reports paths in code spans that are not in the repository and never were, where the folder that they name is there: as info,
or as a warning where a hint file of this repository relies on a source file or a page as on one that is there, where exactly one
tracked file has that name and lies close by, where the same list or table names other files of
that folder and at least half of them are there, where a skill names a page or script beside others of its own, and where the path lies
in a folder of an agent, such as `.claude/commands`, that is there. Hint files of a Claude plugin name its files by
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
            let is_own = is_own || is_agents_own(cx.workspace, mention) || is_meant(cx.workspace, document, mention);
            let level = if has_near || is_own { Level::Warning } else { Level::Info };
            (mention.form == Form::File && (is_own || applies())).then_some(level)
        });
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let applies = applies_to_names(cx.workspace, document, cx.selected, INFO.name);
        let siblings = Siblings::default();
        for mention in cx.workspace.mentions.of(&document.path).iter().filter(|mention| mention.form == Form::File) {
            let Miss::Absent { candidates, near } = &mention.place else { continue };
            // Where history is cut off, nobody knows whether the path ever was there; where there is none, it never was.
            let never = match verdict_by_end(cx, document, mention, candidates) {
                Verdict::Never => true,
                Verdict::Unknown => cx.answers.notes.is_empty(),
                Verdict::Renamed { .. } | Verdict::Deleted { .. } => false,
            };
            let is_misplaced = near.is_some() && mention.relied_on;
            let is_own = mention.of_bundle && mention.claimed
                || is_own_page(cx.workspace, document, mention)
                || applies && is_agents_own(cx.workspace, mention)
                || applies && is_meant(cx.workspace, document, mention);
            if super::names_its_source(cx.workspace, document, mention) || is_compiled(cx.workspace, candidates) {
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
            let message = format!("`{}` names no file of this repository, now or ever", mention.path);
            let list = is_own.then(|| list_of(document, mention.span.start)).flatten();
            let dead_folder = || match cx.workspace.listing.has_dir(first.parent()) {
                true => first.to_str_lossy().into_owned(),
                false => format!("folder {}", String::from_utf8_lossy(first.parent())),
            };
            let key = list.unwrap_or_else(dead_folder);
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

/// Which folders have most of their files there that a list or table names: answers of one run, since all mentions of a block
/// and folder have the same one.
#[derive(Default)]
struct Siblings(RefCell<BTreeMap<(RepoPath, usize, usize, String), bool>>);

impl Siblings {
    /// Whether the list or table around `mention` names other files of the same folder, and at least as many of them are there as
    /// are not.
    fn stand_beside(&self, workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
        let Miss::Absent { candidates, .. } = &mention.place else { return false };
        let Some((written, _)) = mention.path.rsplit_once('/').filter(|_| mention.claimed) else { return false };
        let line = || document.lines.line_span(document.lines.line_of(mention.span.start));
        let around = block_around(document, mention.span.start).unwrap_or_else(line);
        let key = (document.path.clone(), around.start, around.end, written.to_owned());
        *self.0.borrow_mut().entry(key).or_insert_with(|| {
            let folder = candidates.iter().map(RepoPath::parent).find(|folder| workspace.listing.has_dir(folder));
            folder.is_some_and(|folder| are_mostly_there(workspace, folder, written, document.slice(around)))
        })
    }
}

/// Whether `text` names files of `folder`, which it calls `written`, and at least as many of them are there as are not.
fn are_mostly_there(workspace: &Workspace, folder: &[u8], written: &str, text: &str) -> bool {
    let begin = format!("`{written}/");
    let names =
        text.match_indices(&begin).filter_map(|(at, _)| text[at + begin.len()..].split(['`', ':', '#', '\n']).next());
    let names: BTreeSet<&str> =
        names.filter(|name| name.contains('.') && !name.contains(['/', '*', '<', '{'])).collect();
    let there = names.iter().filter(|name| workspace.listing.contains(&path::join(folder, name.as_bytes()))).count();
    there > 0 && there * 2 >= names.len()
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

/// Endings of data, which programs write as often as people.
const DATA: [&[u8]; 15] = [
    b"cfg", b"conf", b"csv", b"html", b"ini", b"json", b"jsonc", b"patch", b"plist", b"png", b"snap", b"svg", b"txt",
    b"yaml", b"yml",
];

/// Words in the names of documents that tell of what is yet to come.
const OUTLOOKS: [&str; 8] = ["backlog", "design", "plan", "proposal", "rfc", "roadmap", "spec", "todo"];

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
        && !super::is_general(document)
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
fn is_agents_own(workspace: &Workspace, mention: &Mention) -> bool {
    let mut parts = mention.path.trim_start_matches("./").split('/');
    let (Some(agent), Some(folder), Some(_)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let stands = workspace.listing.has_dir(format!("{agent}/{folder}").as_bytes());
    mention.relied_on
        && stands
        && files::is_agent_folder(agent.as_bytes())
        && [".md", ".mdc", ".py", ".sh", ".js", ".mjs", ".ts", ".ps1"].iter().any(|end| mention.path.ends_with(end))
}

/// Whether a skill names a page of its own: a Markdown file in a folder of the skill in which its other pages are, or a script
/// beside its other scripts.
fn is_own_page(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let is_script =
        super::has_script_ending(&mention.path) && mention.path.trim_start_matches("./").starts_with("scripts/");
    let is_page = |name: &[u8]| match is_script {
        true => super::has_script_ending(&String::from_utf8_lossy(name)),
        false => name.ends_with(b".md") && name.iter().any(u8::is_ascii_lowercase),
    };
    let has_pages = |dir: &[u8]| workspace.listing.children(dir).iter().any(|(name, _)| is_page(name));
    let is_own =
        |target: &RepoPath| has_pages(target.parent()) && workspace.is_own_path(document, &mention.path, target);
    // A name in capitals alone, such as `AGENTS.md`, is that of a file which other folders have.
    let named = mention.path.contains('/')
        && mention.path.ends_with(".md")
        && mention
            .path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.trim_end_matches(".md").contains(|c: char| c.is_ascii_lowercase()));
    document.kind == Kind::Skill
        && mention.claimed
        && (named || is_script)
        && discover::why_set_aside(document.path.as_bytes()).is_none()
        && candidates.first().is_some_and(is_own)
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
        // Prompts and agents speak of projects in general.
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
                    `${CLAUDE_PLUGIN_ROOT}/scripts/` `${OTHER}/scripts/go.sh`\n\nCreate `${CLAUDE_PLUGIN_ROOT}/notes/new1.md`.\n";
        let manifest = ("p/.claude-plugin/plugin.json", "{}");
        let files = [manifest, ("p/commands/a.md", text), ("p/scripts/kept.sh", ""), ("scripts/go.sh", "")];
        let want = ["warning ${CLAUDE_PLUGIN_ROOT}/scripts/go.sh"];
        assert_eq!(show(&findings("missing-path", &files, &[], &[], false), text), want);
        let past = [("p/scripts/go.sh", Past::Deleted)];
        let want = ["error ${CLAUDE_PLUGIN_ROOT}/scripts/go.sh"];
        assert_eq!(show(&findings("stale-path", &files, &past, &[], false), text), want);
        // Outside of a bundle nobody knows what the variable holds.
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
