//! A rule's text with its `@path` imports expanded as in a merged context, and what such an import may lead to: files of the
//! folder that the rule belongs to. Files are read one by one.

use std::sync::Arc;

use super::frame::TakenOut;
use crate::agents::merged::expand::{Expander, ImportExpansion, ImportResolver};
use crate::agents::merged::layer::{NormalisedText, PathImport};
use crate::agents::merged::marker::{Marker, path_text};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::parse::{Document, unicode};
use crate::world::{AbsPath, ReadError, World};

/// How many imports may follow one another.
const DEPTH: usize = 3;
/// Imported files of one rule beyond which nothing more is read.
const MAX_FILES: usize = 50;
/// Bytes of one rule's text beyond which nothing more is read; far more than is ever shown.
const MAX_BYTES: usize = 256 * 1024;

/// The imports of one rule.
pub(crate) struct Includes<'w> {
    world: &'w dyn World,
    /// What imports may not leave, links resolved.
    boundary: &'w AbsPath,
    files: usize,
    bytes: usize,
    /// The hidden characters of all files that were read.
    hidden: TakenOut,
}

/// The text of the rule at `path`, links resolved, which has these bytes and belongs to `boundary`; and the hidden characters
/// that were taken out of it and of what it imports.
pub(crate) fn expand(
    world: &dyn World,
    boundary: &AbsPath,
    path: &AbsPath,
    kind: Kind,
    bytes: &[u8],
) -> (String, TakenOut) {
    let mut includes = Includes { world, boundary, files: 0, bytes: 0, hidden: TakenOut::default() };
    let mut text = Expander::new("");
    let layer = includes.layer(path, kind, bytes);
    text.bare_file(path.clone(), layer, &mut includes);
    let text = text.finish().map(|expanded| expanded.text().to_owned()).unwrap_or_default();
    includes.hidden.take_away(&text);
    (text, includes.hidden)
}

impl Includes<'_> {
    fn layer(&mut self, path: &AbsPath, kind: Kind, bytes: &[u8]) -> Arc<NormalisedText> {
        self.bytes += bytes.len();
        self.hidden.add(bytes);
        let name = RepoPath::new(path.relative_to(&AbsPath::new("/")));
        let document = Document::parse(name, kind, bytes.into());
        Arc::new(NormalisedText::of(&document, unicode::sanitize, &|written| self.is_import(path, written)))
    }

    /// A token counts where the file exists, or where only a file can be meant.
    fn is_import(&self, importer: &AbsPath, written: &str) -> bool {
        let explicit = ["./", "../", "~/", "/"].iter().any(|start| written.starts_with(start));
        let document = written.contains('/') && [".md", ".mdc", ".txt"].iter().any(|end| written.ends_with(end));
        explicit || document || self.world.is_file(&self.target(importer, written))
    }

    fn target(&self, importer: &AbsPath, written: &str) -> AbsPath {
        match (written.strip_prefix("~/"), self.world.env().home()) {
            (Some(below), Some(home)) => AbsPath::new(home).join(below),
            _ => importer.dirname().join(written),
        }
    }
}

impl ImportResolver for Includes<'_> {
    fn expand(&mut self, text: &Expander, importer: &AbsPath, import: &PathImport) -> ImportExpansion {
        let written = path_text(import.path.as_bytes());
        let marker = match self.world.real_path(&self.target(importer, &import.path)) {
            _ if text.depth() >= DEPTH => Marker::TooDeep,
            _ if self.files >= MAX_FILES || self.bytes >= MAX_BYTES => Marker::TooLarge,
            Err(ReadError::NotFound | ReadError::NotADirectory) => Marker::NotFound,
            Err(_) => Marker::Unreadable,
            Ok(real) if !real.is_within(self.boundary) => Marker::Outside,
            Ok(real) if text.is_inside(&real) => Marker::AlreadyIncluded,
            Ok(real) => match self.world.read(&real) {
                Ok(bytes) if bytes.len() > MAX_BYTES => Marker::TooLarge,
                Ok(bytes) if super::documents::is_text(&bytes) => {
                    self.files += 1;
                    let layer = self.layer(&real, Kind::Imported, &bytes);
                    return ImportExpansion::Text(real, written, layer);
                }
                Err(ReadError::GitDirectory) => Marker::Outside,
                _ => Marker::Unreadable,
            },
        };
        ImportExpansion::Marker(marker, written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;
    use crate::world::HostWorld;

    fn expand(files: &[(&str, &str)], env: Env) -> String {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        for (path, text) in files {
            let path = top.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            match text.strip_prefix("->") {
                #[cfg(unix)]
                Some(link) => std::os::unix::fs::symlink(link, path).unwrap(),
                _ => std::fs::write(path, text).unwrap(),
            }
        }
        let world = HostWorld::new(env);
        let boundary = AbsPath::from_os(&top.join("r"));
        let rule = boundary.join(".claude/rules/a.md");
        let bytes = world.read(&rule).unwrap();
        super::expand(&world, &boundary, &rule, Kind::of_agent("claude-rule"), &bytes).0
    }

    #[test]
    fn imports_stand_in_their_places() {
        let found = expand(
            &[
                ("r/.claude/rules/a.md", "---\napplies_to: x\n---\none\n@../../docs/b.md\ntwo, see @c.md.\n"),
                ("r/docs/b.md", "B\u{200b}b\r\n"),
                ("r/.claude/rules/c.md", "C\n"),
            ],
            Env::empty(),
        );
        assert_eq!(
            found,
            "one\n\n<!-- Imported: ../../docs/b.md -->\n\nBb\n\n<!-- End of import: ../../docs/b.md -->\n\n\
             two, see @c.md.\n\n<!-- Imported: c.md -->\n\nC\n\n<!-- End of import: c.md -->\n"
        );
    }

    #[test]
    fn circles_and_depth_end() {
        let circle =
            expand(&[("r/.claude/rules/a.md", "@./b.md\n"), ("r/.claude/rules/b.md", "b\n@./a.md\n")], Env::empty());
        assert!(circle.contains("b\n\n<!-- Already included: ./a.md -->\n"), "{circle}");
        let files: Vec<(String, String)> =
            (0..6).map(|n| (format!("r/.claude/rules/{n}.md"), format!("text {n}\n@./{}.md\n", n + 1))).collect();
        let mut all = vec![("r/.claude/rules/a.md", "@./0.md\n")];
        all.extend(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        let deep = expand(&all, Env::empty());
        assert!(deep.contains("text 2\n") && !deep.contains("text 3\n"), "{deep}");
        assert!(deep.contains("<!-- Import too deep: ./3.md -->"), "{deep}");
        let wide = "@./b.md\n".repeat(200);
        let wide = expand(&[("r/.claude/rules/a.md", &wide), ("r/.claude/rules/b.md", "b\n")], Env::empty());
        assert_eq!(wide.matches("Imported: ./b.md").count(), MAX_FILES);
    }

    #[test]
    fn nothing_outside_is_read() {
        let found = expand(
            &[
                (
                    "r/.claude/rules/a.md",
                    "@../../../out.md\n@~/secret\n@./link.md\n@./gone.md\n@types/node\n@/etc/passwd\n",
                ),
                ("out.md", "OUT\n"),
                ("r/.claude/rules/link.md", "->../../../out.md"),
            ],
            Env::empty(),
        );
        assert!(!found.contains("OUT") && !found.contains("root:"), "{found}");
        for marker in [
            "Import outside repository: ../../../out.md",
            "Import not found: ./gone.md",
            "Import outside repository: ./link.md",
        ] {
            assert!(found.contains(marker), "{marker}: {found}");
        }
        assert!(found.contains("\n@types/node\n"), "{found}");
    }
}
