//! Import aliases: how the programs of a project spell paths, `@/components/x.ts` for `src/components/x.ts`. Read from `paths` and
//! `baseUrl` of `tsconfig.json`, from names and `imports` of `package.json`, from import maps, and from what bundlers' settings map.
//! Those settings are programs: what they map is guessed, and counts only where it leads to a file.

mod scripts;

use std::cell::OnceCell;

use crate::base::path::{self, RepoPath};
use crate::parse::json::{self, JsonGrammar, JsonNode, JsonValue};
use crate::source::{Listing, Source};

/// Settings of compilers, and manifests.
const TABLES: [&str; 10] = [
    "deno.json",
    "deno.jsonc",
    "import_map.json",
    "jsconfig.json",
    "package.json",
    "tsconfig.app.json",
    "tsconfig.base.json",
    "tsconfig.json",
    "tsconfig.lib.json",
    "tsconfig.paths.json",
];
/// Most files that are read, and most bytes of one.
const MAX_FILES: usize = 300;
const MAX_BYTES: usize = 256 << 10;

/// What programs leave out at the end of a path.
const ENDINGS: [&str; 16] = [
    ".ts",
    ".tsx",
    ".d.ts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".vue",
    ".svelte",
    ".json",
    ".css",
    "/index.ts",
    "/index.tsx",
    "/index.js",
    "/index.jsx",
    "/index.vue",
];

/// One alias: what stands before and behind the part that goes over, and the same of its targets, counted from the root.
#[derive(Debug, PartialEq, Eq)]
struct Alias {
    before: String,
    after: String,
    targets: Vec<(Vec<u8>, String)>,
}

/// The aliases of a repository, read when somebody first asks.
pub(super) struct Aliases<'s> {
    source: &'s dyn Source,
    all: OnceCell<Vec<Alias>>,
}

impl<'s> Aliases<'s> {
    pub(super) fn new(source: &'s dyn Source) -> Self {
        Aliases { source, all: OnceCell::new() }
    }

    /// Whether `written` leads to a file or a folder by an alias, with or without its ending.
    pub(super) fn lead(&self, written: &str) -> bool {
        let listing = self.source.listing();
        written.contains('/') && self.targets(written).any(|target| is_there(listing, &target))
    }

    /// What `written` means by each alias that fits.
    fn targets(&self, written: &str) -> impl Iterator<Item = Vec<u8>> {
        let all = self.all.get_or_init(|| read(self.source));
        let fitting = all.iter().filter_map(move |alias| {
            let rest = written.strip_prefix(alias.before.as_str())?.strip_suffix(alias.after.as_str())?;
            Some((alias, rest))
        });
        fitting.flat_map(|(alias, rest)| {
            let target = move |(before, after): &(Vec<u8>, String)| {
                path::resolve(b"", &[before.as_slice(), rest.as_bytes(), after.as_bytes()].concat())
            };
            alias.targets.iter().filter_map(target)
        })
    }
}

/// Whether a program finds a file at `target`. It may ask for what a compiler makes of the file.
fn is_there(listing: &Listing, target: &[u8]) -> bool {
    let stem = [&b".js"[..], b".jsx", b".mjs"].iter().find_map(|ending| target.strip_suffix(*ending));
    let with = |stem: &[u8]| ENDINGS.iter().any(|ending| listing.contains(&[stem, ending.as_bytes()].concat()));
    listing.contains(target) || listing.has_dir(target) || with(target) || stem.is_some_and(with)
}

fn read(source: &dyn Source) -> Vec<Alias> {
    let listing = source.listing();
    let names = TABLES.iter().copied().map(str::to_owned).chain(scripts::names());
    let found = names.flat_map(|name| listing.with_name(name.as_bytes()));
    let mut files: Vec<RepoPath> = found.filter(|path| !path::has_dot_git(path)).map(RepoPath::new).collect();
    // What lies highest holds for most.
    files.sort_by_cached_key(|path| (path.as_bytes().iter().filter(|&&byte| byte == b'/').count(), path.clone()));
    files.truncate(MAX_FILES);
    let mut aliases = Vec::new();
    for (file, bytes) in files.iter().zip(source.read_many(&files)) {
        let Ok(bytes) = bytes else { continue };
        let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| text.len() <= MAX_BYTES) else { continue };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if !TABLES.iter().any(|name| name.as_bytes() == file.file_name()) {
            aliases.extend(scripts::pairs(text).into_iter().map(|(from, to)| prefix(file.parent(), &from, &to)));
            continue;
        }
        let Ok(root) = json::parse(text, JsonGrammar::RELAXED) else { continue };
        aliases.extend(of_compiler(file.parent(), &root));
        aliases.extend(of_manifest(file.parent(), &root));
    }
    aliases
}

/// `compilerOptions`: paths count from `baseUrl`, or else from the folder of the file.
fn of_compiler(dir: &[u8], root: &JsonNode) -> Vec<Alias> {
    let options = root.get("compilerOptions");
    let base_url = options.and_then(|options| options.get("baseUrl")).and_then(JsonNode::text);
    let base = path::resolve(dir, base_url.unwrap_or(".").as_bytes()).unwrap_or_else(|| dir.to_vec());
    let paths = options.and_then(|options| options.get("paths")).map(JsonNode::effective).unwrap_or_default();
    let mut aliases: Vec<Alias> = paths
        .into_iter()
        .map(|member| {
            let targets = member.value.items().iter().filter_map(JsonNode::text);
            pattern(&base, &member.key, targets)
        })
        .collect();
    if base_url.is_some() && !base.is_empty() {
        aliases.push(pattern(&base, "*", ["*"].into_iter()));
    }
    aliases
}

/// `imports` of a manifest or an import map, and the name under which other packages import from the folder.
fn of_manifest(dir: &[u8], root: &JsonNode) -> Vec<Alias> {
    let imports = root.get("imports").map(JsonNode::effective).unwrap_or_default();
    let of_import = |from: &str, value: &JsonNode| match from.ends_with('/') {
        true => prefix(dir, from.trim_end_matches('/'), texts(value).first().unwrap_or(&"")),
        false => pattern(dir, from, texts(value).into_iter()),
    };
    let mut aliases: Vec<Alias> = imports.into_iter().map(|member| of_import(&member.key, &member.value)).collect();
    // Only a name with a scope is no path.
    let name = root.get("name").and_then(JsonNode::text).filter(|name| name.starts_with('@') && name.contains('/'));
    aliases.extend(name.into_iter().flat_map(|name| ["", "src"].map(|below| prefix(dir, name, below))));
    aliases
}

/// The texts of a value, also those of its conditions.
fn texts(value: &JsonNode) -> Vec<&str> {
    match &value.value {
        JsonValue::Text(text) => vec![text],
        JsonValue::Array(items) => items.iter().flat_map(texts).collect(),
        JsonValue::Object(members) => members.iter().flat_map(|member| texts(&member.value)).collect(),
        _ => Vec::new(),
    }
}

/// An alias with at most one `*`, for targets that are relative to `base`.
fn pattern<'t>(base: &[u8], from: &str, targets: impl Iterator<Item = &'t str>) -> Alias {
    let (before, after) = from.split_once('*').unwrap_or((from, ""));
    let target = |to: &str| {
        let (before, after) = to.split_once('*').unwrap_or((to, ""));
        (path::join(base, before.as_bytes()), after.to_owned())
    };
    Alias { before: before.to_owned(), after: after.to_owned(), targets: targets.map(target).collect() }
}

/// An alias for a folder and all that is below it.
fn prefix(base: &[u8], from: &str, to: &str) -> Alias {
    let to = to.trim_start_matches('/').trim_end_matches('/');
    let target = match to {
        "" => base.to_vec(),
        _ => path::join(base, to.as_bytes()),
    };
    Alias { before: from.to_owned(), after: String::new(), targets: vec![(target, String::new())] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    fn leads(files: &[(&str, &str)], written: &str) -> bool {
        let source = Memory::of_files(files.iter().copied());
        Aliases::new(&source).lead(written)
    }

    #[test]
    fn compilers_map_patterns() {
        let config = r##"{
            // Where things are.
            "compilerOptions": { "baseUrl": "./", "paths": { "@/*": ["lib/*", "./src/*"], "#ui/*.css": ["src/ui/*.css"], "all": ["src/all.ts"], }, },
        }"##;
        let files = [
            ("web/tsconfig.json", config),
            ("web/src/core/rows.ts", ""),
            ("web/src/ui/a.css", ""),
            ("web/src/cells/index.tsx", ""),
        ];
        for written in
            ["@/core/rows.ts", "@/core/rows", "@/core/rows.js", "@/cells", "#ui/a.css", "core/../src/core/rows"]
        {
            assert!(leads(&files, written), "{written}");
        }
        for written in ["@/core/cells.ts", "@core/rows.ts", "#ui/b.css", "core/rows.ts", "@/../../../x"] {
            assert!(!leads(&files, written), "{written}");
        }
        assert!(!leads(&files[1..], "@/core/rows.ts"));
    }

    #[test]
    fn packages_have_names_and_imports() {
        let manifest =
            r##"{ "name": "@acme/kit", "imports": { "#lib/*": { "types": "./types/*", "default": "./lib/*.js" } } }"##;
        let files = [
            ("packages/kit/package.json", manifest),
            ("packages/kit/lib/rows.ts", ""),
            ("packages/kit/src/cells.ts", ""),
            ("deno.json", r#"{ "imports": { "~/": "./app/" } }"#),
            ("app/main.ts", ""),
        ];
        for written in ["#lib/rows", "@acme/kit/cells", "@acme/kit/lib/rows.ts", "~/main.ts"] {
            assert!(leads(&files, written), "{written}");
        }
        for written in ["#lib/cells", "@acme/kit/rows", "~/none.ts"] {
            assert!(!leads(&files, written), "{written}");
        }
    }

    #[test]
    fn bundlers_name_folders() {
        let config = "export default { resolve: { alias: {\n  '@': fileURLToPath(new URL('./src', import.meta.url)),\n  \"~ui\": path.resolve(__dirname, 'src', \"ui\"),\n} } }\n";
        let files = [("vite.config.ts", config), ("src/ui/rows.vue", "")];
        assert!(leads(&files, "@/ui/rows.vue") && leads(&files, "~ui/rows"));
        assert!(!leads(&files, "@/rows.vue") && !leads(&files, "~/ui/rows.vue"));
    }
}
