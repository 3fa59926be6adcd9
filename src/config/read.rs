//! Reading `hintlint.toml`: each value checked, each problem with its place, all problems at once.

mod rules;
mod value;

use std::ops::Range;

use toml_edit::{Item, TableLike};

use self::value::{ConfigValue, folder, inside};
use super::extends::dotted;
use super::keys::{ConfigKey, KEYS, KeyKind, names_in, nearest};
use super::{Config, KEYWORD};
use crate::base::error::{ConfigError, ConfigProblem};
use crate::base::path::RepoPath;
use crate::base::text::Span;

/// `base` with the settings of the file on top.
pub(super) fn read(base: Config, path: &RepoPath, text: &str) -> Result<Config, ConfigError> {
    let error = |problems| ConfigError { path: path.clone(), text: text.to_owned(), problems, root: None };
    // A byte order mark is three bytes that TOML does not know; blanks keep all offsets true.
    let clean = text.strip_prefix('\u{feff}').map(|rest| format!("   {rest}"));
    let document = match toml_edit::Document::parse(clean.as_deref().unwrap_or(text)) {
        Ok(document) => document,
        Err(toml) => {
            let span = clip(toml.span(), text);
            let message = format!("this is not valid TOML: {}", toml.message().trim().replace('\n', "; "));
            return Err(error(vec![ConfigProblem { span, message, help: None }]));
        }
    };
    let mut reader = ConfigReader { path, text, problems: Vec::new() };
    let mut config = Config { path: Some(path.clone()), ..base };
    config.sources.push(path.clone());
    reader.top(document.as_table(), &mut config);
    for (key, value) in [("model", &config.search.model), ("host", &config.search.host)] {
        if config.search.provider == KEYWORD && value.is_some() {
            config.notes.push(format!(
                "{path}: `{key}` in [search] has no effect without a `provider`",
                path = path.to_str_lossy()
            ));
        }
    }
    if reader.problems.is_empty() {
        return Ok(config);
    }
    reader.problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
    Err(error(reader.problems))
}

fn clip(range: Option<Range<usize>>, text: &str) -> Span {
    let range = range.unwrap_or(0..0);
    let start = text.floor_char_boundary(range.start);
    Span::new(start, text.floor_char_boundary(range.end).max(start))
}

struct ConfigReader<'t> {
    path: &'t RepoPath,
    text: &'t str,
    problems: Vec<ConfigProblem>,
}

impl ConfigReader<'_> {
    fn problem(&mut self, span: Option<Range<usize>>, message: String, help: Option<String>) {
        let span = clip(span, self.text);
        self.problems.push(ConfigProblem { span, message, help });
    }

    fn top(&mut self, table: &dyn TableLike, config: &mut Config) {
        for (name, item) in table.iter() {
            let span = table.key(name).and_then(toml_edit::Key::span);
            if KEYS.iter().any(|key| key.table == name) {
                match item.as_table_like() {
                    Some(inner) => self.section(name, inner, config),
                    None => self.problem(item.span(), format!("`{name}` must be a table, written `[{name}]`"), None),
                }
                continue;
            }
            self.note_origin("", name, item, config);
            match name {
                "extends" => config.extends = self.spanned_strings(name, item),
                "agents" => config.agents = self.agents(item),
                "exclude" => config.exclude = self.spanned_strings(name, item),
                "rules" => match item.as_table_like() {
                    Some(rules) => config.rules.extend(self.rules(rules)),
                    None => self.problem(item.span(), "`rules` must be a table, written `[rules]`".into(), None),
                },
                "overrides" => config.overrides.extend(self.overrides(item)),
                _ => self.unknown_key("", name, span),
            }
        }
    }

    /// Remember where a key of one value stands.
    fn note_origin(&self, table: &str, name: &str, item: &Item, config: &mut Config) {
        let is_value = |key: &&ConfigKey| !matches!(key.kind, KeyKind::Rules | KeyKind::Overrides);
        if KEYS.iter().filter(is_value).any(|key| key.table == table && key.name == name) {
            let place = (self.path.clone(), clip(item.span(), self.text));
            config.origins.insert(dotted(table, name), place);
        }
    }

    fn unknown_key(&mut self, table: &str, name: &str, span: Option<Range<usize>>) {
        let names = names_in(table);
        let place = if table.is_empty() { "at the top level".to_owned() } else { format!("in [{table}]") };
        let elsewhere = KEYS.iter().find(|key| key.name == name && !key.table.is_empty());
        let help = match (nearest(name, names.iter().copied()), elsewhere) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Some(key)) => format!("`{name}` belongs in [{}]", key.table),
            (None, None) => {
                let known = names.join(", ");
                format!(
                    "known keys: {known}; a key of a newer hintlint than {} needs that version",
                    env!("CARGO_PKG_VERSION")
                )
            }
        };
        self.problem(span, format!("unknown key `{name}` {place}"), Some(help));
    }

    fn section(&mut self, table: &str, inner: &dyn TableLike, config: &mut Config) {
        config.compile_configured |= table == "compile";
        config.search_configured |= table == "search";
        for (name, item) in inner.iter() {
            let Some(key) = KEYS.iter().find(|key| key.table == table && key.name == name) else {
                self.unknown_key(table, name, inner.key(name).and_then(toml_edit::Key::span));
                continue;
            };
            self.note_origin(table, name, item, config);
            if (table, name) == ("compile", "agents") {
                config.compile.agents = self.known_agents("compile.agents", item);
                continue;
            }
            let value = self.value(&format!("{table}.{name}"), key.kind, item);
            let Some(value) = value else { continue };
            match (table, name, value) {
                ("limits", "import-depth", ConfigValue::Number(n)) => config.limits.import_depth = n,
                ("limits", "context-bytes", ConfigValue::Number(n)) => config.limits.context_bytes = n,
                ("compile", "output", ConfigValue::String(s)) => match folder(&s) {
                    Some(output) => config.compile.output = output,
                    None => self.folder_problem(item, "compile.output"),
                },
                ("compile", "inherit", ConfigValue::Bool(b)) => config.compile.inherit = b,
                ("compile", "directories", ConfigValue::Strings(list)) => {
                    config.compile.directories.clear();
                    for directory in list {
                        match inside(&directory) {
                            Some(directory) => config.compile.directories.push(directory),
                            None => self.folder_problem(item, "compile.directories"),
                        }
                    }
                }
                ("plans", "paths", ConfigValue::Strings(list)) => config.plans = list,
                ("hooks", "loops", ConfigValue::Strings(list)) => config.loops = list,
                ("library", "paths", ConfigValue::Strings(list)) => config.library = list,
                ("baseline", "path", ConfigValue::String(s)) => match folder(&s) {
                    Some(path) => config.baseline = path,
                    None => self.baseline_problem(item),
                },
                ("packages", "path", ConfigValue::String(s)) => match folder(&s) {
                    Some(path) => config.packages = path,
                    None => self.folder_problem(item, "packages.path"),
                },
                ("search", "provider", ConfigValue::String(s)) => config.search.provider = s,
                ("search", "model", ConfigValue::String(s)) => config.search.model = Some(s).filter(|s| !s.is_empty()),
                ("search", "host", ConfigValue::String(s)) => config.search.host = Some(s).filter(|s| !s.is_empty()),
                ("dex", "enabled", ConfigValue::Bool(b)) => config.dex.enabled = b,
                ("dex", "filenames", ConfigValue::Strings(list)) => config.dex.filenames = list,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::finding::Level;

    fn problems(text: &str) -> Vec<String> {
        let error = Config::parse(&"hintlint.toml".into(), text).unwrap_err();
        let show = |problem: &ConfigProblem| {
            let help = problem.help.clone().unwrap_or_default();
            format!("{}: {} [{help}]", &text[problem.span.range()], problem.message)
        };
        error.problems.iter().map(show).collect()
    }

    #[test]
    fn a_full_config_is_read() {
        let text = "agents = [\"claude\"]\nexclude = [\"x/**\"]\n[rules]\nstale-path = \"warning\"\nunicode = \"off\"\n\
                    hidden-tags = { allow = [\"docs/**\"], level = \"info\" }\n[[overrides]]\npaths = [\"skills/**\"]\n\
                    rules = { references = \"off\" }\n[limits]\nimport-depth = 5\n[compile]\noutput = \"./out/\"\n";
        let config = Config::parse(&"hintlint.toml".into(), text).unwrap();
        assert_eq!(config.agents, Some(vec!["claude".to_owned()]));
        assert_eq!(config.rules[0].level, Some(Some(Level::Warning)));
        assert_eq!(config.rules[1].level, Some(None));
        assert_eq!(config.rules[2].allow, vec!["docs/**"]);
        assert_eq!(config.overrides[0].rules[0].name, "references");
        assert_eq!((config.limits.import_depth, config.compile.output.as_str()), (5, "out"));
        assert!(config.compile_configured);
    }

    #[test]
    fn problems_have_places_and_suggestions() {
        assert_eq!(
            problems("exlude = []\n"),
            ["exlude: unknown key `exlude` at the top level [did you mean `exclude`?]"]
        );
        assert_eq!(
            problems("inherit = true\n"),
            ["inherit: unknown key `inherit` at the top level [`inherit` belongs in [compile]]"]
        );
        assert_eq!(
            problems("[rules]\na = \"eror\"\nb = 3\n"),
            [
                "\"eror\": `a` has no level \"eror\" [did you mean \"error\"?]",
                "3: `b` must be a level or a table, not a number [write \"error\", \"warning\", \"info\" or \"off\", or { level = \"…\", allow = [\"…\"] }]"
            ]
        );
        assert_eq!(
            problems("agents = [\"cluade\"]\n"),
            ["\"cluade\": unknown agent \"cluade\" [did you mean \"claude\"?]"]
        );
        assert_eq!(
            problems("[compile]\nagents = [\"merged\", \"codx\"]\n"),
            ["\"codx\": unknown agent \"codx\" [did you mean \"codex\"?]"]
        );
        assert_eq!(
            problems("[limits]\nimport-depth = 0\n"),
            [
                "0: `limits.import-depth` must be a whole number above zero, not 0 [such as import-depth = 3, which is the default]"
            ]
        );
        assert_eq!(
            problems("agents = \"claude\"\nexclude = \"a\"\n"),
            [
                "\"claude\": `agents` must be \"auto\" or a list of names, not a string [write [\"claude\"]]",
                "\"a\": `exclude` must be a list of strings, not a string [write [\"a\"]]"
            ]
        );
        assert_eq!(problems("[compile]\noutput = \"../x\"\n").len(), 1);
        assert!(problems("exclude = [\n")[0].contains("not valid TOML"));
    }
}
