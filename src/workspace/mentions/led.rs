//! What the words around a path lead elsewhere: to a folder or a part that the line names, to another place of the text, to an address
//! of a server, to a feature of a package. Reads the listing and the text.

use super::place::{Tried, bare, find};
use crate::base::path;
use crate::base::text::Span;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Endings of sources that name modules without them.
const MODULES: [&str; 12] = ["py", "go", "ts", "tsx", "js", "jsx", "mjs", "rb", "ex", "lua", "php", "kt"];

/// Words of a line about addresses of a server.
const ADDRESSES: [&str; 22] = [
    "endpoint",
    "http",
    "rest ",
    "restful",
    "route",
    "routing",
    "prefix",
    "url",
    "uri",
    "前缀",
    "前綴",
    "路由",
    "接口",
    "路径规范",
    "エンドポイント",
    "ルート",
    "경로",
    "엔드포인트",
    "präfix",
    "préfixe",
    "prefijo",
    "rota",
];

/// Whether the path `written` at `span`, of which nothing is where it points, is an address, or leads elsewhere by what stands around it.
pub(super) fn leads_away(workspace: &Workspace, document: &Document, written: &str, span: Span) -> bool {
    written.starts_with('/') && is_address(document, written, span)
        || is_elsewhere(workspace, document, written.trim_start_matches('/'), span)
}

/// Whether the path `written` at `span`, of which nothing is where it points, is there or means no file by what stands around it.
fn is_elsewhere(workspace: &Workspace, document: &Document, written: &str, span: Span) -> bool {
    let line = document.slice(document.lines.line_span(document.lines.line_of(span.start)));
    let bare = written.trim_start_matches("./").trim_end_matches('/');
    // With a slash behind it a folder is meant, and no module.
    let is_folder = written.ends_with('/') || document.text[span.end..].starts_with('/');
    match bare.contains('/') {
        true => {
            is_below_a_named_part(workspace, line, bare)
                || is_in_own_folder(workspace, document, bare)
                || !is_folder && is_module(workspace, document, bare)
                || is_feature(workspace, line, bare)
        }
        false => is_told_with_its_home(document, bare),
    }
}

/// Whether the path behind a slash is an address by the words of its line: "RESTful, prefix `/api/v1/`".
fn is_address(document: &Document, written: &str, span: Span) -> bool {
    let line = document.slice(document.lines.line_span(document.lines.line_of(span.start))).to_lowercase();
    path::extension(written.as_bytes()).is_none() && ADDRESSES.iter().any(|word| line.contains(word))
}

/// Whether a file or folder ends so in a folder that the line names beside the path: "in `crates/core`: `src/mod.rs`".
fn is_below_a_named_part(workspace: &Workspace, line: &str, written: &str) -> bool {
    let end = format!("/{written}");
    let others = line.replace(written, " ");
    let names = |part: &str| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        // Where the line gives the whole path, the other one is meant from here.
        part.len() > 2
            && !line.contains(&format!("{part}{end}"))
            && others.match_indices(part).any(|(at, _)| {
                let behind = &others[at + part.len()..];
                !others[..at].ends_with(is_part) && behind.starts_with(['`', ':', '/']) && !behind.starts_with(is_part)
            })
    };
    let same = workspace.listing.with_name(path::file_name(written.as_bytes()));
    same.into_iter()
        .filter_map(|found| found.strip_suffix(end.as_bytes()))
        .any(|above| std::str::from_utf8(path::file_name(above)).is_ok_and(names))
}

/// Whether a file of a skill counts from the folder of its collection, and lies beside the text: `skills/notes/a.md` in `notes`.
fn is_in_own_folder(workspace: &Workspace, document: &Document, written: &str) -> bool {
    let folder = document.path.parent();
    let own = [b"skills/", path::file_name(folder), b"/"].concat();
    let rest = written.as_bytes().strip_prefix(own.as_slice()).filter(|_| !folder.is_empty());
    rest.is_some_and(|rest| workspace.listing.contains(&path::join(folder, rest)))
}

/// Whether a path without an ending is that of a source, as imports name it: `cmd/root` for `cmd/root.go`.
fn is_module(workspace: &Workspace, document: &Document, written: &str) -> bool {
    let folders = path::ancestors_from_root(document.path.parent());
    path::extension(written.as_bytes()).is_none()
        && MODULES.iter().any(|end| {
            let file = format!("{written}.{end}");
            folders.iter().any(|dir| workspace.listing.contains(&path::join(dir, file.as_bytes())))
        })
}

/// Whether two words are a package of Cargo's and a feature of it: "forwards to `core/test-helpers`".
fn is_feature(workspace: &Workspace, line: &str, written: &str) -> bool {
    let Some((package, feature)) = written.split_once('/') else { return false };
    let is_package = |manifest: &[u8]| path::file_name(path::parent(manifest)) == package.as_bytes();
    !feature.contains(['/', '.'])
        && line.to_lowercase().contains("feature")
        && workspace.listing.with_name(b"Cargo.toml").into_iter().any(is_package)
}

/// Whether another place of the text gives the file with a folder outside of the repository: `~/tools/build-all.sh`.
fn is_told_with_its_home(document: &Document, name: &str) -> bool {
    let end = format!("/{name}");
    document.text.match_indices(&end).any(|(at, _)| {
        let is_end = !document.text[at + end.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '-');
        let begins = |c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '(' | '=' | ':');
        let whole = document.text[..at].rsplit(begins).next().unwrap_or_default();
        is_end && (whole.starts_with("~/") || whole.starts_with("$HOME/") || whole.starts_with("${HOME}/"))
    })
}

/// Whether an earlier command of the text writes the file that a later one runs: `compile -o out.py`.
pub(super) fn is_written_before(document: &Document, span: Span, words: &[&str]) -> bool {
    let written = document.slice(span).trim_start_matches("./");
    let before = &document.text[..span.start];
    before.match_indices(written).any(|(at, _)| {
        let is_end = before[at + written.len()..].starts_with(|c: char| c.is_whitespace() || "`;&|\"'".contains(c));
        let lead = before[..at].trim_end_matches("./").trim_end_matches(['"', '\'']);
        let word = lead.trim_end_matches(' ').rsplit([' ', '\n', '`']).next().unwrap_or_default();
        is_end && (words.contains(&word) || words.iter().any(|option| lead.ends_with(&format!("{option}="))))
    })
}

/// Whether the path begins with the name by which a checkout of this repository is called: no folder of it is called so, and the rest of
/// the path is there.
pub(crate) fn begins_with_the_checkout(workspace: &Workspace, written: &str) -> bool {
    let Some((first, rest)) = written.trim_start_matches("./").split_once('/') else { return false };
    let is_name = first.len() > 2 && !first.starts_with(['.', '$']) && rest.contains('/');
    is_name
        && (workspace.listing.contains(rest.as_bytes())
            || workspace.listing.has_dir(rest.trim_end_matches('/').as_bytes()))
        && !workspace.listing.has_folder_called(first.as_bytes())
}

/// Whether `x.js` is what a compiler makes of an `x.ts` that is there.
pub(super) fn compiled_from(workspace: &Workspace, dir: &[u8], path: &str) -> bool {
    let stem = [".js", ".jsx", ".mjs"].iter().find_map(|end| path.strip_suffix(end));
    let Some(stem) = stem.filter(|_| path.starts_with('.')) else { return false };
    // The import may stand in a file of another folder.
    let ends_a_path = |end: &str| {
        let written = [bare(stem), end].concat();
        let mut alike = workspace.listing.with_name_in_any_case(path::file_name(written.as_bytes())).into_iter();
        alike.any(|found| {
            found.strip_suffix(written.as_bytes()).is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
        })
    };
    matches!(find(workspace, dir, stem, false, &[".ts", ".tsx"]), Tried::Found(Some(_)))
        || [".ts", ".tsx", ".mts"].into_iter().any(ends_a_path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::base::path::RepoPath;
    use crate::source::Listing;

    fn is(path: &str, text: &str, written: &str, files: &[&str]) -> bool {
        let workspace = Workspace {
            listing: std::sync::Arc::new(Listing::of_files(files.iter().copied())),
            ..Workspace::default()
        };
        let document = Document::parse(RepoPath::from(path), Kind::AgentsMd, text.as_bytes().into());
        let at = text.rfind(written).unwrap();
        is_elsewhere(&workspace, &document, written, Span::new(at, at + written.len()))
    }

    #[test]
    fn a_part_that_the_line_names_holds_the_file() {
        let files = ["crates/core/src/mod.rs", "crates/app/src/lib.rs"];
        assert!(is("crates/app/AGENTS.md", "Then in `crates/core`: `src/mod.rs`\n", "src/mod.rs", &files));
        assert!(is("crates/app/AGENTS.md", "`core::lib.rs` + `src/mod.rs`\n", "src/mod.rs", &files));
        let whole = "`src/mod.rs` mirrors `crates/core/src/mod.rs`; see `src/mod.rs`\n";
        assert!(!is("crates/app/AGENTS.md", whole, "src/mod.rs", &files));
        assert!(!is("crates/app/AGENTS.md", "The core is in `src/mod.rs`\n", "src/mod.rs", &files));
        assert!(!is("crates/app/AGENTS.md", "Then in `crates/core-x`: `src/mod.rs`\n", "src/mod.rs", &files));
    }

    #[test]
    fn a_name_alone_means_what_the_text_gives_with_its_home() {
        let text = "Run `bash ~/tools/sim-pool.sh`.\n\nAlways use `sim-pool.sh`.\n";
        assert!(is("AGENTS.md", text, "sim-pool.sh", &["a.md"]));
        assert!(!is("AGENTS.md", &text.replace("~/", "./"), "sim-pool.sh", &["a.md"]));
        assert!(!is("AGENTS.md", &text.replace("sim-pool.sh`.\n\n", "sim-pool.shx`.\n\n"), "sim-pool.sh", &["a.md"]));
    }

    #[test]
    fn modules_features_and_pages_beside_are_no_folders() {
        assert!(is("AGENTS.md", "`cmd/root`\n", "cmd/root", &["cmd/root.go"]));
        assert!(!is("AGENTS.md", "`cmd/root`\n", "cmd/root", &["cmd/roots.go", "x/cmd/root.go"]));
        let files = ["crates/core/Cargo.toml"];
        assert!(is("AGENTS.md", "a feature, `core/test-helpers`\n", "core/test-helpers", &files));
        assert!(!is("AGENTS.md", "helpers: `core/test-helpers`\n", "core/test-helpers", &files));
        let page = ["x/notes/SKILL.md", "x/notes/a.md"];
        assert!(is("x/notes/SKILL.md", "`skills/notes/a.md`\n", "skills/notes/a.md", &page));
        assert!(!is("x/notes/SKILL.md", "`skills/notes/b.md`\n", "skills/notes/b.md", &page));
    }

    #[test]
    fn a_checkout_is_called_by_a_name_that_no_folder_has() {
        let begins = |files: &[&str]| {
            let listing = std::sync::Arc::new(Listing::of_files(files.iter().copied()));
            begins_with_the_checkout(&Workspace { listing, ..Workspace::default() }, "acme-rules/scripts/add.sh")
        };
        assert!(begins(&["scripts/add.sh"]));
        assert!(!begins(&["scripts/add.sh", "x/acme-rules/y.md"]) && !begins(&["x/scripts/add.sh"]));
    }

    #[test]
    fn what_a_command_writes_another_may_run() {
        let is = |text: &str| {
            let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
            let at = text.rfind("out.py").unwrap();
            is_written_before(&document, Span::new(at, at + 6), &["-o", ">", "--output"])
        };
        assert!(is("dart compile -o out.py\npython out.py\n") && is("gen --output=out.py\npython out.py\n"));
        assert!(is("gen > out.py && python out.py\n"));
        assert!(!is("cat out.py\npython out.py\n") && !is("gen -o out.pyc\npython out.py\n"));
    }
}
