//! `hintlint config`: the config in force, and where each value comes from.

use std::io::Write as _;

use clap::{Args, CommandFactory as _};
use serde_json::{Value, json};

use super::Console;
use super::session::Session;
use crate::base::error::Error;
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::base::text::{LineIndex, Span};
use crate::cli::args::{Cli, ConfigArgs, ListArgs, ListFormat, SourceArgs};
use crate::config::{Config, ConfigKey, KEYS, KeyKind, Override, RuleSetting};
use crate::engine::NamedFile;
use crate::report::safe_json;

/// `hintlint config`
#[derive(Clone, Debug, Default, Args)]
pub struct ConfigShowArgs {
    /// Of which state the config is shown.
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The form of the list.
    #[command(flatten)]
    pub(crate) form: ListArgs,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When the config cannot be read, or standard output cannot be written.
pub(crate) fn config(args: &ConfigShowArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let session = Session::open(console, &[], &args.source, &args.config)?;
    let shown = ShownConfig {
        config: &session.repository.config,
        files: &session.repository.config_files(),
        chosen: chosen(&args.config, console),
        environment: environment(console),
    };
    match args.form.format {
        ListFormat::Text => console.stdout.write_all(shown.text().as_bytes())?,
        ListFormat::Json => safe_json::write(&shown.json(), &mut console.stdout)?,
    }
    for note in &session.repository.config.notes {
        console.note(note);
    }
    Ok(0)
}

/// The option or variable that chose the config; `None` for the repository's own.
fn chosen(args: &ConfigArgs, console: &Console<'_>) -> Option<&'static str> {
    let named = args.config.as_ref().map(|file| file.as_os_str().to_string_lossy().into_owned());
    match named {
        _ if args.no_config => Some("--no-config"),
        Some(file) if console.env.get("HINTLINT_CONFIG") == Some(&file) => Some("HINTLINT_CONFIG"),
        Some(_) => Some("--config"),
        None => None,
    }
}

/// The variables that are set and stand for an option of `check`: the name, the value, the option.
fn environment(console: &Console<'_>) -> Vec<(String, String, String)> {
    let program = Cli::command();
    let options = program.get_arguments().filter_map(|arg| {
        let name = arg.get_env()?.to_str()?.to_owned();
        let value = console.env.get(&name)?.to_owned();
        Some((name, value, format!("--{}", arg.get_long()?)))
    });
    options.collect()
}

/// What is shown.
struct ShownConfig<'c> {
    config: &'c Config,
    files: &'c [NamedFile],
    chosen: Option<&'static str>,
    environment: Vec<(String, String, String)>,
}

impl ShownConfig<'_> {
    /// The line of a place in a config file.
    fn line(&self, file: &RepoPath, span: Span) -> usize {
        let text = self.files.iter().find(|(path, _)| path == file).map(|(_, bytes)| bytes);
        text.map_or(1, |bytes| LineIndex::new(bytes).line_of(span.start.min(bytes.len())) + 1)
    }

    fn place(&self, file: &RepoPath, span: Span) -> String {
        format!("{}:{}", sanitize::path(file), self.line(file, span))
    }

    fn place_json(&self, file: &RepoPath, span: Span) -> Value {
        json!({"path": safe_json::path(file), "line": self.line(file, span)})
    }

    /// The keys that have one value.
    fn values(&self) -> impl Iterator<Item = (&'static ConfigKey, Value, Option<&(RepoPath, Span)>)> {
        let keys = KEYS.iter().filter(|key| !matches!(key.kind, KeyKind::Rules | KeyKind::Overrides));
        keys.map(|key| (key, self.config.value(key.table, key.name), self.config.origin(key.table, key.name)))
    }

    /// TOML that says the same, with the origins as comments.
    fn text(&self) -> String {
        let mut text = String::new();
        match self.chosen {
            Some("--no-config") => text.push_str("# no config is read because of --no-config\n"),
            Some(by) => text.push_str(&format!("# {by} names the config\n")),
            None if self.files.is_empty() => text.push_str("# no config file; the defaults apply\n"),
            None => {}
        }
        let mut tables = String::new();
        let mut table = "";
        for (key, value, origin) in self.values() {
            let origin = origin.map_or("default".to_owned(), |(file, span)| self.place(file, *span));
            let line = format!("{} = {}  # {origin}\n", key.name, toml(&value));
            if key.table.is_empty() {
                text.push_str(&line);
                continue;
            }
            if key.table != table {
                table = key.table;
                tables.push_str(&format!("\n[{table}]\n"));
            }
            tables.push_str(&line);
        }
        if !self.config.rules.is_empty() {
            text.push_str("\n[rules]\n");
            self.config.rules.iter().for_each(|rule| text.push_str(&self.rule(rule)));
        }
        for Override { paths, file, span, rules } in &self.config.overrides {
            text.push_str(&format!("\n[[overrides]]  # {}\n", self.place(file, *span)));
            text.push_str(&format!("paths = {}\n[overrides.rules]\n", toml(&json!(paths))));
            rules.iter().for_each(|rule| text.push_str(&self.rule(rule)));
        }
        text.push_str(&tables);
        if !self.environment.is_empty() {
            text.push_str("\n# environment\n");
        }
        for (name, value, option) in &self.environment {
            text.push_str(&format!("# {name}={} sets {option}\n", sanitize::line(value)));
        }
        text
    }

    fn rule(&self, rule: &RuleSetting) -> String {
        let name = toml_key(&rule.name);
        format!("{name} = {}  # {}\n", toml(&rule.value()), self.place(&rule.file, rule.span))
    }

    fn json(&self) -> Value {
        let value = |(key, value, origin): (&ConfigKey, Value, Option<&(RepoPath, Span)>)| {
            let origin = origin.map(|(file, span)| self.place_json(file, *span));
            json!({"table": key.table, "key": key.name, "value": value, "origin": origin})
        };
        let rule = |rule: &RuleSetting| {
            let origin = self.place_json(&rule.file, rule.span);
            json!({"name": rule.name, "level": rule.level_name(), "allow": rule.allow, "origin": origin})
        };
        let table = |table: &Override| {
            let rules: Vec<Value> = table.rules.iter().map(rule).collect();
            json!({"paths": table.paths, "rules": rules, "origin": self.place_json(&table.file, table.span)})
        };
        let variable =
            |(name, value, option): &(String, String, String)| json!({"name": name, "value": value, "option": option});
        json!({
            "version": 1,
            "files": self.files.iter().map(|(path, _)| safe_json::path(path)).collect::<Vec<_>>(),
            "chosen_by": self.chosen,
            "values": self.values().map(value).collect::<Vec<_>>(),
            "rules": self.config.rules.iter().map(rule).collect::<Vec<_>>(),
            "overrides": self.config.overrides.iter().map(table).collect::<Vec<_>>(),
            "environment": self.environment.iter().map(variable).collect::<Vec<_>>(),
        })
    }
}

/// A value as TOML, on one line. JSON's strings, numbers and lists are TOML's; tables are not.
fn toml(value: &Value) -> String {
    match value {
        Value::Object(table) => {
            let entries: Vec<String> = table.iter().map(|(key, value)| format!("{key} = {}", toml(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(toml).collect::<Vec<_>>().join(", ")),
        // JSON writes what lies beyond its first plane as two escapes, which TOML does not have.
        Value::String(text) => format!("{:?}", sanitize::line(text)).replace("\\u{", "\\\\u{"),
        value => safe_json::line(value),
    }
}

fn toml_key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { toml(&json!(name)) }
}
