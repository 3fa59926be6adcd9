//! Reading `hintlint.toml`: each value checked, each problem with its place, all problems at once.

use std::ops::Range;

use toml_edit::{Item, TableLike, Value};

use super::extends::dotted;
use super::keys::{KEYS, Key, KeyKind, names_in, nearest};
use super::{Config, KEYWORD, Override, RuleSetting};
use crate::base::error::{ConfigError, ConfigProblem};
use crate::base::finding::Level;
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
    let mut reader = Reader { path, text, problems: Vec::new() };
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

struct Reader<'t> {
    path: &'t RepoPath,
    text: &'t str,
    problems: Vec<ConfigProblem>,
}

impl Reader<'_> {
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
        let is_value = |key: &&Key| !matches!(key.kind, KeyKind::Rules | KeyKind::Overrides);
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
                    "known here: {known}; a key of a newer hintlint than {} needs that one",
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
                ("limits", "import-depth", Read::Number(n)) => config.limits.import_depth = n,
                ("limits", "context-bytes", Read::Number(n)) => config.limits.context_bytes = n,
                ("compile", "output", Read::String(s)) => match folder(&s) {
                    Some(output) => config.compile.output = output,
                    None => self.folder_problem(item, "compile.output"),
                },
                ("compile", "inherit", Read::Bool(b)) => config.compile.inherit = b,
                ("compile", "directories", Read::Strings(list)) => {
                    config.compile.directories.clear();
                    for directory in list {
                        match inside(&directory) {
                            Some(directory) => config.compile.directories.push(directory),
                            None => self.folder_problem(item, "compile.directories"),
                        }
                    }
                }
                ("plans", "paths", Read::Strings(list)) => config.plans = list,
                ("hooks", "loops", Read::Strings(list)) => config.loops = list,
                ("library", "paths", Read::Strings(list)) => config.library = list,
                ("baseline", "path", Read::String(s)) => match folder(&s) {
                    Some(path) => config.baseline = path,
                    None => self.baseline_problem(item),
                },
                ("packages", "path", Read::String(s)) => match folder(&s) {
                    Some(path) => config.packages = path,
                    None => self.folder_problem(item, "packages.path"),
                },
                ("search", "provider", Read::String(s)) => config.search.provider = s,
                ("search", "model", Read::String(s)) => config.search.model = Some(s).filter(|s| !s.is_empty()),
                ("search", "host", Read::String(s)) => config.search.host = Some(s).filter(|s| !s.is_empty()),
                ("dex", "enabled", Read::Bool(b)) => config.dex.enabled = b,
                ("dex", "filenames", Read::Strings(list)) => config.dex.filenames = list,
                _ => {}
            }
        }
    }

    fn folder_problem(&mut self, item: &Item, name: &str) {
        let help = "write a path below the repository root, such as \".hintlint/context\"".to_owned();
        self.problem(item.span(), format!("`{name}` must name a folder inside the repository"), Some(help));
    }

    fn baseline_problem(&mut self, item: &Item) {
        let help = "write a path below the repository root, such as \".hintlint/baseline.json\"".to_owned();
        self.problem(item.span(), "`baseline.path` must name a file inside the repository".to_owned(), Some(help));
    }

    fn value(&mut self, name: &str, kind: KeyKind, item: &Item) -> Option<Read> {
        let wrong = |reader: &mut Self, wanted: &str| {
            // "a whole number, not a number" would help nobody.
            let found = item.as_integer().map_or_else(|| describe(item).to_owned(), |number| number.to_string());
            let default = KEYS.iter().find(|key| name.strip_prefix(key.table) == Some(&format!(".{}", key.name)));
            let help = default.map(|key| format!("such as {} = {}, which is the default", key.name, key.default));
            reader.problem(item.span(), format!("`{name}` must be {wanted}, not {found}"), help);
            None
        };
        match kind {
            KeyKind::String => match item.as_str() {
                Some(text) => Some(Read::String(text.to_owned())),
                None => wrong(self, "a string"),
            },
            KeyKind::Choice(words) => match item.as_str() {
                Some(text) if words.contains(&text) => Some(Read::String(text.to_owned())),
                Some(text) => {
                    let help = match nearest(text, words.iter().copied()) {
                        Some(near) => format!("did you mean \"{near}\"?"),
                        None => format!("known here: {}", words.join(", ")),
                    };
                    self.problem(item.span(), format!("`{name}` cannot be {text:?}"), Some(help));
                    None
                }
                None => wrong(self, "a string"),
            },
            KeyKind::Strings => {
                Some(Read::Strings(self.spanned_strings(name, item).into_iter().map(|(text, _)| text).collect()))
            }
            KeyKind::Number => match item.as_integer().and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0) {
                Some(number) => Some(Read::Number(number)),
                None => wrong(self, "a whole number above zero"),
            },
            KeyKind::Bool => match item.as_bool() {
                Some(truth) => Some(Read::Bool(truth)),
                None => wrong(self, "true or false"),
            },
            KeyKind::Agents | KeyKind::Rules | KeyKind::Overrides => None,
        }
    }

    fn spanned_strings(&mut self, name: &str, item: &Item) -> Vec<(String, Span)> {
        let Some(array) = item.as_array() else {
            let help = item.as_str().map(|text| format!("write [{text:?}]"));
            self.problem(item.span(), format!("`{name}` must be a list of strings, not {}", describe(item)), help);
            return Vec::new();
        };
        let mut strings = Vec::new();
        for value in array.iter() {
            match value.as_str() {
                Some(text) => strings.push((text.to_owned(), clip(value.span(), self.text))),
                None => self.problem(value.span(), format!("`{name}` must be a list of strings"), None),
            }
        }
        strings
    }

    fn agents(&mut self, item: &Item) -> Option<Vec<String>> {
        if item.as_str() == Some("auto") {
            return None;
        }
        if item.as_array().is_none() {
            let message = format!("`agents` must be \"auto\" or a list of names, not {}", describe(item));
            let help = item.as_str().map(|name| format!("write [{name:?}]"));
            self.problem(item.span(), message, help);
            return None;
        }
        Some(self.known_agents("agents", item))
    }

    /// The names of agents in a list; each that nobody has is a problem.
    fn known_agents(&mut self, key: &str, item: &Item) -> Vec<String> {
        let mut agents = Vec::new();
        for (name, span) in self.spanned_strings(key, item) {
            if crate::agents::by_id(&name).is_some() {
                agents.push(name);
                continue;
            }
            let known = crate::agents::ids;
            let help = match nearest(&name, known()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("known agents: {}", known().collect::<Vec<_>>().join(", ")),
            };
            self.problem(Some(span.range()), format!("unknown agent {name:?}"), Some(help));
        }
        agents
    }

    fn rules(&mut self, table: &dyn TableLike) -> Vec<RuleSetting> {
        let mut settings = Vec::new();
        for (name, item) in table.iter() {
            let span = clip(table.key(name).and_then(toml_edit::Key::span), self.text);
            let mut setting = RuleSetting::new(name, self.path, span);
            if let Some(text) = item.as_str() {
                setting.level = self.level(name, text, item.span());
            } else if let Some(inner) = item.as_table_like() {
                self.rule_table(name, inner, &mut setting);
            } else {
                let message = format!("`{name}` must be a level or a table, not {}", describe(item));
                let help = "write \"error\", \"warning\", \"info\" or \"off\", or { level = \"…\", allow = [\"…\"] }";
                self.problem(item.span(), message, Some(help.into()));
            }
            settings.push(setting);
        }
        settings
    }

    fn rule_table(&mut self, rule: &str, table: &dyn TableLike, setting: &mut RuleSetting) {
        for (name, item) in table.iter() {
            match name {
                "level" => match item.as_str() {
                    Some(text) => setting.level = self.level(rule, text, item.span()),
                    None => self.problem(item.span(), format!("the level of `{rule}` must be a string"), None),
                },
                "allow" => {
                    setting.allow = self.spanned_strings("allow", item).into_iter().map(|(text, _)| text).collect();
                }
                _ => {
                    let help = match nearest(name, ["level", "allow"]) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "known here: level, allow".to_owned(),
                    };
                    let span = table.key(name).and_then(toml_edit::Key::span);
                    self.problem(span, format!("unknown key `{name}` in the settings of `{rule}`"), Some(help));
                }
            }
        }
    }

    fn level(&mut self, rule: &str, text: &str, span: Option<Range<usize>>) -> Option<Option<Level>> {
        match text {
            "error" => Some(Some(Level::Error)),
            "warning" => Some(Some(Level::Warning)),
            "info" => Some(Some(Level::Info)),
            "off" => Some(None),
            _ => {
                let help = match nearest(text, ["error", "warning", "info", "off"]) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => "a level is \"error\", \"warning\", \"info\" or \"off\"".to_owned(),
                };
                self.problem(span, format!("`{rule}` has no level {text:?}"), Some(help));
                None
            }
        }
    }

    fn overrides(&mut self, item: &Item) -> Vec<Override> {
        let tables: Vec<&dyn TableLike> = match (item.as_array_of_tables(), item.as_array()) {
            (Some(tables), _) => tables.iter().map(|table| table as &dyn TableLike).collect(),
            (None, Some(array)) if array.iter().all(Value::is_inline_table) => {
                array.iter().filter_map(|value| value.as_inline_table().map(|t| t as &dyn TableLike)).collect()
            }
            _ => {
                let message = format!("`overrides` must be a list of tables, not {}", describe(item));
                self.problem(item.span(), message, Some("write each one as [[overrides]]".into()));
                return Vec::new();
            }
        };
        tables.into_iter().map(|table| self.one_override(table, item)).collect()
    }

    fn one_override(&mut self, table: &dyn TableLike, whole: &Item) -> Override {
        let first_key = table.iter().next().and_then(|(name, _)| table.key(name)).and_then(toml_edit::Key::span);
        let span = clip(first_key.clone().or(whole.span()), self.text);
        let mut this = Override { paths: Vec::new(), file: self.path.clone(), span, rules: Vec::new() };
        for (name, item) in table.iter() {
            match name {
                "paths" => {
                    let paths = self.spanned_strings("paths", item);
                    this.span = paths.first().map_or(this.span, |(_, span)| *span);
                    this.paths = paths.into_iter().map(|(text, _)| text).collect();
                }
                "rules" => match item.as_table_like() {
                    Some(rules) => this.rules = self.rules(rules),
                    None => self.problem(item.span(), "`rules` must be a table".into(), None),
                },
                _ => {
                    let help = match nearest(name, ["paths", "rules"]) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "known here: paths, rules".to_owned(),
                    };
                    let span = table.key(name).and_then(toml_edit::Key::span);
                    self.problem(span, format!("unknown key `{name}` in [[overrides]]"), Some(help));
                }
            }
        }
        if this.paths.is_empty() {
            let help = "add paths = [\"some/folder/**\"]".to_owned();
            self.problem(first_key, "this override names no paths".into(), Some(help));
        }
        this
    }
}

enum Read {
    String(String),
    Strings(Vec<String>),
    Number(usize),
    Bool(bool),
}

/// A repository-relative folder other than the root, without `.`; `None` if it leads out.
fn folder(text: &str) -> Option<String> {
    inside(text).filter(|path| !path.is_empty())
}

fn inside(text: &str) -> Option<String> {
    if text.starts_with('/') || text.contains('\\') || text.contains('\0') {
        return None;
    }
    String::from_utf8(crate::base::path::resolve(b"", text.as_bytes())?).ok()
}

fn describe(item: &Item) -> &'static str {
    match item.type_name() {
        "string" => "a string",
        "integer" => "a number",
        "float" => "a number",
        "boolean" => "true or false",
        "array" => "a list",
        "table" | "inline table" => "a table",
        "array of tables" => "a list of tables",
        _ => "this",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
