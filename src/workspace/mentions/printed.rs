//! Scripts whose source a skill or prompt prints, or which it tells its reader to make: those of the project in which it is used.

use memchr::memmem;

use crate::base::path;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;

/// What is said right behind the name of a file that the reader makes.
const TO_BE_MADE: [&str; 6] =
    ["create this", "generate this", "in your project", "in your repo", "to your project", "to your repo"];
/// What begins a comment, in languages of scripts.
const COMMENTS: [&str; 5] = ["#", "//", "--", "/*", "\"\"\""];
/// Lines of a fence that may give its file's name, and that its source has at least.
const HEAD: usize = 4;
/// Bytes behind a name in which something is said of it.
const BEHIND: usize = 60;

/// Whether a text for any project prints the source of `written`, or has the reader make it.
pub(super) fn is_of_the_reader(document: &Document, written: &str) -> bool {
    let name = String::from_utf8_lossy(path::file_name(written.as_bytes())).into_owned();
    document.kind.is_general() && name.contains('.') && (is_printed(document, &name) || is_to_be_made(document, &name))
}

fn is_printed(document: &Document, name: &str) -> bool {
    document.markdown.code.iter().any(|code| {
        let CodeKind::Fence { language, .. } = &code.kind else { return false };
        let lines = || document.slice(code.content).lines().map(str::trim).filter(|line| !line.is_empty());
        // Remarks in lines of commands tell what the commands do.
        let is_of_commands =
            matches!(&*language.to_ascii_lowercase(), "" | "bash" | "console" | "sh" | "shell" | "zsh");
        let is_source =
            lines().count() > HEAD && (!is_of_commands || lines().next().is_some_and(|line| line.starts_with("#!")));
        is_source && lines().take(HEAD).any(|line| is_title(line, name))
    })
}

/// Whether a line is a comment that holds the path of a file called `name` and nothing else.
fn is_title(line: &str, name: &str) -> bool {
    let Some(mark) = COMMENTS.iter().find(|mark| line.starts_with(**mark)) else { return false };
    let title = line[mark.len()..].trim_end_matches("*/").trim_matches(['"', '#', '/', '-', ' ']);
    title.strip_suffix(name).is_some_and(|folder| folder.is_empty() || folder.ends_with('/') && !folder.contains(' '))
}

fn is_to_be_made(document: &Document, name: &str) -> bool {
    let text = &document.text;
    memmem::find_iter(text.as_bytes(), name.as_bytes()).take(HEAD * HEAD).any(|at| {
        let line = document.lines.line_span(document.lines.line_of(at));
        let behind = Span::new(
            at + name.len(),
            text.floor_char_boundary(line.end.min(at + name.len() + BEHIND)).max(at + name.len()),
        );
        let said = document.slice(behind).trim_start_matches(['`', '*']).trim_start().to_lowercase();
        said.starts_with('(')
            && TO_BE_MADE.iter().any(|words| said.split(')').next().is_some_and(|said| said.contains(words)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;

    fn is_made(text: &str) -> bool {
        let document = Document::parse(".claude/skills/x/SKILL.md".into(), Kind::Skill, text.as_bytes().into());
        is_of_the_reader(&document, "scripts/check.py")
    }

    #[test]
    fn sources_are_printed_below_their_names() {
        let source = "import os\nimport sys\n\nprint(os)\nprint(sys)\n";
        assert!(is_made(&format!("```python\n#!/usr/bin/env python3\n# scripts/check.py\n{source}```\n")));
        assert!(is_made(&format!("```js\n// check.py\n{source}```\n")));
        assert!(is_made("**Script**: `check.py` (generate this in your project)\n"));
        for text in [
            &*format!("```python\n# runs scripts/check.py\n{source}```\n"),
            "```bash\n# scripts/check.py\npython scripts/check.py\na\nb\nc\nd\n```\n",
            &*format!("```python\n# scripts/recheck.py\n{source}```\n"),
            "Run `check.py` in your project.\n",
        ] {
            assert!(!is_made(text), "{text}");
        }
    }
}
