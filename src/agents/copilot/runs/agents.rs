//! Custom agents of GitHub Copilot CLI: the servers and hooks in the frontmatter of `.github/agents/*.md`. The servers start with
//! the agent, whether or not anybody has trusted the folder.

use super::CopilotRuns;
use super::servers::CopilotServerHost;
use crate::agents::copilot::hints::AGENT;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText, of_yaml};
use crate::agents::shared::runs::{Approval, DroppedScope, Moment, RunMode};
use crate::base::kind::Kind;
use crate::parse::frontmatter;
use crate::world::AbsPath;

/// Most agents that are looked at.
const MAX_AGENTS: usize = 2_000;

impl CopilotRuns<'_, '_> {
    /// The custom agents of the directories from the start up to the root.
    pub(super) fn read_agents(&mut self) {
        for directory in self.directories() {
            self.read_agents_in(&directory.join(".github/agents"), b".md");
        }
    }

    /// The agents whose files in `folder` end so.
    pub(super) fn read_agents_in(&mut self, folder: &AbsPath, ending: &[u8]) {
        for entry in self.reader.world.read_dir(folder).into_iter().take(MAX_AGENTS) {
            let Some(stem) = entry.name.strip_suffix(ending) else { continue };
            let stem = stem.strip_suffix(b".agent").unwrap_or(stem);
            self.read_agent(&folder.join(&entry.name), &String::from_utf8_lossy(stem));
        }
    }

    fn read_agent(&mut self, path: &AbsPath, name: &str) {
        let Some(text) = SettingsText::read(self.reader.world, path) else { return };
        let (Some(found), _) = frontmatter::read(&text.text, Kind::Of(&AGENT), &mut Vec::new()) else { return };
        let approval = match self.reader.out.mode {
            RunMode::Interactive => Approval::Folder,
            RunMode::Headless | RunMode::HeadlessUntrusted => Approval::Nobody,
        };
        if let Some(servers) = found.get("mcp-servers") {
            let host = CopilotServerHost { approval, moment: Moment::Use, on_use_of: Some(name) };
            for server in of_yaml(&servers.value).effective().into_iter().take(MAX_ENTRIES) {
                self.read_server(&text, server, &host);
            }
        }
        let Some(hooks) = found.get("hooks") else { return };
        if self.reader.is_trusted() {
            self.read_events(&text, &of_yaml(&hooks.value), Approval::Folder, Some(name));
        } else {
            let place = text.place(hooks.key_span);
            self.reader.drop(place, "the folder is not trusted", DroppedScope::Entry, false);
        }
    }
}
