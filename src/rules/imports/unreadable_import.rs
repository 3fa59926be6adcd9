//! An import of something that is there and is no text file.

use super::{OBSERVED, is_in_a_command};
use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::source::SourceReadError;
use crate::workspace::imports::{Import, ImportTarget};

const INFO: RuleInfo = RuleInfo {
    name: "unreadable-import",
    group: Group::Imports,
    levels: &[Level::Error],
    summary: "an import names something that cannot be imported",
    explanation: "\
## What it does
Reports imports of directories, of special files, of files over the size limit, of files that hold NUL bytes, and of links that
lead in a circle.

## Why is this bad?
No agent loads them, and most say nothing.

## Example
```markdown
@./docs/
```

## How to fix
Name a text file.
",
    evidence: &[OBSERVED],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct UnreadableImport;

impl Rule for UnreadableImport {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let is_example = |import: &Import| {
            let document = cx.workspace.document(import.importer.as_bytes());
            document.is_some_and(|document| is_in_a_command(document, import.span))
        };
        for import in cx.workspace.imports.iter().filter(|import| !is_example(import)) {
            let name = |path: &RepoPath| match path.as_bytes() {
                b"" => format!("`@{}`", import.shown()),
                _ => path.to_str_lossy().into_owned(),
            };
            let message = match &import.target {
                ImportTarget::Unreadable(path, SourceReadError::Failed(_)) => {
                    format!("{} could not be read", name(path))
                }
                ImportTarget::Unreadable(path, why) => format!("{} {why}", name(path)),
                ImportTarget::Loop => format!("`@{}` leads through symbolic links that form a loop", import.shown()),
                ImportTarget::File(path) if is_binary(cx, path) => {
                    format!("{} is not a text file: it holds NUL bytes", path.to_str_lossy())
                }
                _ => continue,
            };
            findings.push(
                Finding::new(INFO.name, Level::Error, &import.importer, import.span, message)
                    .help("name a text file of the repository")
                    .agents(import.agents.iter().copied()),
            );
        }
    }
}

/// As git decides it: a NUL byte among the first 8,000.
fn is_binary(cx: &Cx<'_>, path: &RepoPath) -> bool {
    let document = cx.workspace.document(path.as_bytes());
    document.is_some_and(|document| {
        document.kind == Kind::Imported
            && memchr::memchr(0, &document.bytes[..document.bytes.len().min(8_000)]).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn directories_and_binaries_are_reported() {
        let files = [("CLAUDE.md", "@./docs and @x/logo.md\n"), ("docs/a.md", "x\n"), ("x/logo.md", "\0\0")];
        let example = [("CLAUDE.md", "gemini -p \"@./docs explain\"\n"), ("docs/a.md", "x\n")];
        assert_eq!(check("unreadable-import", &example), [""; 0]);
        // Of the root the path is empty.
        let root = check("unreadable-import", &[("CLAUDE.md", "@./\n"), ("docs/a.md", "x\n")]);
        assert!(root.iter().all(|line| line.ends_with("error `@./` is a directory")), "{root:?}");
        assert_eq!(
            check("unreadable-import", &files),
            [
                "CLAUDE.md:0-7 error docs is a directory",
                "CLAUDE.md:12-22 error x/logo.md is not a text file: it holds NUL bytes"
            ]
        );
    }
}
