//! `hintlint search`: the library listed and searched. What an entry is and which ones answer is `library`'s business; the forms of
//! the output are those of the original program.

pub mod args;
mod select;

use std::fmt::Write as _;
use std::io::Write as _;

use serde_json::{Value, json};

use self::args::{KindArg, ListAllHintsArgs, ModelArgs, SearchArgs, ShowHintsArgs};
use self::select::{ModelSettings, RankedHints};
use super::Console;
use super::session::Session;
use crate::base::error::{Error, Failure};
use crate::base::sanitize;
use crate::base::text::thousands;
use crate::cli::args::{ConfigArgs, ListFormat, SourceArgs};
use crate::discover::Discovery;
use crate::engine::Repository;
use crate::library::{self, Catalogue, CatalogueEntry, CatalogueKind};
use crate::report::safe_json;

/// The width of the original's rules.
const WIDTH: usize = 80;

/// Run `hintlint search`; the answer is the exit code.
///
/// # Errors
/// When the question is empty, the repository cannot be read, or standard output cannot be written.
pub(crate) fn search(args: &SearchArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let library = Library::open(args.kind, &args.source, &args.config, console)?;
    if args.list {
        library.list(true, args.form.format, console)?;
        return Ok(library.code());
    }
    let found = library.find(&args.query, args.limit, &args.model, console)?;
    match args.form.format {
        ListFormat::Json => found_json(&args.query, &found, args.show_content, console)?,
        ListFormat::Text if found.entries.is_empty() => nothing(console)?,
        ListFormat::Text => {
            let mut out = format!("Found {} relevant hint file(s):\n\n", found.entries.len());
            names(found.entries.iter().map(|(entry, _)| *entry), &mut out);
            if !args.show_content {
                out.push_str("\nUse --show-content to display the full content of the hints.\n");
            }
            console.stdout.write_all(out.as_bytes())?;
            if args.show_content {
                contents(&found, console)?;
            }
        }
    }
    Ok(library.code())
}

/// Run `hintlint list-all-hints`, the original's listing; the answer is the exit code.
///
/// # Errors
/// When the repository cannot be read or standard output cannot be written.
pub(crate) fn list_all_hints(args: &ListAllHintsArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let library = Library::open(KindArg::Hint, &SourceArgs::default(), &args.config, console)?;
    library.list(args.verbose, ListFormat::Text, console)?;
    Ok(library.code())
}

/// Run `hintlint show-hints`, the original's search that prints the texts; the answer is the exit code.
///
/// # Errors
/// When the question is empty, the repository cannot be read, or standard output cannot be written.
pub(crate) fn show_hints(args: &ShowHintsArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let library = Library::open(KindArg::Hint, &SourceArgs::default(), &args.config, console)?;
    let found = library.find(&args.query, args.limit, &args.model, console)?;
    if found.entries.is_empty() {
        nothing(console)?;
        return Ok(library.code());
    }
    console.stdout.write_all(format!("Found {} relevant hint file(s):\n\n", found.entries.len()).as_bytes())?;
    let rule = "─".repeat(WIDTH);
    for (entry, _) in &found.entries {
        let mut head = format!("{rule}\n\nHint: {}\n", sanitize::line(&entry.name));
        if let Some(description) = &entry.description {
            let _ = writeln!(head, "{}", sanitize::line(description));
        }
        if let Some(relevant) = &entry.relevant_for {
            let _ = writeln!(head, "Relevant for: {}", sanitize::line(relevant));
        }
        let _ = writeln!(head, "\n{rule}");
        console.stdout.write_all(head.as_bytes())?;
        console.pass_on(entry.body().trim_ascii())?;
        console.stdout.write_all(format!("\n{rule}\n\n").as_bytes())?;
    }
    if let Some(tokens) = found.tokens {
        console.stdout.write_all(
            format!("Token Usage: {} tokens\n", thousands(usize::try_from(tokens).unwrap_or(usize::MAX))).as_bytes(),
        )?;
    }
    Ok(library.code())
}

/// The names of all hints.
///
/// # Errors
/// When the repository cannot be read.
pub(super) fn names_of_hints(console: &mut Console<'_>) -> Result<Vec<String>, Error> {
    let library = Library::open(KindArg::Hint, &SourceArgs::default(), &ConfigArgs::default(), console)?;
    Ok(library.catalogue.entries().iter().map(|entry| entry.name.clone()).collect())
}

/// One kind of a repository's library.
struct Library {
    catalogue: Catalogue,
    failures: Vec<Failure>,
    repository: Repository,
    settings: ModelSettings,
}

impl Library {
    fn open(
        kind: KindArg,
        source: &SourceArgs,
        config: &ConfigArgs,
        console: &mut Console<'_>,
    ) -> Result<Library, Error> {
        let Session { mut repository, reached, .. } = Session::open(console, &[], source, config)?;
        let settings = ModelSettings::read(&mut repository, config, console)?;
        let discovery = Discovery::new(&repository.config).map_err(|bad| repository.bad_pattern(&bad))?;
        let library::ReadLibrary { catalogue, failures } = library::read(repository.source(), &discovery, kind.into());
        for failure in &failures {
            console.note(&format!("{}: {}", reached.path(&failure.path), failure.message));
        }
        Ok(Library { catalogue, failures, repository, settings })
    }

    /// The exit code: a file that could not be read costs 2 and hides nothing.
    fn code(&self) -> u8 {
        if self.failures.is_empty() { 0 } else { 2 }
    }

    /// The entries that answer the question, best first: those that a model selects, or by words.
    fn find(
        &self,
        question: &str,
        limit: usize,
        model: &ModelArgs,
        console: &mut Console<'_>,
    ) -> Result<RankedHints<'_>, Error> {
        if question.trim().is_empty() {
            return Err(Error::failed("Search query is required", "hintlint search \"How do I …?\""));
        }
        self.settings.select(&self.repository, &self.catalogue, (question, limit), model, console)
    }

    fn list(&self, is_verbose: bool, format: ListFormat, console: &mut Console<'_>) -> Result<(), Error> {
        let entries = self.catalogue.entries();
        if format == ListFormat::Json {
            let hints: Vec<Value> = entries.iter().map(entry_json).collect();
            safe_json::write(&json!({"version": 1, "hints": hints}), &mut console.stdout)?;
            return Ok(());
        }
        let mut out = String::new();
        if entries.is_empty() {
            out.push_str("No hint files found.\n");
        } else {
            let _ = write!(out, "Found {} hint file(s):\n\n", entries.len());
        }
        match is_verbose {
            true => described(entries, &mut out),
            false if entries.is_empty() => {}
            false => {
                names(entries, &mut out);
                out.push_str("\nUse --verbose to see descriptions and relevance criteria.\n");
                out.push_str("Use \"hintlint show-hints\" to see full content of all hints.\n");
            }
        }
        console.stdout.write_all(out.as_bytes())?;
        Ok(())
    }
}

fn nothing(console: &mut Console<'_>) -> Result<(), Error> {
    Ok(console.stdout.write_all(b"No relevant hints found for your query.\n")?)
}

fn names<'e>(entries: impl IntoIterator<Item = &'e CatalogueEntry>, out: &mut String) {
    for (index, entry) in entries.into_iter().enumerate() {
        let _ = writeln!(out, "{}. {}", index + 1, sanitize::line(&entry.name));
    }
}

fn described(entries: &[CatalogueEntry], out: &mut String) {
    for (index, entry) in entries.iter().enumerate() {
        let separator = if index > 0 { "\n" } else { "" };
        let description = entry.description.as_deref().unwrap_or("No description available");
        let _ = writeln!(out, "{separator}{}. {}", index + 1, sanitize::line(&entry.name));
        let _ = writeln!(out, "   {}", sanitize::line(description));
        if let Some(relevant) = &entry.relevant_for {
            let _ = writeln!(out, "   Relevant for: {}", sanitize::line(relevant));
        }
    }
}

/// The files of the hits, whole.
fn contents(found: &RankedHints<'_>, console: &mut Console<'_>) -> Result<(), Error> {
    console.stdout.write_all(format!("\n{}\n\n", "=".repeat(WIDTH)).as_bytes())?;
    for (index, (entry, _)) in found.entries.iter().enumerate() {
        if index > 0 {
            console.stdout.write_all(format!("\n{}\n\n", "-".repeat(WIDTH)).as_bytes())?;
        }
        let head = format!("Hint {}: {}\n\n", index + 1, sanitize::line(&entry.name));
        console.stdout.write_all(head.as_bytes())?;
        console.pass_on(&entry.bytes)?;
        console.stdout.write_all(b"\n")?;
    }
    Ok(())
}

fn entry_json(entry: &CatalogueEntry) -> Value {
    json!({
        "name": entry.name, "description": entry.description, "relevant_for": entry.relevant_for,
        "path": safe_json::path(&entry.path), "kind": entry.kind.name(),
    })
}

fn found_json(
    query: &str,
    found: &RankedHints<'_>,
    with_content: bool,
    console: &mut Console<'_>,
) -> Result<(), Error> {
    let hit = |(entry, score): &(&CatalogueEntry, Option<f64>)| {
        let mut value = entry_json(entry);
        value["score"] = json!(score);
        if with_content {
            value["content"] = json!(entry.text());
        }
        value
    };
    let hints: Vec<Value> = found.entries.iter().map(hit).collect();
    let mut answer = json!({"version": 1, "query": query, "count": hints.len(), "hints": hints});
    if let Some(tokens) = found.tokens {
        answer["tokens"] = json!(tokens);
    }
    safe_json::write(&answer, &mut console.stdout)?;
    Ok(())
}

impl From<KindArg> for CatalogueKind {
    fn from(kind: KindArg) -> CatalogueKind {
        match kind {
            KindArg::Hint => CatalogueKind::Hint,
            KindArg::Skill => CatalogueKind::Skill,
            KindArg::Package => CatalogueKind::Package,
            KindArg::Rule => CatalogueKind::Rule,
        }
    }
}
