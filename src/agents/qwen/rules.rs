//! Qwen Code's rule files (`.qwen/rules/**/*.md`): what is made of their bytes, and which of them a touched file calls in.

use crate::agents::shared::context::{PartName, Reason, Why};
use crate::agents::shared::loading::Loading;
use crate::agents::shared::picomatch::Picomatch;
use crate::agents::shared::rules::{RuleFile, files};
use crate::agents::shared::settings::{self, SettingsFormat};
use crate::agents::shared::text::frontmatter;
use crate::parse::imports::{is_js_space, js_trim};
use crate::world::AbsPath;
use serde_json::Value;

/// The text of a rule in its frame.
pub(super) fn frame(rule: &RuleFile, project: &AbsPath) -> String {
    let name = String::from_utf8_lossy(&rule.path.relative_to(project)).into_owned();
    format!("--- Rule from: {name} ---\n{}\n--- End of Rule from: {name} ---", rule.text)
}

/// The user's rules, then the project's, each directory in the order of its paths. Conditional ones go on record.
pub(super) fn rules(loading: &mut Loading<'_>, project: &AbsPath, home: Option<&AbsPath>) -> Vec<RuleFile> {
    let kind = loading.dialect().rules[0];
    let mut dirs: Vec<AbsPath> =
        home.filter(|_| loading.options.user).map(|home| home.join("rules")).into_iter().collect();
    let own = project.join(kind.path);
    if !dirs.contains(&own) {
        dirs.push(own);
    }
    let mut rules = Vec::new();
    for dir in dirs {
        let mut paths = files(loading, &dir, kind.suffix, false);
        paths.sort_by_cached_key(|path| path.to_str_lossy().encode_utf16().collect::<Vec<_>>());
        for path in paths {
            let Some(bytes) = loading.read(&path) else { continue };
            let (text, globs) = parse_rule(&String::from_utf8_lossy(&bytes));
            if text.is_empty() {
                loading.skip_file(&path, Reason::Empty);
                continue;
            }
            let rule = RuleFile { path, bytes, text, globs };
            if !rule.globs.is_empty() {
                rule.wait(loading, project);
            }
            rules.push(rule);
        }
    }
    rules
}

/// A rule's text without frontmatter and comments, and its globs; none if it applies always. Frontmatter that is no YAML goes
/// like any other.
fn parse_rule(text: &str) -> (String, Vec<String>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let (globs, body) = frontmatter(&text).map_or((Vec::new(), text.as_str()), |(yaml, body)| (paths(yaml), body));
    (js_trim(&without_comments(body)).to_owned(), globs)
}

/// The globs of `paths`: of YAML if it is a mapping, else of what the agent's reader of lines makes of it.
fn paths(yaml: &str) -> Vec<String> {
    let value = match settings::parse(yaml, SettingsFormat::Yaml) {
        Ok(value) if value.is_object() => value["paths"].clone(),
        _ => simple_value(yaml, "paths"),
    };
    let globs: Vec<String> = match &value {
        Value::String(glob) => vec![glob.clone()],
        // Of a mapping the agent can make no text, and then leaves out all of them.
        Value::Array(globs) if globs.iter().any(holds_mapping) => Vec::new(),
        Value::Array(globs) => globs.iter().map(js_string).collect(),
        _ => Vec::new(),
    };
    globs.into_iter().filter(|glob| !glob.is_empty()).collect()
}

fn holds_mapping(value: &Value) -> bool {
    value.is_object() || value.as_array().is_some_and(|values| values.iter().any(holds_mapping))
}

/// What JavaScript's `String` makes of a value that holds no mapping.
fn js_string(value: &Value) -> String {
    let in_list = |value: &Value| if value.is_null() { String::new() } else { js_string(value) };
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(in_list).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// The value of `wanted` in a text of `key: value` lines and lists whose items stand behind `  - `; the last one counts.
fn simple_value(yaml: &str, wanted: &str) -> Value {
    let mut found = Value::Null;
    let (mut key, mut list) = (String::new(), None);
    let lines = yaml.split('\n').filter(|line| !js_trim(line).is_empty() && !js_trim(line).starts_with('#'));
    for line in lines {
        if let Some(item) = line.strip_prefix("  - ") {
            list.get_or_insert_with(Vec::new).push(simple_scalar(js_trim(item)));
            continue;
        }
        if let Some(list) = list.take()
            && std::mem::take(&mut key) == wanted
        {
            found = Value::Array(list);
        }
        let Some((name, value)) = line.split_once(':') else { continue };
        match js_trim(value) {
            "" => key = js_trim(name).to_owned(),
            value if js_trim(name) == wanted => found = simple_scalar(value),
            _ => {}
        }
    }
    match list {
        Some(list) if key == wanted => Value::Array(list),
        _ => found,
    }
}

fn simple_scalar(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" => Value::Null,
        _ if text.len() > 1 && text.starts_with('"') && text.ends_with('"') => {
            Value::String(text[1..text.len() - 1].replace("\\\"", "\"").replace("\\\\", "\\"))
        }
        _ => text.parse::<i64>().map_or_else(|_| Value::String(text.to_owned()), Value::from),
    }
}

/// Comments go, then those that their going has made, and in the end every opener that is left.
fn without_comments(text: &str) -> String {
    /// The agent goes on until nothing changes; a text that needs more rounds than this was made to.
    const MAX_ROUNDS: usize = 64;
    let mut text = text.to_owned();
    for _ in 0..MAX_ROUNDS {
        let mut kept = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(start) = rest.find("<!--") {
            let Some(len) = rest[start + 4..].find("-->") else { break };
            kept.push_str(&rest[..start]);
            rest = &rest[start + 4 + len + 3..];
        }
        kept.push_str(rest);
        let settled = kept.len() == text.len();
        text = kept;
        if settled {
            break;
        }
    }
    text.replace("<!--", "")
}

/// What is added when a file is touched: the rules that match it.
pub(super) fn touch(loading: &mut Loading<'_>, touched: &AbsPath, project: &AbsPath, rules: &[RuleFile]) {
    loading.part = PartName::Touch;
    let mut found = Vec::new();
    let names = relative_names(loading, touched, project);
    for rule in rules {
        let mut matchers = rule.globs.iter().map(|glob| Picomatch::new(glob));
        if matchers.any(|glob| names.iter().any(|name| glob.matches(name))) {
            rule.load(loading, Why::MatchedRule);
            found.push(frame(rule, project));
        }
    }
    let text = if found.is_empty() {
        String::new()
    } else {
        format!("<system-reminder>\n{}\n</system-reminder>", escape_reminders(&found.join("\n\n")))
    };
    loading.push_part(PartName::Touch, text, "tool result");
}

/// The names by which globs may match a file: from the project to it, and the same where links are resolved.
fn relative_names(loading: &Loading<'_>, touched: &AbsPath, project: &AbsPath) -> Vec<String> {
    let relative = |path: &AbsPath, base: &AbsPath| {
        path.is_within(base).then(|| String::from_utf8_lossy(&path.relative_to(base)).into_owned())
    };
    // A file that cannot be read calls nothing in.
    let Some(name) = relative(touched, project).filter(|_| !loading.cannot_look_up(touched)) else { return Vec::new() };
    let mut names = vec![name];
    if let (Ok(file), Ok(base)) = (loading.world.real_path(touched), loading.world.real_path(project))
        && file != *touched
        && let Some(name) = relative(&file, &base)
        && !names.contains(&name)
    {
        names.push(name);
    }
    names
}

/// `text` with every `system-reminder` tag made harmless, as the agent does with what it puts into one.
fn escape_reminders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let tag = &rest[start..];
        // A tag runs to the next `>`; another `<` before it begins a new one.
        let Some(end) = tag[1..].find(['<', '>']).map(|at| at + 1).filter(|&end| tag.as_bytes()[end] == b'>') else {
            out.push_str(&rest[..=start]);
            rest = &tag[1..];
            continue;
        };
        out.push_str(&rest[..start]);
        match is_closing_reminder(&tag[1..end]) {
            Some(true) => out.push_str("<\\/system-reminder>"),
            Some(false) => {
                let tag = tag[..=end].replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                out.push_str(&tag.replace('"', "&quot;").replace('\'', "&apos;"));
            }
            None => out.push_str(&tag[..=end]),
        }
        rest = &tag[end + 1..];
    }
    out.push_str(rest);
    out
}

/// Whether what stands between `<` and `>` is a closing `system-reminder`; `None` if it is no `system-reminder` tag. Case, invisible
/// characters and blanks do not matter.
fn is_closing_reminder(inside: &str) -> Option<bool> {
    let seen: String = inside.chars().filter(|&c| !is_ignorable(c)).collect::<String>().to_lowercase();
    let name = seen.trim_start_matches(is_js_space);
    let closing = name.starts_with('/');
    let name = name.strip_prefix('/').unwrap_or(name).trim_start_matches(is_js_space);
    let after = name.strip_prefix("system-reminder")?;
    let attributes = after.starts_with(is_js_space);
    let bare = after.trim_matches(is_js_space);
    (attributes || bare.is_empty() || bare == "/").then_some(closing)
}

/// What the agent overlooks in a tag.
fn is_ignorable(c: char) -> bool {
    matches!(u32::from(c),
        0..=0x1F | 0x7F..=0x9F | 0xAD | 0x61C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
        | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFF8
        | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_lose_frontmatter_and_comments() {
        let check = |text: &str, body: &str, globs: Option<&[&str]>| {
            let (text, found) = parse_rule(text);
            assert_eq!(text, body);
            assert_eq!(found, globs.unwrap_or_default(), "{text:?}");
        };
        check("\u{feff}---\r\npaths: [\"**/*.ts\"]\r\n---\r\nA <!-- x -->B\n", "A B", Some(&["**/*.ts"]));
        check("---\npaths: src/*\n---", "", Some(&["src/*"]));
        check("a <!-- open", "a  open", None);
        check("a <!-<!-- x -->- y -->b", "a b", None);
        check("a\rb", "a\nb", None);
        check("---\npaths: [x\n---\nb", "b", Some(&["[x"]));
        check("---\npaths: **/*.md\n---\nb", "b", Some(&["**/*.md"]));
        check("---\na: *\npaths:\n  - *.ts\n  - \"x\"\nb: c\n---\nb", "b", Some(&["*.ts", "x"]));
        check("---\npaths: [[x], {a: b}]\n---\nb", "b", None);
        check("---\npaths: [[x], 1]\n---\nb", "b", Some(&["x", "1"]));
        check("---\nno mapping\n---\nb", "b", None);
        check("\n---\npaths: x\n---\nb", "---\npaths: x\n---\nb", None);
    }

    #[test]
    fn reminders_in_rules_do_no_harm() {
        for (text, expected) in [
            ("a </system-reminder> b", "a <\\/system-reminder> b"),
            ("< / SYSTEM-reminder x='<b>", "< / SYSTEM-reminder x='<b>"),
            ("<system-reminder a=\"b\">", "&lt;system-reminder a=&quot;b&quot;&gt;"),
            ("</system\u{200b}-reminder/>", "<\\/system-reminder>"),
            ("<system-reminders> <div> 1 < 2", "<system-reminders> <div> 1 < 2"),
        ] {
            assert_eq!(escape_reminders(text), expected);
        }
    }
}
