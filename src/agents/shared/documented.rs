//! Agents known from documentation only. Which files they read and when is documented; the text
//! around them is not, so their contents are shown bare, one after the other.

use super::context::{PartName, Reason, Why};
use super::files::AgentFiles;
use super::globs::{PathGlob, split_commas};
use super::loading::Loading;
use super::roots::directories;
use super::rules::{RuleFile, files};
use super::settings;
use super::text::{frontmatter, lenient_yaml};
use crate::agents::{Dialect, Proof, RuleDirectory, TextTreatment, Trim};
use crate::world::AbsPath;
use serde_json::Value;

/// What their tables have in common.
pub(crate) const COMMON: Dialect = Dialect {
    id: "",
    title: "",
    version: "documentation",
    checked: "2026-11",
    proof: Proof::Documentation,
    evidence: &[],
    names: &["AGENTS.md"],
    text: TextTreatment { trim: Trim::WhiteSpace, drops_frontmatter: true, ..TextTreatment::PLAIN },
    files: &AgentFiles::NONE,
    placement: "not documented",
    load: |loading| load(loading, RuleTrigger::Always),
    ..Dialect::BASE
};

/// When a rule is sent.
#[derive(Debug, PartialEq)]
pub(crate) enum RuleTrigger {
    Always,
    /// When a file matches.
    Matching(Vec<String>),
    /// When the model or the user asks for it.
    Asked,
}

/// Load what the table names. A rule that does not say when it is sent is sent when `unsaid`.
pub(crate) fn load(loading: &mut Loading<'_>, unsaid: RuleTrigger) {
    let dialect = loading.dialect();
    loading.note(format!("{} is known from documentation only: the text around its files is not shown", dialect.title));
    let root = loading.find_root();
    let dirs = loading.walk(root.as_ref());
    let root = root.unwrap_or_else(|| loading.start.clone());
    let mut found = FoundTexts { root, unsaid, texts: Vec::new(), waiting: Vec::new() };
    if let Some(home) = loading.home().filter(|_| loading.options.user) {
        for name in dialect.user_files {
            let path = home.join(name);
            if loading.world.is_dir(&path) {
                let key = dialect.rules.first().map_or("", |rules| rules.key);
                found.rules(loading, &path, &RuleDirectory { path: "", suffix: "", key }, Why::User);
            } else {
                found.texts.extend(loading.hint(&path, Why::User));
            }
        }
    }
    for dir in dirs {
        for name in dialect.names {
            let path = dir.join(name);
            if loading.world.is_file(&path) {
                found.texts.extend(loading.hint(&path, Why::Project));
            }
        }
        for kind in dialect.rules {
            found.rules(loading, &dir.join(kind.path), kind, Why::Rule);
        }
    }
    loading.push_part(PartName::Main, found.texts.join("\n\n"), dialect.placement);
    if let Some(touched) = loading.options.touch.clone() {
        touch(loading, &touched, &found);
    }
}

/// What has been found so far.
struct FoundTexts {
    root: AbsPath,
    unsaid: RuleTrigger,
    texts: Vec<String>,
    waiting: Vec<RuleFile>,
}

impl FoundTexts {
    /// The rules below `dir`: those that are always sent, and those that wait for a file.
    fn rules(&mut self, loading: &mut Loading<'_>, dir: &AbsPath, kind: &RuleDirectory, why: Why) {
        for path in files(loading, dir, kind.suffix, true) {
            let Some(bytes) = loading.read(&path) else { continue };
            let whole = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            let whole = whole.strip_prefix('\u{feff}').unwrap_or(&whole);
            let (yaml, body) = frontmatter(whole).unwrap_or(("", whole));
            let head = lenient_yaml(yaml).unwrap_or(Value::Null);
            let mut rule = RuleFile { path, bytes, text: body.trim().to_owned(), globs: Vec::new() };
            match when(&head, kind.key).as_ref().unwrap_or(&self.unsaid) {
                RuleTrigger::Always if rule.text.is_empty() => loading.skip_file(&rule.path, Reason::Empty),
                RuleTrigger::Always => {
                    rule.load(loading, why);
                    self.texts.push(rule.text);
                }
                RuleTrigger::Asked => rule.wait(loading, &self.root),
                RuleTrigger::Matching(globs) => {
                    rule.globs.clone_from(globs);
                    rule.wait(loading, &self.root);
                    self.waiting.push(rule);
                }
            }
        }
    }
}

/// When a rule with this frontmatter is sent, if that says so. Each agent has its own keys, so one function can read them all.
fn when(head: &Value, key: &str) -> Option<RuleTrigger> {
    let texts = settings::strings(&head[key]).unwrap_or_default();
    let globs: Vec<String> = texts.iter().flat_map(|text| split_commas(text)).collect();
    let matching = (!globs.is_empty()).then_some(RuleTrigger::Matching(globs));
    match head["inclusion"].as_str().or(head["trigger"].as_str()) {
        Some("always" | "always_on") => return Some(RuleTrigger::Always),
        Some("fileMatch" | "glob") => return Some(matching.unwrap_or(RuleTrigger::Asked)),
        Some(_) => return Some(RuleTrigger::Asked),
        None => {}
    }
    if head["alwaysApply"].as_bool() == Some(true) { Some(RuleTrigger::Always) } else { matching }
}

/// The rules that match the touched file, and the hint files on the way to it.
fn touch(loading: &mut Loading<'_>, touched: &AbsPath, found: &FoundTexts) {
    loading.part = PartName::Touch;
    let relative = String::from_utf8_lossy(&touched.relative_to(&found.root)).into_owned();
    // A glob without a slash matches names at any depth.
    let spread = |glob: &String| if glob.contains('/') { glob.clone() } else { format!("**/{glob}") };
    let mut texts = Vec::new();
    for rule in &found.waiting {
        let mut globs = rule.globs.iter().filter_map(|glob| PathGlob::new(&spread(glob), true));
        if globs.any(|glob| glob.matches(&relative)) {
            rule.load(loading, Why::MatchedRule);
            texts.push(rule.text.clone());
        }
    }
    if touched.is_within(&loading.start) {
        for dir in directories(&loading.start, &touched.dirname()).into_iter().skip(1) {
            texts.extend(loading.hint(&dir.join("AGENTS.md"), Why::Touch));
        }
    }
    loading.push_part(PartName::Touch, texts.join("\n\n"), "not documented");
}

#[cfg(test)]
mod tests {
    use super::settings::SettingsFormat;
    use super::*;

    #[test]
    fn frontmatter_decides_when() {
        let check =
            |key: &str, yaml: &str| when(&settings::parse(yaml, SettingsFormat::Yaml).unwrap_or(Value::Null), key);
        let globs = |list: &[&str]| Some(RuleTrigger::Matching(list.iter().map(ToString::to_string).collect()));
        assert_eq!(check("globs", "alwaysApply: true"), Some(RuleTrigger::Always));
        assert_eq!(check("globs", "globs: a.ts, src/b"), globs(&["a.ts", "src/b"]));
        assert_eq!(check("globs", "description: x"), None);
        assert_eq!(check("globs", "trigger: manual"), Some(RuleTrigger::Asked));
        assert_eq!(check("globs", "trigger: glob\nglobs: x"), globs(&["x"]));
        assert_eq!(check("globs", "trigger: glob"), Some(RuleTrigger::Asked));
        assert_eq!(check("paths", "paths: [a]"), globs(&["a"]));
        assert_eq!(check("paths", ""), None);
        assert_eq!(check("fileMatchPattern", "inclusion: fileMatch\nfileMatchPattern: ['*.ts']"), globs(&["*.ts"]));
        assert_eq!(check("fileMatchPattern", "inclusion: manual"), Some(RuleTrigger::Asked));
    }
}
