//! Copilot's instruction files and the rules of `.claude/rules` that it reads too: which apply always, which wait for a file,
//! and the table that names the latter.

use crate::agents::RuleDirectory;
use crate::agents::shared::context::{Reason, Why};
use crate::agents::shared::globs::{PathGlob, files_as_globbed, split_commas};
use crate::agents::shared::loading::Loading;
use crate::agents::shared::rules;
use crate::agents::shared::settings::{self, SettingsFormat};
use crate::world::AbsPath;
use serde_json::Value;
use std::collections::BTreeSet;

/// The text that stands before the table of rules.
const TABLE: &str = "Here is a list of instruction files that contain rules for modifying or creating new code.\n\
    These files are important for ensuring that the code is modified or created correctly.\n\
    Please make sure to follow the rules specified in these files when working with the codebase.\n\
    If you have not already read the file, use the `view` tool to acquire it.\n\
    Make sure to acquire the instructions before making any changes to the code.\n\
    | Pattern | File Path | Description |\n\
    | ------- | --------- | ----------- |\n";

/// The text that stands before the table of AGENTS.md files in added directories.
const NESTED_TABLE: &str = "Here is a list of nested AGENTS.md files that contain additional agent instructions.\n\
    These files provide context-specific instructions for different parts of the codebase.\n\
    Please make sure to follow the rules specified in these files when working with the relevant areas.\n\
    If you have not already read the file, use the `view` tool to acquire it.\n\
    Make sure to acquire the instructions before making any changes to the code in those areas.\n\
    | Directory | File Path | Description |\n\
    | --------- | --------- | ----------- |\n";

/// One instruction or rule file.
pub(super) struct CopilotRule {
    /// Its text is the whole file's, frontmatter included.
    pub(super) file: rules::RuleFile,
    /// How the agent calls it.
    pub(super) name: String,
    description: String,
}

impl CopilotRule {
    /// Whether it applies to `touched`; its globs are relative to the root.
    pub(super) fn applies_to(&self, root: &AbsPath, touched: &AbsPath) -> bool {
        let relative = String::from_utf8_lossy(&touched.relative_to(root)).into_owned();
        self.file.globs.is_empty() || self.file.globs.iter().any(|glob| matches(glob, &relative))
    }

    /// Take it into the context; its name and text.
    pub(super) fn load(&self, loading: &mut Loading<'_>) -> (String, String) {
        self.file.load(loading, if self.file.globs.is_empty() { Why::Touch } else { Why::MatchedRule });
        (self.name.clone(), self.file.text.clone())
    }
}

/// How the agent calls a file, links followed.
#[derive(Clone, Copy)]
pub(super) enum Naming<'d> {
    /// By the path from this directory.
    From(&'d AbsPath),
    /// By the path from this directory, written behind the directory's own.
    Below(&'d AbsPath),
    /// By the whole path.
    Whole,
}

impl Naming<'_> {
    pub(super) fn name(self, loading: &Loading<'_>, path: &AbsPath) -> String {
        let real = loading.robust_real_path(path);
        let from = |dir: &AbsPath| {
            let named = loading.options.name_of(&real);
            String::from_utf8_lossy(&named.relative_to(&loading.robust_real_path(dir))).into_owned()
        };
        match self {
            Naming::From(dir) => from(dir),
            Naming::Below(dir) => format!("{}/{}", loading.show(dir), from(dir)),
            Naming::Whole => loading.show(&real),
        }
    }
}

/// Whether a glob matches a path from the root, or the name at its end. A leading `!` turns each of the two answers round.
fn matches(glob: &str, relative: &str) -> bool {
    let name = relative.rsplit('/').next().unwrap_or(relative);
    !matches!(glob.trim_start_matches('!'), "" | "./")
        && PathGlob::new(glob, true).is_some_and(|glob| glob.matches(relative) || glob.matches(name))
}

/// The rules below `dir` that are not among `seen` under any name, in the order of their paths' parts. Hidden files and those
/// in hidden or linked folders are not found.
pub(super) fn read(
    loading: &mut Loading<'_>,
    dir: &AbsPath,
    kind: &RuleDirectory,
    naming: Naming<'_>,
    seen: &mut BTreeSet<AbsPath>,
) -> Vec<CopilotRule> {
    let mut paths = if loading.world.is_dir(dir) { files_as_globbed(loading.world, dir, true) } else { Vec::new() };
    paths.retain(|path| {
        let is_hidden = path.relative_to(dir).split(|&byte| byte == b'/').any(|part| part.starts_with(b"."));
        !is_hidden && ends_with(path.file_name(), kind.suffix)
    });
    let parts =
        |path: &AbsPath| -> Vec<Vec<u8>> { path.as_bytes().split(|&b| b == b'/').map(<[u8]>::to_vec).collect() };
    paths.sort_by_cached_key(parts);
    paths.retain(|path| loading.is_new(path, seen));
    read_files(loading, paths, naming)
}

/// Whether a name has a suffix, whatever its case.
fn ends_with(name: &[u8], suffix: &str) -> bool {
    name.len().checked_sub(suffix.len()).is_some_and(|at| name[at..].eq_ignore_ascii_case(suffix.as_bytes()))
}

fn read_files(loading: &mut Loading<'_>, paths: Vec<AbsPath>, naming: Naming<'_>) -> Vec<CopilotRule> {
    let mut rules = Vec::new();
    loading.out.order_unspecified |= paths.len() > 1;
    for path in paths {
        let Some(bytes) = loading.read(&path) else { continue };
        // The user's own are decoded strictly.
        if matches!(naming, Naming::Whole) && std::str::from_utf8(&bytes).is_err() {
            loading.skip_file(&path, Reason::NotUtf8);
            continue;
        }
        let text = loading.dialect().text.clean(&String::from_utf8_lossy(&bytes));
        let CopilotRuleHead { globs, description, excluded } = head(&text);
        if excluded {
            loading.skip_file(&path, Reason::Excluded);
            continue;
        }
        let name = naming.name(loading, &path);
        let file = rules::RuleFile { path, bytes, text, globs };
        if !file.globs.is_empty() {
            let root = loading.out.root.clone().unwrap_or_else(|| loading.start.clone());
            file.wait(loading, &root);
        }
        rules.push(CopilotRule { file, name, description });
    }
    rules
}

/// The texts of the rules that apply always, then a table of AGENTS.md files in added directories, then the table of the
/// other rules.
pub(super) fn listing(loading: &mut Loading<'_>, root: &AbsPath, rules: &[CopilotRule], agents: &[AbsPath]) -> String {
    let mut pieces = Vec::new();
    for rule in rules.iter().filter(|rule| rule.file.globs.is_empty()) {
        rule.file.load(loading, Why::Rule);
        pieces.push(rule.file.text.clone());
    }
    let mut rows = String::new();
    for path in agents {
        let dir = String::from_utf8_lossy(&path.dirname().relative_to(root)).into_owned();
        rows.push_str(&format!("| {dir}/ | '{dir}/AGENTS.md' | Agent instructions for {dir}/**/* |\n"));
    }
    // The last line end of a table belongs to what stands between the pieces.
    if !rows.is_empty() {
        pieces.push(format!("{NESTED_TABLE}{}", rows.trim_end_matches('\n')));
    }
    let mut rows = String::new();
    for rule in rules.iter().filter(|rule| !rule.file.globs.is_empty()) {
        let cell = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', " ");
        rows.push_str(&format!(
            "| {} | '{}' | {} |\n",
            cell(&rule.file.globs.join(", ")),
            cell(rule.name.trim()),
            cell(rule.description.trim())
        ));
    }
    if !rows.is_empty() {
        pieces.push(format!("{TABLE}{}", rows.trim_end_matches('\n')));
    }
    pieces.join("\n\n")
}

/// What a rule's frontmatter says.
#[derive(Default)]
struct CopilotRuleHead {
    /// Empty if the rule applies always.
    globs: Vec<String>,
    description: String,
    /// Whether it is meant for another agent.
    excluded: bool,
}

/// Read the frontmatter of `text`: as YAML if a line of `---` alone closes it, else, and where that is none, line by line.
/// `applyTo` goes before `paths`, whichever kind of rule it is.
fn head(text: &str) -> CopilotRuleHead {
    let text = text.replace("\r\n", "\n");
    let Some((yaml, closed)) = yaml(&text) else { return CopilotRuleHead::default() };
    let value = if closed { settings::parse(yaml, SettingsFormat::Yaml).ok() } else { None };
    let Some(value) = value else {
        let texts = KEYS.iter().find_map(|key| simple_value(yaml, key));
        return CopilotRuleHead { globs: globs(&texts.map_or(Value::Null, Value::from)), ..CopilotRuleHead::default() };
    };
    let agents = settings::strings(&value["excludeAgent"]).unwrap_or_default();
    let globs = KEYS.iter().find(|&&key| value.get(key).is_some()).map(|&key| globs(&value[key])).unwrap_or_default();
    CopilotRuleHead {
        globs,
        description: value["description"].as_str().unwrap_or_default().to_owned(),
        excluded: agents.iter().any(|agent| agent == "coding-agent"),
    }
}

const KEYS: [&str; 2] = ["applyTo", "paths"];

/// What stands between `---` on the first line and the next line that begins with `---`, and whether that line ends there.
fn yaml(text: &str) -> Option<(&str, bool)> {
    let (first, rest) = text.split_once('\n')?;
    first.strip_prefix("---").filter(|rest| rest.trim().is_empty())?;
    let end = if rest.starts_with("---") { 0 } else { rest.find("\n---")? };
    let closing = rest[end..].trim_start_matches('\n').lines().next().unwrap_or_default();
    Some((&rest[..end], closing["---".len()..].trim().is_empty()))
}

/// The value of the first line of `key:`, without a comment and without the quotes around it; `None` if nothing is left.
fn simple_value(yaml: &str, key: &str) -> Option<String> {
    let value = yaml.lines().find_map(|line| {
        let value = line.strip_prefix(key)?.strip_prefix(':')?;
        (value.is_empty() || value.starts_with([' ', '\t'])).then(|| value.trim())
    })?;
    let quoted = |quote: char| value.len() > 1 && value.starts_with(quote) && value.ends_with(quote);
    let value = if quoted('"') || quoted('\'') {
        &value[1..value.len() - 1]
    } else {
        value.split(" #").next().unwrap_or_default().trim_end()
    };
    (!value.is_empty()).then(|| value.to_owned())
}

/// A comma list, or a YAML list, whose items are taken as they are; empty when it is absent or each of them matches
/// everything.
fn globs(value: &Value) -> Vec<String> {
    let globs = match value {
        Value::String(text) => split_commas(text),
        other => settings::strings(other).unwrap_or_default(),
    };
    if globs.iter().all(|glob| matches!(glob.as_str(), "**" | "**/*" | "*")) { Vec::new() } else { globs }
}

#[cfg(test)]
mod tests {
    use super::*;

    // As observed on 1.0.102.
    #[test]
    fn globs_wait_unless_all_of_them_match_everything() {
        let check = |value: &str, expected: &[&str]| {
            let head = head(&format!("---\napplyTo: {value}\n---\nx"));
            assert_eq!(head.globs, expected, "{value}");
        };
        for all in
            ["'**'", "'**/*'", "'*'", "' ** '", "''", "[]", "null", "5", "true", "{a: b}", "['**']", "'**, **/*'"]
        {
            check(all, &[]);
        }
        check("'**, *.py'", &["**", "*.py"]);
        check("['*.py', '**/*']", &["*.py", "**/*"]);
        check("'**/**'", &["**/**"]);
        check("*.py", &["*.py"]);
        check("'{*.py,*.rs}'", &["{*.py,*.rs}"]);
    }

    #[test]
    fn globs_without_a_slash_match_names() {
        for (glob, expected) in [
            ("*.py", true),
            ("{*.py,*.rs}", true),
            ("[a-c].py", true),
            ("./src/*.py", true),
            ("s*/a.py", true),
            ("**/**", true),
            ("!x", true),
            ("!*.py", true),
            ("!src/*.py", true),
            ("!**/*.py", false),
            ("!a.py", true),
            ("!!*.py", true),
            ("/src/*.py", false),
            ("src", false),
            ("src/", false),
            ("**/x/*.py", false),
            ("*.PY", false),
        ] {
            assert_eq!(matches(glob, "src/a.py"), expected, "{glob}");
        }
    }

    #[test]
    fn frontmatter_may_be_sloppy() {
        let check = |text: &str, expected: &[&str]| assert_eq!(head(text).globs, expected, "{text:?}");
        check("---\r\napplyTo: '*.py'\r\n---\r\nx", &["*.py"]);
        check("--- \napplyTo: '*.py'\n--- \nx", &["*.py"]);
        check("\n---\napplyTo: '*.py'\n---\nx", &[]);
        check("---\napplyTo: '*.py'\nx", &[]);
        check("---\napplyto: '*.py'\n---\nx", &[]);
        check("---\n---\nx", &[]);
        check("---\npaths: b\napplyTo: a\n---\n", &["a"]);
        check("---\npaths: b\napplyTo: ''\n---\n", &[]);
        check("---\napplyTo: [a, '', 'b,c']\n---\n", &["a", "", "b,c"]);
        // No YAML, or something behind the closing `---`: line by line.
        check("---\napplyTo: ['*.py']\n---x", &["['*.py']"]);
        check("---\napplyTo: a # c\n---x", &["a"]);
        check("---\napplyTo: \"a\" # c\n---x", &["\"a\""]);
        check("---\n  applyTo: a\n---x", &[]);
        check("---\napplyTo:\n  - a\n---x", &[]);
        check("---\napplyTo: a\napplyTo: b\n---\n", &["a"]);
        check("---\napplyTo: \"\"\npaths: b\nbad: [\n---\n", &["b"]);
        check("---\napplyTo: \"a\", \"b\"\n---\n", &["a\"", "\"b"]);
    }

    #[test]
    fn only_yaml_describes_and_excludes() {
        assert!(head("---\nexcludeAgent: [coding-agent]\n---\n").excluded);
        assert!(!head("---\nexcludeAgent: code-review, coding-agent\n---\n").excluded);
        assert!(!head("---\nexcludeAgent: coding-agent\nbad: [\n---\n").excluded);
        assert_eq!(head("---\ndescription: a\n---\n").description, "a");
        assert_eq!(head("---\ndescription: a: b\n---\n").description, "");
    }
}
