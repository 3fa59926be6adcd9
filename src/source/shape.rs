//! What the letters of a path alone tell of it: whether a worktree can hold it, and whether it may be more than source code or
//! data. Told directory by directory, so that what files have in common is looked at once.

/// What is known of a file's or directory's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathShape {
    /// Whether it can stand in a worktree: no component is empty, `.`, `..` or `.git`. Git refuses to add others, but nothing
    /// keeps them out of a tree or index that was written by hand.
    pub(super) is_plain: bool,
    /// Whether a file there is one of [`Listing::marked`](super::Listing::marked). Of a directory: whether all files below are.
    pub(super) is_marked: bool,
    /// How many directories it lies in, as far as that counts.
    depth: u8,
}

/// JSON files in no more directories than this are marked, since some are programs' settings; deeper ones are data.
const SETTINGS_DEPTH: u8 = 2;

/// The shape of the root.
pub(super) const ROOT: PathShape = PathShape { is_plain: true, is_marked: false, depth: 0 };

impl PathShape {
    /// The shape of the file at `path`, counted from this directory.
    pub(super) fn file(self, path: &[u8]) -> PathShape {
        match memchr::memrchr(b'/', path) {
            Some(slash) => self.directory(&path[..=slash]).file_named(&path[slash + 1..]),
            None => self.file_named(path),
        }
    }

    /// The shape of a directory below this one; `path` ends with `/`, or is empty.
    pub(super) fn directory(self, path: &[u8]) -> PathShape {
        let mut shape = self;
        let mut start = 0;
        for end in memchr::memchr_iter(b'/', path) {
            let name = &path[start..end];
            shape.is_plain &= is_plain(name);
            shape.is_marked |= name.starts_with(b".") || name.ends_with(b".md");
            shape.depth = shape.depth.saturating_add(1);
            start = end + 1;
        }
        shape
    }

    /// The shape of the file in this directory that has this name, in which there is no `/`.
    pub(super) fn file_named(self, name: &[u8]) -> PathShape {
        let is_marked = self.is_marked || is_marked(name, self.depth);
        PathShape { is_plain: self.is_plain && is_plain(name), is_marked, ..self }
    }
}

fn is_plain(component: &[u8]) -> bool {
    match component.first() {
        Some(b'.') => !matches!(component, b"." | b"..") && !component.eq_ignore_ascii_case(b".git"),
        first => first.is_some(),
    }
}

/// Whether a file in `depth` directories is marked by its name.
fn is_marked(name: &[u8], depth: u8) -> bool {
    // Extensions are short: a search that is made for long texts takes longer to begin than this takes.
    let Some(dot) = name.iter().rposition(|&byte| byte == b'.') else { return true };
    match &name[dot + 1..] {
        b"md" | b"mdc" | b"mdx" | b"yaml" | b"mk" | b"mak" | b"just" | b"jsonc" => true,
        b"json" => {
            let ends = [&b"package.json"[..], b".mcp.json", b"hooks.json", b"composer.json", b"deno.json"];
            depth <= SETTINGS_DEPTH || ends.iter().any(|end| name.ends_with(end))
        }
        b"toml" => {
            matches!(name, b"Cargo.toml" | b"config.toml" | b"pyproject.toml" | b"hintlint.toml")
                || name.strip_prefix(b".").unwrap_or(name).starts_with(b"mise.")
        }
        b"yml" => {
            let is_taskfile = name.len() < 20 && name[..8.min(name.len())].eq_ignore_ascii_case(b"taskfile");
            is_taskfile || name.starts_with(b"compose") || name.starts_with(b"docker-compose")
        }
        _ => name[0] == b'.',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_that_a_worktree_can_hold() {
        for path in [&b"a"[..], b".github/x", b"a/.b/..c", b"a\nb", b"...", b".gitignore", b"a/.gitx/b"] {
            assert!(ROOT.file(path).is_plain, "{path:?}");
        }
        for path in [&b""[..], b"/a", b"a//b", b"a/", b"..", b"../a", b"a/../b", b"a/.", b".git/config", b"a/.GIT/x"] {
            assert!(!ROOT.file(path).is_plain, "{path:?}");
        }
    }

    #[test]
    fn what_may_be_a_hint() {
        for path in [
            "a.md",
            ".x/y.rs",
            "a/.z",
            "Makefile",
            "a/package.json",
            "a/b/c/d/package.json",
            "a/b/c/d/.mcp.json",
            "agent.json",
            "packages/a/agent.json",
            "b.d/LICENSE",
            "CLAUDE.md/x.c",
            "a.mdc/b",
        ] {
            assert!(ROOT.file(path.as_bytes()).is_marked, "{path}");
        }
        for path in ["a.rs", "a/b/c/d.json", "d.md.txt", "e.d/f.c", "a.mdc/b.c"] {
            assert!(!ROOT.file(path.as_bytes()).is_marked, "{path}");
        }
    }

    #[test]
    fn told_directory_by_directory_it_is_the_same() {
        for path in ["a/b/c.md", ".a/b/c.rs", "a/../c", "a.md/b/c.rs", "a/.git/c", "a/b/c.rs"] {
            let whole = ROOT.file(path.as_bytes());
            for (slash, _) in path.match_indices('/') {
                let (dir, rest) = path.split_at(slash + 1);
                assert_eq!(ROOT.directory(dir.as_bytes()).file(rest.as_bytes()), whole, "{dir} {rest}");
            }
        }
    }
}
