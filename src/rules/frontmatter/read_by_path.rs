//! Subagents that other hint files send the reader to by their paths: what they say is followed, also where no agent offers them.

use memchr::memmem;

use crate::base::kind::{Kind, Role};
use crate::base::path;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Bytes of a line before a path that are read, at most.
const MAX_BEFORE: usize = 120;

/// Words of the clause before a path that is to be read.
const READS: [&str; 10] = ["adopt", "apply", "cat", "execute", "follow", "include", "load", "open", "read", "reads"];
/// The same in scripts without blanks.
const READS_CLOSE: [&str; 6] = ["遵循", "阅读", "读取", "加载", "按照", "参照"];

/// Whether another hint file reads `document`, a subagent, by its path, or whichever lies in its folder.
pub(super) fn is_read_by_path(workspace: &Workspace, document: &Document) -> bool {
    let is_other = |other: &&Document| other.path != document.path && other.kind != Kind::Artifact;
    document.kind.role() == Some(Role::Subagent)
        && workspace.documents.iter().filter(is_other).any(|other| reads(other, document))
}

/// Whether what stands before a path on its line tells the reader to read it.
fn is_to_be_read(before: &str) -> bool {
    let clause = before.rsplit(['.', ';', '。']).next().unwrap_or(before).to_lowercase();
    before.ends_with(['@'])
        || before.ends_with("@./")
        || READS_CLOSE.iter().any(|word| clause.contains(word))
        || clause.split(|c: char| !c.is_alphanumeric()).any(|word| READS.contains(&word))
}

fn reads(other: &Document, document: &Document) -> bool {
    let (text, path) = (other.text.as_str(), document.path.as_bytes());
    let from_there = path::relative(other.path.parent(), path);
    let sends = |needle: &[u8]| {
        memmem::find_iter(text.as_bytes(), needle).any(|at| {
            let start = text.floor_char_boundary(at.saturating_sub(MAX_BEFORE));
            let line = text.get(start..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
            is_to_be_read(line)
        })
    };
    let folder = [document.path.parent(), b"/"].concat();
    let names_any = || {
        let behind = |at: usize| text.as_bytes().get(at + folder.len());
        memmem::find_iter(text.as_bytes(), &folder).any(|at| matches!(behind(at), Some(b'<' | b'{' | b'$' | b'[')))
    };
    sends(path) || from_there != path && from_there.contains(&b'/') && sends(&from_there) || names_any()
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

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
