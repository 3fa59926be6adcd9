//! `unknown-name`: a command, subagent or skill that a text names and nobody has. Knows the documents, the names of files and what
//! history says of removed ones.

mod calls;
mod catalogue;
mod elsewhere;
mod evidence;
mod namespaced;
mod spoken;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::finding::same_subject;
use super::{applies_to_names, shown};
use crate::base::evidence::Evidence;
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::discover;
use crate::parse::Document;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::{Fate, Questions};
use catalogue::{KnownNames, called, found_elsewhere, is_key_of_settings, is_kind_of, kept_in_folders};
use evidence::judged;
use namespaced::Namespaces;
use spoken::{Form, Spoken, What, names};

const INFO: RuleInfo = RuleInfo {
    name: "unknown-name",
    group: Group::References,
    levels: &[Level::Warning, Level::Info],
    summary: "a command, subagent or skill that does not exist",
    explanation: r#"## What it does
Reports a slash command, a subagent or a skill that a hint file names and that neither the repository nor any known agent has. The
name alone proves little: it may come from a plugin or from the user's own folder. So one of these must hold besides:

- the file was there and was deleted or renamed;
- the list, table or fence around it, or the other `$skill` names of the file, name others in the same way, and most of them exist;
- the name is a misspelling of an existing one, or the beginning of several (`implementer` for `implementer-fe`);
- a frontmatter field takes the name (`agent:` of a command, `skills:` of a subagent), and others of its kind are here;
- it stands behind the name of a plugin or of a folder of commands of this repository (`/plugin:name`), which has others.

Skills and subagents that are called by the name of a plugin of this repository, `Skill(plugin:name)`, `subagent_type: plugin:name` or
in the `skills` field, are looked for in that plugin; where another one has the name, it is given.

Names of other plugins, paths, and lines that speak of plugins, of the user's own folder or of what is yet to come are left
alone, and so is the name of a folder with an `INDEX.md` or the like, from which a build makes the skill. In skills and bundles that are handed out only removed and renamed files count. Where settings switch on plugins, only what was renamed here is reported.

## Why is this bad?
The agent calls something that does not exist: the tool call fails, or the model invents a replacement.

## Example
```markdown
| Command | What it does |
| --- | --- |
| `/plan` | Plan a change |
| `/implement` | Carry it out |
| `/verify-all` | Run every check |
```
with `.claude/commands/plan.md` and `implement.md`, and nothing called `verify-all`.

## How to fix
Write the name that it has now, add the file, or take the entry out.
"#,
    evidence: &[
        Evidence { source: "hint files of 84 public repositories, judged finding by finding", checked: "2026-11" },
        Evidence {
            source: "https://code.claude.com/docs/en/commands and the like of other agents (their own names)",
            checked: "2026-11",
        },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// The rule.
#[derive(Debug)]
pub(super) struct UnknownName;

impl Rule for UnknownName {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        if !cx.matters(&INFO, Level::Warning) {
            return;
        }
        let known = NamesSpoken::of(cx);
        for spoken in known.spoken.iter().flatten().filter(|spoken| is_unknown(spoken, &known.catalogue)) {
            for what in kinds(spoken) {
                questions.endings.extend(files_of(what, &spoken.name));
            }
        }
        for (namespace, spoken) in known.namespaced.iter().flatten() {
            if namespaced::is_unknown(namespace, &spoken.name, &known.catalogue) {
                questions.endings.extend(files_of(What::Command, &spoken.name));
            }
        }
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let spoken = NamesSpoken::of(cx);
        check_namespaced(cx, &spoken, findings);
        let all: Vec<(&Document, &Vec<Spoken>)> = documents(cx).into_iter().zip(&spoken.spoken).collect();
        let has_open =
            |(document, names): &&(&Document, &Vec<Spoken>)| !judged(document, names, &spoken.catalogue).is_empty();
        let in_doubt: Vec<(&Document, &Vec<Spoken>)> = all.par_iter().filter(has_open).copied().collect();
        if in_doubt.is_empty() {
            return;
        }
        let mut catalogue = spoken.catalogue.clone();
        catalogue.add_own_names(cx.workspace);
        let mut open: Vec<(&Document, What, Spoken)> = Vec::new();
        let mut known: BTreeMap<(What, String), NameProof> = BTreeMap::new();
        for (document, names) in in_doubt {
            for (what, spoken, listed) in judged(document, names, &catalogue) {
                let name = spoken.name.to_lowercase();
                let proof = proof(cx, &catalogue, what, &spoken, listed);
                // What is handed out names much that only its readers have; of what was removed here it is sure.
                let is_sure =
                    |proof: &NameProof| matches!(proof, NameProof::Renamed { .. } | NameProof::Removed { .. });
                let judges = applies_to_names(cx.workspace, document, cx.selected, INFO.name);
                if !judges && !proof.as_ref().is_some_and(is_sure) {
                    continue;
                }
                if let Some(proof) = proof {
                    known.entry((what, name)).or_insert(proof);
                }
                open.push((document, what, spoken));
            }
        }
        let here = found_elsewhere(cx.workspace, known.keys().map(|(_, name)| name.as_str()).collect());
        let removed = known.iter().filter(|(_, proof)| matches!(proof, NameProof::Removed { .. }));
        let kept = kept_in_folders(cx.workspace, removed.map(|((_, name), _)| name.as_str()).collect());
        let are_in_homes = elsewhere::went_into_homes(cx.workspace);
        let beside_homes = elsewhere::words_beside_homes(cx.workspace);
        known.retain(|(_, name), proof| match proof {
            NameProof::Renamed { .. } => true,
            NameProof::Removed { .. } => {
                let is_elsewhere = are_in_homes || kept.contains(name) || beside_homes.contains(name.as_str());
                !catalogue.has_plugins && !is_elsewhere
            }
            NameProof::Family(_) | NameProof::Field => !catalogue.has_plugins,
            NameProof::Behind(_) => true,
            NameProof::Listed | NameProof::Slip(_) => !catalogue.has_plugins && !here.contains(name),
        });
        let mut told = BTreeSet::new();
        for (document, what, spoken) in &open {
            let Some(proof) = known.get(&(*what, spoken.name.to_lowercase())) else { continue };
            // A name that says not what it names may be that of the file that has it.
            if spoken.form == Form::Bare && here.contains(&spoken.name)
                || matches!(proof, NameProof::Removed { .. }) && elsewhere::says_they_went(document)
            {
                continue;
            }
            if told.insert((&document.path, spoken.span.start)) {
                findings.push(report(document, *what, spoken, proof));
            }
        }
    }
}

/// Report what stands behind the name of a bundle or folder of this repository and is not there.
fn check_namespaced(cx: &Cx<'_>, known: &NamesSpoken, findings: &mut Vec<Finding>) {
    let documents = documents(cx);
    let all = documents.into_iter().zip(&known.namespaced);
    let all =
        all.flat_map(|(document, names)| names.iter().map(move |(namespace, spoken)| (document, namespace, spoken)));
    let is_unknown = |catalogue: &KnownNames, namespace: &str, spoken: &Spoken| {
        namespaced::is_unknown(namespace, &spoken.name, catalogue)
    };
    let (open, known_names): (Vec<_>, Vec<_>) =
        all.partition(|(_, namespace, spoken)| is_unknown(&known.catalogue, namespace, spoken));
    calls::check_moved(cx, &known_names, findings);
    let is_meant = |(document, _, spoken): &(&Document, &String, &Spoken)| namespaced::is_meant(document, spoken);
    let open: Vec<_> = open.into_iter().filter(is_meant).collect();
    if open.is_empty() {
        return;
    }
    let mut catalogue = known.catalogue.clone();
    catalogue.add_own_names(cx.workspace);
    for (document, namespace, spoken) in open {
        if !is_unknown(&catalogue, namespace, spoken) || is_key_of_settings(cx.workspace, &spoken.name) {
            continue;
        }
        let whole = Spoken { name: format!("{namespace}:{}", spoken.name), ..spoken.clone() };
        let what = spoken.what.unwrap_or(What::Command);
        let proof = past_of(cx, What::Command, spoken, namespaced::is_member)
            .map(|proof| namespaced::told_behind(namespace, proof))
            .or_else(|| namespaced::near(namespace, spoken, &catalogue).map(NameProof::Slip))
            .unwrap_or_else(|| NameProof::Behind(namespace.clone()));
        findings.push(report(document, what, &whole, &proof));
    }
}

/// The documents that speak of this repository.
fn documents<'c>(cx: &'c Cx<'_>) -> Vec<&'c Document> {
    let reads = |document: &&Document| {
        let is_record = matches!(document.kind, Kind::Artifact | Kind::LibraryHint | Kind::Imported | Kind::Markdown);
        !is_record && (applies_to_names(cx.workspace, document, cx.selected, INFO.name) || is_handed_out(document))
    };
    cx.workspace.in_focus().filter(reads).collect()
}

/// Whether `document` is part of what is handed out from here: it names others of the same collection, and those of its readers.
fn is_handed_out(document: &Document) -> bool {
    let path = document.path.as_bytes();
    let is_one = match document.kind {
        Kind::Skill => !discover::stands_among_own_skills(path),
        Kind::Of(kind) => discover::is_in_bundle(path, kind.role),
        _ => false,
    };
    is_one && discover::why_set_aside(path).is_none()
}

/// What the repository has, and what its texts name.
struct NamesSpoken {
    catalogue: KnownNames,
    /// Of each of [`documents`].
    spoken: Vec<Vec<Spoken>>,
    /// The same of names behind the name of a bundle or folder.
    namespaced: Vec<Vec<(String, Spoken)>>,
}

impl NamesSpoken {
    fn of(cx: &Cx<'_>) -> Arc<NamesSpoken> {
        cx.memory.once(|| {
            let documents = documents(cx);
            let namespaces = Namespaces::of(cx.workspace);
            NamesSpoken {
                catalogue: KnownNames::of(cx.workspace),
                spoken: documents.par_iter().map(|document| names(document)).collect(),
                namespaced: documents.par_iter().map(|document| namespaced::names(document, &namespaces)).collect(),
            }
        })
    }
}

/// Whether nobody has anything of this name.
fn is_unknown(spoken: &Spoken, catalogue: &KnownNames) -> bool {
    !spoken.name.contains(':') && kinds(spoken).into_iter().all(|what| !catalogue.has(what, &spoken.name))
}

/// What a name may be the name of.
fn kinds(spoken: &Spoken) -> Vec<What> {
    spoken.what.map_or_else(|| vec![What::Subagent, What::Skill], |what| vec![what])
}

/// The ends of the paths that a file of this name has.
fn files_of(what: What, name: &str) -> Vec<RepoPath> {
    let page = |ending: &str| format!("{name}{ending}");
    let skill = format!("{name}/SKILL.md");
    let files = match what {
        What::Command => vec![page(".md"), page(".toml"), page(".prompt.md"), skill],
        What::Subagent => vec![page(".md"), page(".agent.md")],
        What::Skill => vec![skill],
    };
    files.iter().map(|file| RepoPath::from(file.as_str())).collect()
}

/// Why a name is surely wrong.
#[derive(Debug)]
enum NameProof {
    /// Its file was renamed.
    Renamed { from: RepoPath, to: RepoPath },
    /// Its file was deleted, or is something else now.
    Removed { from: RepoPath, how: String },
    /// Most of the others in its list are there.
    Listed,
    /// There is one that is spelt nearly so.
    Slip(String),
    /// There are some that begin so.
    Family(Vec<String>),
    /// A field takes it.
    Field,
    /// It stands behind the name of this bundle or folder.
    Behind(String),
}

fn proof(cx: &Cx<'_>, catalogue: &KnownNames, what: What, spoken: &Spoken, listed: bool) -> Option<NameProof> {
    past(cx, what, spoken).or_else(|| {
        let name = spoken.name.as_str();
        let slip = || catalogue.slip(what, name).map(|other| NameProof::Slip(other.to_owned()));
        let family = || {
            let family = catalogue.family(what, name);
            (family.len() > 1 && spoken.form == Form::Called)
                .then(|| NameProof::Family(family.into_iter().map(str::to_owned).collect()))
        };
        match spoken.form {
            _ if listed => slip().or(Some(NameProof::Listed)),
            Form::Called | Form::FieldList => slip().or_else(family),
            Form::Field => slip().or(Some(NameProof::Field)),
            Form::Listed(_) | Form::Code | Form::Bare | Form::Dollar => None,
        }
    })
}

/// What history says of a file of this name.
fn past(cx: &Cx<'_>, what: What, spoken: &Spoken) -> Option<NameProof> {
    // A single word in a sentence may be a part of an address.
    if spoken.form == Form::Code && !spoken.name.contains(['-', '_']) {
        return None;
    }
    past_of(cx, what, spoken, |path| is_kind_of(what, path))
}

/// The same; `is_one` says which files count.
fn past_of(cx: &Cx<'_>, what: What, spoken: &Spoken, is_one: impl Fn(&[u8]) -> bool) -> Option<NameProof> {
    let files = files_of(what, &spoken.name);
    let ends = files.iter().filter_map(|file| cx.answers.endings.get(file)).flatten();
    let ends: Vec<&RepoPath> = ends.filter(|path| is_one(path.as_bytes())).collect();
    let renamed = ends.iter().find_map(|from| match cx.answers.fate(from) {
        Fate::Renamed { to, .. } if is_one(to.as_bytes()) && called(to.as_bytes()) != spoken.name => {
            Some(NameProof::Renamed { from: (*from).clone(), to: to.clone() })
        }
        _ => None,
    });
    let removed = ends.iter().find_map(|from| match cx.answers.fate(from) {
        Fate::Deleted { commit } => {
            let how = commit.as_ref().map_or_else(
                || "deleted by changes that are not committed yet".to_owned(),
                |commit| format!("deleted on {} ({})", commit.date, commit.id),
            );
            Some(NameProof::Removed { from: (*from).clone(), how })
        }
        Fate::Renamed { to, .. } => {
            let how = format!("renamed to {}, which is no {}", shown(to), what.word());
            (!is_one(to.as_bytes())).then(|| NameProof::Removed { from: (*from).clone(), how })
        }
        _ => None,
    });
    renamed.or(removed)
}

fn report(document: &Document, what: What, spoken: &Spoken, proof: &NameProof) -> Finding {
    let name = what.shown(&spoken.name);
    let before = spoken.name.rsplit_once(':').map(|(namespace, _)| format!("{namespace}:")).unwrap_or_default();
    let called_by = |name: &str| what.shown(&format!("{before}{name}"));
    let message = format!("there is no {} `{name}`", what.word());
    let cause = match proof {
        // What one commit took away is one cause.
        NameProof::Removed { how, .. } if how.starts_with("deleted on") => Cause {
            key: format!("{} {how}", what.word()),
            subject: format!("`{name}`"),
            many: "are not there any more",
            help: Some(format!("they were {how}; name what took their place, or drop the mentions")),
        },
        _ => same_subject(format!("{} {name}", what.word()), &name, "are not there"),
    };
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, spoken.span, message).cause(cause);
    match proof {
        NameProof::Renamed { from, to } => {
            let new = called(to.as_bytes());
            finding.help(format!("{} was renamed to {}: write `{}`", shown(from), shown(to), called_by(&new))).fix(
                Applicability::Unsafe,
                spoken.span,
                new,
            )
        }
        NameProof::Removed { from, how } => {
            finding.help(format!("{} was {how}; name what took its place, or drop the mention", shown(from)))
        }
        NameProof::Listed => finding.help("most of the others in its list exist; add it, or remove it from the list"),
        NameProof::Slip(other) => finding.help(format!("did you mean `{}`?", called_by(other))).fix(
            Applicability::Unsafe,
            spoken.span,
            other.as_str(),
        ),
        NameProof::Family(others) => {
            finding.help(format!("write one of the existing names: `{}`", others.join("`, `")))
        }
        NameProof::Field => finding.help("write an existing name, or add it"),
        NameProof::Behind(namespace) => {
            finding.help(format!("`{namespace}` has others of this repository: write one of them, or add this one"))
        }
    }
}

#[cfg(test)]
mod tests;
