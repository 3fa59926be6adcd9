//! Visual Studio Code, as documented: an editor, whose agent is another's. It loads no hint files, and starts servers and tasks.

mod runs;

use super::shared::documented::COMMON;
use super::shared::documented_servers::ServersFile;
use super::shared::files::AgentFiles;
use super::{Dialect, Evidence};

/// Visual Studio Code.
pub(super) const VSCODE: Dialect = Dialect {
    id: "vscode",
    title: "Visual Studio Code",
    evidence: &[
        Evidence {
            source: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration (documentation, never run)",
            checked: "2026-11",
        },
        Evidence {
            source: "https://code.visualstudio.com/docs/debugtest/tasks#_run-behavior (documentation, never run)",
            checked: "2026-11",
        },
    ],
    names: &[],
    files: &FILES,
    runs: Some(runs::read),
    ..COMMON
};

static FILES: AgentFiles = AgentFiles {
    run_files: &[".vscode/mcp.json", ".vscode/tasks.json"],
    other_settings: &[".vscode/mcp.json"],
    documented_servers: &[ServersFile {
        path: ".vscode/mcp.json",
        key: "servers",
        foreign_key: "mcpServers",
        outer_key: "mcp",
        product: "Visual Studio Code",
    }],
    ..AgentFiles::NONE
};
