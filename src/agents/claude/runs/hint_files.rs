//! What Claude Code's commands, skills and agents run: hooks and servers of their frontmatter, and the `` !`…` `` lines of
//! commands and skills, whose output takes their place before the model sees the text.

use super::ClaudeRuns;
use super::hooks::TOOLS;
use super::read_only::{parts, runs_unasked};
use super::servers::ClaudeServerHost;
use crate::agents::claude::hints::{COMMAND, SUBAGENT};
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText, of_yaml};
use crate::agents::shared::runs::{Approval, DroppedScope, Moment, RunKind, RunMode};
use crate::agents::shared::text::with_values_quoted;
use crate::base::kind::Kind;
use crate::base::text::{LineIndex, Span};
use crate::parse::frontmatter::{self, Field, Frontmatter, Value};
use crate::parse::json::JsonNode;
use crate::world::{AbsPath, FileType};

/// Most hint files that are looked at, and how deep their folders may nest.
const MAX_FILES: usize = 2_000;
const MAX_DEPTH: usize = 8;
/// Programs whose output is asked for in texts.
const READERS: [&str; 12] = ["cat", "date", "find", "gh", "git", "grep", "head", "ls", "pwd", "rg", "tail", "tree"];
/// Most commands that are held against the permissions, in all files together.
const MAX_PRE_RUNS: usize = 2_000;

/// What a hint file is.
#[derive(Clone, Copy, PartialEq)]
enum HintFile {
    Command,
    Skill,
    Agent,
}

impl ClaudeRuns<'_, '_> {
    /// The commands, skills and agents of the start directory.
    pub(super) fn read_hint_files(&mut self) {
        let root = self.reader.out.start.join(".claude");
        self.read_hint_files_below(&root, None);
    }

    /// The commands, skills and agents below `root`: the `.claude` folder, or a plugin.
    pub(super) fn read_hint_files_below(&mut self, root: &AbsPath, plugin: Option<&str>) {
        for (path, name) in self.markdown_below(&root.join("commands")) {
            self.read_hint_file(&path, HintFile::Command, &named(plugin, &name));
        }
        for entry in self.reader.world.read_dir(&root.join("skills")).into_iter().take(MAX_FILES) {
            let path = root.join("skills").join(&entry.name).join("SKILL.md");
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            self.read_hint_file(&path, HintFile::Skill, &named(plugin, &name));
        }
        for (path, name) in self.markdown_below(&root.join("agents")) {
            self.read_hint_file(&path, HintFile::Agent, &named(plugin, &name));
        }
    }

    /// The commands at `places`, which a plugin's manifest or entry names beside those in `usual`.
    pub(super) fn read_named_commands(&mut self, usual: &AbsPath, places: impl Iterator<Item = AbsPath>, plugin: &str) {
        for place in places.take(MAX_ENTRIES).filter(|place| !place.is_within(usual) && *place != usual.dirname()) {
            match place.file_name().strip_suffix(b".md") {
                Some(stem) => {
                    let name = named(Some(plugin), &String::from_utf8_lossy(stem));
                    self.read_hint_file(&place, HintFile::Command, &name);
                }
                None => {
                    for (path, name) in self.markdown_below(&place) {
                        self.read_hint_file(&path, HintFile::Command, &named(Some(plugin), &name));
                    }
                }
            }
        }
    }

    /// The Markdown files below `folder`, with their names without extension, in bytewise order.
    fn markdown_below(&self, folder: &AbsPath) -> Vec<(AbsPath, String)> {
        let (mut found, mut waiting) = (Vec::new(), vec![(folder.clone(), 0)]);
        while let Some((folder, depth)) = waiting.pop() {
            for entry in self.reader.world.read_dir(&folder) {
                let path = folder.join(&entry.name);
                if found.len() >= MAX_FILES {
                    break;
                }
                if let Some(stem) = entry.name.strip_suffix(b".md") {
                    found.push((path, String::from_utf8_lossy(stem).into_owned()));
                } else if entry.kind == FileType::Directory && depth < MAX_DEPTH {
                    waiting.push((path, depth + 1));
                }
            }
        }
        found.sort();
        found
    }

    fn read_hint_file(&mut self, path: &AbsPath, file: HintFile, name: &str) {
        let Some(text) = SettingsText::read(self.reader.world, path) else { return };
        let kind = match file {
            HintFile::Command => Kind::Of(&COMMAND),
            HintFile::Skill => Kind::Skill,
            HintFile::Agent => Kind::Of(&SUBAGENT),
        };
        let (found, body) = frontmatter::read(&text.text, kind, &mut Vec::new());
        let found = found.map(|found| if found.valid { found } else { read_with_quotes(&text.text, kind, found) });
        match file {
            HintFile::Agent => self.note_unrun(&text, body),
            _ => self.read_pre_runs(&text, body, found.as_ref(), name),
        }
        let Some(found) = found else { return };
        if let Some(field) = found.get("allowed-tools").filter(|_| file != HintFile::Agent)
            && let Some(why) = grants_nothing(&allowed_words(&of_yaml(&field.value)))
        {
            self.drop(text.place(field.value.span), why, DroppedScope::Rule, false);
        }
        let approval = match (file, self.reader.out.mode) {
            (HintFile::Agent, RunMode::HeadlessUntrusted) => return,
            (_, RunMode::Interactive) => Approval::Folder,
            _ => Approval::Nobody,
        };
        if let Some(hooks) = found.get("hooks") {
            self.read_hooks(&text, &of_yaml(&hooks.value), approval, Some(name));
        }
        if let Some(servers) = found.get("mcpServers").filter(|_| file == HintFile::Agent) {
            let host = ClaudeServerHost { approval, moment: Moment::Use, on_use_of: Some(name), is_of_plugin: false };
            self.read_servers_of_agent(&text, &of_yaml(&servers.value), &host);
        }
    }

    /// The servers of an agent's frontmatter: a list of objects with one name each, or one object of all. A name alone means a
    /// server that is configured elsewhere.
    fn read_servers_of_agent(&mut self, text: &SettingsText, servers: &JsonNode, host: &ClaudeServerHost<'_>) {
        let lists = servers.items().iter().chain(std::iter::once(servers)).take(MAX_ENTRIES);
        for server in lists.flat_map(JsonNode::members).take(MAX_ENTRIES) {
            self.read_server(text, &server.key, &server.value, host);
        }
    }

    /// The commands that run before the model sees the text.
    fn read_pre_runs(&mut self, text: &SettingsText, body: usize, found: Option<&Frontmatter>, name: &str) {
        let commands = pre_runs(&text.text, body);
        if commands.is_empty() || self.is_on("disableSkillShellExecution") {
            return;
        }
        let allowed = found.and_then(|found| found.get("allowed-tools")).map(|field| allowed(&of_yaml(&field.value)));
        let allowed = allowed.unwrap_or_default();
        for span in commands {
            self.pre_runs += 1;
            if self.pre_runs > MAX_PRE_RUNS {
                return;
            }
            let command = text.text[span.range()].trim().to_owned();
            let place = text.place(span);
            let runs = self.runs_before_the_model(&command, &allowed);
            // Where that is not known, nothing is said of it.
            let Some(runs) = runs else { continue };
            if !runs {
                let why = "neither `allowed-tools` of the file nor the settings allow it, so the command is aborted";
                self.drop(place, why, DroppedScope::Entry, true);
                continue;
            }
            self.push_with(Moment::Use, RunKind::PreRun { command }, place, Approval::Nobody, Some(name.to_owned()));
        }
    }

    /// Put on record the first command of a subagent that is written as one whose output the model gets: nobody runs it (run with 2.1.330).
    fn note_unrun(&mut self, text: &SettingsText, body: usize) {
        let is_meant = |span: &Span| {
            let line = &text.text[..span.start];
            let label = line[line.rfind('\n').map_or(0, |at| at + 1)..].trim_end_matches(['!', '`']).trim();
            let program = text.text[span.range()].split_whitespace().next().unwrap_or_default();
            let is_label = label.chars().all(|c| "-*+>".contains(c)) || label.trim_end_matches('*').ends_with(':');
            // A fence shows how one is written.
            let is_shown = text.text[body..span.start].matches("\n```").count() % 2 == 1;
            is_label && !is_shown && READERS.contains(&program)
        };
        if let Some(span) = pre_runs(&text.text, body).into_iter().find(is_meant) {
            let why = "commands behind `!` run in skills and commands, and stay text in a subagent";
            self.drop(text.place(span), why, DroppedScope::Reference, false);
        }
    }

    /// Whether a command runs: rules allow it or each of its parts, or it only reads; `None` where that is not known.
    fn runs_before_the_model(&self, command: &str, allowed: &[String]) -> Option<bool> {
        let of_one = |part: &str| match self.permits(part, allowed) {
            true => Some(true),
            false if self.refuses(part) => Some(false),
            false => runs_unasked(part),
        };
        let is_named = allowed.iter().any(|rule| *rule == format!("Bash({command})"));
        let parts = parts(command);
        if parts.len() < 2 || is_named {
            return of_one(command);
        }
        let found: Vec<Option<bool>> = parts.into_iter().map(of_one).collect();
        match found.contains(&Some(false)) {
            true => Some(false),
            false => found.iter().all(|part| *part == Some(true)).then_some(true),
        }
    }
}

/// What the agent reads of frontmatter that is no YAML: it quotes the values of simple lines and tries again. `broken`, if that fails,
/// too. Places are those in the text as it is written.
fn read_with_quotes(text: &str, kind: Kind, broken: Frontmatter) -> Frontmatter {
    let written = &text[broken.yaml.range()];
    let quoted = with_values_quoted(written);
    let again = [&text[..broken.yaml.start], &quoted, &text[broken.yaml.end..]].concat();
    let (Some(read), _) = frontmatter::read(&again, kind, &mut Vec::new()) else { return broken };
    if !read.valid {
        return broken;
    }
    // Quotes change no line but their own.
    let (before, after) = (LineIndex::new(written.as_bytes()), LineIndex::new(quoted.as_bytes()));
    let place = |at: usize| {
        let at = at.saturating_sub(broken.yaml.start);
        let line = after.line_of(at);
        let content = before.line_content(written.as_bytes(), line);
        let place = (content.start + at - after.line_span(line).start).min(content.end);
        broken.yaml.start + written.floor_char_boundary(place)
    };
    let span = |span: Span| Span::new(place(span.start), place(span.end));
    let mut fields = read.fields;
    let mut open: Vec<&mut [Field]> = vec![&mut fields];
    while let Some(fields) = open.pop() {
        for field in fields {
            field.key_span = span(field.key_span);
            let mut nodes = vec![&mut field.value];
            while let Some(node) = nodes.pop() {
                node.span = span(node.span);
                match &mut node.value {
                    Value::Map(fields) => open.push(fields),
                    Value::List(items) => nodes.extend(items),
                    _ => {}
                }
            }
        }
    }
    Frontmatter { fields, valid: true, ..broken }
}

/// The name by which the user starts a command or skill.
fn named(plugin: Option<&str>, name: &str) -> String {
    plugin.map_or_else(|| name.to_owned(), |plugin| format!("{plugin}:{name}"))
}

/// The rules of `allowed-tools` that may allow something. A star alone does not.
fn allowed(node: &JsonNode) -> Vec<String> {
    let mut rules = allowed_words(node);
    rules.retain(|rule| rule != "*");
    rules
}

/// Why rules let the model use nothing: none of them names a tool. Another agent may have tools of such names, but beside one that
/// counts they are no mistake.
fn grants_nothing(rules: &[String]) -> Option<String> {
    let name = |rule: &String| rule.split('(').next().unwrap_or_default().to_owned();
    let is_dead = |rule: &String| {
        rule == "*" || (rule.starts_with(|c: char| c.is_ascii_lowercase()) && !rule.starts_with("mcp__"))
    };
    let first = rules.first().filter(|_| rules.iter().all(is_dead))?;
    let first = name(first);
    let tool = TOOLS.iter().find(|tool| tool.eq_ignore_ascii_case(&first));
    Some(match (first.as_str(), tool) {
        ("*", _) => "`*` allows no tool".to_owned(),
        (_, Some(tool)) => format!("the tool `{first}` is called `{tool}`, so nothing is allowed"),
        (_, None) => format!("there is no tool `{first}`, whose name would begin with a capital letter"),
    })
}

/// The rules of `allowed-tools`: a list, or words with commas or blanks between them.
fn allowed_words(node: &JsonNode) -> Vec<String> {
    match node.text() {
        Some(text) => words(text),
        None => node.items().iter().take(MAX_ENTRIES).filter_map(JsonNode::text).map(str::to_owned).collect(),
    }
}

/// Words with commas or blanks between them; what stands in parentheses belongs together.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut depth) = (Vec::new(), String::new(), 0_usize);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (c == ',' || c.is_whitespace()) {
            words.push(std::mem::take(&mut word));
        } else {
            word.push(c);
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// The commands in `` !`…` ``, also inside fences, not glued to a word, and in blocks fenced by ```` ```! ````.
fn pre_runs(text: &str, body: usize) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = body;
    while let Some(bang) = memchr::memmem::find(&text.as_bytes()[at..], b"!").map(|next| at + next) {
        at = bang + 1;
        if found.len() >= MAX_ENTRIES {
            break;
        }
        let before = &text[..bang];
        let rest = &text[at..];
        if before.ends_with("```") && (rest.starts_with('\n') || rest.starts_with("\r\n")) {
            let Some(end) = rest.find("\n```") else { break };
            found.push(Span::new(at, at + end));
            at += end + "\n```".len();
            continue;
        }
        let is_apart = before.is_empty() || before.ends_with(char::is_whitespace);
        let Some(inner) = rest.strip_prefix('`').filter(|_| is_apart) else { continue };
        let Some(end) = inner.find('`').filter(|&end| end > 0) else { continue };
        found.push(Span::new(at + 1, at + 1 + end));
        at += end + 2;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_run_are_found() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<&str> = pre_runs(text, 0).into_iter().map(|span| text[span.range()].trim()).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("Out: !`git status`", &["git status"]);
        check("```sh\n!`a`\n```\n!`b`", &["a", "b"]);
        check("```!\nmake\n```\n", &["make"]);
        for near_miss in ["text!`a`", "! `a`", "`!a`", "!``", "wow! `a`", "!`open"] {
            check(near_miss, &[]);
        }
    }

    #[test]
    fn values_that_need_quotes_are_read_where_they_stand() {
        let read = |text: &str| {
            let (found, _) = frontmatter::read(text, Kind::Skill, &mut Vec::new());
            let found = read_with_quotes(text, Kind::Skill, found.unwrap());
            let fields = found.fields.iter().map(|field| text[field.value.span.range()].to_owned());
            (found.valid, fields.collect::<Vec<_>>())
        };
        let text = "---\nname: x\ndescription: a: \"b\" ü\nallowed-tools: Bash(x *)\n---\n";
        let (valid, fields) = read(text);
        assert!(valid && fields[0] == "x" && fields[1].starts_with("a: \"b\""), "{fields:?}");
        assert!(fields[2].starts_with("Bash(x *)"), "{fields:?}");
        let hooks = "---\ndescription: @x y\nhooks:\n  Stop:\n    - command: go\n---\n";
        assert_eq!(read(hooks).1[1].trim(), "Stop:\n    - command: go");
        assert_eq!(read("---\ndescription: \"x\" bar\n---\n"), (false, Vec::new()));
    }

    #[test]
    fn tools_are_listed_in_several_ways() {
        assert_eq!(words("Read, Bash(rec *) Bash(a:*)"), ["Read", "Bash(rec *)", "Bash(a:*)"]);
        assert_eq!(words(" , "), [""; 0]);
    }
}
