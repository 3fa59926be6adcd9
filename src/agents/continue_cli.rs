//! Continue's CLI: the first of four names in the start directory, then the rules of the project and of the user. No walk, no
//! imports, nothing when a file is touched.

use super::claude::hints as claude_hints;
use super::shared::context::{Conditional, PartName, Reason, Why};
use super::shared::files::{AgentFiles, Hint};
use super::shared::globs::files_below;
use super::shared::loading::Loading;
use super::shared::settings::{self, SettingsFormat};
use super::{Choice, Dialect, Evidence, Proof, RootMark, RuleDirectory};
use crate::base::fields::{ForeignField, Schema, Shape, doc, field};
use crate::base::kind::{AgentKind, Kind, Role};
use crate::parse::imports::{is_js_space, js_trim};
use crate::world::AbsPath;
use serde_json::Value;

/// The table. Observed in the requests of the released agent.
pub(super) const CONTINUE: Dialect = Dialect {
    id: "continue",
    title: "Continue CLI",
    version: "1.5.47",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[Evidence { source: "@continuedev/cli 1.5.47, run", checked: "2026-11" }],
    names: &["AGENTS.md", "AGENT.md", "CLAUDE.md", "CODEX.md"],
    choice: Choice::FirstInDirectory,
    user_files: &[".continue/rules"],
    rules: &[RuleDirectory { path: RULES, suffix: ".md", key: "globs" }],
    root: RootMark::None,
    files: &FILES,
    placement: "system message, in <context name=\"userRules\">",
    load,
    ..Dialect::BASE
};

static RULE: AgentKind = AgentKind {
    fields: Some(&RULE_FIELDS),
    patterns: &["globs"],
    folder: "/rules/",
    told_unread: false,
    ..AgentKind::new("continue-rule", Role::Rule)
};

static FILES: AgentFiles = AgentFiles {
    signs: &[".continue/"],
    claims_agents_md: false,
    hints: &[Hint::below(".continue/rules/", ".md", Kind::Of(&RULE))],
    reads: &[Kind::Of(&RULE), Kind::AgentsMd, Kind::Of(&claude_hints::MAIN)],
    folders: &[".continue"],
    skill_folders: &[".continue"],
    mark_hides_frontmatter: &[Kind::Of(&RULE)],
    file_words: &["continue"],
    ..AgentFiles::NONE
};

static RULE_FIELDS: Schema = Schema {
    what: "a Continue rule",
    fields: &[
        field("name", Shape::Text),
        field("description", Shape::Text),
        field("globs", Shape::TextOrList),
        field("regex", Shape::TextOrList),
        field("alwaysApply", Shape::Bool),
        field("invokable", Shape::Bool),
    ],
    ignored: &[
        ForeignField { name: "paths", instead: "globs", effect: "the rule applies to every file" },
        ForeignField { name: "applyTo", instead: "globs", effect: "the rule applies to every file" },
    ],
    evidence: &[
        doc("Continue CLI 1.5.47, observed"),
        doc("https://github.com/continuedev/continue, packages/config-yaml/src/markdown/markdownToRule.ts, read"),
    ],
};

/// The rules, below the start directory and below the user's home.
const RULES: &str = ".continue/rules";

fn load(loading: &mut Loading<'_>) {
    let mut texts: Vec<String> = agent_file(loading).into_iter().collect();
    let start = loading.start.clone();
    rules(loading, &start, Why::Rule, &mut texts);
    if let Some(home) = loading.home().filter(|_| loading.options.user) {
        rules(loading, &home, Why::User, &mut texts);
    }
    let text = if texts.is_empty() { String::new() } else { format!("\n{}", texts.join("\n\n")) };
    loading.push_part(PartName::Main, text, CONTINUE.placement);
}

/// The text of the first name that is there, as it is. An empty one hides the others all the same, and so does a directory.
fn agent_file(loading: &mut Loading<'_>) -> Option<String> {
    let mut paths = CONTINUE.names.iter().map(|name| loading.start.join(name)).collect::<Vec<_>>();
    paths.retain(|path| loading.world.file_type(path).is_some());
    let (chosen, others) = paths.split_first()?;
    for path in others {
        loading.skip_file(path, Reason::ShadowedBy(chosen.clone()));
    }
    let bytes = loading.read(chosen)?;
    if bytes.is_empty() {
        loading.skip_file(chosen, Reason::Empty);
        return None;
    }
    loading.layer(chosen, &bytes, Why::Project);
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The rules below a directory that are sent at start.
fn rules(loading: &mut Loading<'_>, dir: &AbsPath, why: Why, texts: &mut Vec<String>) {
    let mut paths = files_below(loading.world, &dir.join(RULES), true);
    paths.retain(|path| path.file_name().ends_with(b".md"));
    // Those of a folder come before all that lie deeper.
    paths.sort_by_key(|path| path.as_bytes().iter().filter(|&&byte| byte == b'/').count());
    for path in paths {
        let Some(bytes) = loading.read(&path) else { continue };
        let (head, text) = parse(&String::from_utf8_lossy(&bytes));
        // As JavaScript sees it, where a list without items counts.
        let is_set = |field: &str| match &head[field] {
            Value::Null | Value::Bool(false) => false,
            Value::String(text) => !text.is_empty(),
            Value::Number(number) => number.as_f64() != Some(0.0),
            Value::Array(_) | Value::Object(_) | Value::Bool(true) => true,
        };
        if is_set("invokable") {
            loading.skip_file(&path, Reason::Excluded);
        } else if head["alwaysApply"].as_bool() == Some(true)
            || (head.get("alwaysApply").is_none() && !["globs", "regex"].into_iter().any(is_set))
        {
            if js_trim(&text).is_empty() {
                loading.skip_file(&path, Reason::Empty);
                continue;
            }
            loading.layer(&path, &bytes, why);
            texts.push(text);
        } else {
            // The CLI sends no rule later; its author means it for the files that it names.
            let globs = settings::strings(&head["globs"]).unwrap_or_default();
            let never = Some("the CLI never sends such rules");
            loading.conditional(Conditional { path, base: dir.clone(), globs, text, never });
        }
    }
}

/// A rule's fields and text: what stands between the first two lines of `---`, wherever they are, and what follows. Where there are
/// no two such lines, or no YAML between them, the whole file is the text.
fn parse(text: &str) -> (Value, String) {
    let text = text.replace("\r\n", "\n");
    let found: Vec<(usize, usize)> = text.match_indices("---").filter_map(|(at, _)| fence(&text, at)).collect();
    let [first, second, others @ ..] = &found[..] else { return (Value::Null, text) };
    let Ok(head) = settings::parse(&text[first.1..second.0], SettingsFormat::Yaml) else { return (Value::Null, text) };
    let mut body = String::new();
    let mut from = second.1;
    for other in others {
        body.push_str(&text[from..other.0]);
        body.push_str("---");
        from = other.1;
    }
    body.push_str(&text[from..]);
    (head, js_trim(&body).to_owned())
}

/// Where a line of `---` begins and ends, if one begins at `at`. White space behind it belongs to it as long as a line ends there.
fn fence(text: &str, at: usize) -> Option<(usize, usize)> {
    let ends_line = |c: char| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    if text[..at].chars().next_back().is_some_and(|before| !ends_line(before)) {
        return None;
    }
    let after = &text[at + 3..];
    let blank = &after[..after.len() - after.trim_start_matches(is_js_space).len()];
    let end = if blank.len() == after.len() { blank.len() } else { blank.rfind(ends_line)? };
    Some((at, at + 3 + end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_between_two_fences() {
        for (text, name, body) in [
            ("---\nname: a\n---\nb\n", Some("a"), "b"),
            ("# T\n---\nname: a\n---  \n\nb\n---\n\nc\n", Some("a"), "b\n---\nc"),
            ("---\r\nname: a\r\n---\r\nb\r\n", Some("a"), "b"),
            ("\u{feff}---\nname: a\n---\nb\n", None, "\u{feff}---\nname: a\n---\nb\n"),
            ("---\nname: [a\n---\nb\n", None, "---\nname: [a\n---\nb\n"),
            ("a\n---", None, "a\n---"),
            ("", None, ""),
        ] {
            let (head, found) = parse(text);
            assert_eq!((head["name"].as_str(), found.as_str()), (name, body), "{text:?}");
        }
    }
}
