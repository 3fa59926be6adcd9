//! dex: four names per directory from the git root down, imports on lines of their own, a total size.

use super::shared::context::{PartName, Reason, Why};
use super::shared::loading::Loading;
use super::shared::settings;
use super::{
    Boundary, ByteOrderMark, Choice, Dialect, Evidence, Imports, InvalidUtf8, Invisible, Limits, Order, Placement,
    Proof, Root, TextTreatment, Walk,
};
use crate::parse::imports::{Grammar, Reference, references};
use crate::parse::unicode;
use crate::world::{AbsPath, ReadError};

/// The table, after the original's description; where that has a defect, ours differs (see the requirements named D).
pub(super) const DEX: Dialect = Dialect {
    id: "dex",
    title: "dex",
    version: "project hints, as described",
    checked: "2026-11",
    proof: Proof::Original,
    evidence: &[Evidence { source: "https://github.com/lirancohen/dex, internal/hints", date: "2026-11" }],
    names: &[".dexhints", "DEX.md", "AGENTS.md", "CLAUDE.md"],
    ignores_case: false,
    choice: Choice::All,
    user_files: &[".config/dex/hints.md"],
    rules: &[],
    root: Root::GitDirectory,
    walk: Walk::RootToStart,
    order: Order::TopDown,
    imports: Some(Imports {
        grammar: Grammar::Dex,
        placement: Placement::Replaces,
        depth: 3,
        boundary: Boundary::Root,
        boundary_resolves_links: true,
        extensions: None,
    }),
    text: TextTreatment {
        invalid_utf8: InvalidUtf8::Replaced,
        bom: ByteOrderMark::Removed,
        drops_frontmatter: false,
        drops_comments: false,
        trims: false,
        invisible: Invisible::Sanitized,
    },
    limits: Limits { total: Some(51_200), cuts: false },
    touch: false,
    placement: "system prompt, after the base prompt",
    load,
};

struct Config {
    enabled: bool,
    total: usize,
    depth: usize,
    names: Vec<String>,
}

fn load(loading: &mut Loading<'_>) {
    let config = configure(loading);
    let mut out = Output { sections: String::new(), room: config.total, total: config.total };
    if config.enabled {
        if let Some(home) = loading.home().filter(|_| loading.options.user) {
            let path = home.join(".config/dex/hints.md");
            if let Some(bytes) = read(loading, &path) {
                // The user's own file is taken as it is, imports and all.
                loading.layer(&path, &bytes, Why::User);
                let text = sanitized(&String::from_utf8_lossy(&bytes));
                out.add(loading, &path, &text);
            }
        }
        let root = loading.find_root();
        let boundary = root.clone().unwrap_or_else(|| loading.start.clone());
        for dir in loading.walk(root.as_ref()) {
            for name in &config.names {
                let path = dir.join(name);
                let Some(bytes) = read(loading, &path) else { continue };
                loading.layer(&path, &bytes, Why::Project);
                let expansion = Expansion { boundary: &boundary, limit: config.depth };
                let text = expansion.run(loading, &path, &String::from_utf8_lossy(&bytes), 0);
                out.add(loading, &path, &sanitized(&text));
            }
        }
    } else {
        loading.note("dex hints are switched off".to_owned());
    }
    let text = if out.sections.is_empty() { String::new() } else { format!("# Project Context\n\n{}", out.sections) };
    loading.push_part(PartName::Main, text, DEX.placement);
}

fn read(loading: &mut Loading<'_>, path: &AbsPath) -> Option<std::sync::Arc<[u8]>> {
    let bytes = loading.read(path)?;
    if bytes.is_empty() {
        loading.skip_file(path, Reason::Empty);
        return None;
    }
    Some(bytes)
}

/// A switch wins over the environment, that over the default.
fn configure(loading: &Loading<'_>) -> Config {
    let env = loading.world.env();
    let number =
        |key: &str| loading.setting(key).and_then(serde_json::Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let enabled = loading.setting("enabled").and_then(serde_json::Value::as_bool);
    let names = loading.setting("filenames").and_then(settings::strings).filter(|names| !names.is_empty());
    Config {
        enabled: enabled.unwrap_or_else(|| env.get("DEX_HINTS_ENABLED").is_none() || env.is_on("DEX_HINTS_ENABLED")),
        total: number("max_total_size")
            .or_else(|| env.get("DEX_HINTS_MAX_SIZE").and_then(|size| size.parse().ok()))
            .or(DEX.limits.total)
            .unwrap_or(usize::MAX),
        depth: number("max_import_depth").or(DEX.imports.map(|imports| imports.depth)).unwrap_or(0).min(32),
        names: names.unwrap_or_else(|| DEX.names.iter().map(ToString::to_string).collect()),
    }
}

/// The sections so far, and the room that is left for more.
struct Output {
    sections: String,
    room: usize,
    total: usize,
}

impl Output {
    /// Add the section of the file that was read last; one that does not fit is dropped whole, and a later one may fit.
    fn add(&mut self, loading: &mut Loading<'_>, path: &AbsPath, text: &str) {
        if text.is_empty() || text.len() > self.room {
            let from = loading.out.layers.iter().rposition(|layer| layer.path == *path && layer.why != Why::Import);
            if let Some(from) = from {
                loading.out.layers.truncate(from);
            }
            let reason = if text.is_empty() { Reason::Empty } else { Reason::BudgetSpent(self.total) };
            if !text.is_empty() {
                let name = loading.show(path);
                loading.note(format!("{name} is dropped: with it the hints exceed {} bytes", self.total));
            }
            loading.skip_file(path, reason);
            return;
        }
        self.room -= text.len();
        let name = loading.show(path);
        self.sections.push_str(&format!("<!-- From: {name} -->\n{text}\n\n"));
    }
}

/// Without hidden characters, and without the byte order mark that a file may begin with.
fn sanitized(text: &str) -> String {
    unicode::sanitize(text.trim_start_matches('\u{feff}')).into_owned()
}

struct Expansion<'a> {
    boundary: &'a AbsPath,
    limit: usize,
}

impl Expansion<'_> {
    /// Every line comes out again with a line end, so that a text that ends in one gains a blank line. Recursion is bounded by
    /// the limit.
    fn run(&self, loading: &mut Loading<'_>, path: &AbsPath, text: &str, depth: usize) -> String {
        let mut out = String::with_capacity(text.len() + 1);
        let mut found = references(Grammar::Dex, text).into_iter().peekable();
        let mut offset = 0;
        for line in text.split('\n') {
            let end = offset + line.len();
            match found.next_if(|reference| reference.span.start < end) {
                Some(reference) if depth < self.limit => out.push_str(&self.import(loading, path, &reference, depth)),
                Some(reference) => {
                    let token = &reference.path;
                    loading.skip_token(path, reference.span, token, None, Reason::TooDeep(self.limit));
                    loading.note(format!(
                        "{}: imports end at depth {}, @{token} stays",
                        loading.show(path),
                        self.limit
                    ));
                    out.push_str(line);
                    out.push('\n');
                }
                None => {
                    out.push_str(line);
                    out.push('\n');
                }
            }
            offset = end + 1;
        }
        out
    }

    fn import(&self, loading: &mut Loading<'_>, importer: &AbsPath, reference: &Reference, depth: usize) -> String {
        let (span, token) = (reference.span, reference.path.as_str());
        // A leading `/` means nothing here: the path is joined to the importing file's directory.
        let target = importer.dirname().join(token.trim_start_matches('/'));
        let outside = !target.is_within(self.boundary)
            || !loading.robust_real_path(&target).is_within(&loading.robust_real_path(self.boundary));
        if outside {
            loading.skip_token(importer, span, token, Some(target), Reason::Outside(self.boundary.clone()));
            return format!("<!-- Import outside repository: {token} -->\n");
        }
        if !loading.may_import() {
            loading.skip_token(importer, span, token, Some(target), Reason::Limit);
            return format!("@{token}\n");
        }
        match loading.world.read(&target) {
            Ok(bytes) => {
                loading.import(&target, &bytes, importer, span);
                let text = self.run(loading, &target, &String::from_utf8_lossy(&bytes), depth + 1);
                format!("<!-- Imported: {token} -->\n{text}\n")
            }
            Err(error) => {
                loading.skip_unread(importer, span, token, &target, &error);
                if error == ReadError::GitDirectory {
                    return format!("<!-- Import outside repository: {token} -->\n");
                }
                format!("<!-- Import not found: {token} -->\n")
            }
        }
    }
}
