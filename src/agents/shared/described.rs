//! An agent's table in words, for the pages about agents.

use crate::agents::files::PathSet;
use crate::agents::{Boundary, Choice, Dialect, Invisible, RootMark, Walk};
use crate::base::kind::Kind;
use crate::parse::imports::Grammar;

/// Where its table and the fields of its files are known from, each source once.
pub(crate) fn sources(dialect: &Dialect) -> Vec<&'static str> {
    let schemas = dialect.files.hints.iter().filter_map(|hint| match hint.kind {
        Kind::Of(kind) => kind.fields,
        _ => None,
    });
    let mut sources = Vec::new();
    for evidence in dialect.evidence.iter().chain(schemas.flat_map(|schema| schema.evidence)) {
        if !sources.contains(&evidence.source) {
            sources.push(evidence.source);
        }
    }
    sources
}

/// What an agent loads, as pairs of a topic and a phrase. What its table leaves open has no pair.
pub(crate) fn described(dialect: &Dialect) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let mut say = |topic, phrase: String| {
        if !phrase.is_empty() {
            rows.push((topic, phrase));
        }
    };
    say("files", names(dialect));
    say("directories", walk(dialect));
    say("rules", rules(dialect));
    say("your own files, below your home", coded(dialect.user_files, ", "));
    say("imports", imports(dialect));
    say("limit", dialect.max_bytes.map_or(String::new(), |max| format!("{max} bytes for all project files together")));
    say("text", treatment(dialect));
    say("skills", skills(dialect));
    say("settings that decide", coded(&[dialect.files.settings, dialect.files.ignore_files].concat(), ", "));
    say("signs in a repository", coded(&[dialect.files.signs, dialect.files.run_signs].concat(), ", "));
    say("placed", dialect.placement.to_owned());
    rows
}

/// Names in backticks.
fn coded(names: &[&str], between: &str) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
}

fn names(dialect: &Dialect) -> String {
    let names = coded(dialect.names, ", ");
    let choice = match dialect.choice {
        _ if dialect.names.len() < 2 => String::new(),
        Choice::All => "all of them".to_owned(),
        Choice::FirstInDirectory => "the first that exists in a directory".to_owned(),
        Choice::FirstOnWalk => "the first that any directory has, in each of them".to_owned(),
        Choice::FirstSetWithText(first) => format!("the first {first}; the others where these hold no text"),
    };
    let case = if dialect.ignores_case { "in any case of letters" } else { "" };
    [names, choice, case.to_owned()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

fn walk(dialect: &Dialect) -> String {
    if dialect.names.is_empty() {
        return String::new();
    }
    let root = match dialect.root {
        RootMark::None => "",
        RootMark::Git => " (the folder with `.git`)",
        RootMark::GitDirectory => " (the folder with a directory `.git`)",
        RootMark::GitUnlinked => " (the folder with a `.git` that is no link)",
        RootMark::GitChecked => " (the folder with a `.git` that looks like git's own)",
        RootMark::GitProgram => " (the one that the git program finds)",
    };
    match dialect.walk {
        Walk::Root => format!("from the root{root} down to where it starts"),
        Walk::RootOrFileSystem => format!("from the root{root}, or without one from `/`, down to where it starts"),
        Walk::FileSystem => "from `/` down to where it starts".to_owned(),
        Walk::AboveRoot => format!("from the directory above the root{root} down to where it starts"),
    }
}

/// Folders of rules, and what else lies at a fixed place.
fn rules(dialect: &Dialect) -> String {
    let mut places: Vec<String> = dialect
        .rules
        .iter()
        .map(|rules| format!("`{}/**/*{}`, conditional by `{}`", rules.path, rules.suffix, rules.key))
        .collect();
    for hint in dialect.files.hints {
        let place = match hint.place {
            PathSet::Below(folder, ending) => {
                format!("`{folder}**{}{ending}`", if ending.is_empty() { "" } else { "/*" })
            }
            PathSet::End(path) => format!("`{path}`"),
            PathSet::NamePrefix(prefix) => format!("`{prefix}*`"),
            PathSet::Name(_) | PathSet::NameInAnyCase(_) => continue,
        };
        if !dialect.rules.iter().any(|rules| place.starts_with(&format!("`{}/", rules.path)))
            && !places.contains(&place)
        {
            places.push(place);
        }
    }
    places.join(", ")
}

fn imports(dialect: &Dialect) -> String {
    let Some(imports) = &dialect.imports else { return "none".to_owned() };
    let grammar = match imports.grammar {
        Grammar::TextLeaves => "`@path` in Markdown text",
        Grammar::AfterBlank => "`@path` after a blank, outside backticks",
        Grammar::AfterBlankInProse => "`@path` after a blank, outside code",
        Grammar::Anywhere => "`@path` anywhere, also in code and comments",
        Grammar::PathLike => "`@path` with a `.` or `/`, outside code",
        Grammar::WholeLine => "a line that is only `@path`",
        Grammar::Prose => "`@path` outside code and comments",
    };
    let boundary = match imports.boundary {
        Boundary::Root => "the root",
        Boundary::RootOfFile => "the root of the file that imports",
        Boundary::Start => "the directory where it starts",
    };
    let depth = if imports.depth > 1000 { "any depth".to_owned() } else { format!("{} deep", imports.depth) };
    let extensions = match imports.extensions {
        Some(known) if known.len() > 12 => format!(", files without an extension or with one of {}", known.len()),
        Some(known) => format!(", extensions {} only", coded(known, " ")),
        None => String::new(),
    };
    format!("{grammar}; {depth}, inside {boundary}{extensions}")
}

fn treatment(dialect: &Dialect) -> String {
    let frontmatter = dialect.text.drops_frontmatter.then_some("frontmatter is taken out");
    let invisible = match dialect.text.invisible {
        Invisible::Kept => "hidden characters stay",
        Invisible::NfcThenWithout(_) | Invisible::WithoutThenNfc(_) => "some hidden characters are taken out",
        Invisible::Sanitized => "hidden characters are taken out",
    };
    frontmatter.into_iter().chain([invisible]).collect::<Vec<_>>().join("; ")
}

fn skills(dialect: &Dialect) -> String {
    dialect.files.skills.as_ref().map_or(String::new(), |skills| coded(skills.folders, ", "))
}
