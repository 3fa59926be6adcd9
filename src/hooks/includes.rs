//! A rule's text with what its `@path` imports put in their places: the same tokens, markers and cleaning as in a merged
//! context, but read from disk file by file. Never leaves the folder that the rule belongs to.

use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::compile::Layer;
use crate::compile::layer::{Import, Part};
use crate::compile::marker::{Marker, path_text};
use crate::config::Config;
use crate::parse::Document;
use crate::world::{AbsPath, ReadError, World};

/// How many imports may follow one another.
const DEPTH: usize = 3;
/// Imported files of one rule beyond which nothing more is read.
const MAX_FILES: usize = 50;
/// Bytes of one rule's text beyond which nothing more is read; far more than is ever shown.
const MAX_BYTES: usize = 256 * 1024;

/// One expansion.
pub struct Includes<'w> {
    world: &'w dyn World,
    /// What imports may not leave, links resolved.
    boundary: &'w AbsPath,
    files: usize,
    bytes: usize,
    /// The files that the text is inside of.
    chain: Vec<AbsPath>,
}

impl<'w> Includes<'w> {
    /// Prepare to expand a file that belongs to `boundary`.
    pub fn new(world: &'w dyn World, boundary: &'w AbsPath) -> Self {
        Includes { world, boundary, files: 0, bytes: 0, chain: Vec::new() }
    }

    /// The text of the file at `path`, links resolved, which has these bytes.
    pub fn expand(&mut self, path: &AbsPath, kind: Kind, bytes: &[u8]) -> String {
        let name = RepoPath::new(path.relative_to(&AbsPath::new("/")));
        let document = Document::parse(name, kind, bytes.into());
        let layer = Layer::of(&document, &Config::default(), &|written| self.is_import(path, written));
        self.bytes += bytes.len();
        self.chain.push(path.clone());
        let mut out = String::new();
        for part in &layer.parts {
            match part {
                Part::Text { text, .. } => out.push_str(text),
                Part::Import(import) => self.import(path, import, &mut out),
            }
        }
        for import in &layer.trailing {
            self.import(path, import, &mut out);
        }
        self.chain.pop();
        out
    }

    /// A token counts where a file is there, or where nobody could mean anything but a file.
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

    /// Put the import's text, or a marker that says why there is none, on lines of its own.
    fn import(&mut self, importer: &AbsPath, import: &Import, out: &mut String) {
        let target = self.target(importer, &import.path);
        let written = path_text(import.path.as_bytes());
        let (marker, text) = match self.world.real_path(&target) {
            _ if self.chain.len() > DEPTH => (Marker::TooDeep, None),
            _ if self.files >= MAX_FILES || self.bytes >= MAX_BYTES => (Marker::TooLarge, None),
            Err(ReadError::NotFound | ReadError::NotADirectory) => (Marker::NotFound, None),
            Err(_) => (Marker::Unreadable, None),
            Ok(real) if !real.is_within(self.boundary) => (Marker::Outside, None),
            Ok(real) if self.chain.contains(&real) => (Marker::AlreadyIncluded, None),
            Ok(real) => match self.world.read(&real) {
                Ok(bytes) if bytes.len() > MAX_BYTES => (Marker::TooLarge, None),
                Ok(bytes) if super::documents::is_text(&bytes) => {
                    self.files += 1;
                    (Marker::Imported, Some(self.expand(&real, Kind::Imported, &bytes)))
                }
                Err(ReadError::GitDirectory) => (Marker::Outside, None),
                _ => (Marker::Unreadable, None),
            },
        };
        let mut piece = |text: &str| {
            if !out.is_empty() && !out.ends_with("\n\n") {
                out.push('\n');
            }
            out.push_str(text);
        };
        piece(&marker.line(&written));
        if let Some(text) = text {
            piece(&text);
            piece(&Marker::EndOfImport.line(&written));
        }
        out.push('\n');
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
        Includes::new(&world, &boundary).expand(&rule, Kind::of_agent("claude-rule"), &bytes)
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
             two, see @c.md.\n\n<!-- Imported: c.md -->\n\nC\n\n<!-- End of import: c.md -->\n\n"
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
