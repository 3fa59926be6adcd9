//! Something with a hint's name that no agent can read: a directory, a special file, a link to nothing, a file beyond all size.

use crate::agents::files;
use crate::agents::runs::reading::MAX_ENTRIES;
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::markdown::bound::TooMuch;
use crate::parse::{Document, Problem, ProblemKind};
use crate::rules::settings::{CrowdedSettings, crowded, link_leaves_repository};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::SourceReadError;
use crate::workspace::Resolution;

const INFO: RuleInfo = RuleInfo {
    name: "unreadable-hint-file",
    group: Group::Context,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "a hint file cannot be read",
    explanation: "\
## What it does
Reports directories (except routes of websites, which contain a page), FIFOs, devices and sockets with the name of a hint file, symbolic links with such a name that are
broken or form a loop, links in agents' folders into one person's home folder, and broken ones in place of a skill (warnings), hint files over the size limit, and hint files in a folder that git treats as a git directory, such
as a bare repository. Also files of which only the beginning was read as Markdown, since their lists nest deeper than 100 levels or
they have more than 100,000 line ends and marks; hidden characters are looked for in all of them. Also settings with more than
10,000 hooks, servers or rules; hintlint does not check the rest. Folders of backups and archives are left alone, and a broken link to a skill
that `skills-lock.json` names and that is not there is an info: `npx skills` installs it.

## Why is this bad?
Agents skip all of these without a word, so the instructions are not there. Opening a FIFO would even hang them.

## Example
A folder called `CLAUDE.md/`, or `CLAUDE.md` as a link to an `AGENTS.md` that was deleted.

## How to fix
Put a regular text file there, or a link to one.
",
    evidence: &[Evidence {
        source: "golden vectors (hint-is-directory, symlink-dangling): Claude Code 2.1.329, Codex 0.169.0, Gemini CLI 0.61.0",
        checked: "2026-11",
    }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct UnreadableHintFile;

impl Rule for UnreadableHintFile {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let too_much = |problem: &Problem| match problem.kind {
            ProblemKind::TooMuchMarkup(why) => Some((why, problem.span)),
            _ => None,
        };
        let Some((why, span)) = document.problems.iter().find_map(too_much) else { return };
        let help = match why {
            TooMuch::Nesting => "use fewer levels of nesting",
            TooMuch::Marks => "move what no agent needs into other files",
        };
        let message = format!("from here on this file was not read as Markdown: {why}");
        findings.push(Finding::new(INFO.name, Level::Error, &document.path, span, message).help(help));
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        // What leads out of the repository, and is read, is another rule's.
        let other = link_leaves_repository::NAME;
        let tells = cx.selected.is_empty() || cx.selected.contains(other);
        let is_told = |link: &RepoPath| tells && link_leaves_repository::tells(cx.workspace, link);
        let homes = cx.workspace.links.iter().filter(|(link, target)| leads_home(link, target) && !is_put_aside(link));
        findings.extend(homes.filter(|(link, _)| !is_told(link)).map(|(link, target)| into_a_home(link, target)));
        let links = cx.workspace.links.keys().filter(|link| !is_put_aside(link));
        findings.extend(links.filter_map(|link| dead_skill(cx, link)));
        for (path, why) in &cx.workspace.unreadable {
            if is_put_aside(path) && matches!(why, SourceReadError::Directory | SourceReadError::Missing) {
                continue;
            }
            let imported = cx.workspace.imports.iter().any(|import| {
                matches!(&import.target, crate::workspace::imports::ImportTarget::Unreadable(target, _) if target == path)
            });
            let (message, help) = match why {
                // A failure of the run is reported as one, and an import's target at the import.
                SourceReadError::Failed(_) => continue,
                _ if imported => continue,
                SourceReadError::Directory => {
                    ("this is a directory, where agents look for a file".to_owned(), "rename it")
                }
                SourceReadError::Special => {
                    ("this is a FIFO, device or socket; it was not opened".to_owned(), "replace it with a regular file")
                }
                SourceReadError::GitDirectory => (
                    "this file lies in a git directory, and agents load nothing from one".to_owned(),
                    "move it out of the folder that holds HEAD, objects and refs",
                ),
                SourceReadError::TooLarge(size) => {
                    let limit = crate::source::MAX_FILE_BYTES >> 20;
                    (
                        format!("this file has {} MiB; files over {limit} MiB are not read", size >> 20),
                        "move what no agent needs into other files",
                    )
                }
                SourceReadError::Missing => (
                    "this link is broken: its target does not exist".to_owned(),
                    "restore the link's target, or delete the link",
                ),
            };
            findings.push(Finding::new(INFO.name, Level::Error, path, Span::empty(0), message).help(help));
        }
        for CrowdedSettings { path, span, entries } in crowded(cx) {
            let message = format!(
                "this has {entries} entries: agents apply all of them, but hintlint checks only the first {MAX_ENTRIES}"
            );
            let help = "remove the entries that are not needed";
            findings.push(Finding::new(INFO.name, Level::Error, &path, span, message).help(help));
        }
    }
}

/// What is said of a link into the home of one person.
fn into_a_home(link: &RepoPath, target: &[u8]) -> Finding {
    let message = format!("this link points to {}, which exists on one machine only", String::from_utf8_lossy(target));
    let cause = Cause {
        key: format!("home {}", String::from_utf8_lossy(path::parent(target))),
        subject: format!("`{}`", link.to_str_lossy()),
        many: "are links to files that exist on one machine only",
        help: None,
    };
    Finding::new(INFO.name, Level::Warning, link, Span::empty(0), message)
        .cause(cause)
        .help("link a file of this repository by a relative path, or put it here")
}

/// What is said of a link in an agent's folder of skills that leads nowhere. What a package manager brings is there once it has run.
fn dead_skill(cx: &Cx<'_>, link: &RepoPath) -> Option<Finding> {
    let folder = link.parent();
    let is_of_agent =
        path::file_name(folder) == b"skills" && files::is_agent_folder(path::file_name(path::parent(folder)));
    let target = cx.workspace.links.get(link).filter(|_| is_of_agent)?;
    let is_brought = target.windows(b"node_modules".len()).any(|part| part == b"node_modules");
    let is_named = link.file_name().ends_with(b".md") || leads_home(link, target) || is_brought;
    if is_named || !matches!(cx.workspace.resolve(link.as_bytes()), Resolution::Missing(_) | Resolution::Loop) {
        return None;
    }
    // What the lock names and nobody keeps in git is there once the command has run.
    let absent = cx.workspace.skills_lock.iter().flat_map(|lock| &lock.absent);
    let is_locked = absent.into_iter().any(|(name, _)| path::file_name(target) == name.as_bytes());
    let (key, many, message, level) = match is_locked {
        true => (
            "locked",
            "are broken links until `npx skills` installs what skills-lock.json names",
            "this link is broken until `npx skills` installs the skill, which skills-lock.json names",
            Level::Info,
        ),
        false => (
            "broken",
            "are broken links: agents find no skill there",
            "this link is broken: agents find no skill here",
            Level::Warning,
        ),
    };
    let cause = Cause {
        key: format!("{key} {}", String::from_utf8_lossy(folder)),
        subject: format!("`{}`", link.to_str_lossy()),
        many,
        help: None,
    };
    let help = match is_locked {
        true => "`npx skills experimental_install` installs it",
        false => "restore the link's target, or delete the link",
    };
    Some(Finding::new(INFO.name, level, link, Span::empty(0), message).cause(cause).help(help))
}

/// Whether a file lies in a folder of backups or of an archive, where no agent works.
fn is_put_aside(path: &RepoPath) -> bool {
    let is_aside = |folder: &[u8]| {
        let folder = folder.to_ascii_lowercase();
        let start = folder.iter().position(|byte| !matches!(byte, b'.' | b'_')).unwrap_or(folder.len());
        let name = &folder[start..];
        memchr::memmem::find(&folder, b"backup").is_some()
            || [&b".bak"[..], b"_bak", b".old"].iter().any(|end| folder.ends_with(end))
            || [&b"archive"[..], b"archived", b"archives", b"attic"].contains(&name)
    };
    path.parent().split(|&byte| byte == b'/').any(is_aside)
}

/// Whether a link with a hint file's name, in the folder of an agent or in place of a skill leads into the home of one person.
fn leads_home(link: &RepoPath, target: &[u8]) -> bool {
    let folders = || path::parent(link.as_bytes()).split(|&byte| byte == b'/');
    let is_of_an_agent = || folders().any(|folder| folder.starts_with(b".") && files::is_agent_folder(folder));
    let is_a_hint = || files::main_names().any(|name| link.file_name() == name.as_bytes());
    let is_a_skill = || path::file_name(link.parent()) == b"skills";
    let rest = [&b"/Users/"[..], b"/home/", b"/root/"].iter().find_map(|home| target.strip_prefix(*home));
    // What tests and programs leave in such a folder no agent reads.
    let is_left =
        || folders().any(|folder| folder.starts_with(b"pytest-of-")) || target.windows(5).any(|part| part == b"/bin/");
    rest.is_some_and(|rest| rest.contains(&b'/')) && (is_a_hint() || is_a_skill() || is_of_an_agent() && !is_left())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::config::Config;
    use crate::rules::run::{Selection, run};
    use crate::rules::testing::{check, places, repository_with_links};
    use crate::source::Memory;
    use crate::source::history::Answers;
    use crate::workspace::load;

    #[test]
    fn a_run_without_this_rule_has_a_note() {
        let files = [("AGENTS.md", ">".repeat(101)), ("a/AGENTS.md", ">".repeat(100))];
        for (select, notes) in
            [("repeated-text", &["only the beginning was read as Markdown of AGENTS.md"][..]), (INFO.name, &[])]
        {
            let loaded = load(&Memory::of_files(files.clone()), Config::default(), &[]).unwrap();
            let selection = Selection { select: vec![select.to_owned()], ..Selection::default() };
            let report = run(loaded, &selection, &mut |_| Answers::default());
            assert_eq!(report.notes, notes, "{select}");
        }
    }

    #[test]
    fn a_folder_that_is_a_route_of_a_site_is_no_hint() {
        let files = [("site/AGENTS.md/page.tsx", "x\n"), ("site/SKILL.md/index.md", "x\n"), ("CLAUDE.md", "x\n")];
        assert_eq!(repository_with_links(INFO.name, "", &files), []);
        assert_eq!(repository_with_links(INFO.name, "", &[("AGENTS.md/notes.txt", "x\n")]).len(), 1);
        let files = [("site/AGENTS.md/page.tsx", "x\n"), ("AGENTS.md -> site/AGENTS.md", "")];
        assert_eq!(repository_with_links(INFO.name, "", &files).len(), 1);
    }

    #[test]
    fn a_broken_link_in_place_of_a_skill_is_told() {
        let files = [
            ("AGENTS.md", "x\n"),
            ("kit/a/SKILL.md", "x\n"),
            (".claude/skills/a -> ../../kit/a", ""),
            (".claude/skills/b -> ../../kit/b", ""),
            (".claude/skills/c -> ../../node_modules/kit/c", ""),
            ("skills/d -> ../kit/d", ""),
            (".claude/scripts/e -> ../../kit/e", ""),
        ];
        let found = repository_with_links(INFO.name, "", &files);
        let told: Vec<_> = found.iter().map(|finding| (finding.path.to_str_lossy(), finding.level)).collect();
        assert_eq!(told, [(".claude/skills/b".into(), Level::Warning)]);
    }

    #[test]
    fn backups_and_archives_are_left_alone() {
        let found = |files: &[(&str, &str)]| repository_with_links(INFO.name, "", files).len();
        assert_eq!(found(&[(".pilot/backups/p/CLAUDE.md/2026-01.md", "x\n"), ("AGENTS.md", "x\n")]), 0);
        assert_eq!(found(&[(".agents_backup/skills/a -> /Users/bob/a/b", ""), ("AGENTS.md", "x\n")]), 0);
        assert_eq!(found(&[("_archive/CLAUDE.md -> gone.md", ""), ("AGENTS.md", "x\n")]), 0);
        assert_eq!(found(&[("pilot/p/CLAUDE.md/2026-01.md", "x\n"), ("AGENTS.md", "x\n")]), 1);
        assert_eq!(found(&[("archiver/CLAUDE.md -> gone.md", ""), ("AGENTS.md", "x\n")]), 1);
    }

    #[test]
    fn a_link_to_a_skill_that_is_yet_to_be_installed_is_an_info() {
        let lock = r#"{"version": 1, "skills": {"a": {"source": "o/r", "computedHash": "0"}}}"#;
        let files = [
            ("AGENTS.md", "x\n"),
            ("skills-lock.json", lock),
            (".claude/skills/a -> ../../.agents/skills/a", ""),
            (".claude/skills/b -> ../../.agents/skills/b", ""),
        ];
        let found = repository_with_links(INFO.name, "", &files);
        let told: Vec<_> = found.iter().map(|finding| (finding.path.to_str_lossy(), finding.level)).collect();
        assert_eq!(told, [(".claude/skills/a".into(), Level::Info), (".claude/skills/b".into(), Level::Warning)]);
    }

    #[test]
    fn a_link_into_a_home_is_told() {
        let files = [
            ("AGENTS.md", "x\n"),
            (".windsurf/rules/a.md -> /Users/bob/p/AGENTS.md", ""),
            ("CLAUDE.md -> /home/bob/p/AGENTS.md", ""),
            (".clinerules/b.md -> ../AGENTS.md", ""),
            ("src/c.md -> /home/bob/c.md", ""),
            (".claude/commands/d.md -> /etc/d.md", ""),
            (".claude/hooks/pytest-of-bob/e -> /home/bob/tmp/e", ""),
            (".claude/scripts/f -> /Users/bob/go/bin/f", ""),
            ("skills/e -> /root/skills/e", ""),
            ("assets/f -> /root/assets/f", ""),
        ];
        let found = repository_with_links(INFO.name, "", &files);
        let paths: Vec<_> = found.iter().map(|finding| finding.path.to_str_lossy()).collect();
        assert_eq!(paths, [".windsurf/rules/a.md", "CLAUDE.md", "skills/e"]);
    }

    #[test]
    fn markdown_that_is_not_read_to_its_end_is_told() {
        for bomb in [">".repeat(200), "*_".repeat(60_000)] {
            let text = format!("# T\n\n{bomb}\nx\n");
            assert_eq!(places(&UnreadableHintFile, Kind::AgentsMd, &text), [bomb.as_str()], "{bomb:.10}");
        }
        for text in ["> ".repeat(100), "*_".repeat(40_000), "- a\n".repeat(10_000)] {
            assert_eq!(check(&UnreadableHintFile, Kind::AgentsMd, &text), []);
        }
    }
}
