//! Qwen Code: a fork of Gemini CLI with its own names, order, local file and rules.

use super::gemini_imports::{Variant, expand};
use super::globs::PathGlob;
use super::loading::{Loading, find_root};
use super::settings::{self, Format};
use super::{
    Boundary, ByteOrderMark, Choice, Dialect, Evidence, Imports, InvalidUtf8, Invisible, Limits, Order, Placement,
    Proof, Root, RuleDirectory, TextTreatment, Walk,
};
use crate::context::{Conditional, PartName, Reason, Why};
use crate::parse::imports::{Grammar, js_trim};
use crate::world::{AbsPath, FileType};
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
    // A `.git` file does not count, nor a `.git` directory without a HEAD.
    root: Root::GitDirectoryWithHead,
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
    let local = project.join(LOCAL);
    // A link is refused here.
    if loading.world.link_type(&local) == Some(FileType::File) {
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

struct Rule {
    path: AbsPath,
    bytes: std::sync::Arc<[u8]>,
    text: String,
    globs: Option<Vec<String>>,
}

impl Rule {
    fn frame(&self, project: &AbsPath) -> String {
        let name = String::from_utf8_lossy(&self.path.relative_to(project)).into_owned();
        format!("--- Rule from: {name} ---\n{}\n--- End of Rule from: {name} ---", self.text)
    }
}

/// The user's rules, then the project's, each directory in the order of its paths. Conditional ones go on record.
fn rules(loading: &mut Loading<'_>, project: &AbsPath, home: Option<&AbsPath>) -> Vec<Rule> {
    let mut dirs: Vec<AbsPath> =
        home.filter(|_| loading.options.user).map(|home| home.join("rules")).into_iter().collect();
    let own = project.join(QWEN.rules[0].path);
    if !dirs.contains(&own) {
        dirs.push(own);
    }
    let mut rules = Vec::new();
    for dir in dirs {
        let mut paths = super::globs::files_below(loading.world, &dir, false);
        paths.retain(|path| path.file_name().ends_with(b".md"));
        paths.sort_by_cached_key(|path| collation_key(&path.to_str_lossy()));
        for path in paths {
            let Some(bytes) = loading.read(&path) else { continue };
            let (text, globs) = parse_rule(&String::from_utf8_lossy(&bytes));
            if text.is_empty() {
                loading.skip_file(&path, Reason::Empty);
                continue;
            }
            if let Some(globs) = &globs {
                loading.conditional(Conditional {
                    path: path.clone(),
                    base: project.clone(),
                    globs: globs.clone(),
                    text: text.clone(),
                    never: None,
                });
            }
            rules.push(Rule { path, bytes, text, globs });
        }
    }
    rules
}

/// The order of JavaScript's `localeCompare` for the characters that paths are made of: punctuation, digits, letters without
/// regard to case, and lower case first where nothing else differs.
fn collation_key(path: &str) -> (Vec<(u8, u32)>, Vec<bool>) {
    const PUNCTUATION: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
    let primary = |c: char| match PUNCTUATION.find(c) {
        Some(at) => (0, at as u32),
        None if c.is_ascii_digit() => (1, u32::from(c)),
        None => (2, c.to_lowercase().next().map_or(0, u32::from)),
    };
    (path.chars().map(primary).collect(), path.chars().map(char::is_uppercase).collect())
}

/// A rule's text without frontmatter and comments, and its globs.
fn parse_rule(text: &str) -> (String, Option<Vec<String>>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let mut globs = None;
    let mut body = text.as_str();
    if let Some((yaml, rest)) = frontmatter(&text) {
        body = rest;
        let value = settings::parse(yaml, Format::Yaml).unwrap_or(Value::Null);
        let paths = settings::strings(&value["paths"]).unwrap_or_default();
        globs = Some(paths.into_iter().filter(|glob| !glob.is_empty()).collect::<Vec<_>>())
            .filter(|globs| !globs.is_empty());
    }
    let mut kept = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(start) = rest.find("<!--") {
        let Some(len) = rest[start + 4..].find("-->") else { break };
        kept.push_str(&rest[..start]);
        rest = &rest[start + 4 + len + 3..];
    }
    kept.push_str(rest);
    (js_trim(&kept).to_owned(), globs)
}

/// `---` on the first line, YAML, and `---` at the start of a line that it fills: the YAML and what follows.
pub(super) fn frontmatter(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("---\n")?;
    let mut from = 0;
    while let Some(at) = rest[from..].find("\n---").map(|at| from + at) {
        let after = &rest[at + 4..];
        if after.is_empty() || after.starts_with('\n') {
            return Some((&rest[..at], after.strip_prefix('\n').unwrap_or(after)));
        }
        from = at + 1;
    }
    None
}

fn touch(loading: &mut Loading<'_>, touched: &AbsPath, project: &AbsPath, rules: &[Rule]) {
    loading.part = PartName::Touch;
    let mut found = Vec::new();
    if touched.is_within(project) {
        let relative = String::from_utf8_lossy(&touched.relative_to(project)).into_owned();
        for rule in rules {
            let Some(globs) = &rule.globs else { continue };
            if globs.iter().filter_map(|glob| PathGlob::new(glob, false)).any(|glob| glob.matches(&relative)) {
                let layer = loading.layer(&rule.path, &rule.bytes, Why::MatchedRule);
                loading.out.layers[layer].globs.clone_from(globs);
                found.push(rule.frame(project));
            }
        }
    }
    let text = if found.is_empty() {
        String::new()
    } else {
        format!("<system-reminder>\n{}\n</system-reminder>", found.join("\n\n"))
    };
    loading.push_part(PartName::Touch, text, "tool result");
}

/// Whether something that is not a directory stands at `path`.
fn is_there(loading: &Loading<'_>, path: &AbsPath) -> bool {
    !matches!(loading.world.file_type(path), None | Some(FileType::Directory))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_sort_as_a_dictionary_does() {
        let mut names = ["B.md", "a.md", "a-b.md", "a/b.md", "A.md", "1.md", "_.md"];
        names.sort_by_cached_key(|name| collation_key(name));
        assert_eq!(names, ["_.md", "1.md", "a-b.md", "a.md", "A.md", "a/b.md", "B.md"]);
    }

    #[test]
    fn rules_lose_frontmatter_and_comments() {
        let check = |text: &str, body: &str, globs: Option<&[&str]>| {
            let (text, found) = parse_rule(text);
            assert_eq!((text.as_str(), found), (body, globs.map(|g| g.iter().map(ToString::to_string).collect())));
        };
        check("\u{feff}---\r\npaths: [\"**/*.ts\"]\r\n---\r\nA <!-- x -->B\n", "A B", Some(&["**/*.ts"]));
        check("---\npaths: src/*\n---", "", Some(&["src/*"]));
        check("a <!-- open", "a <!-- open", None);
        check("\n---\npaths: x\n---\nb", "---\npaths: x\n---\nb", None);
    }
}
