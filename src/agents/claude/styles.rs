//! Claude Code's output styles: Markdown files whose text takes the place of a part of its own instructions once the setting
//! `outputStyle` names one of them. Known from documentation.

use crate::base::fields::{Schema, Shape, doc, field};
use crate::base::kind::{AgentKind, Role};

pub(super) static STYLE: AgentKind =
    AgentKind { fields: Some(&FIELDS), folder: "/output-styles/", ..AgentKind::new("claude-style", Role::Style) };

/// The folder of styles, below the directory that the agent is started in.
pub(super) const STYLES: &str = ".claude/output-styles/";

/// The styles that need no file.
pub(super) const BUILT_IN: [&str; 5] = ["Concise", "Default", "Explanatory", "Learning", "Proactive"];

static FIELDS: Schema = Schema {
    what: "an output style",
    fields: &[
        field("name", Shape::Text),
        field("description", Shape::Text),
        field("keep-coding-instructions", Shape::Bool),
        // It counts in a plugin's styles alone.
        field("force-for-plugin", Shape::Bool),
    ],
    ignored: &[],
    evidence: &[doc("https://code.claude.com/docs/en/output-styles")],
};
