//! dex: four names per directory from the git root down, imports on lines of their own, a total size.

use super::claude::hints as claude_hints;
use super::shared::context::{PartName, Reason, Why};
use super::shared::expand::{ImportToken, ImportedFile, NoImport, expand};
use super::shared::files::{AgentFiles, Hint};
use super::shared::loading::Loading;
use super::shared::settings;
use super::{Boundary, Dialect, Evidence, Imports, Inside, Invisible, Placement, Proof, RootMark, TextTreatment, Trim};
use crate::base::kind::{AgentKind, Kind, Role};
use crate::parse::imports::Grammar;
use crate::world::{AbsPath, ReadError};

/// The table, after the original's description; where that has a defect, ours differs (see the requirements named D).
pub(super) const DEX: Dialect = Dialect {
    id: "dex",
    title: "dex",
    version: "project hints, as described",
    checked: "2026-11",
    proof: Proof::Original,
    evidence: &[Evidence { source: "https://github.com/lirancohen/dex, internal/hints", checked: "2026-11" }],
    names: &[".dexhints", "DEX.md", "AGENTS.md", "CLAUDE.md"],
    user_files: &[".config/dex/hints.md"],
    root: RootMark::GitDirectory,
    imports: Some(Imports {
        grammar: Grammar::WholeLine,
        placement: Placement::ReplacesLine,
        depth: 3,
        boundary: Boundary::Root,
        inside: Inside::Both,
        extensions: None,
    }),
    text: TextTreatment { trim: Trim::ByteOrderMark, invisible: Invisible::Sanitized, ..TextTreatment::PLAIN },
    max_bytes: Some(51_200),
    files: &FILES,
    placement: "system prompt, after the base prompt",
    load,
    ..Dialect::BASE
};

pub(super) static HINTS: AgentKind = AgentKind { adds: true, ..AgentKind::new("dex-hints", Role::Main) };

static FILES: AgentFiles = AgentFiles {
    signs: &[".dexhints", "DEX.md"],
    hints: &[Hint::name(".dexhints", Kind::Of(&HINTS)), Hint::name("DEX.md", Kind::Of(&HINTS))],
    reads: &[Kind::Of(&HINTS), Kind::AgentsMd, Kind::Of(&claude_hints::MAIN)],
    imports_in: &[Kind::Of(&HINTS), Kind::AgentsMd, Kind::Of(&claude_hints::MAIN)],
    is_limited_by_config: true,
    more_room: ", or raise `[limits] context-bytes`",
    ..AgentFiles::NONE
};

struct DexSettings {
    enabled: bool,
    total: usize,
    depth: usize,
    names: Vec<String>,
}

fn load(loading: &mut Loading<'_>) {
    let config = configure(loading);
    loading.out.limit = Some(config.total).filter(|total| *total != usize::MAX);
    let mut out = DexOutput { sections: String::new(), room: config.total, total: config.total };
    if config.enabled {
        if let Some(home) = loading.home().filter(|_| loading.options.user) {
            // The user's own file is taken as it is, imports and all.
            out.add(loading, &home.join(DEX.user_files[0]), Why::User, |_, text| text.to_owned());
        }
        let root = loading.find_root();
        for dir in loading.walk(root.as_ref()) {
            for name in &config.names {
                let path = dir.join(name);
                out.add(loading, &path, Why::Project, |loading, text| {
                    expand(loading, &path, text, &mut |loading, token| find(loading, config.depth, token))
                });
            }
        }
    } else {
        loading.note("dex hints are switched off".to_owned());
    }
    let text = if out.sections.is_empty() { String::new() } else { format!("# Project Context\n\n{}", out.sections) };
    loading.push_part(PartName::Main, text, DEX.placement);
}

/// A switch wins over the environment, that over our config, that over the default.
fn configure(loading: &Loading<'_>) -> DexSettings {
    let env = loading.world.env();
    let configured = |key: &str| {
        let number = loading.configured(key).and_then(serde_json::Value::as_u64);
        number.and_then(|number| usize::try_from(number).ok())
    };
    let enabled = loading.setting("enabled").and_then(serde_json::Value::as_bool);
    let in_env = || env.get("DEX_HINTS_ENABLED").map(|_| env.is_on("DEX_HINTS_ENABLED"));
    let in_config = || loading.configured("enabled").and_then(serde_json::Value::as_bool);
    let named = |value: Option<&serde_json::Value>| value.and_then(settings::strings).filter(|names| !names.is_empty());
    let names = named(loading.setting("filenames")).or_else(|| named(loading.configured("filenames")));
    DexSettings {
        enabled: enabled.or_else(in_env).or_else(in_config).unwrap_or(true),
        total: loading
            .number("max_total_size")
            .or_else(|| env.get("DEX_HINTS_MAX_SIZE").and_then(|size| size.parse().ok()))
            .or_else(|| configured("max_total_size"))
            .or(DEX.max_bytes)
            .unwrap_or(usize::MAX),
        depth: loading
            .number("max_import_depth")
            .or_else(|| configured("max_import_depth"))
            .unwrap_or(loading.max_depth())
            .min(32),
        names: names.unwrap_or_else(|| loading.names()),
    }
}

/// The sections so far, and the room that is left for more.
struct DexOutput {
    sections: String,
    room: usize,
    total: usize,
}

impl DexOutput {
    /// Add the section of one file; one that does not fit is dropped whole, and a later one may fit.
    fn add(
        &mut self,
        loading: &mut Loading<'_>,
        path: &AbsPath,
        why: Why,
        change: impl FnOnce(&mut Loading<'_>, &str) -> String,
    ) {
        let layers = loading.out.layers.len();
        let Some(text) = loading.hint_with(path, why, |loading, text| Ok(change(loading, text))) else { return };
        let text = DEX.text.clean(&text);
        let name = loading.show(path);
        let reason = if text.is_empty() {
            Reason::Empty
        } else if text.len() > self.room {
            loading.note(format!("{name} is dropped: with it the hints exceed {} bytes", self.total));
            Reason::BudgetSpent(self.total)
        } else {
            self.room -= text.len();
            self.sections.push_str(&format!("<!-- From: {name} -->\n{text}\n\n"));
            return;
        };
        loading.out.layers.truncate(layers);
        loading.skip_file(path, reason);
    }
}

fn find(loading: &mut Loading<'_>, limit: usize, token: &ImportToken<'_>) -> Result<ImportedFile, NoImport> {
    let name = token.path;
    token.check_depth(limit).inspect_err(|_| {
        let importer = loading.show(token.importer);
        loading.note(format!("{importer}: imports are followed to depth {limit}, so @{name} is not replaced"));
    })?;
    // A leading `/` means nothing here: the path is joined to the importing file's directory.
    let target = token.importer.dirname().join(name.trim_start_matches('/'));
    let boundary = loading.boundary(token.importer);
    let outside = format!("<!-- Import outside repository: {name} -->");
    if !loading.is_inside(&boundary, &target) {
        return Err(NoImport::new(Reason::Outside(boundary)).target(&target).instead(outside));
    }
    if !loading.may_import() {
        return Err(NoImport::new(Reason::Limit).target(&target).instead(format!("@{name}")));
    }
    match loading.world.read(&target) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let frame = [format!("<!-- Imported: {name} -->\n"), String::new()];
            Ok(ImportedFile { path: target.clone(), base: target, bytes, text, frame })
        }
        Err(ReadError::GitDirectory) => Err(NoImport::unread(target, ReadError::GitDirectory).instead(outside)),
        Err(error) => Err(NoImport::unread(target, error).instead(format!("<!-- Import not found: {name} -->"))),
    }
}
