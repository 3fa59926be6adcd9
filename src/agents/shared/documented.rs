//! Agents known from documentation only. Which files they read and when is documented; the text
//! around them is not, so their contents are shown bare, one after the other.

use super::context::{Conditional, PartName, Reason, Why};
use super::globs::{PathGlob, files_below, split_commas};
use super::loading::{Loading, directories};
use super::settings::{self, Format};
use crate::agents::{
    ByteOrderMark, Choice, Dialect, InvalidUtf8, Invisible, Limits, Order, Proof, Root, TextTreatment, Walk,
};
use crate::world::AbsPath;
use serde_json::Value;
use std::sync::Arc;

/// What their tables have in common.
pub(crate) const COMMON: Dialect = Dialect {
    id: "",
    title: "",
    version: "documentation",
    checked: "2026-11",
    proof: Proof::Documentation,
    evidence: &[],
    names: &["AGENTS.md"],
    ignores_case: false,
    choice: Choice::All,
    user_files: &[],
    rules: &[],
    root: Root::Git,
    walk: Walk::RootToStart,
    order: Order::TopDown,
    imports: None,
    text: TextTreatment {
        invalid_utf8: InvalidUtf8::Replaced,
        bom: ByteOrderMark::Kept,
        drops_frontmatter: true,
        drops_comments: false,
        trims: true,
        invisible: Invisible::Kept,
    },
    limits: Limits { total: None, cuts: false },
    touch: true,
    placement: "not documented",
    load,
};

/// When a rule is sent.
#[derive(Debug, PartialEq)]
enum When {
    Always,
    /// When a file matches.
    Matching(Vec<String>),
    /// When the model or the user asks for it.
    Asked,
}

fn load(loading: &mut Loading<'_>) {
    let dialect = loading.dialect();
    loading.note(format!("{} is known from documentation only: the text around its files is not shown", dialect.title));
    let root = loading.find_root().unwrap_or_else(|| loading.start.clone());
    let mut texts = Vec::new();
    let mut waiting = Vec::new();
    if let Some(home) = loading.home().filter(|_| loading.options.user) {
        for name in dialect.user_files {
            let path = home.join(name);
            let key = dialect.rules.first().map_or("", |rules| rules.key);
            if loading.world.is_dir(&path) {
                rules(loading, &path, "", key, &root, Why::User, &mut texts, &mut waiting);
            } else {
                texts.extend(hint(loading, &path, Why::User));
            }
        }
    }
    for dir in directories(&root, &loading.start) {
        for name in dialect.names {
            let path = dir.join(name);
            if loading.world.is_file(&path) {
                texts.extend(hint(loading, &path, Why::Project));
            }
        }
        for kind in dialect.rules {
            rules(loading, &dir.join(kind.path), kind.suffix, kind.key, &root, Why::Rule, &mut texts, &mut waiting);
        }
    }
    loading.push_part(PartName::Main, texts.join("\n\n"), dialect.placement);
    if let Some(touched) = loading.options.touch.clone() {
        touch(loading, &touched, &root, &waiting);
    }
}

fn hint(loading: &mut Loading<'_>, path: &AbsPath, why: Why) -> Option<String> {
    let bytes = loading.read(path)?;
    let text = String::from_utf8_lossy(&bytes).trim().to_owned();
    if text.is_empty() {
        loading.skip_file(path, Reason::Empty);
        return None;
    }
    loading.layer(path, &bytes, why);
    Some(text)
}

/// A rule that waits for a file.
struct Waiting {
    path: AbsPath,
    bytes: Arc<[u8]>,
    globs: Vec<String>,
    text: String,
}

#[expect(clippy::too_many_arguments, reason = "one directory of rules, sorted into what is sent and what waits")]
fn rules(
    loading: &mut Loading<'_>,
    dir: &AbsPath,
    suffix: &str,
    key: &str,
    root: &AbsPath,
    why: Why,
    texts: &mut Vec<String>,
    waiting: &mut Vec<Waiting>,
) {
    if !loading.world.is_dir(dir) {
        return;
    }
    let mut paths = files_below(loading.world, dir, true);
    paths.retain(|path| path.file_name().ends_with(suffix.as_bytes()));
    for path in paths {
        let Some(bytes) = loading.read(&path) else { continue };
        let whole = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        let (head, body) = match crate::agents::qwen::rules::frontmatter(&whole) {
            Some((yaml, body)) => {
                let value = settings::parse(yaml, Format::Yaml);
                let value = value.or_else(|_| {
                    settings::parse(&crate::agents::claude::rules::with_values_quoted(yaml), Format::Yaml)
                });
                (value.unwrap_or(Value::Null), body)
            }
            None => (Value::Null, whole.as_str()),
        };
        let text = body.trim().to_owned();
        match when(loading.dialect().id, &head, key) {
            When::Always if text.is_empty() => loading.skip_file(&path, Reason::Empty),
            When::Always => {
                loading.layer(&path, &bytes, why);
                texts.push(text);
            }
            When::Asked => {
                loading.conditional(Conditional { path, base: root.clone(), globs: Vec::new(), text, never: None })
            }
            When::Matching(globs) => {
                let rule = Conditional {
                    path: path.clone(),
                    base: root.clone(),
                    globs: globs.clone(),
                    text: text.clone(),
                    never: None,
                };
                loading.conditional(rule);
                waiting.push(Waiting { path, bytes, globs, text });
            }
        }
    }
}

/// When a rule with this frontmatter is sent. Each agent has its own keys, so one function can read them all; only the meaning
/// of their absence differs.
fn when(agent: &str, head: &Value, key: &str) -> When {
    let texts = settings::strings(&head[key]).unwrap_or_default();
    let globs: Vec<String> = texts.iter().flat_map(|text| split_commas(text)).collect();
    let matching = |globs: Vec<String>| if globs.is_empty() { When::Asked } else { When::Matching(globs) };
    // Kiro's `inclusion` and Windsurf's `trigger`.
    match head["inclusion"].as_str().or(head["trigger"].as_str()) {
        Some("always" | "always_on") => return When::Always,
        Some("fileMatch" | "glob") => return matching(globs),
        Some(_) => return When::Asked,
        None => {}
    }
    if head["alwaysApply"].as_bool() == Some(true) {
        return When::Always;
    }
    if !globs.is_empty() {
        return When::Matching(globs);
    }
    // Without any of this Cursor waits to be asked; the others send the rule.
    if agent == crate::agents::cursor::CURSOR.id { When::Asked } else { When::Always }
}

fn touch(loading: &mut Loading<'_>, touched: &AbsPath, root: &AbsPath, waiting: &[Waiting]) {
    loading.part = PartName::Touch;
    let relative = String::from_utf8_lossy(&touched.relative_to(root)).into_owned();
    let mut texts = Vec::new();
    for rule in waiting {
        // A glob without a slash matches names at any depth.
        let spread = |glob: &String| if glob.contains('/') { glob.clone() } else { format!("**/{glob}") };
        if rule
            .globs
            .iter()
            .map(spread)
            .filter_map(|glob| PathGlob::new(&glob, true))
            .any(|glob| glob.matches(&relative))
        {
            let layer = loading.layer(&rule.path, &rule.bytes, Why::MatchedRule);
            loading.out.layers[layer].globs.clone_from(&rule.globs);
            texts.push(rule.text.clone());
        }
    }
    if touched.is_within(&loading.start) {
        for dir in directories(&loading.start, &touched.dirname()).into_iter().skip(1) {
            texts.extend(hint(loading, &dir.join("AGENTS.md"), Why::Touch));
        }
    }
    loading.push_part(PartName::Touch, texts.join("\n\n"), "not documented");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frontmatter_decides_when() {
        let check = |agent: &str, key: &str, yaml: &str| {
            when(agent, &settings::parse(yaml, Format::Yaml).unwrap_or(Value::Null), key)
        };
        let globs = |list: &[&str]| When::Matching(list.iter().map(ToString::to_string).collect());
        assert_eq!(check("cursor", "globs", "alwaysApply: true"), When::Always);
        assert_eq!(check("cursor", "globs", "globs: a.ts, src/b"), globs(&["a.ts", "src/b"]));
        assert_eq!(check("cursor", "globs", "description: x"), When::Asked);
        assert_eq!(check("windsurf", "globs", "trigger: manual"), When::Asked);
        assert_eq!(check("windsurf", "globs", "trigger: glob\nglobs: x"), globs(&["x"]));
        assert_eq!(check("cline", "paths", "paths: [a]"), globs(&["a"]));
        assert_eq!(check("cline", "paths", ""), When::Always);
        assert_eq!(
            check("kiro", "fileMatchPattern", "inclusion: fileMatch\nfileMatchPattern: ['*.ts']"),
            globs(&["*.ts"])
        );
        assert_eq!(check("kiro", "fileMatchPattern", ""), When::Always);
    }
}
