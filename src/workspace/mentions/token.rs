//! Whether a code span or link destination is written like a path of the repository, by its text alone. Knows no listing.

use std::borrow::Cow;

use crate::base::path;
use crate::parse::placeholder::is_illustration;

/// A longer token is no path that somebody typed.
const MAX_PATH: usize = 300;

/// A path as it stands in a code span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathToken<'t> {
    /// Where the path begins in the code span.
    pub(super) start: usize,
    /// The path, without a line number, an anchor or a test's name behind it, and without a final `/`.
    pub(super) path: &'t str,
    /// Whether it ends in `/`.
    pub(super) directory: bool,
}

/// The path in a code span that holds a path only.
pub(super) fn in_code(content: &str) -> Option<PathToken<'_>> {
    let start = content.len() - content.trim_start().len();
    let trimmed = content.trim();
    let path = without_place(trimmed);
    let strange = |c: char| c.is_whitespace() || c.is_control() || "<>*?\"'|\\$%^=;,!&#{}`:…：、，；".contains(c);
    let remote = ["origin/", "upstream/", "refs/", "heads/", "remotes/"];
    let refused = path.is_empty()
        || path.len() > MAX_PATH
        || path.starts_with(['~', '-', '@', '+', '('])
        || path.replace("[...", "[").contains("...")
        || path.contains("//")
        || path.contains(strange)
        || is_unit(path)
        // An anchor behind a folder is that of a page on the web.
        || trimmed.contains("/#")
        || remote.iter().any(|prefix| path.starts_with(prefix))
        || path.match_indices('@').any(|(at, _)| !path[..at].ends_with('/'));
    if refused {
        return None;
    }
    let directory = path.ends_with('/');
    let path = path.trim_end_matches('/');
    let empty = path.split('/').all(|part| part.is_empty() || part == "." || part == "..");
    (!empty).then_some(PathToken { start, path, directory })
}

/// Whether a lone name is that of a unit of systemd, as commands call it.
fn is_unit(name: &str) -> bool {
    let ends = [".mount", ".service", ".socket", ".target", ".timer"];
    !name.contains('/') && ends.iter().any(|end| name.ends_with(end))
}

/// Marks of Chinese and Japanese prose that end a path; no blank stands beside them.
pub(super) const FULL_WIDTH: [char; 8] = ['：', '、', '，', '；', '。', '（', '）', '｜'];

/// Alternatives of one `{a,b}` that are looked at, at most.
const MAX_ALTERNATIVES: usize = 64;

/// What `src/{a,b}.ts` stands for; nothing for text without one such group, or with more.
pub(super) fn alternatives(content: &str) -> Vec<String> {
    let parts = || {
        let (before, rest) = content.trim().split_once('{')?;
        let (group, after) = rest.split_once('}')?;
        let plain =
            before.contains('/') && !group.contains('{') && !after.contains(['{', '}']) && content.len() <= MAX_PATH;
        let names: Vec<&str> = group.split(',').map(str::trim).collect();
        (plain && (2..=MAX_ALTERNATIVES).contains(&names.len())).then_some((before, names, after))
    };
    let Some((before, names, after)) = parts() else { return Vec::new() };
    names.iter().map(|name| format!("{before}{name}{after}")).collect()
}

/// Cut off what points into a file: `:12`, `:12-20`, `#L3`, `::test_name`, `:name`.
fn without_place(text: &str) -> &str {
    let text = text.split_once('#').map_or(text, |(path, _)| path);
    let text = match text.split_once(FULL_WIDTH) {
        Some((path, _)) if has_extension(path) => path,
        _ => text,
    };
    match text.split_once(':') {
        Some((path, rest)) if has_extension(path) && !rest.starts_with("//") => path,
        _ => text,
    }
}

/// The extension of the last component if it is a plain word: `a/b.tar.gz` gives `gz`, `.gitignore` gives nothing.
pub(super) fn extension(path: &str) -> Option<&str> {
    let extension = path::extension(path.as_bytes()).and_then(|extension| std::str::from_utf8(extension).ok())?;
    let plain = extension.starts_with(|c: char| c.is_ascii_alphabetic())
        && extension.len() <= 12
        && extension.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    plain.then_some(extension)
}

/// Whether the last component has an extension, or is a dot file.
pub(super) fn has_extension(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    extension(path).is_some() || (name.len() > 2 && name.starts_with('.') && !name.ends_with('.'))
}

/// Extensions of files that people keep in repositories. A token with another one may be anything, such as `and/or.else`.
const KNOWN: &[&str] = &[
    "adoc", "astro", "bash", "bat", "bazel", "bicep", "bzl", "c", "cc", "cfg", "cjs", "clj", "cmake", "conf", "cpp",
    "cs", "cshtml", "csproj", "css", "csv", "cts", "cu", "cuh", "cxx", "dart", "drawio", "ejs", "erl", "ex", "exs",
    "fs", "fsproj", "gd", "gdshader", "glsl", "gn", "gni", "go", "gql", "gradle", "graphql", "groovy", "h", "hbs",
    "hcl", "hlsl", "hpp", "hrl", "hs", "htm", "html", "ini", "ipynb", "j2", "java", "jl", "js", "json", "json5",
    "jsonc", "jsx", "kt", "kts", "less", "lua", "m", "markdown", "md", "mdc", "mdx", "metal", "mjs", "ml", "mli", "mm",
    "mmd", "mts", "nix", "patch", "php", "pl", "plist", "png", "podspec", "prisma", "props", "proto", "ps1", "puml",
    "py", "pyi", "pyx", "r", "razor", "rb", "resx", "rs", "rst", "sass", "scala", "scss", "sh", "sln", "slnx", "snap",
    "sol", "sql", "svelte", "svg", "swift", "targets", "tf", "tmpl", "toml", "tres", "ts", "tscn", "tsx", "txt",
    "vbproj", "vue", "wgsl", "xaml", "xib", "xml", "yaml", "yml", "zig", "zsh",
];

/// Directories that hold what is built, installed or fetched.
const MADE: &[&str] = &[
    ".cache",
    ".git",
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
    ".turbo",
    ".venv",
    ".wrangler",
    "__pycache__",
    "bin",
    "build",
    "coverage",
    "deps",
    "dist",
    "generated",
    "log",
    "logs",
    "node_modules",
    "obj",
    "out",
    "output",
    "site-packages",
    "target",
    "temp",
    "third_party",
    "tmp",
    "vendor",
    "venv",
];

/// Whether a path that nothing is known about was probably meant as a file of this repository: no placeholder, no domain, no
/// build output, and an extension that files have.
pub(super) fn is_plausible(path: &str) -> bool {
    !path.contains(['[', ']', '(', ')', '@', '~']) && may_have_been(path)
}

/// The same of a path that history is asked about: folders may have brackets.
pub(super) fn may_have_been(path: &str) -> bool {
    let known = extension(path).is_some_and(|found| KNOWN.binary_search(&found.to_ascii_lowercase().as_str()).is_ok());
    known
        && !is_illustration(path)
        && !path.split('/').any(|part| MADE.contains(&part))
        && !starts_with_domain(path)
        && !is_workflow_of_a_repository(path)
        && !names_two_files(path)
}

/// Whether the parts are files of one folder, of which the text names both: `mod.rs/spawn.rs`.
fn names_two_files(path: &str) -> bool {
    let ending = |name: &str| extension(name).map(str::to_owned);
    let (above, name) = path.rsplit_once('/').unwrap_or_default();
    let last = above.rsplit('/').next().unwrap_or_default();
    last.find('.').is_some_and(|at| at > 0) && ending(last).is_some() && ending(last) == ending(name)
}

/// Whether this is how a workflow calls one of a repository: `owner/name/.github/workflows/ci.yml`.
fn is_workflow_of_a_repository(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(&*parts, [owner, name, ".github", "workflows", _] if !owner.starts_with('.') && !name.starts_with('.'))
}

/// The same of the path of a folder.
pub(super) fn may_have_been_a_folder(path: &str) -> bool {
    !path.contains(['[', ']', '(', ')', '@', '~'])
        && !is_illustration(path)
        && !path.split('/').any(|part| MADE.contains(&part))
        && !starts_with_domain(path)
        && !is_github_action(path)
        && !is_package_of_go(path)
}

/// Whether this is how workflows name an action: `docker/build-push-action`, `actions/cache`.
fn is_github_action(path: &str) -> bool {
    let (owner, name) = path.split_once('/').unwrap_or_default();
    let is_called_so = name.split(['-', '@']).any(|word| matches!(word, "action" | "actions"));
    !owner.starts_with('.') && !name.contains('/') && (owner == "actions" || name.contains('-') && is_called_so)
}

/// Packages that come with Go and begin as a folder of many a repository does.
const OF_GO: [(&str, &[&str]); 5] = [
    ("database", &["sql"]),
    ("encoding", &["base64", "binary", "csv", "hex", "json", "xml"]),
    (
        "go",
        &["ast", "build", "constant", "doc", "format", "importer", "parser", "printer", "scanner", "token", "types"],
    ),
    ("html", &["template"]),
    ("net", &["http", "mail", "netip", "rpc", "smtp", "url"]),
];

/// Whether a path is that of a package which comes with Go: `go/parser`.
fn is_package_of_go(path: &str) -> bool {
    let is_of = |(folder, packages): &(&str, &[&str])| {
        path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).is_some_and(|name| packages.contains(&name))
    };
    OF_GO.iter().any(is_of)
}

/// Whether one of the folders is called as one of what is built: `wrangler-dist`.
pub(super) fn may_be_made(path: &str) -> bool {
    path.split(['/', '-', '_', '.']).any(|word| MADE.contains(&word) || matches!(word, "gen" | "lib"))
}

fn starts_with_domain(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    let ends = [".com", ".org", ".io", ".dev", ".net", ".ai", ".app", ".sh", ".co", ".md"];
    path.contains('/') && ends.iter().any(|end| first.ends_with(end) && first.len() > end.len())
}

/// Whether the path is a file that a person or a tool keeps on one machine, tracked or not: settings, secrets,
/// `*.local.*`, and the folder of a tool itself, such as `.codex`.
pub(super) fn is_personal(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let in_dot_folder = path.split('/').rev().nth(1).is_some_and(|folder| folder.starts_with('.') && folder.len() > 2);
    let settings = ["settings.json", "config.json", "config.toml", "mcp.json", "hooks.json"];
    let dot_folder = !path.contains('/') && path.starts_with('.') && !path[1..].contains('.');
    let is_secret = || name == "auth.json" || matches!(name.split('.').next(), Some("credentials" | "secrets"));
    dot_folder
        || name.starts_with(".env")
        || name.contains(".local.")
        || in_dot_folder && settings.contains(&name)
        || !path.contains('/') && is_secret()
}

/// Whether an absolute path, given without its first `/`, lies in the home of one person.
pub(super) fn is_of_one_machine(path: &str) -> bool {
    let mut parts = path.split('/');
    let home = matches!(parts.next(), Some("Users" | "home"));
    let user = parts.next().unwrap_or_default();
    home && !user.is_empty()
        && !is_illustration(user)
        && !matches!(user, "user" | "username" | "you")
        && parts.next().is_some_and(|rest| !rest.is_empty())
}

/// Decode `%20` and the like; text that is not UTF-8 afterwards stays as it was.
pub(super) fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.filter(|_| bytes[at] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8(decoded).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Where a link's destination points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Destination {
    /// The path, decoded, without `mdc:`; empty for a place in the same file.
    pub(super) path: String,
    /// What follows `#`, decoded.
    pub(super) fragment: Option<String>,
    /// Whether the path counts from the root: a leading `/`. What `mdc:` precedes is tried from the file's folder, too.
    pub(super) from_root: bool,
    /// The bytes before the path (`mdc:`, `/`) and after it (`?raw=true#x`) in the destination as written.
    pub(super) around: (usize, usize),
}

/// The address in `mdc:https:/host/path`, as an editor stores a link to a page: one slash is lost, and the editor looks for a
/// file.
pub(super) fn mangled_address(written: &str) -> Option<String> {
    let rest = written.strip_prefix("mdc:")?;
    let (scheme, rest) = ["https", "http"].iter().find_map(|scheme| Some((scheme, rest.strip_prefix(scheme)?)))?;
    let page = rest.strip_prefix(":/")?.trim_start_matches('/');
    let host = page.split('/').next().filter(|host| host.contains('.') && host.len() > 3)?;
    (!host.contains(char::is_whitespace) && written.len() <= MAX_PATH).then(|| format!("{scheme}://{page}"))
}

/// Read a link's destination; `None` for what leads elsewhere (a URL, an e-mail address, a template).
pub(super) fn destination(written: &str) -> Option<Destination> {
    let rest =
        written.strip_prefix("mdc:").or_else(|| written.strip_prefix("file:").filter(|rest| !rest.starts_with("//")));
    let from_scheme = rest.is_some();
    let rest = rest.unwrap_or(written);
    if rest.is_empty()
        || rest.len() > MAX_PATH
        || rest.starts_with(['~'])
        || rest.starts_with("//")
        || rest.contains(['<', '>', '{', '}', '*', '$', '…', '|'])
    {
        return None;
    }
    if rest.contains("...") || rest.contains(char::is_control) || (!from_scheme && has_scheme(rest)) {
        return None;
    }
    let path_len = rest.find(['?', '#']).unwrap_or(rest.len());
    let fragment = rest.split_once('#').map(|(_, fragment)| percent_decoded(fragment).into_owned());
    let path = &rest[..path_len];
    let bare = path.trim_start_matches('/');
    let from_root = path.starts_with('/') && !from_scheme;
    let around = (written.len() - rest.len() + path.len() - bare.len(), rest.len() - path_len);
    // An address without `mailto:`, or a handle.
    if bare.contains('@') && !bare.contains('/') {
        return None;
    }
    if from_root && is_command(bare) {
        return None;
    }
    Some(Destination { path: percent_decoded(bare).into_owned(), fragment, from_root, around })
}

/// Whether `plugin:command` stands behind the slash: a command of a plugin.
fn is_command(bare: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
    };
    bare.split_once(':').is_some_and(|(plugin, command)| is_word(plugin) && is_word(command))
}

fn has_scheme(text: &str) -> bool {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
            && !scheme.contains('/')
            && !has_extension(scheme)
    })
}

#[cfg(test)]
mod tests;
