//! Qwen Code: a fork of Gemini CLI with its own names, order, local file and rules.

pub(super) mod rules;

use crate::agents::shared::context::{PartName, Reason, Why};
use crate::agents::shared::imports::{Variant, expand};
use crate::agents::shared::loading::{Loading, find_root};
use crate::agents::shared::settings::{self, Format};
use crate::agents::{
    Boundary, ByteOrderMark, Choice, Dialect, Evidence, Imports, InvalidUtf8, Invisible, Limits, Order, Placement,
    Proof, Root, RuleDirectory, TextTreatment, Walk,
};
use crate::parse::imports::{Grammar, js_trim};
use crate::world::{AbsPath, FileType};
use rules::{rules, touch};
use serde_json::Value;
use std::collections::BTreeSet;

/// The table. Observed in the requests of the released agent.
pub(super) const QWEN: Dialect = Dialect {
    id: "qwen",
    title: "Qwen Code",
    version: "0.24.4",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "@qwen-code/qwen-code 0.24.4, run", date: "2026-11" },
        Evidence { source: "https://github.com/QwenLM/qwen-code at 0f8ce083 and 1aba1b9f", date: "2026-11" },
    ],
    // Replaced by `context.fileName`.
    names: &["QWEN.md", "AGENTS.md"],
    ignores_case: false,
    choice: Choice::All,
    user_files: &[".qwen/QWEN.md", ".qwen/AGENTS.md", ".qwen/rules"],
    rules: &[RuleDirectory { path: ".qwen/rules", suffix: ".md", key: "paths" }],
    // A link does not count.
    root: Root::GitUnlinked,
    walk: Walk::AboveRootToStart,
    order: Order::NameThenTopDown,
    imports: Some(Imports {
        grammar: Grammar::Qwen,
        placement: Placement::Replaces,
        depth: 5,
        boundary: Boundary::RootOfFile,
        boundary_resolves_links: false,
        extensions: None,
    }),
    text: TextTreatment {
        invalid_utf8: InvalidUtf8::Replaced,
        bom: ByteOrderMark::Trimmed,
        drops_frontmatter: false,
        drops_comments: false,
        trims: true,
        invisible: Invisible::Kept,
    },
    limits: Limits { total: None, cuts: false },
    touch: true,
    placement: "system message",
    load,
};

const VARIANT: Variant = Variant {
    imports: match QWEN.imports {
        Some(imports) => imports,
        None => unreachable!(),
    },
    missing_stays: true,
    knows_itself: true,
};

/// The private file beside the root's rules.
const LOCAL: &str = ".qwen/QWEN.local.md";

fn load(loading: &mut Loading<'_>) {
    let qwen_home = loading.world.env().or_in_home("QWEN_HOME", ".qwen").map(AbsPath::new);
    let names = names(loading, qwen_home.as_ref());
    let root = loading.find_root();
    let project = root.clone().unwrap_or_else(|| loading.start.clone());
    let mut seen = BTreeSet::new();
    let mut main = Vec::new();
    for path in paths(loading, &names, root.as_ref(), qwen_home.as_ref()) {
        let why = if qwen_home.as_ref().is_some_and(|home| path.is_within(home)) { Why::User } else { Why::Project };
        main.extend(block(loading, &path, why, &mut seen));
    }
    loading.push_part(PartName::Main, main.join("\n\n"), QWEN.placement);

    // The local file and the rules come behind the block in which the agent states its output language.
    loading.part = PartName::After;
    let mut after = Vec::new();
    // Without a root there is no local file, though there are rules.
    if let Some(local) = root.map(|root| root.join(LOCAL)).filter(|local| is_there(loading, local)) {
        after.extend(block(loading, &local, Why::Local, &mut seen));
    }
    let rules = rules(loading, &project, qwen_home.as_ref());
    for rule in &rules {
        if rule.globs.is_none() {
            loading.layer(&rule.path, &rule.bytes, Why::Rule);
            after.push(rule.frame(&project));
        }
    }
    loading.push_part(PartName::After, after.join("\n\n"), "system message, behind the output language");
    if let Some(touched) = loading.options.touch.clone() {
        touch(loading, &touched, &project, &rules);
    }
}

fn names(loading: &mut Loading<'_>, home: Option<&AbsPath>) -> Vec<String> {
    let mut names: Vec<String> = QWEN.names.iter().map(ToString::to_string).collect();
    let mut given = Vec::new();
    for path in
        home.map(|home| home.join("settings.json")).into_iter().chain([loading.start.join(".qwen/settings.json")])
    {
        let value = settings::read(loading, &path, Format::Json);
        given.push(match settings::at(&value, &["context", "fileName"]) {
            Value::Null => value["contextFileName"].clone(),
            name => name.clone(),
        });
    }
    given.extend(loading.setting("names").cloned());
    for value in given {
        let list: Vec<String> = settings::strings(&value).unwrap_or_default();
        let list: Vec<String> =
            list.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
        if !list.is_empty() {
            names = list;
        }
    }
    names
}

/// For each name the user's file, then those of the walk from the top; each path once.
fn paths(loading: &mut Loading<'_>, names: &[String], root: Option<&AbsPath>, home: Option<&AbsPath>) -> Vec<AbsPath> {
    // In the home directory itself only that directory is read.
    let mut dirs =
        if loading.home().as_ref() == Some(&loading.start) { vec![loading.start.clone()] } else { loading.walk(root) };
    // The walk never reads `/`, and ends below the agent's own directory in the home.
    dirs.retain(|dir| !dir.is_root());
    if let Some(at) = home.and_then(|home| dirs.iter().rposition(|dir| dir == home)) {
        dirs.drain(..=at);
    }
    let mut paths: Vec<AbsPath> = Vec::new();
    for name in names {
        let user = home.filter(|_| loading.options.user).map(|home| home.join(name));
        for path in user.into_iter().chain(dirs.iter().map(|dir| dir.join(name))) {
            if !is_there(loading, &path) {
                loading.consider(&path, "not there");
            } else if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    paths
}

fn block(loading: &mut Loading<'_>, path: &AbsPath, why: Why, seen: &mut BTreeSet<AbsPath>) -> Option<String> {
    let identity = loading.world.real_path(path).unwrap_or_else(|_| path.clone());
    if !seen.insert(identity) {
        loading.skip_file(path, Reason::AlreadyLoaded);
        return None;
    }
    let bytes = loading.read(path)?;
    loading.layer(path, &bytes, why);
    let boundary = find_root(loading.world, &path.dirname(), QWEN.root).unwrap_or_else(|| path.dirname());
    let text = expand(loading, &VARIANT, boundary, path, &String::from_utf8_lossy(&bytes));
    let text = js_trim(&text);
    if text.is_empty() {
        loading.out.layers.pop();
        loading.skip_file(path, Reason::Empty);
        return None;
    }
    let name = String::from_utf8_lossy(&path.relative_to(&loading.start)).into_owned();
    Some(format!("--- Context from: {name} ---\n{text}\n--- End of Context from: {name} ---"))
}

/// Whether something that is not a directory stands at `path`.
fn is_there(loading: &Loading<'_>, path: &AbsPath) -> bool {
    !matches!(loading.world.file_type(path), None | Some(FileType::Directory))
}
