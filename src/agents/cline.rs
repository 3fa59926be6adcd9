//! Cline's CLI: AGENTS.md of the start directory and rules of the project and the user, each under its name. No walk, no imports,
//! nothing when a file is touched.

use super::shared::context::{PartName, Reason, Why};
use super::shared::files::{AgentFiles, Hint};
use super::shared::loading::Loading;
use super::shared::settings::{self, SettingsFormat};
use super::{Dialect, Evidence, Proof, RootMark, RuleDirectory, TextTreatment, Trim};
use crate::base::fields::{ForeignField, Schema, Shape, doc, field};
use crate::base::kind::{AgentKind, Kind, Role};
use crate::world::{AbsPath, FileType};
use serde_json::Value;
use std::cmp::Ordering;
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization;

/// The table. Observed in the requests of the released agent.
pub(super) const CLINE: Dialect = Dialect {
    id: "cline",
    title: "Cline CLI",
    version: "3.0.65",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "cline 3.0.65 with @cline/core 0.0.86, run", checked: "2026-11" },
        Evidence { source: "https://docs.cline.bot/features/cline-rules", checked: "2026-11" },
    ],
    names: &["AGENTS.md", ".clinerules"],
    user_files: &[".agents/AGENTS.md", ".cline/rules", "Cline/Rules", "Documents/Cline/Rules"],
    rules: &[
        RuleDirectory { path: ".clinerules", suffix: ".md", key: "" },
        RuleDirectory { path: ".cline/rules", suffix: ".md", key: "" },
    ],
    root: RootMark::None,
    text: TextTreatment { trim: Trim::JavaScript, drops_frontmatter: true, ..TextTreatment::PLAIN },
    files: &FILES,
    placement: "system message, under # Rules",
    load,
    ..Dialect::BASE
};

static RULE: AgentKind = AgentKind {
    fields: Some(&RULE_FIELDS),
    patterns: &["paths"],
    // `.clinerules/` and `.cline/rules/`.
    folder: "rules/",
    told_unread: false,
    ..AgentKind::new("cline-rule", Role::Rule)
};

static FILES: AgentFiles = AgentFiles {
    signs: &[".clinerules", ".clinerules/", ".cline/"],
    claims_agents_md: false,
    hints: &[
        Hint::name(".clinerules", Kind::Of(&RULE)),
        Hint::below(".clinerules/", ".md", Kind::Of(&RULE)),
        Hint::below(".clinerules/", ".txt", Kind::Of(&RULE)),
        Hint::below(".clinerules/", ".markdown", Kind::Of(&RULE)),
        Hint::below(".cline/rules/", ".md", Kind::Of(&RULE)),
        Hint::below(".cline/rules/", ".txt", Kind::Of(&RULE)),
        Hint::below(".cline/rules/", ".markdown", Kind::Of(&RULE)),
    ],
    reads: &[Kind::Of(&RULE), Kind::AgentsMd],
    folders: &[".cline", ".clinerules"],
    skill_folders: &[".cline"],
    words: &["cline"],
    file_words: &["clinerules"],
    ..AgentFiles::NONE
};

static RULE_FIELDS: Schema = Schema {
    what: "a Cline rule",
    fields: &[
        field("paths", Shape::List),
        field("description", Shape::Any),
        field("name", Shape::Any),
        field("disabled", Shape::Bool),
        field("enabled", Shape::Bool),
    ],
    ignored: &[ForeignField { name: "globs", instead: "paths", effect: "the rule applies to every file" }],
    evidence: &[
        doc("https://docs.cline.bot/features/cline-rules/conditional-rules"),
        doc("cline/cline rule-conditionals.ts 21cb8d25, read"),
    ],
};

/// One text under its name.
struct ClineRule {
    name: String,
    /// Whether it says that it is off.
    is_off: bool,
    text: String,
    path: AbsPath,
    bytes: Arc<[u8]>,
    why: Why,
}

fn load(loading: &mut Loading<'_>) {
    let mut rules: Vec<ClineRule> = Vec::new();
    let start = loading.start.clone();
    add(loading, &start.join("AGENTS.md"), "Workspace AGENTS.md", Why::Project, &mut rules);
    let clinerules = start.join(".clinerules");
    if loading.world.is_file(&clinerules) {
        add(loading, &clinerules, ".clinerules", Why::Project, &mut rules);
    }
    for folder in [clinerules, start.join(".cline/rules")] {
        add_folder(loading, &folder, Why::Rule, &mut rules);
    }
    if let Some(home) = loading.home().filter(|_| loading.options.user) {
        add(loading, &home.join(".agents/AGENTS.md"), "Global AGENTS.md", Why::User, &mut rules);
        for folder in [".cline/rules", "Cline/Rules", "Documents/Cline/Rules"] {
            add_folder(loading, &home.join(folder), Why::User, &mut rules);
        }
    }
    for rule in rules.iter().filter(|rule| rule.is_off) {
        loading.skip_file(&rule.path, Reason::Excluded);
    }
    rules.retain(|rule| !rule.is_off);
    rules.sort_by(|a, b| in_words(&a.name, &b.name));
    for rule in &rules {
        loading.layer(&rule.path, &rule.bytes, rule.why);
    }
    let texts: Vec<String> = rules.iter().map(|rule| format!("## {}\n{}", rule.name, rule.text)).collect();
    let text = if texts.is_empty() { String::new() } else { format!("\n\n# Rules\n{}", texts.join("\n\n")) };
    loading.push_part(PartName::Main, text, CLINE.placement);
}

/// Add the rules of a folder: plain files in it, under their names without the extension, in the order in which the file system
/// lists them. An AGENTS.md may be a link.
fn add_folder(loading: &mut Loading<'_>, folder: &AbsPath, why: Why, rules: &mut Vec<ClineRule>) {
    const LINKED: &[u8] = b"AGENTS.md";
    let mut names: Vec<Vec<u8>> = Vec::new();
    for entry in loading.world.read_dir_as_listed(folder) {
        if entry.kind == FileType::File {
            names.push(entry.name);
        }
    }
    if !names.iter().any(|name| name == LINKED) && loading.world.is_file(&folder.join(LINKED)) {
        names.push(LINKED.to_vec());
    }
    for name in names {
        let file = String::from_utf8_lossy(&name).into_owned();
        let Some((stem, extension)) = file.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else { continue };
        if ["md", "markdown", "txt"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
            add(loading, &folder.join(&name), stem, why, rules);
        }
    }
}

/// Add one file. Of two rules of one name the one that is read later stays, even if it is off.
fn add(loading: &mut Loading<'_>, path: &AbsPath, name: &str, why: Why, rules: &mut Vec<ClineRule>) {
    let Some(bytes) = loading.read(path) else { return };
    let whole = String::from_utf8_lossy(&bytes);
    let whole = whole.strip_prefix('\u{feff}').unwrap_or(&whole);
    let (yaml, body) = frontmatter(whole).unwrap_or(("", whole));
    let head = match settings::parse(yaml, SettingsFormat::Yaml) {
        Ok(head) => RuleHead::read(&head),
        Err(_) => Err("its frontmatter is not valid YAML"),
    };
    let head = match head {
        Ok(head) => head,
        Err(why) => {
            loading.note(format!("{} is left out: {why}", loading.show(path)));
            loading.skip_file(path, Reason::Unreadable);
            return;
        }
    };
    let text = CLINE.text.trim(body).to_owned();
    if text.is_empty() {
        loading.skip_file(path, Reason::Empty);
        return;
    }
    let name = head.name.unwrap_or_else(|| name.to_owned());
    if let Some(at) = rules.iter().position(|rule| rule.name.to_lowercase() == name.to_lowercase()) {
        let other = rules.remove(at);
        loading.skip_file(&other.path, Reason::ShadowedBy(path.clone()));
    }
    rules.push(ClineRule { name, is_off: head.is_off, text, path: path.clone(), bytes, why });
}

/// What a rule's frontmatter says.
struct RuleHead {
    name: Option<String>,
    is_off: bool,
}

impl RuleHead {
    /// A field of another type makes the agent refuse the file.
    fn read(head: &Value) -> Result<RuleHead, &'static str> {
        let flag = |key: &str| match &head[key] {
            Value::Null => Ok(None),
            Value::Bool(flag) => Ok(Some(*flag)),
            _ => Err("`disabled` and `enabled` must be true or false"),
        };
        let name = match &head["name"] {
            Value::Null => None,
            Value::String(name) => Some(CLINE.text.trim(name).to_owned()).filter(|name| !name.is_empty()),
            _ => return Err("`name` must be text"),
        };
        let is_off = match flag("disabled")? {
            Some(disabled) => disabled,
            None => flag("enabled")? == Some(false),
        };
        Ok(RuleHead { name, is_off })
    }
}

/// What stands between a first line of `---` and the next line that begins so, and what follows those three characters and a
/// line end.
fn frontmatter(text: &str) -> Option<(&str, &str)> {
    let without_line_end = |text: &'_ str| text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).map(str::len);
    let rest = text.strip_prefix("---")?;
    let rest = &rest[rest.len() - without_line_end(rest)?..];
    let at = rest.find("\n---")?;
    let yaml = rest[..at].strip_suffix('\r').unwrap_or(&rest[..at]);
    let after = &rest[at + 4..];
    Some((yaml, &after[after.len() - without_line_end(after).unwrap_or(after.len())..]))
}

/// The order of `localeCompare`: white space and marks, digits, letters; then accents; then small letters before capitals. Of the
/// marks the order is that of ASCII's in the Unicode collation.
fn in_words(a: &str, b: &str) -> Ordering {
    const MARKS: &str = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
    let class = |c: char| match c {
        _ if c.is_whitespace() => (0, 0),
        _ if c.is_numeric() => (2, 0),
        _ if c.is_alphabetic() => (3, 0),
        _ => (1, MARKS.find(c).unwrap_or(MARKS.len())),
    };
    let is_accent = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
    let small = |text: &str| text.nfd().flat_map(char::to_lowercase).collect::<Vec<_>>();
    let key = |text: &[char]| {
        let bare = text.iter().filter(|c| !is_accent(c));
        bare.flat_map(|&c| plain(c).map_or_else(|| vec![c], |letters| letters.chars().collect()))
            .map(|c| (class(c), c))
            .collect::<Vec<_>>()
    };
    let accents =
        |text: &[char]| text.iter().filter(|c| is_accent(c) || plain(**c).is_some()).copied().collect::<Vec<_>>();
    let capitals = |text: &str| text.nfd().map(char::is_uppercase).collect::<Vec<_>>();
    let (small_a, small_b) = (small(a), small(b));
    key(&small_a)
        .cmp(&key(&small_b))
        .then_with(|| accents(&small_a).cmp(&accents(&small_b)))
        .then_with(|| capitals(a).cmp(&capitals(b)))
}

/// The letters that another one is ordered with, as if it had an accent that Unicode does not take off.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' => "d",
        'ł' => "l",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_as_words() {
        let mut names = ["b", "Zed rule", "a b", "é", "L", "10", ".x", "B", "_z", "ab", "h", "ez"];
        names.sort_by(|a, b| in_words(a, b));
        assert_eq!(names, ["_z", ".x", "10", "a b", "ab", "b", "B", "é", "ez", "h", "L", "Zed rule"]);
        let mut names = ["st", "Øz", "ß", "ssa", "p", "sr", "łz", "ss", "af", "oz", "æ", "ø", "ae", "m", "ł", "o"];
        names.sort_by(|a, b| in_words(a, b));
        assert_eq!(names, ["ae", "æ", "af", "ł", "łz", "m", "o", "ø", "oz", "Øz", "p", "sr", "ss", "ß", "ssa", "st"]);
    }

    #[test]
    fn frontmatter_stands_at_the_beginning() {
        assert_eq!(frontmatter("---\r\nname: R\r\n---\r\nb\r\n"), Some(("name: R", "b\r\n")));
        assert_eq!(frontmatter("---\nname: R\n---"), Some(("name: R", "")));
        assert_eq!(frontmatter("---\nname: R\n---- b"), Some(("name: R", "- b")));
        assert_eq!(frontmatter("---  \nname: R\n---\nb"), None);
        assert_eq!(frontmatter("a\n---\nb\n---\n"), None);
        assert_eq!(frontmatter("---\nnever closed\n"), None);
    }
}
