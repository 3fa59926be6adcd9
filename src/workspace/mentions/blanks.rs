//! The folders of paths that go on with something to be filled in: `docs/old` of `docs/old/<name>.md` and of `docs/old/**`. Nobody
//! means a file by such a path, but its folder is meant.

use super::paths::of_token;
use super::plain::MAX_PATH;
use super::token::{self, PathToken};
use super::{Mention, MentionForm};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::placeholder::is_placeholder;
use crate::workspace::Workspace;

/// The folder before the first blank of a path in the code span at `content`, if it is not there. Only what history knew is worth
/// reporting.
pub(super) fn in_code(workspace: &Workspace, document: &Document, content: Span) -> Option<Mention> {
    let text = document.slice(content);
    let folder = folder_before(text.trim())?;
    let start = content.start + (text.len() - text.trim_start().len());
    let token = PathToken { directory: true, ..token::in_code(folder)? };
    let span = Span::new(start, start + folder.len());
    let mention = of_token(workspace, document, &token, span, None)?;
    // Skills and prompts say where their users keep something.
    let hedged = mention.hedged || document.kind.is_general();
    (mention.form == MentionForm::Directory).then_some(Mention { hedged, claimed: false, relied_on: false, ..mention })
}

/// The folders of `path` up to the first part that is to be filled in, if there are two or more.
fn folder_before(path: &str) -> Option<&str> {
    // `$name` is a variable in one place and a route's name in another; `{a,b}` stands for names, and not for any.
    let is_plain = path.len() < MAX_PATH
        && !path.starts_with(['/', '~', '@', '.'])
        && !path.contains(|c: char| c.is_whitespace() || c == '$' || c == ':' || c == '`');
    if !is_plain || !token::alternatives(path).is_empty() {
        return None;
    }
    let mut at = 0;
    for part in path.split('/') {
        if is_placeholder(part) {
            let folder = path[..at].trim_end_matches('/');
            return (folder.contains('/') && token::may_have_been_a_folder(folder)).then_some(folder);
        }
        at += part.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::folder_before;

    #[test]
    fn the_folder_stands_before_the_blank() {
        for path in ["docs/old/<name>.md", "docs/old/**/*.md", "docs/old/{feature}/x.md", "docs/old/YYYY-MM-DD-x.md"] {
            assert_eq!(folder_before(path), Some("docs/old"), "{path}");
        }
        let others = [
            "docs/<name>.md",
            "docs/old/x.md",
            "a/b/{c,d}.md",
            "app/b/$id.tsx",
            "/a/b/<x>",
            "a/b c/<x>",
            "dist/b/*",
            "https://x.y/z/*",
        ];
        for path in others {
            assert_eq!(folder_before(path), None, "{path}");
        }
    }
}
