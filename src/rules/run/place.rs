//! What a file's place does to its findings: fixtures are exempt from most rules, and a file that agents open by a link is named
//! by both paths. Knows no rule.

use std::collections::BTreeSet;

use super::Selection;
use crate::base::finding::{Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::rules::{self, Group};
use crate::workspace::Workspace;

/// Rules about what a conversion does to a text.
const LOST: [&str; 2] = ["invalid-utf8", "replacement-character"];

/// Drop findings about templates, fixtures, examples and text of other projects, except those about characters, about files that the user named, and by rules
/// that the user selected.
pub(super) fn drop_fixtures(
    workspace: &Workspace,
    selection: &Selection,
    selected: &BTreeSet<&'static str>,
    findings: &mut Vec<Finding>,
) {
    let is_named = |path: &RepoPath| {
        let mut below = selection.paths.iter().filter(|named| path::is_at_or_below(path.as_bytes(), named.as_bytes()));
        below.any(|named| named == path || discover::is_fixture(&path::join(named.as_bytes(), b"x")))
    };
    let is_exempt = |path: &RepoPath| discover::is_fixture(path.as_bytes()) || discover::is_vendored(path.as_bytes());
    let is_fixture = |path: &RepoPath| match workspace.document(path.as_bytes()) {
        Some(document) => document.opened().iter().all(is_exempt),
        None => is_exempt(path),
    };
    findings.retain(|finding| {
        // A copy of another project's file is not fixed here; only deceptive characters are reported.
        let is_slip = finding.level < Level::Error && discover::is_vendored(finding.path.as_bytes());
        // What a conversion lost hides nothing, and belongs to what was recorded.
        let is_lost = LOST.contains(&finding.rule);
        let everywhere = match group(finding) {
            Some(Group::Unicode) => !is_slip && !is_lost,
            other => other == Some(Group::Artifacts),
        };
        let is_exempt = || is_fixture(&finding.path) || is_lost && discover::is_recorded(finding.path.as_bytes());
        // What a whole project says of its own files and commands can be held against them.
        let is_checked =
            || group(finding) == Some(Group::References) && workspace.is_of_a_shown_project(finding.path.as_bytes());
        everywhere || selected.contains(finding.rule) || !is_exempt() || is_named(&finding.path) || is_checked()
    });
}

/// Say by which link agents open a file, where its frontmatter is judged by that path.
pub(super) fn name_links(workspace: &Workspace, findings: &mut [Finding]) {
    let by_place = findings.iter_mut().filter(|found| matches!(group(found), Some(Group::Frontmatter | Group::Globs)));
    for finding in by_place {
        let Some(document) = workspace.document(finding.path.as_bytes()) else { continue };
        if let [link, ..] = document.opened()
            && !document.opened().contains(&finding.path)
        {
            finding.message.push_str(&format!(" (agents open this file as {})", link.to_str_lossy()));
        }
    }
}

fn group(finding: &Finding) -> Option<Group> {
    rules::find(finding.rule).map(|info| info.group)
}

#[cfg(test)]
mod tests {
    use crate::base::path::RepoPath;
    use crate::config::Config;
    use crate::rules::run::{Selection, run};
    use crate::source::Memory;
    use crate::source::history::Answers;
    use crate::workspace::load;

    /// The rules about the single file of a repository.
    fn rules_of(path: &str, text: &str, select: &[&str], named: &[&str]) -> Vec<&'static str> {
        let loaded = load(&Memory::of_files([(path, text)]), Config::default(), &[]).unwrap();
        let select = select.iter().map(|name| (*name).to_owned()).collect();
        let paths = named.iter().map(|path| RepoPath::from(*path)).collect();
        let selection = Selection { select, paths, ..Selection::default() };
        run(loaded, &selection, &mut |_| Answers::default()).findings.iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn fixtures_are_exempt_from_all_but_hidden_characters() {
        let text = "---\nname: [a\n---\nA\u{202e}b\n";
        let both = ["invalid-frontmatter", "bidi-control"];
        for (path, want) in [
            ("skills/a/SKILL.md", &both[..]),
            ("tests/fixtures/skills/a/SKILL.md", &both[1..]),
            ("tests/data/a/SKILL.md", &both[1..]),
            ("pkg/testdata/.claude/skills/a/SKILL.md", &both[1..]),
            ("__fixtures__/a/SKILL.md", &both[1..]),
            ("templates/skills/a/SKILL.md", &both[1..]),
            ("examples/a/SKILL.md", &both[1..]),
            // These are skills of that name.
            ("skills/tests/SKILL.md", &both[..]),
            (".claude/skills/templates/SKILL.md", &both[..]),
            ("skills/tests/a/SKILL.md", &both[..]),
        ] {
            assert_eq!(rules_of(path, text, &[], &[]), want, "{path}");
        }
    }

    #[test]
    fn what_was_recorded_keeps_what_a_conversion_lost() {
        let text = "Jos\u{FFFD} was A\u{202e}b\n";
        let both = ["replacement-character", "bidi-control"];
        for (path, want) in [
            ("AGENTS.md", &both[..]),
            ("data/AGENTS.md", &both[..]),
            ("tests/fixtures/a/AGENTS.md", &both[1..]),
            ("eval/cassettes/a/AGENTS.md", &both[1..]),
            ("tests/__snapshots__/AGENTS.md", &both[1..]),
            ("bench/frozen/CLAUDE.md", &both[1..]),
        ] {
            assert_eq!(rules_of(path, text, &[], &[]), want, "{path}");
        }
    }

    #[test]
    fn what_the_user_names_is_no_fixture() {
        let (path, text) = ("tests/fixtures/a/CLAUDE.md", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n");
        assert_eq!(rules_of(path, text, &[], &[]), [""; 0]);
        assert_eq!(rules_of(path, text, &[], &["tests"]), [""; 0]);
        for (select, named) in
            [(&["conflict-markers"][..], &[][..]), (&[], &["tests/fixtures/a/CLAUDE.md"]), (&[], &["tests/fixtures"])]
        {
            assert_eq!(rules_of(path, text, select, named), ["conflict-markers"], "{select:?} {named:?}");
        }
    }
}
