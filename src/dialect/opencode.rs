//! opencode: one name for the whole walk, nearest first, no imports; files and globs of its own configuration.

use super::globs::files_below;
use super::loading::Loading;
use super::settings::{self, Format};
use super::{
    ByteOrderMark, Choice, Dialect, Evidence, InvalidUtf8, Invisible, Limits, Order, Proof, Root, TextTreatment, Walk,
};
use crate::context::{PartName, Reason, Why};
use crate::world::{AbsPath, FileType};
use globset::GlobBuilder;

/// The table. Observed in the requests of the released agent.
pub(super) const OPENCODE: Dialect = Dialect {
    id: "opencode",
    title: "opencode",
    version: "1.18.33",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "opencode 1.18.33, run", date: "2026-11" },
        Evidence {
            source: "https://github.com/anomalyco/opencode, packages/opencode/src/session/instruction.ts at 00b964bd",
            date: "2026-11",
        },
    ],
    // CLAUDE.md is off with OPENCODE_DISABLE_CLAUDE_CODE or OPENCODE_DISABLE_CLAUDE_CODE_PROMPT.
    names: &["AGENTS.md", "CLAUDE.md", "CONTEXT.md"],
    ignores_case: false,
    choice: Choice::FirstOnWalk,
    // The first that exists.
    user_files: &[".config/opencode/AGENTS.md", ".claude/CLAUDE.md"],
    rules: &[],
    root: Root::Git,
    walk: Walk::RootOrFileSystemToStart,
    order: Order::BottomUp,
    imports: None,
    text: TextTreatment {
        invalid_utf8: InvalidUtf8::Replaced,
        bom: ByteOrderMark::Removed,
        drops_frontmatter: false,
        drops_comments: false,
        trims: false,
        invisible: Invisible::Kept,
    },
    limits: Limits { total: None, cuts: false },
    touch: true,
    placement: "system message, after the environment",
    load,
};

fn load(loading: &mut Loading<'_>) {
    let names = names(loading);
    let root = loading.find_root();
    let mut dirs = loading.walk(root.as_ref());
    dirs.reverse();
    let mut entries = Vec::new();
    let mut loaded: Vec<AbsPath> = Vec::new();
    if let Some(path) = user_file(loading) {
        entries.extend(entry(loading, &path, Why::User));
        loaded.push(path);
    }
    for path in walk(loading, &names, &dirs) {
        if !loaded.contains(&path) {
            entries.extend(entry(loading, &path, Why::Project));
            loaded.push(path);
        }
    }
    let mut urls = Vec::new();
    for instruction in instructions(loading, &dirs) {
        if instruction.starts_with("http://") || instruction.starts_with("https://") {
            urls.push(format!("Instructions from: {instruction}\n(not fetched)"));
            continue;
        }
        for path in resolve(loading, &instruction, &dirs) {
            if !loaded.contains(&path) {
                entries.extend(entry(loading, &path, Why::Setting));
                loaded.push(path);
            }
        }
    }
    entries.extend(urls);
    loading.push_part(PartName::Main, entries.join("\n"), OPENCODE.placement);
    if let Some(touched) = loading.options.touch.clone() {
        touch(loading, &touched, &names, &loaded);
    }
}

fn claude_is_off(loading: &Loading<'_>) -> bool {
    let env = loading.world.env();
    env.is_on("OPENCODE_DISABLE_CLAUDE_CODE") || env.is_on("OPENCODE_DISABLE_CLAUDE_CODE_PROMPT")
}

fn names(loading: &Loading<'_>) -> Vec<&'static str> {
    let off = claude_is_off(loading);
    OPENCODE.names.iter().copied().filter(|&name| !(off && name == "CLAUDE.md")).collect()
}

/// The first of the user's files that exists.
fn user_file(loading: &mut Loading<'_>) -> Option<AbsPath> {
    if !loading.options.user {
        return None;
    }
    let env = loading.world.env();
    let mut paths: Vec<AbsPath> = Vec::new();
    paths.extend(env.get("OPENCODE_CONFIG_DIR").map(|dir| AbsPath::new(dir).join("AGENTS.md")));
    paths.extend(env.config_home().map(|dir| AbsPath::new(dir).join("opencode/AGENTS.md")));
    if !claude_is_off(loading) {
        paths.extend(loading.home().map(|home| home.join(".claude/CLAUDE.md")));
    }
    let found = paths.iter().position(|path| loading.world.file_type(path).is_some())?;
    let chosen = paths.swap_remove(found);
    for path in paths.into_iter().skip(found) {
        if loading.world.is_file(&path) {
            loading.skip_file(&path, Reason::ShadowedBy(chosen.clone()));
        }
    }
    Some(chosen)
}

/// The files of the first name that stands anywhere on the walk; those of the other names are shadowed.
fn walk(loading: &mut Loading<'_>, names: &[&str], dirs: &[AbsPath]) -> Vec<AbsPath> {
    if loading.world.env().is_on("OPENCODE_DISABLE_PROJECT_CONFIG") {
        return Vec::new();
    }
    let mut chosen: Vec<AbsPath> = Vec::new();
    for name in names {
        let found: Vec<AbsPath> =
            dirs.iter().map(|dir| dir.join(name)).filter(|path| loading.world.file_type(path).is_some()).collect();
        match chosen.first().cloned() {
            None => chosen = found,
            Some(first) => {
                for path in found {
                    loading.skip_file(&path, Reason::ShadowedBy(first.clone()));
                }
            }
        }
    }
    chosen
}

/// A file's entry; `None` when nothing is in it.
fn entry(loading: &mut Loading<'_>, path: &AbsPath, why: Why) -> Option<String> {
    let bytes = loading.read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.is_empty() {
        loading.skip_file(path, Reason::Empty);
        return None;
    }
    loading.layer(path, &bytes, why);
    Some(format!("Instructions from: {}\n{text}", loading.show(path)))
}

/// The `instructions` of all configuration files, each once: the user's, then the project's from the top.
fn instructions(loading: &mut Loading<'_>, dirs: &[AbsPath]) -> Vec<String> {
    let env = loading.world.env();
    let mut paths = Vec::new();
    if let Some(dir) = env.config_home().map(|dir| AbsPath::new(dir).join("opencode")) {
        paths.extend(["config.json", "opencode.json", "opencode.jsonc"].map(|name| dir.join(name)));
    }
    paths.extend(env.get("OPENCODE_CONFIG").map(AbsPath::new));
    if !env.is_on("OPENCODE_DISABLE_PROJECT_CONFIG") {
        let tops = || dirs.iter().rev();
        paths.extend(tops().flat_map(|dir| ["opencode.json", "opencode.jsonc"].map(|name| dir.join(name))));
        paths.extend(
            tops().flat_map(|dir| ["opencode.json", "opencode.jsonc"].map(|name| dir.join(".opencode").join(name))),
        );
    }
    let dir = env.get("OPENCODE_CONFIG_DIR").map(AbsPath::new);
    paths.extend(dir.into_iter().flat_map(|dir| ["opencode.json", "opencode.jsonc"].map(|name| dir.join(name))));
    let content = env.get("OPENCODE_CONFIG_CONTENT").and_then(|text| settings::parse(text, Format::Json).ok());
    let mut values: Vec<serde_json::Value> =
        paths.iter().map(|path| settings::read(loading, path, Format::Json)).collect();
    values.extend(content);
    let mut found: Vec<String> = Vec::new();
    for value in values {
        for instruction in settings::strings(&value["instructions"]).unwrap_or_default() {
            if !found.contains(&instruction) {
                found.push(instruction);
            }
        }
    }
    found
}

/// The files that an instruction names: `~/` and absolute ones by the glob in their last component, others by a glob that is
/// looked for in every directory of the walk.
fn resolve(loading: &mut Loading<'_>, instruction: &str, dirs: &[AbsPath]) -> Vec<AbsPath> {
    let home = instruction.strip_prefix("~/").and_then(|rest| loading.home().map(|home| home.join(rest)));
    let absolute = home.or_else(|| instruction.starts_with('/').then(|| AbsPath::new(instruction)));
    if let Some(path) = absolute {
        let name = String::from_utf8_lossy(path.file_name()).into_owned();
        return glob(loading, &path.dirname(), &name);
    }
    dirs.iter().flat_map(|dir| glob(loading, dir, instruction)).collect()
}

fn glob(loading: &mut Loading<'_>, dir: &AbsPath, pattern: &str) -> Vec<AbsPath> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let literal_end =
        pattern.find(['*', '?', '[', '{']).map_or(pattern.len(), |at| pattern[..at].rfind('/').map_or(0, |at| at + 1));
    if literal_end == pattern.len() {
        let path = dir.join(pattern);
        return if loading.world.is_file(&path) { vec![path] } else { Vec::new() };
    }
    let base = dir.join(&pattern[..literal_end]);
    let rest = &pattern[literal_end..];
    let Ok(glob) = GlobBuilder::new(rest).literal_separator(true).build() else {
        loading.note(format!("the instruction {pattern} is no glob and is left out"));
        return Vec::new();
    };
    let matcher = glob.compile_matcher();
    let candidates = if rest.contains('/') || rest.contains("**") {
        files_below(loading.world, &base, false)
    } else {
        let entries = loading.world.read_dir(&base);
        entries.iter().filter(|entry| entry.kind != FileType::Directory).map(|entry| base.join(&entry.name)).collect()
    };
    let found: Vec<AbsPath> = candidates
        .into_iter()
        .filter(|path| {
            let relative = path.relative_to(&base);
            matcher.is_match(String::from_utf8_lossy(&relative).as_ref()) && loading.world.is_file(path)
        })
        .collect();
    // The agent takes them in the order of its file system walk.
    loading.out.order_unspecified |= found.len() > 1;
    found
}

/// One file per directory from the touched file's up to the start directory, which is out. The agent compares paths as
/// strings, so that a sibling whose name begins like the start directory's counts as below it.
fn touch(loading: &mut Loading<'_>, touched: &AbsPath, names: &[&str], loaded: &[AbsPath]) {
    loading.part = PartName::Touch;
    let mut entries = Vec::new();
    for dir in touched.dirname().ancestors() {
        if dir == loading.start || !dir.as_bytes().starts_with(loading.start.as_bytes()) {
            break;
        }
        let found = names.iter().map(|name| dir.join(name)).find(|path| loading.world.file_type(path).is_some());
        if let Some(path) = found.filter(|path| path != touched && !loaded.contains(path)) {
            entries.extend(entry(loading, &path, Why::Touch));
        }
    }
    let text = if entries.is_empty() {
        String::new()
    } else {
        format!("<system-reminder>\n{}\n</system-reminder>", entries.join("\n\n"))
    };
    loading.push_part(PartName::Touch, text, "tool result");
}
