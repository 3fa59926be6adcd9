//! The output style that settings choose: its text becomes a part of the agent's instructions. Known from documentation, which
//! does not say what becomes of a name that no style has.

use super::{ClaudeRuns, SettingsOwner, plugins};
use crate::agents::claude::styles::{BUILT_IN, STYLE, STYLES};
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::{DropBasis, DroppedScope, Moment, RunKind};
use crate::base::kind::Kind;
use crate::base::sha256::sha256;
use crate::base::text::{Span, edit_distance, spelling_core};
use crate::parse::frontmatter::{self, Value};
use crate::parse::json::JsonNode;
use crate::world::AbsPath;

/// Most files of styles that are looked at.
const MAX_STYLES: usize = 200;

/// One file in a folder of styles.
struct StyleFile {
    text: SettingsText,
    /// By which the setting chooses it.
    name: String,
    /// The file's name without its ending.
    stem: String,
}

impl ClaudeRuns<'_, '_> {
    /// The style of the most decisive settings file.
    pub(super) fn read_style(&mut self) {
        let Some((file, value)) = self.setting("outputStyle") else { return };
        let Some(name) = value.text().filter(|name| !name.trim().is_empty()).map(str::to_owned) else { return };
        let (place, is_project) = (file.text.place(value.span), file.owner == SettingsOwner::Project);
        let styles = self.styles_of(&self.reader.out.start);
        let chosen = styles.iter().find(|style| style.name == name);
        let is_known = BUILT_IN.iter().any(|known| known.eq_ignore_ascii_case(&name));
        if chosen.is_none() && is_project && !is_known && !self.may_come_from_elsewhere(&name) {
            let near = near(&name, &styles);
            let why = match near {
                Some(near) => format!("no output style is called `{name}`, and `{near}` is"),
                None => format!("no output style in this repository is called `{name}`"),
            };
            let basis = if near.is_some() { DropBasis::Documented } else { DropBasis::Supposed };
            return self.reader.drop_documented(place, why, DroppedScope::Key, basis);
        }
        let style = chosen.map(|style| {
            let digest = sha256(style.text.text.as_bytes());
            (RunKind::Style { name: style.name.clone(), digest }, style.text.place(Span::empty(0)))
        });
        let value = serde_json::Value::from(name).to_string();
        self.push(Moment::Start, RunKind::Setting { key: "outputStyle".to_owned(), value }, place);
        if let Some((kind, place)) = style {
            self.push(Moment::Start, kind, place);
        }
    }

    /// Whether another source than the start directory may have a style of this name: a directory above, a plugin, the user.
    fn may_come_from_elsewhere(&self, name: &str) -> bool {
        // Plugins' styles have the plugin's name before their own.
        let is_enabled = |plugins: &JsonNode| plugins.members().iter().any(|plugin| plugin.value.bool() == Some(true));
        if name.contains(':') || self.files.iter().filter_map(|file| file.root.get("enabledPlugins")).any(is_enabled) {
            return true;
        }
        let (start, world) = (&self.reader.out.start, self.reader.world);
        let skills = start.join(".claude/skills");
        let is_plugin = |name: &Vec<u8>| world.is_file(&skills.join(name).join(plugins::MANIFEST));
        if world.read_dir(&skills).iter().take(MAX_ENTRIES).any(|entry| is_plugin(&entry.name)) {
            return true;
        }
        let home = world.env().or_in_home("CLAUDE_CONFIG_DIR", ".claude").map(AbsPath::new);
        let home = home.filter(|_| self.reader.options.user).map(|home| home.join("output-styles"));
        let above = start.ancestors().skip(1).map(|dir| dir.join(STYLES));
        above.chain(home).any(|folder| self.styles_in(&folder).iter().any(|style| style.name == name))
    }

    fn styles_of(&self, dir: &AbsPath) -> Vec<StyleFile> {
        self.styles_in(&dir.join(STYLES))
    }

    /// The styles of a folder, in bytewise order.
    fn styles_in(&self, folder: &AbsPath) -> Vec<StyleFile> {
        let mut names: Vec<Vec<u8>> = self.reader.world.read_dir(folder).into_iter().map(|entry| entry.name).collect();
        names.retain(|name| name.ends_with(b".md"));
        names.sort();
        let read = |name: Vec<u8>| {
            let text = SettingsText::read(self.reader.world, &folder.join(&name))?;
            let (found, _) = frontmatter::read(&text.text, Kind::Of(&STYLE), &mut Vec::new());
            let given = found.as_ref().and_then(|found| match &found.get("name")?.value.value {
                Value::String(name) => Some(name.trim()),
                _ => None,
            });
            let stem = String::from_utf8_lossy(name.strip_suffix(b".md")?).into_owned();
            let name = given.filter(|name| !name.is_empty()).unwrap_or(&stem).to_owned();
            Some(StyleFile { text, name, stem })
        };
        names.into_iter().take(MAX_STYLES).filter_map(read).collect()
    }
}

/// The one style that is surely meant: called so but for its spelling, or its file is.
fn near<'s>(name: &str, styles: &'s [StyleFile]) -> Option<&'s str> {
    let core = spelling_core(name);
    let is_near = |style: &&StyleFile| {
        let own = spelling_core(&style.name);
        style.stem == name || own == core || core.len() > 4 && edit_distance(&own, &core) == 1
    };
    let mut found = styles.iter().filter(is_near);
    let style = found.next().filter(|_| found.next().is_none())?;
    Some(&style.name)
}
