//! What the usual variables and substitutions of a command stand for.

use super::{CommandRun, PLUGIN, ROOT, in_root};
use crate::parse::shell::WordPart;

impl CommandRun<'_> {
    /// What is known of a variable or substitution.
    pub(super) fn known(&self, part: &WordPart) -> Option<String> {
        match part {
            WordPart::Text(text) => Some(text.clone()),
            WordPart::Variable(name, _) => self.variable(name),
            WordPart::Substitution(text) => self.substitution(text),
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        if let Some(known) = self.variables.get(name) {
            return known.clone();
        }
        let is_source = |name: &str| matches!(name, "0" | "BASH_SOURCE");
        match name {
            "PWD" => self.current.clone(),
            "workspaceFolder" => Some(in_root(self.host.directory)),
            name if name.ends_with("_PROJECT_DIR") || name.ends_with("_CWD") => Some(in_root(self.host.directory)),
            // In the hooks of a project's skill the root of a plugin is the skill's own folder, as was tried.
            name if name.ends_with("_SKILL_DIR") || name.ends_with("_PLUGIN_ROOT") && self.is_of_own_skill() => {
                Some(in_root(self.host.named_in.parent()))
            }
            // The last is that of Gemini's extensions, which also write `${/}` between folders.
            name if name == "PLUGIN_ROOT" || name.ends_with("_PLUGIN_ROOT") || name == "extensionPath" => {
                Some(PLUGIN.to_owned())
            }
            "/" => Some("/".to_owned()),
            "workspacePath" => Some(in_root(self.host.directory)),
            name if is_source(name) => self.script.map(|script| in_root(script.as_bytes())),
            name if is_source(name.trim_end_matches("%/*").trim_end_matches("[0]")) => self.script_directory(),
            _ => None,
        }
    }

    /// Whether a skill of the project itself asks for the command.
    fn is_of_own_skill(&self) -> bool {
        !self.host.is_bundle && self.host.named_in.file_name() == b"SKILL.md"
    }

    /// What the usual ways to ask for a directory answer.
    fn substitution(&self, text: &str) -> Option<String> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'')).collect();
        if plain.starts_with("gitrev-parse--show-toplevel") {
            return Some(ROOT.to_owned());
        }
        if plain == "pwd" {
            return self.current.clone();
        }
        // `dirname "$0"`, and `cd` there, to go up or not, and `pwd`.
        let mut rest = plain.strip_prefix("cd").unwrap_or(&plain);
        rest = rest.strip_prefix("--").unwrap_or(rest);
        let inner = rest.strip_prefix("$(").and_then(|rest| rest.split_once(')'));
        let (inner, behind) = inner.unwrap_or((rest, ""));
        let file = inner.strip_prefix("dirname")?.trim_start_matches("--");
        if !matches!(
            file,
            "$0" | "${0}" | "$BASH_SOURCE" | "${BASH_SOURCE}" | "${BASH_SOURCE[0]}" | "${BASH_SOURCE[0]:-$0}"
        ) {
            return None;
        }
        let behind = behind.split("&&").next()?.split(">/dev/null").next()?;
        let is_path = behind.is_empty() || behind.starts_with('/');
        is_path.then(|| self.script_directory()).flatten().map(|directory| format!("{directory}{behind}"))
    }

    fn script_directory(&self) -> Option<String> {
        self.script.map(|script| in_root(script.parent()))
    }
}
