//! Readers that make do without a field, and files that nobody reads as they are. Knows the agents' tables by their answers.

use super::super::invalid_value::shortened;
use super::{INFO, collection};
use crate::agents::{Dialect, bundles, files};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::Cx;

/// `finding` about the missing field `name`; an info that says so where the file's reader makes the field up.
pub(super) fn named_by_reader(document: &Document, cx: &Cx<'_>, name: &str, finding: Finding) -> Finding {
    // All paths by which agents open the file must be those of bundles.
    let made_up: Option<Vec<_>> = document.opened().iter().map(|path| made_up(document, cx, path, name)).collect();
    match made_up.as_deref() {
        Some([(dialect, taken), ..]) => Finding {
            level: Level::Info,
            message: format!("`{name}` is missing; in a plugin {} takes {taken}", dialect.versioned()),
            ..finding
        },
        _ => finding,
    }
}

/// What the reader of a bundle takes for the field `name` of the document that it opens by `path`.
fn made_up(document: &Document, cx: &Cx<'_>, path: &RepoPath, name: &str) -> Option<(&'static Dialect, &'static str)> {
    let has = |file: &[u8]| cx.workspace.listing.contains(file);
    bundles::made_up(path.as_bytes(), document.kind, name, has)
}

/// Report a page among the subagents of a plugin, whose reader takes it for one and makes its name up.
pub(super) fn offered_page(document: &Document, cx: &Cx<'_>) -> Option<Finding> {
    let (dialect, _) = document.opened().iter().find_map(|path| made_up(document, cx, path, "name"))?;
    let text = |file: &[u8]| cx.workspace.settings.get(&RepoPath::new(file)).map(|text| &**text);
    // An empty file is told of as that.
    if document.text.trim().is_empty() || bundles::are_named(document.path.as_bytes(), document.kind, text) {
        return None;
    }
    let message = format!(
        "this page is offered as a subagent: in a plugin {} takes each file of the folder for one",
        dialect.versioned()
    );
    // Everybody knows what that page is, so it costs no more than its line.
    let is_readme = document.path.file_name().to_ascii_lowercase().starts_with(b"readme");
    let level = if is_readme { Level::Info } else { Level::Warning };
    let finding = Finding::new(INFO.name, level, &document.path, Span::default(), message);
    let cause = Cause {
        key: format!("offered pages {level:?} {}", collection(document)),
        subject: format!("`{}`", sanitize::path(&document.path)),
        many: "are pages that a plugin offers as subagents, as each file of the folder",
        help: None,
    };
    Some(finding.cause(cause).help("move it out of the folder: the model is told of it in each session"))
}

/// The reader of a skill without frontmatter and the line that it takes for its description, if each enabled agent that may read the
/// skill does so.
pub(super) fn described_by_text(document: &Document, cx: &Cx<'_>) -> Option<(String, String)> {
    if document.kind != Kind::Skill {
        return None;
    }
    let enabled = || cx.workspace.dialects();
    let has = |file: &[u8]| cx.workspace.listing.contains(file);
    let readers = document.opened().iter().flat_map(|path| files::skill_readers(path.as_bytes(), &has));
    let readers: Vec<_> = readers.filter(|found| found.by_manifest || is_enabled(enabled(), found.agent)).collect();
    // Of some agents the folders of others in which they look for skills are not known.
    let is_unknown = enabled().any(|dialect| dialect.files.skills.is_none() && !dialect.files.skill_folders.is_empty());
    let takes_text = readers.iter().all(|found| found.reader.describes_by_text && !found.by_manifest);
    let reader = readers.first().filter(|_| takes_text && !is_unknown)?;
    let dialect = enabled().find(|dialect| dialect.id == reader.agent)?;
    let line = document.text[document.body..].lines().map(str::trim).find(|line| !line.is_empty())?;
    let line = line.trim_start_matches('#').trim();
    Some((dialect.versioned(), sanitize::line(&shortened(line)).into_owned()))
}

fn is_enabled(mut enabled: impl Iterator<Item = &'static Dialect>, agent: &str) -> bool {
    enabled.any(|dialect| dialect.id == agent)
}

/// Folders of what was taken in from elsewhere and is not in use as it is.
const ASIDE: [&str; 6] = ["imported", "imports", "quarantine", "quarantined", "registry", "upstream"];

/// Whether a subagent lies in a registry or the like, in no folder of an agent and in no plugin.
pub(super) fn is_kept_aside(document: &Document, cx: &Cx<'_>) -> bool {
    let has = |file: &[u8]| cx.workspace.listing.contains(file);
    let is_aside = |path: &RepoPath| {
        let parent = String::from_utf8_lossy(path.parent()).to_lowercase();
        parent.split('/').any(|folder| ASIDE.contains(&folder))
            && !files::is_in_agent_folder(path.as_bytes())
            && !bundles::may_be_installed(path.as_bytes(), has)
    };
    document.kind.role() == Some(Role::Subagent) && document.opened().iter().all(is_aside)
}

/// Lines with text of a skill that is yet to be written, at most.
const STUB_LINES: usize = 15;

/// Words for what is yet to be written, in small letters.
const TO_COME: [&str; 8] = [
    "coming in ",
    "coming soon",
    "not implemented yet",
    "not yet implemented",
    "not yet written",
    "placeholder",
    "to be written",
    "work in progress",
];

/// Whether a skill without frontmatter has a few lines and says that it is yet to be written.
pub(super) fn is_stub(document: &Document) -> bool {
    let text = document.text.to_lowercase();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    lines <= STUB_LINES && TO_COME.iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

    fn found(files: &[(&str, &str)]) -> Vec<(String, Level)> {
        repository("missing-field", "", files).into_iter().map(|finding| (finding.message, finding.level)).collect()
    }

    #[test]
    fn a_plugin_s_subagent_is_named_after_its_file() {
        let nameless = "---\ndescription: Reviews.\n---\nYou are a reviewer.\n";
        let level = |path: &str, text: &str| {
            let found = found(&[("p/.claude-plugin/plugin.json", "{}"), (path, text)]);
            found.iter().map(|(_, level)| *level).collect::<Vec<_>>()
        };
        assert_eq!(level("p/agents/a.md", nameless), [Level::Info]);
        // In its own folder the agent skips it, and nobody describes a subagent for its author.
        assert_eq!(level(".claude/agents/a.md", nameless), [Level::Error]);
        assert_eq!(level("p/agents/a.md", "---\nname: a\n---\nYou are a reviewer.\n"), [Level::Error]);
        let (message, _) = &found(&[("p/.claude-plugin/plugin.json", "{}"), ("p/agents/a.md", nameless)])[0];
        assert!(message.ends_with("takes the file's name"), "{message}");
    }

    #[test]
    fn a_skill_that_only_one_agent_reads_is_described_by_its_first_line() {
        let of = |also: &str| {
            let found = found(&[(".claude/skills/a/SKILL.md", "\n# Turn rows\n\nDo.\n"), (also, "x\n")]);
            (found[0].1, found[0].0.ends_with(" takes \"Turn rows\" for its description"))
        };
        assert_eq!(of("CLAUDE.md"), (Level::Warning, true));
        // Others refuse it, or may.
        assert_eq!(of(".github/copilot-instructions.md"), (Level::Error, false));
        assert_eq!(of(".cursor/rules/a.mdc"), (Level::Error, false));
        // In a plugin it is not offered to the model.
        let plugin =
            found(&[(".claude-plugin/plugin.json", "{}"), ("skills/a/SKILL.md", "# T\n"), ("CLAUDE.md", "x\n")]);
        assert_eq!(plugin[0].1, Level::Error);
    }

    #[test]
    fn what_a_registry_keeps_is_an_info() {
        let nameless = "---\ndescription: Reviews.\nmodel: haiku\n---\nYou are a reviewer.\n";
        let named = "---\nname: b\ndescription: Reviews.\nmodel: haiku\n---\nYou are a reviewer.\n";
        let level = |folder: &str| {
            let (a, b) = (format!("{folder}/a.md"), format!("{folder}/b.md"));
            let c = format!("{folder}/c.md");
            let found = found(&[(&a, nameless), (&b, named), (&c, named), ("CLAUDE.md", "x\n")]);
            found.iter().map(|(_, level)| *level).collect::<Vec<_>>()
        };
        assert_eq!(level("configs/registry/agents/imported/x"), [Level::Info]);
        assert_eq!(level("kit/agents"), [Level::Error]);
        assert_eq!(level("registry/.claude/agents"), [Level::Error]);
    }

    #[test]
    fn a_stub_beside_skills_is_an_info() {
        let skill = ("x/b/SKILL.md", "---\nname: b\ndescription: c\n---\n");
        let stub = "# A\n\nIntegration coming in Phase 1.\n";
        let level = |path: &str, text: &str| found(&[skill, (path, text)])[0].1;
        assert_eq!(level("x/a/SKILL.md", stub), Level::Info);
        assert_eq!(level("x/a/SKILL.md", "# A\n\nTurn rows.\n"), Level::Warning);
        assert_eq!(level("x/a/SKILL.md", &format!("{stub}{}", "- do it\n".repeat(20))), Level::Warning);
        assert_eq!(level("skills/a/SKILL.md", stub), Level::Error);
        // Another that is whole is told of by the same finding.
        let both = found(&[skill, ("x/a/SKILL.md", stub), ("x/c/SKILL.md", "# C\n\nTurn rows.\n")]);
        assert_eq!(both[0].1, Level::Warning);
    }

    #[test]
    fn a_subagent_that_is_read_by_its_path_needs_no_frontmatter() {
        let level = |text: &str| {
            let files = [
                ("CLAUDE.md", text),
                (
                    ".claude/agents/backend-developer.md",
                    "# Backend Developer Agent\n\nYou are the backend developer.\n\n## Rules\n\n- Use tabs.\n",
                ),
            ];
            let found = repository("missing-field", "agents = [\"claude\"]\n", &files);
            found.first().map(|finding| finding.level)
        };
        for text in [
            "Read `.claude/agents/backend-developer.md` first.\n",
            "Run `claude \"$(cat .claude/agents/backend-developer.md)\"`.\n",
            "Each role reads `.claude/agents/<role>.md`.\n",
        ] {
            assert_eq!(level(text), Some(Level::Info), "{text}");
        }
        for text in [
            "The reviewer is `.claude/agents/backend-developer.md`.\n",
            "Read all. Agents: `.claude/agents/backend-developer.md`\n",
            "x\n",
        ] {
            assert_eq!(level(text), Some(Level::Error), "{text}");
        }
    }
}
