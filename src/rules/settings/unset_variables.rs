//! Variables that a hook's command or its script names and that its agent never sets.

use super::effects::Effect;
use super::lost_hook_answer::{asks_who_calls, without_comments};
use crate::agents::Dialect;
use crate::agents::files::ends_with;
use crate::agents::runs::{RunKind, RunMode};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::sanitize;
use crate::rules::Cx;

/// How a command shows that it has another way where a variable is empty.
const FALLBACKS: [&str; 3] = ["$(cat", "`cat`", "/dev/stdin"];

/// Set for hooks of plugins alone, as the package of Claude Code 2.1.330 shows.
const PLUGIN_ROOT: (&str, &str) =
    ("CLAUDE_PLUGIN_ROOT", "it is set for the hooks of plugins; in a project's settings name `CLAUDE_PROJECT_DIR`");
/// How a command asks whether something is there.
const TESTS: [&str; 3] = ["[ -", "[[ -", "test -"];

/// Whether a hook stands in a project's settings of `agent`, and not in a plugin or in a file that may be one's.
fn is_of_project(effect: &Effect<'_>, agent: &Dialect) -> bool {
    let is_own = |settings: &&str| ends_with(effect.path.as_bytes(), settings);
    !effect.is_bundle && agent.files.settings.iter().any(is_own)
}

/// The first variable in a hook's command that no agent sets which runs it.
pub(super) fn unset(cx: &Cx<'_>, rule: &'static str, effect: &Effect<'_>) -> Option<Finding> {
    let RunKind::Hook { action, kind, .. } = &effect.item.kind else { return None };
    if kind != "command" || FALLBACKS.iter().any(|fallback| action.contains(fallback)) {
        return None;
    }
    // Another agent may set it, or what starts that.
    let (agent, _) = effect.agents.iter().find(|(agent, _)| !agent.files.unset_variables.is_empty())?;
    let of_plugins = is_of_project(effect, agent) && !TESTS.iter().any(|test| action.contains(test));
    let names = agent.files.unset_variables.iter().chain(of_plugins.then_some(&PLUGIN_ROOT));
    let in_command =
        names.into_iter().find(|(name, _)| uses(action, name)).map(|found| (found, "this hook".to_owned()));
    let ((name, instead), place) = in_command.or_else(|| in_script(cx, effect, agent))?;
    if is_set(cx, name) {
        return None;
    }
    let message = format!("{} sets no variable `{name}`, so it is empty in {place}", agent.versioned());
    let cause = Cause {
        key: format!("unset {}", effect.path.to_str_lossy()),
        subject: format!("`{name}`"),
        many: "are variables that the agent never sets, so they are empty in these hooks",
        help: None,
    };
    Some(effect.finding(rule, Level::Warning, message).agents([agent.id]).cause(cause).help(*instead))
}

/// How a script reads what it is given: then the variable is one way of several.
const READS: [&str; 12] = [
    "$(cat)",
    "$(cat ",
    "`cat`",
    "cat |",
    "cat - ",
    "stdin",
    "$(<",
    "read -",
    "IFS= read",
    "while read",
    "readFileSync(0",
    "jq ",
];

/// The first such variable in the hook's only script, where that reads nothing else of its call, and says where.
fn in_script(
    cx: &Cx<'_>,
    effect: &Effect<'_>,
    agent: &'static Dialect,
) -> Option<(&'static (&'static str, &'static str), String)> {
    // Other agents may set it for a script of theirs.
    if effect.agents.iter().any(|(other, _)| other.files.unset_variables.is_empty()) {
        return None;
    }
    let (path, text) = effect.only_script(cx)?;
    let text = without_comments(&text);
    let takes_arguments = ["$1", "${1", "$@", "$*", "sys.argv", "process.argv"].iter().any(|word| text.contains(word));
    if takes_arguments || READS.iter().any(|read| text.contains(read)) || asks_who_calls(&text) {
        return None;
    }
    let found = agent.files.unset_variables.iter().find(|(name, _)| is_read(&text, name))?;
    Some((found, format!("`{}`", sanitize::path(&path))))
}

/// Whether a script in a shell, in Python or for Node.js reads the variable, and gives it no value.
fn is_read(text: &str, name: &str) -> bool {
    let is_set = text.lines().any(|line| {
        let line = line.trim_start().trim_start_matches("export ").trim_start_matches("local ");
        line.strip_prefix(name).is_some_and(|rest| rest.starts_with('='))
    });
    let empty = ["${NAME:-}", "${NAME-}", "${NAME:-\"\"}"].map(|form| form.replace("NAME", name));
    let others = [
        "environ.get(\"NAME\"",
        "environ.get('NAME'",
        "environ[\"NAME\"]",
        "environ['NAME']",
        "getenv(\"NAME\"",
        "process.env.NAME",
    ];
    let others = others.map(|form| form.replace("NAME", name));
    let is_whole = |form: &String| {
        text.match_indices(form.as_str())
            .any(|(at, _)| !text[at + form.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    !is_set && (empty.iter().any(|form| text.contains(form)) || others.iter().any(is_whole) || uses(text, name))
}

/// Whether a setting of the repository gives the variable a value.
fn is_set(cx: &Cx<'_>, wanted: &str) -> bool {
    let mut items = RunMode::ALL.iter().flat_map(|mode| cx.workspace.runs(*mode)).flat_map(|runs| &runs.items);
    items.any(|item| matches!(&item.kind, RunKind::Variable { name, .. } if name == wanted))
}

/// Whether a command expands a variable without a default, does not ask whether it is empty, and does not set it.
fn uses(action: &str, name: &str) -> bool {
    let mut is_used = false;
    for (at, _) in action.match_indices(name) {
        let (before, behind) = (&action[..at], &action[at + name.len()..]);
        if behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            continue;
        }
        // It has a default, or is set here.
        if behind.starts_with([':', '-', '=', '+']) && (before.ends_with("${") || !before.ends_with('$')) {
            return false;
        }
        let asked = before.trim_end_matches(['"', '$', '{']).trim_end();
        if asked.ends_with("-z") || asked.ends_with("-n") {
            return false;
        }
        is_used |= (before.ends_with('$') || before.ends_with("${")) && !is_quoted(before);
    }
    is_used
}

/// Whether what follows `before` stands in single quotes, which a shell takes as they are, and is no command for another shell.
fn is_quoted(before: &str) -> bool {
    let (mut quote, mut is_escaped) = (None, false);
    for (at, c) in before.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (None | Some((_, '"')), '\\') => is_escaped = true,
            (None, '\'' | '"') => quote = Some((at, c)),
            (Some((_, open)), c) if c == open => quote = None,
            _ => {}
        }
    }
    let Some((at, '\'')) = quote else { return false };
    let command = before[..at].trim_end();
    let option = command.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_command = option == "eval" || option.starts_with('-') && option.ends_with('c');
    !is_command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_a_plugin_is_unset_in_settings_of_a_project() {
        use crate::rules::testing::repository;
        let count = |path: &str, command: &str| {
            let hook = format!(r#"{{"hooks": [{{"type": "command", "command": "{command}"}}]}}"#);
            let hooks = format!("{{\"hooks\": {{\"Stop\": [{hook}]}}}}\n");
            let manifest = (".claude-plugin/plugin.json", "{\"name\": \"p\"}\n");
            let found = repository(
                "dead-setting",
                "agents = [\"claude\"]\n",
                &[(path, &hooks), ("CLAUDE.md", "x\n"), manifest],
            );
            found.iter().filter(|finding| finding.message.contains("CLAUDE_PLUGIN_ROOT")).count()
        };
        let skill = |name: &str| {
            let text = format!(
                "---\nname: s\ndescription: d\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          \
                                command: node ${{{name}}}/a.mjs\n---\nx\n"
            );
            let files = [(".claude/skills/s/SKILL.md", &text[..]), ("CLAUDE.md", "x\n")];
            let found = repository("dead-setting", "agents = [\"claude\"]\n", &files);
            found.iter().filter(|finding| finding.message.contains("sets no variable")).count()
        };
        assert_eq!((skill("CLAUDE_SKILL_DIR"), skill("CLAUDE_PLUGIN_ROOT")), (1, 0));
        let command = "node ${CLAUDE_PLUGIN_ROOT}/a.mjs";
        assert_eq!(count(".claude/settings.json", command), 1);
        assert_eq!(count("hooks/hooks.json", command), 0);
        assert_eq!(count(".claude/settings.json", "node ${CLAUDE_PLUGIN_ROOT:-.}/a.mjs"), 0);
        assert_eq!(
            count(".claude/settings.json", "[ -d ${CLAUDE_PLUGIN_ROOT} ] && node ${CLAUDE_PLUGIN_ROOT}/a.mjs"),
            0
        );
    }

    #[test]
    fn scripts_read_variables_in_their_own_ways() {
        let name = "CLAUDE_TOOL_NAME";
        for text in [
            "tool=\"${CLAUDE_TOOL_NAME:-}\"\n",
            "case \"$CLAUDE_TOOL_NAME\" in\n",
            "tool = os.environ.get(\"CLAUDE_TOOL_NAME\", \"\")\n",
            "const tool = process.env.CLAUDE_TOOL_NAME;\n",
        ] {
            assert!(is_read(text, name), "{text}");
        }
        for text in [
            "tool=\"${CLAUDE_TOOL_NAME:-none}\"\n",
            "export CLAUDE_TOOL_NAME=x\necho \"$CLAUDE_TOOL_NAME\"\n",
            "process.env.CLAUDE_TOOL_NAMES\n",
            "echo CLAUDE_TOOL_NAME\n",
        ] {
            assert!(!is_read(text, name), "{text}");
        }
    }

    #[test]
    fn variables_are_used_where_nothing_else_gives_them() {
        let name = "CLAUDE_TOOL_INPUT";
        for action in [
            "echo \"$CLAUDE_TOOL_INPUT\" | jq .x",
            "${CLAUDE_TOOL_INPUT}",
            "$CLAUDE_TOOL_INPUT/x.sh",
            "jq . <<< \"$CLAUDE_TOOL_INPUT\"",
            "bash -c 'echo $CLAUDE_TOOL_INPUT'",
            "echo \"it's $CLAUDE_TOOL_INPUT\"",
            "echo it\\'s $CLAUDE_TOOL_INPUT",
        ] {
            assert!(uses(action, name), "{action}");
        }
        for action in [
            "echo ${CLAUDE_TOOL_INPUT:-none}",
            "echo ${CLAUDE_TOOL_INPUT-none}",
            "CLAUDE_TOOL_INPUT=$1 x.sh \"$CLAUDE_TOOL_INPUT\"",
            "if [ -z \"$CLAUDE_TOOL_INPUT\" ]; then read x; fi; echo $CLAUDE_TOOL_INPUT",
            "echo $CLAUDE_TOOL_INPUT_FILE",
            "echo CLAUDE_TOOL_INPUT",
            "echo 'write $CLAUDE_TOOL_INPUT here'",
            "python3 -c 'import os; os.environ.get(\"CLAUDE_TOOL_INPUT\")'",
        ] {
            assert!(!uses(action, name), "{action}");
        }
    }
}
