//! Which paths that never existed a text certainly means as files of this repository, judged by its words and by neighbouring paths.

use super::block::{is_an_alternative, is_of_a_foreign_table, table_head};
use super::git_hooks::is_hook_beside_others;
use super::handed_out::is_of_a_named_skill;
use super::nearby::{Siblings, lone_folders_stand, names_rules_beside, stands_among_others};
use super::passing::{
    DATA, OUTLOOKS, PLACES, STANDARDS, WORKING, first_folder, holds_work, is_kind_of_tests, is_of_a_tool,
    is_of_an_agent,
};
use super::shaped::is_the_only_one_absent;
use crate::agents::files;
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::parse::placeholder::is_noun;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, MentionForm, Miss, is_of_one_project};

/// Whether the text surely means a file of this repository that is there.
pub(super) fn is_meant(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    (is_surely_meant(workspace, document, mention)
        || is_told_as_there(workspace, document, mention)
        || is_told_to_hold(document, mention)
        || is_lone_page(workspace, document, mention))
        && !workspace.is_about_any_project(document)
}

/// Folders in which skills keep pages of their own.
const OF_SKILLS: [&str; 7] = ["guides", "knowledge", "playbooks", "reference", "references", "steps", "workflows"];

/// Whether a skill lists several pages of a folder of its own, all of which were left behind when it was copied here.
pub(super) fn is_left_behind(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let Some((folder, _)) = mention.path.trim_start_matches("./").rsplit_once('/') else { return false };
    let is_own = |target: &RepoPath| {
        workspace.skill_folder(document).is_some_and(|own| path::is_at_or_below(target.as_bytes(), own))
    };
    document.kind == Kind::Skill
        && OF_SKILLS.contains(&folder)
        && mention.path.ends_with(".md")
        && mention.relied_on
        && !mention.to_come
        && discover::why_set_aside(document.path.as_bytes()).is_none()
        && candidates.first().is_some_and(is_own)
        && !is_of_a_named_skill(workspace, document, mention.span)
        && (stands_among_others(document, mention)
            || mention.sends && !mention.hedged && folder.starts_with("reference"))
}

/// Folders above a file without which any repository may have the same path.
const DEEP: usize = 3;

/// Whether the list around a path names other files of the same folder that are there; in a text that is handed out only of a
/// folder that lies deep in this repository, or in that of the skill itself.
pub(super) fn has_siblings(
    siblings: &Siblings,
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
    applies: bool,
) -> bool {
    let is_deep = || {
        mention.path.trim_start_matches("./").matches('/').count() >= DEEP
            && document.kind != Kind::Plan
            && discover::why_set_aside(document.path.as_bytes()).is_none()
    };
    (applies || is_deep() || is_of_own_folder(workspace, document, mention))
        && !is_of_a_named_skill(workspace, document, mention.span)
        && siblings.stand_beside(workspace, document, mention)
}

/// Whether a skill names a file in a folder of its own, which goes wherever the skill goes.
fn is_of_own_folder(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let own = workspace.skill_folder(document).filter(|_| document.kind == Kind::Skill);
    let lies_in = |own: &[u8]| {
        let target = candidates.first()?;
        let is_below = path::is_at_or_below(target.as_bytes(), own) && target.parent() != own;
        (is_below && workspace.listing.has_dir(target.parent())).then_some(())
    };
    own.and_then(lies_in).is_some()
        && !mention.to_come
        && !mention.hedged
        && discover::why_set_aside(document.path.as_bytes()).is_none()
}

/// Whether a folder that never was is surely meant: others of its list, table or drawing are there, or the text sends the reader
/// there.
pub(super) fn is_meant_folder(
    siblings: &Siblings,
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
) -> bool {
    let is_named = mention.form == MentionForm::Directory && !mention.hedged;
    // Who is sent there to look is told of what is there, whatever is to be added.
    let is_passing = || holds_work(&mention.path) || mention.to_come && !(mention.sends && mention.to_be_read);
    is_named
        && !is_an_alternative(document, mention.span)
        && (siblings.stand_beside(workspace, document, mention)
            || is_slip(workspace, document, mention)
            || is_hook_beside_others(workspace, document, mention)
            || !document.kind.is_general()
                && !workspace.is_about_any_project(document)
                && !is_passing()
                && (document.kind.role() == Some(Role::Main) || !is_of_an_agent(&mention.path))
                && (mention.relied_on
                    || mention.claimed && (mention.sends || is_certain_folder(workspace, document, mention))
                    || is_lone_and_sent(workspace, document, mention)
                    || document.text[mention.span.end..].starts_with('/')
                        && is_the_only_one_absent(workspace, document, mention)
                    || !mention.path.contains('/') && lone_folders_stand(workspace, document, mention)))
}

/// Whether the reader is sent to a folder by its name and a slash alone.
fn is_lone_and_sent(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let is_named_so = |dir: &[u8]| dir.split(|&byte| byte == b'/').any(|part| part == mention.path.as_bytes());
    mention.sends
        && !mention.path.contains('/')
        && !mention.path.starts_with('.')
        && document.text[mention.span.end..].starts_with("/`")
        && !workspace.listing.runs().any(|(dir, _)| is_named_so(dir))
}

/// Folders beside one that is named without a slash, at least, where folders lie.
const MIN_FOLDERS: usize = 3;

/// Whether the text says by a slash, or what lies beside the path, that it is a folder: otherwise it may be a module, or what is
/// built. What tools keep in folders of their own, their users make.
fn is_certain_folder(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let first = first_folder(&mention.path);
    let is_ended = document.text[mention.span.end..].starts_with('/');
    let are_folders = |dir: &[u8]| {
        let children = workspace.listing.children(dir);
        let is_folder = |name: &[u8]| workspace.listing.has_dir(&path::join(dir, name));
        let folders = children.iter().filter(|(name, _)| is_folder(name)).count();
        folders >= MIN_FOLDERS && folders >= (children.len() - folders) * 3
    };
    let has_capitals = mention.path.contains(|c: char| c.is_ascii_uppercase());
    // Go keeps packages there, and nothing else.
    let is_package = matches!(first, "pkg" | "internal");
    let lies_among_folders =
        || !has_capitals && candidates.iter().any(|candidate| is_package || are_folders(candidate.parent()));
    let name = mention.path.rsplit('/').next().unwrap_or_default();
    mention.path.contains('/')
        && !is_of_a_tool(&mention.path)
        && !is_kind_of_tests(&mention.path)
        && !is_noun(name)
        && (is_ended || lies_among_folders())
        && !says_where_to_put(document, mention.span)
        && !is_of_a_foreign_table(workspace, document, mention.span)
}

/// Whether the line, the head of its table or the heading above says where something is to be put: the folder may come with it.
fn says_where_to_put(document: &Document, span: Span) -> bool {
    let line = document.slice(document.lines.line_span(document.lines.line_of(span.start)));
    let head = table_head(document, span.start).map(|head| document.slice(head));
    let heading = document.markdown.heading_of(span.start).map(|at| document.markdown.headings[at].text.as_str());
    [Some(line), head, heading].into_iter().flatten().enumerate().any(|(at, text)| {
        let text = text.to_lowercase();
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| PLACES.contains(&word) || at > 0 && STANDARDS.contains(&word))
            || ["すること", "してください", "配置", "应", "應", "必须", "必須", "正确", "正確", "移动", "移動", "이동"]
                .iter()
                .any(|word| text.contains(word))
    })
}

/// Whether the name of a folder is a slip for that of one beside it, also of what is to be added: there is where it belongs.
fn is_slip(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { near: Some(near), .. } = &mention.place else { return false };
    // A tool's own folder holds what its users make; an agent's is as it is spelt.
    let is_agents = near.as_bytes().split(|&byte| byte == b'/').next().is_some_and(files::is_agent_folder);
    mention.claimed
        && !document.kind.is_general()
        && !workspace.is_about_any_project(document)
        && (is_agents || !holds_work(&mention.path))
}

/// Words behind a path that say what the file holds.
const HOLDS: [&str; 12] = [
    "configures",
    "contains",
    "controls",
    "declares",
    "defines",
    "describes",
    "documents",
    "explains",
    "holds",
    "lists",
    "registers",
    "specifies",
];

/// Whether a hint file of this repository says what a file of settings in a folder of it holds.
fn is_told_to_hold(document: &Document, mention: &Mention) -> bool {
    let settings = ["cfg", "conf", "ini", "json", "jsonc", "toml", "yaml", "yml"];
    let ending = path::extension(mention.path.as_bytes());
    let rest = document.text[mention.span.end..].trim_start_matches(['`', '*', '_', ')', ' ']);
    let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    mention.form == MentionForm::File
        && mention.claimed
        && mention.relied_on
        && !mention.to_come
        && !mention.path.starts_with('.')
        && !document.kind.is_general()
        && !holds_work(&mention.path)
        && HOLDS.contains(&word)
        && ending.is_some_and(|ending| settings.iter().any(|known| known.as_bytes() == ending))
}

/// Whether a hint file sends its reader to a page by a name that no file here has, or a rule names it like others beside itself.
fn is_lone_page(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let name = mention.path.strip_prefix("./").unwrap_or(&mention.path);
    let is_page = [".md", ".mdc"].iter().any(|end| name.strip_suffix(end).is_some_and(|stem| stem.len() > 3));
    mention.form == MentionForm::File
        && !name.contains('/')
        && is_page
        && (mention.sends || name.ends_with(".mdc") && names_rules_beside(workspace, document))
        && !mention.hedged
        && !mention.to_come
        && !document.kind.is_general()
        && is_of_one_project(name)
        && !WORKING.contains(&name)
}

/// Whether a hint file of this repository, which speaks of it and not of projects in general, relies on a source file or a page
/// of it by a path, and names nothing that is to be added.
fn is_told_as_there(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let ending = path::extension(mention.path.as_bytes());
    let file = path::file_name(mention.path.as_bytes());
    // Where a template has the name of a page, the page is yet to be written.
    let has_namesake = || ending == Some(b"md") && !workspace.listing.with_name_in_any_case(file).is_empty();
    // A hint file is looked for where the text says.
    let stands = |candidates: &[RepoPath]| candidates.iter().any(|path| workspace.listing.has_dir(path.parent()));
    let is_hint_file = mention.sends
        && files::main_names().any(|main| main.as_bytes() == file)
        && matches!(&mention.place, Miss::Absent { candidates, .. } if stands(candidates));
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
        && (mention.exact || is_hint_file || !has_namesake())
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
pub(super) fn is_agents_own(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
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
    use super::super::testing::{check, check_at, findings, show};
    use crate::base::finding::Level;

    fn warnings(path: &str, text: &str, files: &[&str]) -> Vec<String> {
        let mut all: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
        all.push((path, text));
        let found = findings("missing-path", &all, &[], &[], false);
        show(&found.into_iter().filter(|finding| finding.level > Level::Info).collect::<Vec<_>>(), text)
    }

    #[test]
    fn pages_that_a_skill_lists_were_left_behind() {
        let skill = |rows: &str| format!("---\nname: x\ndescription: y\n---\n| Step | File |\n| --- | --- |\n{rows}");
        let rows = "| A | `workflows/Build1.md` |\n| B | `workflows/Test1.md` |\n| C | `workflows/Lint1.md` |\n";
        let found = warnings("skills/x/SKILL.md", &skill(rows), &["skills/x/run.sh"]);
        assert_eq!(found.len(), 3, "{found:?}");
        let two = "| A | `workflows/Build1.md` |\n| B | `workflows/Test1.md` |\n";
        assert_eq!(warnings("skills/x/SKILL.md", &skill(two), &["skills/x/run.sh"]), [""; 0]);
        let sent = skill("| A | b |\n\nSee `references/cells.md`. Write `references/rows.md`.\n");
        assert_eq!(warnings("skills/x/SKILL.md", &sent, &["skills/x/run.sh"]), ["warning references/cells.md"]);
        // Skills make files in projects.
        let made = rows.replace("workflows/", "reports/");
        assert_eq!(warnings("skills/x/SKILL.md", &skill(&made), &["skills/x/run.sh"]), [""; 0]);
    }

    #[test]
    fn a_command_that_is_handed_out_lists_files_deep_in_its_repository() {
        let files = ["packages/core/src/lib/one-rule.ts", "src/one-rule.ts", ".claude-plugin/plugin.json"];
        let text = "Loaded from:\n\n- `packages/core/src/lib/one-rule.ts`\n- `packages/core/src/lib/two-rule.ts`\n";
        assert_eq!(warnings("commands/x.md", text, &files), ["warning packages/core/src/lib/two-rule.ts"]);
        let shallow = "Loaded from:\n\n- `src/one-rule.ts`\n- `src/two-rule.ts`\n";
        assert_eq!(warnings("commands/x.md", shallow, &files), [""; 0]);
    }

    #[test]
    fn a_folder_s_hint_file_lists_the_files_beside_it() {
        let files = ["docs/reference/overview.md"];
        let text = "# Reference\n\n## Files\n\n- `overview.md` - all\n- `command-line.md` - options\n";
        assert_eq!(warnings("docs/reference/AGENTS.md", text, &files), ["warning command-line.md"]);
        assert_eq!(warnings("AGENTS.md", text, &files), [""; 0]);
        assert_eq!(warnings("docs/reference/AGENTS.md", &text.replace("## Files", "## To write"), &files), [""; 0]);
        // What an item says behind the name does not make it an example.
        let said = text.replace("- options", "- how the package is called");
        assert_eq!(warnings("docs/reference/AGENTS.md", &said, &files), ["warning command-line.md"]);
        let elsewhere = [files[0], "docs/guides/command-line.md"];
        assert_eq!(warnings("docs/reference/AGENTS.md", text, &elsewhere), [""; 0]);
    }

    #[test]
    fn a_list_of_folders_means_all_of_them() {
        let files = ["tests/Controller/a.php", "tests/Fixtures/b.php", "src/c.php"];
        let text = "- `Unit/`: fast\n- `Controller/`: slow\n- `Fixtures/`: data\n";
        assert_eq!(warnings("tests/AGENTS.md", text, &files), ["warning Unit"]);
        assert_eq!(warnings("tests/AGENTS.md", &text.replace("- `Controller/`: slow\n", ""), &files), [""; 0]);
        // At the top any project has such folders.
        assert_eq!(
            warnings("AGENTS.md", &text.replace("Controller", "tests").replace("Fixtures", "src"), &files),
            [""; 0]
        );
        assert_eq!(warnings("tests/AGENTS.md", &text.replace("Unit", "[name]"), &files), [""; 0]);
        assert_eq!(warnings("tests/AGENTS.md", &text.replace("fast", "Built reports"), &files), [""; 0]);
    }

    #[test]
    fn the_reader_is_sent_to_a_folder_or_a_lone_page() {
        let files = ["src/client/a1.ts", "docs/a1.md"];
        let easy = "New views are easy to add (see `src/client/views/`).\n";
        assert_eq!(warnings("AGENTS.md", easy, &files), ["warning src/client/views"]);
        assert_eq!(warnings("AGENTS.md", "Add new views to `src/client/views/`.\n", &files), [""; 0]);
        let text = "Read the current `src/components` code. Results go to `src/widgets`.\n\n\
                    See `CONTEXT-MAP.md`. Keep a `JOURNAL.md`. See `README.md`. See `PLAN.md`. 修改前请查阅 `DESIGN.md`.\n";
        let want = ["warning src/components", "warning CONTEXT-MAP.md", "warning DESIGN.md"];
        assert_eq!(warnings("AGENTS.md", text, &files), want);
        let agent = format!("---\nname: x\ndescription: y\n---\n{text}");
        assert_eq!(warnings(".claude/agents/x.md", &agent, &files), [""; 0]);
    }

    #[test]
    fn what_a_file_of_settings_holds_is_told() {
        let files = ["config/a1.yml", "config/b1.json"];
        let text = "- `config/deploy.yml` defines the servers\n- `config/rows.yml`\n\nCopy it: `config/own.yml` may hold more.\n";
        assert_eq!(check("missing-path", text, &files, &[])[0], "warning config/deploy.yml");
        let levels = check("missing-path", "`config/rows.yml` is read. `config/own.csv` holds rows.\n", &files, &[]);
        assert!(levels.iter().all(|line| line.starts_with("info")), "{levels:?}");
    }

    #[test]
    fn a_rule_about_other_projects_means_no_file_of_this_one() {
        let rule = |globs: &str| format!("---\npaths: {globs}\n---\nGuards live in `src/core/jumps.rs`.\n");
        let at = |globs: &str| check_at("missing-path", ".claude/rules/x.md", &rule(globs), &["src/core/a1.rs"], &[]);
        assert_eq!(at("src/**/*.rs"), ["warning src/core/jumps.rs"]);
        assert_eq!(at("'**/*.py'"), ["info src/core/jumps.rs"]);
        assert_eq!(at("backend/**"), ["info src/core/jumps.rs"]);
    }

    #[test]
    fn a_folder_to_which_pages_are_moved_may_be_made_then() {
        let files = ["docs/guides/a1.md", "docs/api/b1.md"];
        let text = "Pages of last year are in `docs/stale/`.\n";
        assert_eq!(warnings("AGENTS.md", text, &files), ["warning docs/stale"]);
        for moves in ["Move old pages to `docs/stale/`.\n", "낡은 문서: `docs/stale/`로 이동\n"] {
            assert_eq!(warnings("AGENTS.md", moves, &files), [""; 0], "{moves}");
        }
    }
}
