//! Permission rules of Claude Code's settings: which it accepts, which count in a folder that nobody has trusted, and whether a
//! rule covers a shell command.

use super::command_rules::DeadCommand;
use super::hooks::TOOLS;
use super::path_rules::{has_a_prefix, silent_defect, unmatched};
use super::prefix_rules::dead_prefix;
use super::{ClaudeRuns, SettingsFile, SettingsOwner, command_rules};
use crate::agents::shared::globs::matches_stars;
use crate::agents::shared::runs::reading::MAX_ENTRIES;
use crate::agents::shared::runs::{DropBasis, DroppedScope, Moment, PermissionList, RunKind, SettingPlace};
use crate::base::sanitize;
use crate::parse::json::JsonNode;

impl ClaudeRuns<'_, '_> {
    /// The permissions of the settings files in effect.
    pub(super) fn read_permissions(&mut self) {
        let files = std::mem::take(&mut self.files);
        for file in &files {
            for list in [PermissionList::Deny, PermissionList::Ask, PermissionList::Allow] {
                self.read_rules(file, list);
            }
            self.read_directories(file);
            self.read_mode(file);
            self.read_sandbox(file);
            let all = file.root.get("enableAllProjectMcpServers").filter(|all| all.bool() == Some(true));
            if let Some(all) = all {
                let place = file.text.place(all.span);
                self.push(Moment::Start, setting("enableAllProjectMcpServers", "true".to_owned()), place);
            }
        }
        self.files = files;
    }

    fn read_rules(&mut self, file: &SettingsFile, list: PermissionList) {
        let of = |list: &str| file.root.at(&["permissions", list]).map(JsonNode::items).unwrap_or_default();
        let rules = of(list.name());
        let restricting: Vec<&JsonNode> = of("deny").iter().chain(of("ask")).take(MAX_ENTRIES).collect();
        for rule in rules.iter().take(MAX_ENTRIES) {
            let place = file.text.place(rule.span);
            if self.drop_malformed_rule(&place, rule, list) || self.drop_dead_rule(file, &place, rule, list) {
                continue;
            }
            let text = rule.text().unwrap_or_default();
            if let Some(why) = command_rules::is_bare(text, list, &restricting) {
                self.reader.drop_documented(place.clone(), why, DroppedScope::Rule, DropBasis::Documented);
            }
            if list == PermissionList::Allow && self.is_untrusted(file) {
                self.drop(place, "the folder is not trusted", DroppedScope::Entry, true);
                continue;
            }
            let text = text.to_owned();
            match list {
                PermissionList::Allow => self.allowed.push(text.clone()),
                PermissionList::Deny => self.denied.push(text.clone()),
                PermissionList::Ask => {}
            }
            self.push(Moment::Start, RunKind::Permission { list, rule: text }, place);
        }
    }

    /// Put on record a rule that the agent does not take; whether it is one.
    fn drop_malformed_rule(&mut self, place: &SettingPlace, rule: &JsonNode, list: PermissionList) -> bool {
        if is_heading(rule) {
            let why = "it is a comment, and the list takes rules alone".to_owned();
            self.reader.drop_harmless(place.clone(), why, DroppedScope::Rule, true);
            return true;
        }
        let no_tool = || Some((no_tool(rule)?, list == PermissionList::Deny));
        let Some((why, is_said)) = defect(rule, list).map(|why| (why, true)).or_else(no_tool) else { return false };
        self.reader.drop_misspelled(place.clone(), (why, in_right_case(rule)), DroppedScope::Rule, is_said);
        true
    }

    /// Put on record a rule of the right form that fits nothing; whether it is one.
    fn drop_dead_rule(
        &mut self,
        file: &SettingsFile,
        place: &SettingPlace,
        rule: &JsonNode,
        list: PermissionList,
    ) -> bool {
        let (text, place) = (rule.text().unwrap_or_default(), place.clone());
        let silent = silent_defect(rule).or_else(|| command_rules::has_a_colon(text));
        let command = dead_prefix(text, list).or_else(|| command_rules::of_several(text, list));
        if let Some(told) = silent {
            self.reader.drop_misspelled(place, told, DroppedScope::Rule, false);
        } else if let Some((why, instead)) = self.counts_from_the_project(file, text) {
            match list {
                PermissionList::Allow => self.reader.drop_harmless(place, why, DroppedScope::Rule, false),
                _ => self.reader.drop_misspelled(place, (why, Some(instead)), DroppedScope::Rule, false),
            }
        } else if let Some(DeadCommand { why, instead, is_harmless }) = command {
            match is_harmless {
                true => self.reader.drop_harmless(place, why, DroppedScope::Rule, false),
                false => self.reader.drop_misspelled(place, (why, instead), DroppedScope::Rule, false),
            }
        } else if let Some(unmatched) = unmatched(text, list) {
            let (why, instead) = unmatched.why_and_instead();
            let rules = file.root.at(&["permissions", list.name()]).map(JsonNode::items).unwrap_or_default();
            match unmatched.matters(rules) {
                true => self.reader.drop_misspelled(place, (why, instead), DroppedScope::Rule, true),
                false => self.reader.drop_harmless(place, why, DroppedScope::Rule, true),
            }
        } else if let Some(why) = fits_nothing(rule) {
            self.reader.drop_documented(place, why, DroppedScope::Rule, DropBasis::Supposed);
        } else {
            return false;
        }
        true
    }

    /// Directories beside the start directory that the agent may read and write.
    fn read_directories(&mut self, file: &SettingsFile) {
        let directories = file.root.at(&["permissions", "additionalDirectories"]);
        for directory in directories.map(JsonNode::items).unwrap_or_default().iter().take(MAX_ENTRIES) {
            let place = file.text.place(directory.span);
            if self.is_untrusted(file) {
                self.drop(place, "the folder is not trusted", DroppedScope::Entry, true);
                continue;
            }
            let value = directory.plain().to_string();
            self.push(Moment::Start, setting("permissions.additionalDirectories", value), place);
        }
    }

    /// What the shell may reach: the keys of `sandbox`, and those of its objects.
    fn read_sandbox(&mut self, file: &SettingsFile) {
        let Some(sandbox) = file.root.get("sandbox") else { return };
        for member in sandbox.effective().into_iter().take(MAX_ENTRIES) {
            let inner = member.value.effective();
            let inner = inner
                .into_iter()
                .take(MAX_ENTRIES)
                .map(|inner| (format!("{}.{}", member.key, inner.key), &inner.value));
            let own = (!member.value.is_object()).then(|| (member.key.clone(), &member.value));
            for (key, value) in own.into_iter().chain(inner) {
                let kind = setting(&format!("sandbox.{key}"), value.plain().to_string());
                self.push(Moment::Start, kind, file.text.place(value.span));
            }
        }
    }

    fn read_mode(&mut self, file: &SettingsFile) {
        let Some(mode) = file.root.at(&["permissions", "defaultMode"]) else { return };
        let place = file.text.place(mode.span);
        if mode.text() == Some("bypassPermissions") && file.owner != SettingsOwner::User {
            let why = "a project's settings cannot switch permissions off";
            // It was seen in the project's settings.
            let what = if file.owner == SettingsOwner::Project { DroppedScope::Key } else { DroppedScope::Entry };
            return self.drop(place, why, what, false);
        }
        self.push(Moment::Start, setting("permissions.defaultMode", mode.plain().to_string()), place);
    }

    /// Whether a file belongs to the repository and the folder is untrusted.
    fn is_untrusted(&self, file: &SettingsFile) -> bool {
        file.owner != SettingsOwner::User && !self.reader.is_trusted()
    }

    /// Whether settings let a shell command run without a question: `allowed` are further rules beside those in effect.
    pub(super) fn permits(&self, command: &str, allowed: &[String]) -> bool {
        let covers = |rule: &String| covers_command(rule, command);
        !self.refuses(command) && self.allowed.iter().chain(allowed).any(covers)
    }

    /// Whether a rule in effect refuses a shell command.
    pub(super) fn refuses(&self, command: &str) -> bool {
        self.denied.iter().any(|rule| covers_command(rule, command))
    }
}

/// What a setting of a repository lets the agent do without a question.
pub(in crate::agents::claude) fn weakens(kind: &RunKind) -> Option<&'static str> {
    match kind {
        RunKind::Permission { list: PermissionList::Allow, rule } if matches!(rule.as_str(), "Bash" | "Bash(*)") => {
            Some("runs every shell command without a question")
        }
        RunKind::Setting { key, value } => match (key.as_str(), value.as_str()) {
            ("permissions.defaultMode", "\"acceptEdits\"") => Some("edits files without a question"),
            ("enableAllProjectMcpServers", "true") => {
                Some("starts every server that this repository will ever name, without a question")
            }
            _ => None,
        },
        _ => None,
    }
}

fn setting(key: &str, value: String) -> RunKind {
    RunKind::Setting { key: key.to_owned(), value }
}

/// A rule whose tool is called so but for its case, with the tool's name.
fn in_right_case(rule: &JsonNode) -> Option<String> {
    let rule = rule.text()?;
    let (name, rest) = rule.split_at(rule.find('(').unwrap_or(rule.len()));
    let tool = TOOLS.iter().find(|tool| tool.eq_ignore_ascii_case(name) && **tool != name)?;
    Some(format!("{tool}{rest}"))
}

/// Whether a string among the rules is there for people: a heading of those below it.
fn is_heading(rule: &JsonNode) -> bool {
    rule.text().is_some_and(|text| text.starts_with("//") || text.starts_with('#'))
}

/// Why a rule of the right form can fit no call, by its text: it was copied from an example, or lost its backslashes.
fn fits_nothing(rule: &JsonNode) -> Option<String> {
    let (tool, content) = rule.text()?.split_once('(')?;
    let content = content.strip_suffix(')')?;
    if tool == "WebFetch" && content.trim_end() == "domain:" {
        return Some("no domain stands behind `domain:`, so the rule fits no address".to_owned());
    }
    let stand_in = stand_in(content).filter(|_| matches!(tool, "Bash" | "Edit" | "Read" | "WebFetch" | "Write"));
    if let Some(stand_in) = stand_in {
        return Some(format!("`{}` stands for something else, so the rule fits nothing", sanitize::line(stand_in)));
    }
    let is_path = matches!(tool, "Edit" | "Read" | "Write");
    let mut words = content.split(|c: char| c.is_whitespace() || "\"'=".contains(c));
    let flat = words.find(|word| is_path && lost_backslashes(word))?;
    Some(format!("`{}` has lost its backslashes, so the rule fits no file", sanitize::line(flat)))
}

/// The part of a rule that stands for a word: `<script>`, `<your command>`.
fn stand_in(content: &str) -> Option<&str> {
    let start = content.find('<')?;
    let inner = content[start + 1..].split('>').next().filter(|inner| content[start + 1..].len() > inner.len())?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_ ".contains(c);
    let is_name =
        inner.starts_with(|c: char| c.is_ascii_alphabetic()) && inner.ends_with(|c: char| c.is_ascii_alphanumeric());
    (is_name && inner.chars().all(is_word)).then(|| &content[start..start + inner.len() + 2])
}

/// Whether a word begins at a disk of Windows and goes on without a break: `C:UsersmeDocuments`.
fn lost_backslashes(word: &str) -> bool {
    let Some((disk, rest)) = word.split_once(':') else { return false };
    let is_disk = disk.len() == 1 && disk.bytes().all(|byte| byte.is_ascii_uppercase());
    is_disk
        && rest.len() >= 8
        && rest.starts_with(|c: char| c.is_ascii_alphabetic())
        && !rest.contains(['/', '\\', ':'])
}

/// Why the agent skips a rule.
fn defect(rule: &JsonNode, list: PermissionList) -> Option<String> {
    let Some(rule) = rule.text() else {
        return Some(format!("a rule must be a string, not {}", rule.type_with_article()));
    };
    if rule.is_empty() {
        return Some("the rule is empty".to_owned());
    }
    let (tool, content) = match rule.split_once('(') {
        Some((tool, content)) => (tool, Some(content)),
        None => (rule, None),
    };
    let is_closed = content.is_none_or(|content| content.ends_with(')'));
    if !is_closed || rule.trim() != rule || (content.is_none() && rule.contains(')')) {
        return Some("a rule has the form Tool or Tool(content)".to_owned());
    }
    if content == Some(")") {
        return Some("there is nothing between the parentheses".to_owned());
    }
    if let Some(server) = tool.strip_prefix("mcp__") {
        let is_open = server.split("__").next().is_some_and(|server| server.contains('*'));
        let why = "an allow rule must name its server".to_owned();
        return match content {
            Some(_) => Some(format!("rules for MCP tools have no parentheses: write {tool}")),
            None => (is_open && list == PermissionList::Allow).then_some(why),
        };
    }
    if tool.contains('*') && list == PermissionList::Allow {
        return Some("a rule that allows something must name its tool".to_owned());
    }
    if tool.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Some("the names of tools begin with a capital letter".to_owned());
    }
    if tool == "Bash" && content == Some(":*)") {
        return Some("nothing stands before `:*`".to_owned());
    }
    if let Some(why) = has_a_prefix(tool, content) {
        return Some(why);
    }
    let is_domain = |content: &str| content.strip_prefix("domain:").is_some_and(|domain| !domain.contains("://"));
    let names_none = tool == "WebFetch" && content.is_some_and(|content| content != "*)" && !is_domain(content));
    names_none.then(|| "WebFetch rules name a domain: WebFetch(domain:example.com)".to_owned())
}

/// Why an accepted rule matches no tool although it is meant to. For deny rules the agent itself reports this.
fn no_tool(rule: &JsonNode) -> Option<String> {
    let tool = rule.text()?.split('(').next().unwrap_or_default();
    let is_name = tool.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-*.".contains(&byte)) && !tool.is_empty();
    let one_letter_off =
        |known: &str| known.len() == tool.len() && known.bytes().zip(tool.bytes()).filter(|(a, b)| a != b).count() == 1;
    let is_slip = |known: &&str| known.len() > 3 && one_letter_off(known) || known.eq_ignore_ascii_case(tool);
    match TOOLS.iter().find(|known| is_slip(known) && !TOOLS.contains(&tool)) {
        Some(known) => Some(format!("the tool is called `{known}`, so the rule has no effect")),
        None if !is_name && tool.is_ascii() => Some(format!("no tool is called `{tool}`, so the rule has no effect")),
        None => None,
    }
}

/// Whether a rule covers a shell command.
pub(super) fn covers_command(rule: &str, command: &str) -> bool {
    if matches!(rule, "Bash" | "Bash(*)" | "*") {
        return true;
    }
    let Some(pattern) = rule.strip_prefix("Bash(").and_then(|rest| rest.strip_suffix(')')) else { return false };
    let starts_with = |prefix: &str| {
        command.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    };
    if let Some(prefix) = pattern.strip_suffix(":*") {
        return !prefix.contains('*') && !prefix.ends_with(char::is_whitespace) && starts_with(prefix);
    }
    match pattern.strip_suffix(" *") {
        Some(prefix) if !prefix.contains('*') => starts_with(prefix.trim_end()),
        _ => matches_stars(pattern, command),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json;

    #[test]
    fn rules_without_effect_are_told_apart() {
        let check = |rule: &str, is_skipped: bool, has_tool: bool| {
            let text = serde_json::Value::from(rule).to_string();
            let node = json::parse(&text, json::JsonGrammar::STRICT).expect("a string");
            assert_eq!(defect(&node, PermissionList::Allow).is_some(), is_skipped, "{rule}");
            assert_eq!(no_tool(&node).is_none(), has_tool, "{rule}");
        };
        for rule in
            ["Read", "Read(./a)", "mcp__x__*", "NewTool(x)", "Reads", "Edits(./a)", "WebFetch(*)", "WebFetch(domain:*)"]
        {
            check(rule, false, true);
        }
        for rule in
            ["BASH", "READ(./a)", "Read (./a)", "Read:./a", "Read[./a]", "Read,Bash", "Read|Bash", "Wrire", "Glod(*)"]
        {
            check(rule, false, false);
        }
        for rule in ["mcp__*", "WebFetch(x.example)", "WebFetch(domain:https://x)", "Bash(:*)", "**"] {
            check(rule, true, true);
        }
    }

    #[test]
    fn rules_that_fit_nothing_are_told_apart() {
        let check = |rule: &str, is_dead: bool| {
            let text = serde_json::Value::from(rule).to_string();
            let node = json::parse(&text, json::JsonGrammar::STRICT).expect("a string");
            assert_eq!(fits_nothing(&node).is_some(), is_dead, "{rule}");
        };
        for rule in [
            "WebFetch(domain:)",
            "Bash(npm run <script>)",
            "Bash(<your command>:*)",
            "Read(C:UsersjoeDocuments**)",
            "Edit(D:worksourceproject)",
        ] {
            check(rule, true);
        }
        for rule in [
            "WebFetch(domain:x.example)",
            "Bash(sort < a.txt > b.txt)",
            "Bash(wc <a >b)",
            "Bash(grep -E '<[a-z]+>' x)",
            "Read(C:/Users/joe/**)",
            "Read(//c/Users/joe/**)",
            "Read(C:\\\\Users\\\\joe)",
            "Bash(git log:*)",
            "Bash(C:prog x)",
            "mcp__x__y",
        ] {
            check(rule, false);
        }
    }

    #[test]
    fn rules_cover_commands_as_observed() {
        for rule in ["Bash", "Bash(rec tool)", "Bash(rec:*)", "Bash(rec *)", "Bash(rec*)"] {
            assert!(covers_command(rule, "rec tool"), "{rule}");
        }
        for rule in ["Bash(rec  *)", "Bash(*tool)", "Bash(r*l)", "Bash(*rec*)", "Bash(rec tool *)", "Bash(**)"] {
            assert!(covers_command(rule, "rec tool"), "{rule}");
        }
        let others = ["Bash(ls *)", "Bash(re:*)", "Bash(rec)", "bash(rec tool)", "Read", "Bash(rec :*)", "Bash(*:*)"];
        for rule in others {
            assert!(!covers_command(rule, "rec tool"), "{rule}");
        }
    }
}
