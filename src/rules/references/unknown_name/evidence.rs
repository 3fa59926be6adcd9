//! Which names of a text are open to judgement, and what the names around them say: of a list most of whose entries are there, the
//! others are wrong.

use std::collections::{BTreeMap, BTreeSet};

use super::catalogue::KnownNames;
use super::elsewhere::{
    comes_from_a_plugin, is_brought, is_defined_by_its_line, is_in_another_column, is_made_by_the_text,
    speaks_of_others,
};
use super::spoken::{Form, Spoken, What};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::placeholder::is_placeholder;
use crate::workspace::mentions;

/// Entries of a list of commands that must be there, at least: a slash says what is meant.
const MIN_COMMANDS: usize = 2;
/// The same for names without one, of which there must be twice as many as of unknown ones.
const MIN_NAMES: usize = 3;

/// Those of `all` the names in `document` that nobody has, what each is the name of, and whether the list around it proves it wrong.
pub(super) fn judged(document: &Document, all: &[Spoken], catalogue: &KnownNames) -> Vec<(What, Spoken, bool)> {
    let mut blocks: BTreeMap<(usize, bool), Vec<&Spoken>> = BTreeMap::new();
    for spoken in all {
        if let Form::Listed(block) = spoken.form {
            blocks.entry((block, spoken.what.is_some())).or_default().push(spoken);
        }
    }
    let commands: Vec<&Spoken> = blocks
        .iter()
        .filter(|((_, is_command), block)| {
            *is_command && block.iter().any(|spoken| catalogue.has_own(What::Command, &spoken.name))
        })
        .flat_map(|(_, block)| block.iter().copied())
        .collect();
    let are_commands = is_catalogue(document, catalogue, &commands);
    let dollars: Vec<&Spoken> = all.iter().filter(|spoken| spoken.form == Form::Dollar).collect();
    let unknown = dollars.iter().filter(|spoken| is_open(document, catalogue, What::Skill, spoken));
    let unknown = unknown.map(|spoken| spoken.name.as_str()).collect();
    let are_skills = is_proof(&dollars, catalogue, What::Skill, &unknown);
    let mut found = Vec::new();
    for ((_, is_command), block) in &blocks {
        let open = |what: What| block.iter().filter(move |spoken| is_open(document, catalogue, what, spoken));
        let what = if *is_command { Some(What::Command) } else { list_of(block, catalogue) };
        let Some(what) = what else { continue };
        let listed = is_proof(block, catalogue, what, &open(what).map(|spoken| spoken.name.as_str()).collect());
        let has_own = block.iter().any(|spoken| catalogue.has_own(what, &spoken.name));
        let listed = listed || *is_command && are_commands && has_own;
        found.extend(open(what).map(|&spoken| (what, spoken.clone(), listed)));
    }
    let lists: BTreeSet<Span> = found.iter().map(|(_, spoken, _)| spoken.span).collect();
    let others = all.iter().filter(|spoken| !matches!(spoken.form, Form::Listed(_)) && !lists.contains(&spoken.span));
    for spoken in others {
        if spoken.form == Form::Bare {
            let kinds = [What::Subagent, What::Skill];
            let is_open = kinds.iter().all(|what| is_open(document, catalogue, *what, spoken));
            found.extend(kinds.into_iter().filter(|_| is_open).map(|what| (what, spoken.clone(), false)));
            continue;
        }
        let Some(what) = spoken.what.filter(|what| is_open(document, catalogue, *what, spoken)) else { continue };
        if spoken.form == Form::Dollar {
            found.push((what, spoken.clone(), are_skills));
            continue;
        }
        let siblings = || all.iter().filter(|other| other.form == Form::FieldList && other.span != spoken.span);
        let listed = spoken.form == Form::FieldList && siblings().any(|other| catalogue.has_own(what, &other.name));
        found.push((what, spoken.clone(), listed));
    }
    found.sort_by_key(|(_, spoken, _)| spoken.span.start);
    found
}

/// Whether no such thing exists, and the text treats it as existing.
fn is_open(document: &Document, catalogue: &KnownNames, what: What, spoken: &Spoken) -> bool {
    // A field takes the whole name of a file: `java.planner` is that of `java.planner.agent.md`.
    !spoken.name.contains(':')
        && (spoken.form == Form::Field || !spoken.name.contains('.'))
        && !catalogue.has(what, &spoken.name)
        && !is_placeholder(&spoken.name)
        && !matches!(spoken.name.as_str(), "name" | "command" | "skill" | "agent" | "your-command")
        && !speaks_of_others(document, spoken.span)
        && !is_brought(document, &spoken.name)
        && !is_in_another_column(document, spoken.span)
        && !is_made_by_the_text(document, &spoken.name)
        && !comes_from_a_plugin(document, &what.shown(&spoken.name))
        && !(what == What::Command && is_defined_by_its_line(document, spoken.span))
        && (is_field(spoken) || !is_doubted(document, spoken.span))
        && !is_skill_of_a_field(catalogue, what, spoken)
}

/// Whether a field names a skill where agents take a subagent: frameworks of their own have such fields.
fn is_skill_of_a_field(catalogue: &KnownNames, what: What, spoken: &Spoken) -> bool {
    what == What::Subagent && spoken.form == Form::Field && catalogue.has(What::Skill, &spoken.name)
}

/// Whether the name is the value of a field, which no sentence around it denies.
fn is_field(spoken: &Spoken) -> bool {
    matches!(spoken.form, Form::Field | Form::FieldList)
}

/// Whether the text denies the name or gives it as an example. The quotes of a call make no example of it.
fn is_doubted(document: &Document, span: Span) -> bool {
    let span = with_slash(document, span);
    match document.text[..span.start].ends_with(['"', '\'']) {
        true => mentions::is_denied(document, span),
        false => mentions::is_doubted(document, span),
    }
}

/// The name at `span` with the slash and the namespace by which it is called, where words may stand before these.
pub(super) fn with_slash(document: &Document, span: Span) -> Span {
    if document.markdown.fence_at(span.start).is_some() {
        return span;
    }
    let before = &document.text[..span.start];
    let bare = before.trim_end_matches(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_:".contains(c));
    let before = if before.ends_with(':') { bare } else { before };
    Span::new(before.strip_suffix('/').map_or(span.start, str::len), span.end)
}

/// What the names of a list without slashes are: of the kind of which most are there.
fn list_of(block: &[&Spoken], catalogue: &KnownNames) -> Option<What> {
    let there = |what: What| block.iter().filter(|spoken| catalogue.proves(what, &spoken.name)).count();
    let (subagents, skills) = (there(What::Subagent), there(What::Skill));
    // Some are both.
    (subagents != skills).then_some(if subagents > skills { What::Subagent } else { What::Skill })
}

/// Whether enough names of a block exist to conclude that the `unknown` ones do not.
fn is_proof(block: &[&Spoken], catalogue: &KnownNames, what: What, unknown: &BTreeSet<&str>) -> bool {
    let names: BTreeSet<&str> = block.iter().map(|spoken| spoken.name.as_str()).collect();
    let there = names.iter().filter(|name| catalogue.proves(what, name)).count();
    match what {
        What::Command => there >= MIN_COMMANDS && there >= unknown.len(),
        // A word may stand for anything; a name of several words is one.
        What::Subagent | What::Skill => {
            there >= MIN_NAMES && there >= unknown.len() * 2 && unknown.iter().all(|name| name.contains('-'))
        }
    }
}

/// Commands that the lists of one text must name and that must be there, at least, before a list of which one is there proves anything.
const MIN_CATALOGUE: usize = 5;

/// Whether the lists of a text together are a catalogue of commands of which most are there.
fn is_catalogue(document: &Document, catalogue: &KnownNames, commands: &[&Spoken]) -> bool {
    let names = |test: &dyn Fn(&Spoken) -> bool| -> BTreeSet<&str> {
        commands.iter().filter(|spoken| test(spoken)).map(|spoken| spoken.name.as_str()).collect()
    };
    let there = names(&|spoken| catalogue.has_own(What::Command, &spoken.name));
    let unknown = names(&|spoken| is_open(document, catalogue, What::Command, spoken));
    there.len() >= MIN_CATALOGUE && there.len() >= unknown.len()
}
