//! The rules that apply to a touched file: where they are looked for, what their frontmatter says, which of them the agent has
//! already, and the block that tells the others. Which ones a session was given before is for the caller to know.

use super::documents::{is_text, loaded_by_agent};
use super::frame::{self, TakenOut};
use super::includes;
use super::project::HookProject;
use super::store;
use crate::agents::claude::rules as claude_rules;
use crate::agents::files::kind_of;
use crate::agents::globs::{PathGlob, files_below, split_commas};
use crate::agents::{HOST, HookCaller};
use crate::base::defect;
use crate::base::error::Obstacle;
use crate::base::kind::Kind;
use crate::base::text::thousands;
use crate::parse::frontmatter::{self, Frontmatter, Value};
use crate::parse::{Problem, ProblemKind, braces};
use crate::world::{AbsPath, World};
use std::sync::Arc;

/// The characters of one rule that are shown.
const MAX_RULE_CHARS: usize = 10_000;
/// The characters that one event adds at most; rules that do not fit wait for the next.
const MAX_CHARS: usize = 50_000;
/// Rule files beyond this many are passed over.
const MAX_FILES: usize = 1_000;
/// A larger file is no rule.
const MAX_BYTES: usize = 1 << 20;

/// A rule that applies to the touched file.
#[derive(Clone, Debug)]
pub(crate) struct ApplyingRule {
    /// The file, links resolved.
    pub path: AbsPath,
    /// Its content's hash.
    pub hash: String,
    shown: String,
    bytes: Arc<[u8]>,
    kind: Kind,
    /// What its imports may not leave.
    boundary: AbsPath,
    priority: f64,
    /// Where the discovery order has it.
    rank: usize,
    /// The hidden characters that were taken out of what is told of it.
    taken_out: TakenOut,
}

/// A folder in which rules are looked for, and how those found there count.
struct RuleFolder {
    files: Vec<AbsPath>,
    kind: Kind,
    /// Whether they hold for every file, regardless of their frontmatter.
    always: bool,
    boundary: AbsPath,
    /// Rules of the repository may not be links out of it.
    bounded: bool,
}

/// The rules that apply to `touched` and that the agent does not load by itself, the most important first; the lines are for
/// the log. `is_known` tells the hashes of those that need not be looked at any more.
pub(crate) fn applying(
    world: &dyn World,
    project: &HookProject,
    caller: &HookCaller,
    user: Option<&AbsPath>,
    touched: &AbsPath,
    is_known: &dyn Fn(&str) -> bool,
) -> (Vec<ApplyingRule>, Vec<String>) {
    let (mut found, mut log) = (Vec::new(), Vec::new());
    let Some(touched) = project.inside(world, touched) else { return (found, log) };
    for (rank, place) in places(world, project, user).into_iter().enumerate() {
        for path in place.files.iter().take(MAX_FILES) {
            let mut refused = Vec::new();
            let read = defect::contain(|| rule(world, project, &place, path, &touched, rank, &mut refused));
            log.extend(refused.into_iter().map(|why| format!("the rule {}: {why}", shown(world, project, path))));
            match read.unwrap_or_else(|| Err(defect::message("it could not be read").into())) {
                Ok(Some(rule)) if !is_known(&rule.hash) => {
                    found.push(ApplyingRule { shown: shown(world, project, path), ..rule });
                }
                Ok(_) => {}
                Err(problem) => log.push(format!("the rule {} is skipped: {problem}", shown(world, project, path))),
            }
        }
    }
    if !found.is_empty() {
        // The agent loads its own rules, even with keys of other agents.
        let loaded = loaded_by_agent(world, project, caller.dialect, Some(&touched));
        found.retain(|rule| !loaded.contains(&rule.path));
    }
    found.sort_by(|a, b| b.priority.total_cmp(&a.priority).then(a.rank.cmp(&b.rank)).then_with(|| a.path.cmp(&b.path)));
    let mut hashes = Vec::new();
    found.retain(|rule| {
        !hashes.contains(&rule.hash) && {
            hashes.push(rule.hash.clone());
            true
        }
    });
    (found, log)
}

/// The places in the order of discovery.
fn places(world: &dyn World, project: &HookProject, user: Option<&AbsPath>) -> Vec<RuleFolder> {
    let below = |dir: AbsPath| {
        let mut files = if world.is_dir(&dir) { files_below(world, &dir, true) } else { Vec::new() };
        files.retain(|path| path.file_name().ends_with(b".md"));
        files
    };
    let root = || project.root.clone();
    let (rules, kind) = HOST.rules;
    let mut places: Vec<RuleFolder> = Vec::new();
    for file in HOST.whole_rules {
        let files = vec![project.root.join(file)];
        let kind = kind_of(file.as_bytes()).unwrap_or(Kind::Markdown);
        places.push(RuleFolder { files, kind, always: true, boundary: root(), bounded: true });
    }
    let files = below(project.root.join(HOST.folder).join(rules));
    places.push(RuleFolder { files, kind, always: false, boundary: root(), bounded: true });
    if let Some(user) = user {
        let boundary = world.real_path(user).unwrap_or_else(|_| user.clone());
        places.push(RuleFolder { files: below(user.join(rules)), kind, always: false, boundary, bounded: false });
    }
    places
}

fn rule(
    world: &dyn World,
    project: &HookProject,
    place: &RuleFolder,
    path: &AbsPath,
    touched: &AbsPath,
    rank: usize,
    refused: &mut Vec<String>,
) -> Result<Option<ApplyingRule>, Obstacle> {
    if !world.is_file(path) {
        return Ok(None);
    }
    let real = world.real_path(path).map_err(Obstacle::of)?;
    if place.bounded && !real.is_within(&place.boundary) {
        return Err("it is a link out of the project".into());
    }
    let bytes = world.read(path).map_err(Obstacle::of)?;
    if bytes.len() > MAX_BYTES {
        return Err("it is larger than 1 MiB".into());
    }
    if !is_text(&bytes) {
        return Err("it is not UTF-8 text".into());
    }
    let always = place.always;
    let mut problems = Vec::new();
    let text = crate::base::text::same_length_text(&bytes);
    let (head, _) = frontmatter::read(&text, place.kind, &mut problems);
    if let Some(problem) = problems.iter().find_map(broken).filter(|_| !always) {
        return Err(problem.into());
    }
    let matched = match &head {
        Some(head) if !always => matches(head, project, touched, refused)?,
        _ => true,
    };
    if !matched {
        return Ok(None);
    }
    let priority = head.as_ref().map_or(Ok(0.0), priority)?;
    let hash = store::hash(&bytes);
    let boundary = place.boundary.clone();
    let (shown, taken_out) = (String::new(), TakenOut::default());
    Ok(Some(ApplyingRule { path: real, hash, shown, bytes, kind: place.kind, boundary, priority, rank, taken_out }))
}

/// Frontmatter that cannot be read, in words.
fn broken(problem: &Problem) -> Option<String> {
    match &problem.kind {
        ProblemKind::InvalidFrontmatter { message, .. } => {
            Some(format!("its frontmatter is not valid YAML: {message}"))
        }
        ProblemKind::UnterminatedFrontmatter => Some("its frontmatter has no closing `---`".to_owned()),
        _ => None,
    }
}

/// Whether frontmatter makes a rule apply to `touched`. Each key is read as the agent reads it that it belongs to; of several
/// ours decides. The first pattern of a key that is too much to be matched goes to `refused`.
fn matches(
    head: &Frontmatter,
    project: &HookProject,
    touched: &AbsPath,
    refused: &mut Vec<String>,
) -> Result<bool, Obstacle> {
    let applies_to = patterns(head, "applies_to")
        .map_err(|what| format!("`applies_to` is {what}; it must be a pattern or a list of patterns"))?;
    if let Some(list) = applies_to {
        let list: Vec<String> = list.iter().map(|glob| glob.trim_start_matches("./").to_owned()).collect();
        return Ok(like_gitignore(&list, &project.root, touched, refused));
    }
    let relative = String::from_utf8_lossy(&touched.relative_to(&project.root)).into_owned();
    let of_agent = |key: &str| patterns(head, key).ok().flatten();
    let (cursor, copilot, claude) = (of_agent("globs"), of_agent("applyTo"), of_agent("paths"));
    let always = head.get("alwaysApply").is_some_and(|field| field.value.value == Value::Bool(true));
    if (cursor.is_some() || copilot.is_some()) && !always {
        // Cursor matches a pattern without a slash at any depth; Copilot takes all three spellings for everything.
        let spread = |glob: &String| if glob.contains('/') { glob.clone() } else { format!("**/{glob}") };
        let all = |glob: &String| if matches!(glob.as_str(), "*" | "**/*") { "**".to_owned() } else { glob.clone() };
        let cursor = cursor.unwrap_or_default();
        let copilot = copilot.unwrap_or_default();
        let why = |glob: &String| Some(braces::not_matched(glob, &braces::refusal(glob)?));
        refused.extend(cursor.iter().chain(&copilot).find_map(why));
        let mut globs = cursor.iter().map(spread).chain(copilot.iter().map(all));
        let is_match = |glob: String| PathGlob::new(&glob, true).is_some_and(|glob| glob.matches(&relative));
        return Ok(globs.any(is_match));
    }
    Ok(claude.is_none_or(|list| like_gitignore(&list, &project.root, touched, refused)))
}

/// Patterns as Claude Code reads `paths`: like a gitignore file, without regard to case.
fn like_gitignore(list: &[String], root: &AbsPath, touched: &AbsPath, refused: &mut Vec<String>) -> bool {
    let expanded = braces::expand_all(list.iter().map(String::as_str));
    refused.extend(expanded.refused.first().map(|(index, why)| braces::not_matched(&list[*index], why)));
    let globs: Vec<String> =
        expanded.patterns.into_iter().map(|glob| glob.strip_suffix("/**").map(str::to_owned).unwrap_or(glob)).collect();
    globs.iter().any(|glob| glob == "**") || claude_rules::matches(&globs, root, touched)
}

/// The patterns of a field; `None` if it is missing or holds none, and what it is if it cannot hold any.
fn patterns(head: &Frontmatter, key: &str) -> Result<Option<Vec<String>>, &'static str> {
    let Some(field) = head.get(key) else { return Ok(None) };
    let list = match &field.value.value {
        Value::Null => Vec::new(),
        Value::String(text) => split_commas(text),
        Value::List(items) => {
            let text = |item: &frontmatter::FrontmatterNode| match &item.value {
                Value::String(text) => Ok(split_commas(text)),
                other => Err(other.describe()),
            };
            let lists: Result<Vec<Vec<String>>, &'static str> = items.iter().map(text).collect();
            lists.map_err(|_| "a list with an entry that is not text")?.concat()
        }
        other => return Err(other.describe()),
    };
    Ok(Some(list).filter(|list| !list.is_empty()))
}

/// The number in `priority`; 0 without one.
fn priority(head: &Frontmatter) -> Result<f64, Obstacle> {
    let Some(field) = head.get("priority") else { return Ok(0.0) };
    let number = match &field.value.value {
        Value::Null => Some(0.0),
        Value::Number(text) | Value::String(text) => text.trim().parse::<f64>().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite()).ok_or_else(|| "`priority` is not a number".into())
}

/// A rule's path as it is named to the model.
fn shown(world: &dyn World, project: &HookProject, path: &AbsPath) -> String {
    let home = world.env().home().map(AbsPath::new).filter(|home| path.is_within(home));
    match home {
        Some(home) if !path.is_within(&project.root) => {
            format!("~/{}", String::from_utf8_lossy(&path.relative_to(&home)))
        }
        _ => project.show(path),
    }
}

/// The rules as one block, and those that are in it: the others did not fit.
pub(crate) fn block(world: &dyn World, rules: Vec<ApplyingRule>) -> Option<(String, Vec<ApplyingRule>)> {
    let (mut sections, mut told) = (Vec::new(), Vec::new());
    let mut room = MAX_CHARS - 200;
    for mut rule in rules {
        let section = section(world, &mut rule);
        let length = section.as_ref().map_or(0, |section| section.chars().count() + 2);
        if length > room {
            continue;
        }
        room -= length;
        sections.extend(section);
        told.push(rule);
    }
    if sections.is_empty() {
        return None;
    }
    let text = format!("The following rules apply to this file:\n\n{}", sections.join("\n\n"));
    Some((frame::reminder(&text), told))
}

/// A rule under its heading; `None` if it says nothing.
fn section(world: &dyn World, rule: &mut ApplyingRule) -> Option<String> {
    let (text, taken_out) = includes::expand(world, &rule.boundary, &rule.path, rule.kind, &rule.bytes);
    rule.taken_out = taken_out;
    let text = frame::neutral(text.trim()).into_owned();
    if text.is_empty() {
        return None;
    }
    let path = frame::name(&rule.shown);
    let text = match frame::cut(&text, MAX_RULE_CHARS) {
        None => text,
        Some(cut) => format!(
            "{}\n\n[Truncated: the first {} of {} characters; the whole is in {path}]",
            frame::neutral(cut.trim()),
            thousands(MAX_RULE_CHARS),
            thousands(text.chars().count()),
        ),
    };
    Some(format!("# Rule from {path}\n\n{text}"))
}

impl ApplyingRule {
    /// The rule's path as it is named to the model.
    pub(crate) fn shown(&self) -> String {
        frame::name(&self.shown)
    }

    /// The sentence for people that says what was taken out of the rule, if anything was.
    pub(crate) fn cleaned(&self) -> Option<String> {
        self.taken_out.sentence(&self.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(yaml: &str, touched: &str) -> Result<bool, Obstacle> {
        let mut problems = Vec::new();
        let text = format!("---\n{yaml}\n---\nx\n");
        let (head, _) = frontmatter::read(&text, Kind::of_agent("claude-rule"), &mut problems);
        if let Some(problem) = problems.iter().find_map(broken) {
            return Err(problem.into());
        }
        let root = AbsPath::new("/r");
        let project = HookProject { start: root.clone(), root: root.clone(), in_git: true };
        matches(&head.expect("frontmatter"), &project, &root.join(touched), &mut Vec::new())
    }

    #[test]
    fn keys_are_read_as_their_agents_read_them() {
        for (yaml, touched, expected) in [
            ("applies_to: [\"**/*.tsx\", \"**/*.jsx\"]", "src/a/b.tsx", true),
            ("applies_to: [\"**/*.tsx\"]", "a.tsx", true),
            ("applies_to: \"*.py, docs/**\"", "docs/x/y.md", true),
            ("applies_to: \"*.py\"", "deep/down/a.py", true),
            ("applies_to: [src/api/]", "src/api/v1/a.rs", true),
            ("applies_to: [./src/a.rs]", "src/a.rs", true),
            ("applies_to: [\"src/*.{rs,toml}\"]", "src/a.toml", true),
            ("applies_to: [\"src/*.rs\"]", "src/a/b.rs", false),
            ("applies_to: [\"*.py\"]", "a.pyc", false),
            ("applies_to: []", "a", true),
            ("description: none of them", "a", true),
            ("paths: \"src/**\"", "src/a", true),
            ("paths: \"src/**\"", "lib/a", false),
            ("globs: \"*.ts\"", "a/b.ts", true),
            ("globs: \"src/*.ts\"", "src/a/b.ts", false),
            ("globs: \"*.ts\"\nalwaysApply: true", "a.py", true),
            ("applyTo: \"**/*.ts,*.md\"", "a/b.md", false),
            ("applyTo: \"**/*.ts,*.md\"", "b.md", true),
            ("applyTo: \"*\"", "a/b.md", true),
            ("applies_to: [\"*.rs\"]\npaths: \"*.ts\"", "a.ts", false),
        ] {
            assert_eq!(decide(yaml, touched), Ok(expected), "{yaml} on {touched}");
        }
    }

    #[test]
    fn frontmatter_that_makes_no_sense_is_told() {
        for yaml in ["applies_to: 5", "applies_to: {a: b}", "applies_to: [1]", "a: b: c", "applies_to: [a"] {
            assert!(decide(yaml, "a").is_err(), "{yaml}");
        }
    }
}
