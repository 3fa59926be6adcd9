//! GitHub Copilot CLI: names without regard to case, identical texts once, imports behind their tokens, most invisible
//! characters taken out, and a table of conditional instruction files.

pub(in crate::agents) mod hints;
mod plugins;
mod rules;
mod runs;
mod touch;

use crate::agents::shared::context::{PartName, Reason, Why};
use crate::agents::shared::expand::{ImportToken, ImportedFile, NoImport, expand};
use crate::agents::shared::hooks::{CallerSign, HookCaller, HookRegistration, RegistrationForm};
use crate::agents::shared::loading::Loading;
use crate::agents::shared::roots::physical;
use crate::agents::{
    Boundary, Dialect, Evidence, Imports, Inside, Invisible, Placement, Proof, RootMark, RuleDirectory, TextTreatment,
};
use crate::parse::imports::{Grammar, references};
use crate::world::{AbsPath, FileType};
use rules::{CopilotRule, Naming};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The table. Observed in the requests of the released agent.
pub(super) const COPILOT: Dialect = Dialect {
    id: "copilot",
    title: "GitHub Copilot CLI",
    version: "1.0.102",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[Evidence { source: "@github/copilot 1.0.102, run", checked: "2026-11" }],
    names: &[REPOSITORY_WIDE, "AGENTS.md", "CLAUDE.md", "GEMINI.md"],
    ignores_case: true,
    user_files: &[".copilot/copilot-instructions.md", ".copilot/instructions"],
    rules: &[
        RuleDirectory { path: ".github/instructions", suffix: ".instructions.md", key: "applyTo" },
        RuleDirectory { path: ".claude/rules", suffix: ".md", key: "paths" },
    ],
    root: RootMark::GitChecked,
    imports: Some(Imports {
        grammar: Grammar::PathLike,
        placement: Placement::FollowsToken,
        depth: 8,
        boundary: Boundary::Root,
        inside: Inside::RealPath,
        extensions: None,
    }),
    text: TextTreatment { invisible: Invisible::WithoutThenNfc(REMOVED), ..TextTreatment::PLAIN },
    files: &hints::FILES,
    placement: "system message, before <system_notifications>",
    load,
    runs: Some(runs::read),
    answers: Some(crate::agents::runs::HookAnswers::TOP),
    replaced_variables: crate::agents::runs::ReplacedVariables::BracedInBundles,
    ..Dialect::BASE
};

/// It runs our hooks too.
pub(super) static CALLER: HookCaller = HookCaller {
    dialect: &COPILOT,
    sign: CallerSign::Variable("COPILOT_CLI"),
    context_at_top: true,
    reads: &["view", "Read"],
    edits: &["edit", "str_replace", "Edit"],
    writes: &["create", "Write"],
    registration: HookRegistration {
        folder: ".github",
        user_folder: |env| env.or_in_home("COPILOT_HOME", ".copilot"),
        settings: "hooks/hintlint.json",
        events: ["sessionStart", "postToolUse", "agentStop", "sessionEnd"],
        matcher: "view|edit|str_replace|create",
        ticks: 1,
        form: RegistrationForm::Flat,
        clear_command: None,
        note: "Copilot CLI runs a project's hooks in folders that you trust; with -p only if \
               GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true is set",
    },
};

const REPOSITORY_WIDE: &str = ".github/copilot-instructions.md";
/// Files that one hint file imports, directly or not.
const MAX_FILES: usize = 64;
/// Bytes that they have together.
const MAX_BYTES: usize = 512 << 10;
/// Byte-order marks, zero-width space and non-joiner, word joiner and invisible operators, soft hyphen, the Mongolian vowel
/// separator, bidi controls but the Arabic letter mark, and tags. The zero-width joiner and control characters stay.
const REMOVED: &[RangeInclusive<char>] = &[
    '\u{ad}'..='\u{ad}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200c}',
    '\u{200e}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{2064}',
    '\u{2066}'..='\u{2069}',
    '\u{feff}'..='\u{feff}',
    '\u{e0001}'..='\u{e0001}',
    '\u{e0020}'..='\u{e007f}',
];
/// What is read in directories between the root and the start, and on the way to a touched file. Only there does
/// `.claude/CLAUDE.md` count (seen in the golden vector random-018).
const NESTED: &[&str] = &[REPOSITORY_WIDE, "AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md"];

fn load(loading: &mut Loading<'_>) {
    let root = loading.find_root();
    let dirs = loading.walk(root.as_ref());
    let root = root.unwrap_or_else(|| loading.start.clone());
    let home = loading.world.env().or_in_home("COPILOT_HOME", ".copilot").map(AbsPath::new);
    let home = home.filter(|_| loading.options.user);
    let of_user = |home: &AbsPath| (home.join("copilot-instructions.md"), home.clone(), Why::User);
    let mut files: Vec<(AbsPath, AbsPath, Why)> = home.iter().map(of_user).collect();
    files.extend(start_files(loading, &dirs).into_iter().map(|path| (path, root.clone(), Why::Project)));
    let mut texts: Vec<String> = Vec::new();
    for (path, boundary, why) in files {
        let (layers, skipped) = (loading.out.layers.len(), loading.out.skipped.len());
        let Some(text) = block(loading, &path, &path, &boundary, why) else { continue };
        // Texts are compared as sent, imports included.
        if texts.contains(&text) {
            loading.out.layers.truncate(layers);
            loading.out.skipped.truncate(skipped);
            loading.skip_file(&path, Reason::AlreadyLoaded);
        } else {
            texts.push(text);
        }
    }
    let enclosed = |text: &String| format!("<custom_instruction>\n{text}\n</custom_instruction>");
    let custom: Vec<String> = texts.iter().map(enclosed).collect();
    let added = added(loading);
    let rules = start_rules(loading, &root, &dirs, home.as_ref(), &added);
    let nested = added.iter().filter(|dir| **dir != root);
    let agents: Vec<AbsPath> = nested.filter_map(|dir| find(loading, dir, "AGENTS.md")).collect();
    let extra = rules::listing(loading, &root, &rules, &agents);
    let text = match (custom.is_empty(), extra.is_empty()) {
        (_, true) => custom.join("\n\n"),
        (true, false) => extra,
        (false, false) => format!("{}\n\n{extra}\n", custom.join("\n\n")),
    };
    loading.push_part(PartName::Main, text, COPILOT.placement);
    if let Some(touched) = loading.options.touch.clone() {
        touch::touch(loading, &touched, &root, &rules);
    }
}

/// The files of the start: the repository-wide ones of the root and the start directory, then the others of both, then all of
/// the directories between, nearest first.
fn start_files(loading: &mut Loading<'_>, dirs: &[AbsPath]) -> Vec<AbsPath> {
    let Some((start, above)) = dirs.split_last() else { return Vec::new() };
    let (root, between) = match above.split_first() {
        Some((root, between)) => (root, between),
        None => (start, above),
    };
    let mut ends = vec![root];
    if start != root {
        ends.push(start);
    }
    let mut paths = Vec::new();
    for dir in &ends {
        paths.extend(find(loading, dir, REPOSITORY_WIDE));
    }
    for dir in &ends {
        paths.extend(find_all(loading, dir, &COPILOT.names[1..]));
    }
    for dir in between.iter().rev() {
        paths.extend(find_all(loading, dir, NESTED));
    }
    paths
}

/// The files of one directory by any of these names; links to one file count once.
fn find_all(loading: &mut Loading<'_>, dir: &AbsPath, names: &[&str]) -> Vec<AbsPath> {
    let mut seen = BTreeSet::new();
    let mut paths = Vec::new();
    for name in names {
        paths.extend(find(loading, dir, name).filter(|path| loading.is_new(path, &mut seen)));
    }
    paths
}

/// The file called `name`, whatever the case of its last part; the exact spelling wins, then the first in bytewise order.
fn find(loading: &mut Loading<'_>, dir: &AbsPath, name: &str) -> Option<AbsPath> {
    let mut dir = dir.clone();
    let mut parts = name.split('/').peekable();
    while let Some(part) = parts.next() {
        let exact = dir.join(part);
        let kind = if parts.peek().is_some() { FileType::Directory } else { FileType::File };
        let found = if loading.world.file_type(&exact) == Some(kind) {
            Some(exact)
        } else if kind == FileType::Directory {
            None
        } else {
            let spelled = |name: &[u8]| name.eq_ignore_ascii_case(part.as_bytes());
            let entries = loading.list(&dir).iter().filter(|entry| spelled(&entry.name));
            let paths: Vec<AbsPath> = entries.map(|entry| dir.join(&entry.name)).collect();
            paths.into_iter().find(|path| loading.world.file_type(path) == Some(kind))
        };
        match found {
            Some(path) => dir = path,
            None => {
                loading.consider(&dir.join(part), "not there");
                return None;
            }
        }
    }
    Some(dir)
}

/// Imports run in all hint files but GEMINI.md.
fn imports_in(path: &AbsPath) -> bool {
    !path.file_name().eq_ignore_ascii_case(b"GEMINI.md")
}

/// The text of a hint file as sent; its imports are resolved from `base`. A file of the user's that is not UTF-8 is left out.
fn block(loading: &mut Loading<'_>, path: &AbsPath, base: &AbsPath, boundary: &AbsPath, why: Why) -> Option<String> {
    if !loading.world.is_file(path) {
        loading.consider(path, "not there");
        return None;
    }
    let bytes = loading.read(path)?;
    if why == Why::User && std::str::from_utf8(&bytes).is_err() {
        loading.skip_file(path, Reason::NotUtf8);
        return None;
    }
    loading.layer(path, &bytes, why);
    let text = String::from_utf8_lossy(&bytes);
    if !imports_in(path) {
        for reference in references(Grammar::PathLike, &text).iter().filter(|reference| reference.inert.is_none()) {
            loading.skip_token(path, reference.span, &reference.path, None, Reason::NoImports);
        }
        return Some(COPILOT.text.clean(&text));
    }
    let seen = BTreeSet::from([loading.robust_real_path(path)]);
    let mut imported = Imported { boundary, seen, files: MAX_FILES, bytes: MAX_BYTES };
    // Tokens are looked for in the text as it is written.
    let text = expand(loading, base, &text, &mut |loading, token| imported.find(loading, token));
    Some(COPILOT.text.clean(&text))
}

/// What has been imported for one hint file.
struct Imported<'b> {
    boundary: &'b AbsPath,
    /// Real paths of the hint file and of everything imported for it so far.
    seen: BTreeSet<AbsPath>,
    /// How many more files may be imported.
    files: usize,
    /// How many more bytes they may have; a file that has more is passed over.
    bytes: usize,
}

impl Imported<'_> {
    fn find(&mut self, loading: &mut Loading<'_>, token: &ImportToken<'_>) -> Result<ImportedFile, NoImport> {
        let target = token.target();
        let refused = |reason| NoImport::new(reason).target(&target);
        token.check_inert().map_err(|refusal| refusal.target(&target))?;
        if token.path.starts_with(['/', '~']) || token.path.ends_with('/') {
            return Err(refused(Reason::Refused));
        }
        token.check_depth(loading.max_depth()).map_err(|refusal| refusal.target(&target))?;
        if !loading.may_import() {
            return Err(refused(Reason::Limit));
        }
        let found = physical(loading.world, &token.importer.dirname(), token.path);
        let bytes = found.and_then(|real| loading.world.read(&real));
        let bytes = bytes.map_err(|error| NoImport::unread(target.clone(), error))?;
        if !loading.is_inside(self.boundary, &target) {
            return Err(refused(Reason::Outside(loading.robust_real_path(self.boundary))));
        }
        let real = loading.robust_real_path(&target);
        // Of an attribute's text the apostrophe stays.
        let source = escaped(&loading.show(&real)).replace("&apos;", "'");
        if self.seen.contains(&real) {
            let text = format!("<imported_custom_instruction source=\"{source}\" skipped=\"already-loaded\" />");
            return Err(refused(Reason::AlreadyLoaded).instead(text));
        }
        if std::str::from_utf8(&bytes).is_err() {
            return Err(refused(Reason::NotUtf8));
        }
        if self.files == 0 || self.bytes < bytes.len() {
            return Err(refused(Reason::Limit));
        }
        self.files -= 1;
        self.bytes -= bytes.len();
        self.seen.insert(real.clone());
        let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        let before = format!("<imported_custom_instruction source=\"{source}\">\n");
        let frame = [before, "\n</imported_custom_instruction>".to_owned()];
        Ok(ImportedFile { path: target, base: real, bytes, text, frame })
    }
}

/// Text as it may stand in HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    out
}

/// The directories of `COPILOT_CUSTOM_INSTRUCTIONS_DIRS`, each once: rules in them count, an AGENTS.md there is only named.
fn added(loading: &Loading<'_>) -> Vec<AbsPath> {
    let given = loading.world.env().get("COPILOT_CUSTOM_INSTRUCTIONS_DIRS").unwrap_or_default();
    let mut dirs = Vec::new();
    for dir in given.split(',').map(str::trim).filter(|dir| !dir.is_empty()) {
        let dir = loading.start.resolve(dir.as_bytes());
        if !dirs.contains(&dir) {
            dirs.push(dir);
        }
    }
    dirs
}

/// The rules of the user, then those of the root, of the start directory and of added directories, and last whatever in added
/// directories is called so. A file counts once under all its names, but once more if it is the user's too.
fn start_rules(
    loading: &mut Loading<'_>,
    root: &AbsPath,
    dirs: &[AbsPath],
    home: Option<&AbsPath>,
    added: &[AbsPath],
) -> Vec<CopilotRule> {
    let mut rules = Vec::new();
    if let Some(home) = home {
        let folder = home.join("instructions");
        rules.extend(rules::read(loading, &folder, &COPILOT.rules[0], Naming::Whole, &mut BTreeSet::new()));
    }
    let mut ends = vec![root];
    ends.extend(dirs.last().filter(|start| *start != root));
    let new = || added.iter().filter(|dir| !ends.contains(dir)).map(|dir| (dir, Naming::Below(dir)));
    let mut seen = BTreeSet::new();
    for (dir, naming) in ends.iter().map(|dir| (*dir, Naming::From(dir))).chain(new()) {
        for kind in COPILOT.rules {
            rules.extend(rules::read(loading, &dir.join(kind.path), kind, naming, &mut seen));
        }
    }
    for dir in added {
        let naming = if ends.contains(&dir) { Naming::From(dir) } else { Naming::Below(dir) };
        rules.extend(rules::read(loading, dir, &COPILOT.rules[0], naming, &mut seen));
    }
    rules
}
