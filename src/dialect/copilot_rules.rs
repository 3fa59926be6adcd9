//! Copilot's instruction files and the rules of `.claude/rules` that it reads too: which apply always, which wait for a file,
//! and the table that names the latter.

use super::RuleDirectory;
use super::copilot::sanitized;
use super::globs::{PathGlob, files_below, split_commas};
use super::loading::Loading;
use super::settings::{self, Format};
use crate::context::{Conditional, Reason, Why};
use crate::world::AbsPath;
use serde_json::Value;
use std::sync::Arc;

/// The text that stands before the table.
const TABLE: &str = "Here is a list of instruction files that contain rules for modifying or creating new code.\n\
    These files are important for ensuring that the code is modified or created correctly.\n\
    Please make sure to follow the rules specified in these files when working with the codebase.\n\
    If you have not already read the file, use the `view` tool to acquire it.\n\
    Make sure to acquire the instructions before making any changes to the code.\n\
    | Pattern | File Path | Description |\n\
    | ------- | --------- | ----------- |\n";

/// One instruction or rule file.
pub(super) struct Rule {
    pub(super) path: AbsPath,
    bytes: Arc<[u8]>,
    /// The whole text, frontmatter included.
    text: String,
    /// Empty if it applies always.
    pub(super) globs: Vec<String>,
    description: String,
}

impl Rule {
    /// Whether it applies to `touched`; its globs are relative to the root.
    pub(super) fn applies_to(&self, root: &AbsPath, touched: &AbsPath) -> bool {
        let relative = String::from_utf8_lossy(&touched.relative_to(root)).into_owned();
        let mut globs = self.globs.iter().filter_map(|glob| PathGlob::new(glob, true));
        self.globs.is_empty() || globs.any(|glob| glob.matches(&relative))
    }

    /// Take it into the context.
    pub(super) fn load(&self, loading: &mut Loading<'_>) -> (AbsPath, String) {
        let why = if self.globs.is_empty() { Why::Touch } else { Why::MatchedRule };
        let layer = loading.layer(&self.path, &self.bytes, why);
        loading.out.layers[layer].globs.clone_from(&self.globs);
        (self.path.clone(), self.text.clone())
    }
}

/// The rules below `dir`, in the order of their paths.
pub(super) fn read(loading: &mut Loading<'_>, dir: &AbsPath, kind: &RuleDirectory, root: &AbsPath) -> Vec<Rule> {
    let mut rules = Vec::new();
    if !loading.world.is_dir(dir) {
        return rules;
    }
    let mut paths = files_below(loading.world, dir, true);
    paths.retain(|path| path.file_name().ends_with(kind.suffix.as_bytes()));
    loading.out.order_unspecified |= paths.len() > 1;
    for path in paths {
        let Some(bytes) = loading.read(&path) else { continue };
        let text = sanitized(&String::from_utf8_lossy(&bytes));
        let head = frontmatter(&text);
        if excluded(&head) {
            loading.skip_file(&path, Reason::Excluded);
            continue;
        }
        let globs = globs(&head[kind.key]);
        let description = head["description"].as_str().unwrap_or_default().to_owned();
        if !globs.is_empty() {
            let (path, globs, text) = (path.clone(), globs.clone(), text.clone());
            loading.conditional(Conditional { path, base: root.clone(), globs, text, never: None });
        }
        rules.push(Rule { path, bytes, text, globs, description });
    }
    rules
}

/// The texts of the rules that apply always, then the table of the others.
pub(super) fn listing(loading: &mut Loading<'_>, rules: &[Rule], root: &AbsPath) -> String {
    let mut pieces = Vec::new();
    for rule in rules.iter().filter(|rule| rule.globs.is_empty()) {
        loading.layer(&rule.path, &rule.bytes, Why::Rule);
        pieces.push(rule.text.clone());
    }
    let mut rows = String::new();
    for rule in rules.iter().filter(|rule| !rule.globs.is_empty()) {
        let name = String::from_utf8_lossy(&rule.path.relative_to(root)).into_owned();
        let cell = |text: &str| text.replace('|', "\\|");
        rows.push_str(&format!(
            "| {} | '{}' | {} |\n",
            cell(&rule.globs.join(", ")),
            cell(&name),
            cell(&rule.description)
        ));
    }
    if !rows.is_empty() {
        // The table's last line end is the agent's own frame.
        pieces.push(format!("{TABLE}{}", rows.trim_end_matches('\n')));
    }
    pieces.join("\n\n")
}

fn frontmatter(text: &str) -> Value {
    let text = text.replace("\r\n", "\n");
    let Some((yaml, _)) = super::qwen_rules::frontmatter(&text) else { return Value::Null };
    let parsed = settings::parse(yaml, Format::Yaml);
    parsed
        .or_else(|_| settings::parse(&super::claude_rules::with_values_quoted(yaml), Format::Yaml))
        .unwrap_or(Value::Null)
}

/// A comma list or YAML list of globs; empty when it is absent or matches everything.
fn globs(value: &Value) -> Vec<String> {
    let texts = settings::strings(value).unwrap_or_default();
    let globs: Vec<String> = texts.iter().flat_map(|text| split_commas(text)).collect();
    if globs.iter().any(|glob| glob == "**") { Vec::new() } else { globs }
}

fn excluded(head: &Value) -> bool {
    let agents = settings::strings(&head["excludeAgent"]).unwrap_or_default();
    agents.iter().flat_map(|text| split_commas(text)).any(|agent| agent == "coding-agent")
}
