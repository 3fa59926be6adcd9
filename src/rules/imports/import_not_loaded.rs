//! An import that is right and that an agent passes over all the same. The grammars are the parsers'; which agents load the file
//! is the workspace's to say.

mod at_root;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::{OBSERVED, is_in_a_command};
use crate::agents::context::Reason;
use crate::agents::files::is_imported_from;
use crate::agents::{Boundary, Dialect, Proof};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::imports::{Grammar, Inert, Reference, references_of, without_punctuation};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::imports::{ImportTarget, aim, takes_by_name};
use crate::workspace::{Resolution, Workspace};

const INFO: RuleInfo = RuleInfo {
    name: "import-not-loaded",
    group: Group::Imports,
    levels: &[Level::Warning, Level::Info],
    summary: "an agent silently skips an import",
    explanation: "\
## What it does
Reports `@path` imports whose target exists and which an enabled agent that loads the file does not follow: because it has no
imports at all (Codex, opencode), looks for none in this file, does not import that kind of file (Claude Code imports no .mdx),
takes the punctuation after the path as part of it, sees no import because of the character before the `@`, or because it is code.

Code that contains more than the path is an info: it is mostly meant as code. So is an import that Claude Code
follows only when it is started in a directory that holds both files, what is known of an agent by its source alone, and an import
of what the agent loads by itself.

## Why is this bad?
Nothing says that the text is missing. What the author believes the agent knows, it does not.

## Example
```markdown
See @docs/style.md, and (@docs/layers.md).
```

Claude Code looks for files called `docs/style.md,` and `docs/layers.md)`.

## How to fix
Put the import on a line of its own; for agents without imports, write a sentence that tells them to read the file.
",
    evidence: &[
        OBSERVED,
        Evidence { source: "OpenAI Codex 0.169.0 and opencode 1.18.33, observed", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct ImportNotLoaded;

impl Rule for ImportNotLoaded {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if memchr::memchr(b'@', document.text.as_bytes()).is_none() || !is_loaded_whole(document.kind) {
            return;
        }
        let tokens = tokens(cx.workspace, document);
        if tokens.is_empty() {
            return;
        }
        let loaders = cx.workspace.loaders(document);
        let kept_out: Vec<Excluded> = loaders.iter().map(|_| Excluded::new()).collect();
        let nobody = !loaders.is_empty() && !loaders.iter().any(|dialect| cx.workspace.imports_from(dialect, document));
        for token in &tokens {
            if token.missing && (!nobody || cx.workspace.compiles()) || is_in_a_command(document, token.span) {
                continue;
            }
            let verdicts = loaders
                .iter()
                .zip(&kept_out)
                .filter_map(|(dialect, excluded)| Some((*dialect, verdict(cx, document, token, dialect, excluded)?)));
            let verdicts: Vec<_> = verdicts.collect();
            let is_owners = |dialect: &&Dialect| {
                crate::agents::files::owner(document.kind).is_some_and(|owner| owner.id == dialect.id)
            };
            let refused = || verdicts.iter().any(|(dialect, _)| is_owners(dialect));
            let owner_loads = loaders.iter().any(is_owners) && !refused();
            findings.extend(report(cx.workspace, document, token, (&verdicts, owner_loads)));
        }
    }
}

/// Files that agents take into their context as they are. In commands and the like `@` means other things.
fn is_loaded_whole(kind: Kind) -> bool {
    let is_hint = matches!(kind.role(), Some(Role::Main | Role::Override | Role::Local));
    is_hint || kind == Kind::Imported || is_imported_from(kind)
}

/// A token that a person takes for an import.
struct NamedToken {
    span: Span,
    /// The path, without punctuation and fragment.
    path: String,
    /// The file that it means.
    target: RepoPath,
    /// Whether there is no such file.
    missing: bool,
    /// Whether it stands in code, and whether nothing else does.
    code: Option<bool>,
}

/// What `merged`, which reads as a person does, or an enabled agent takes for an import, if it leads to a file.
fn tokens(workspace: &Workspace, document: &Document) -> Vec<NamedToken> {
    // What an agent that looks for no imports here would make of the text concerns nobody.
    let looks =
        |dialect: &&Dialect| workspace.imports_from(dialect, document) && takes_by_name(workspace, dialect, document);
    let own = workspace.dialects().filter(looks).filter_map(|dialect| dialect.imports);
    let own: Vec<Grammar> = own.map(|imports| imports.grammar).collect();
    let mut by_start: BTreeMap<usize, NamedToken> = BTreeMap::new();
    for grammar in std::iter::once(Grammar::Prose).chain(own) {
        for reference in references_of(grammar, document) {
            let code = match reference.inert {
                None => None,
                Some(Inert::Code) if grammar == Grammar::Prose => Some(stands_alone(document, reference)),
                Some(_) => continue,
            };
            let path = without_punctuation(reference.path.split('#').next().unwrap_or_default());
            let (target, missing) = match aim(workspace, &document.path, path) {
                Some(ImportTarget::File(target)) => (target, false),
                Some(ImportTarget::Missing(target)) if code.is_none() => (target, true),
                _ => continue,
            };
            let start = reference.span.start;
            if target == document.path || document.markdown.in_comment(start) || spoken_for(workspace, document, start)
            {
                continue;
            }
            let span = Span::new(start, (start + 1 + path.len()).min(reference.span.end));
            by_start.entry(start).or_insert(NamedToken { span, path: path.to_owned(), target, missing, code });
        }
    }
    by_start.into_values().collect()
}

/// Whether another rule of this group reports the import at `start`: it leads to no tracked file.
fn spoken_for(workspace: &Workspace, document: &Document, start: usize) -> bool {
    let key = |import: &crate::workspace::imports::Import| {
        (import.importer.cmp(&document.path), import.span.start.cmp(&start))
    };
    let order = |import: &crate::workspace::imports::Import| {
        let (file, place) = key(import);
        file.then(place)
    };
    let found = workspace.imports.binary_search_by(order).ok().map(|index| &workspace.imports[index]);
    found.is_some_and(|import| !matches!(import.target, ImportTarget::File(_) | ImportTarget::Missing(_)))
}

/// Whether the code around a token holds only tokens, each on its own line: then it was hardly meant as code.
fn stands_alone(document: &Document, reference: &Reference) -> bool {
    let Some(code) = document.markdown.code_at(reference.span.start) else { return false };
    let only_paths = document.slice(code.content).lines().map(str::trim).filter(|line| !line.is_empty());
    let line = |offset: usize| document.lines.line_of(offset);
    let before = document.lines.line_span(line(code.span.start)).start;
    let after = document.lines.line_span(line(code.span.end.saturating_sub(1))).end;
    let outside = [Span::new(before, code.span.start.max(before)), Span::new(code.span.end.min(after), after)];
    only_paths.clone().all(|line| line.starts_with('@') && !line.contains(char::is_whitespace))
        && outside.into_iter().all(|span| document.slice(span).trim().is_empty())
}

/// Why an agent does not load what a token names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum NotLoadedWhy {
    /// It has no imports.
    NoImports,
    /// It looks for none in this file.
    NotHere,
    /// It takes what follows as part of the path.
    Tail(String),
    /// It sees no import behind this character.
    After(char),
    /// It sees no import.
    Grammar,
    /// It imports no such files.
    Extension(String),
    /// It sees code.
    Code,
    /// Its settings keep the file from it.
    Excluded,
    /// It is outside of the directory that the agent is started in, unless that is this one or one above.
    Subdirectory(RepoPath),
}

/// Why `dialect` does not load the token's target; `None` if it does, or if the token is not meant for it.
fn verdict(
    cx: &Cx<'_>,
    document: &Document,
    token: &NamedToken,
    dialect: &'static Dialect,
    excluded: &Excluded,
) -> Option<NotLoadedWhy> {
    let imports = match dialect.imports {
        Some(imports) if cx.workspace.imports_from(dialect, document) => imports,
        // What is written as code is no import for those who have none.
        _ if token.code.is_some() => return None,
        _ if finds_by_itself(cx.workspace, dialect, document, token) => return None,
        Some(_) => return Some(NotLoadedWhy::NotHere),
        None => return Some(NotLoadedWhy::NoImports),
    };
    let references = references_of(imports.grammar, document);
    let found = references.binary_search_by_key(&token.span.start, |reference| reference.span.start);
    let found = found.ok().map(|index| &references[index]);
    let why = match found {
        None if token.code.is_some() => NotLoadedWhy::Code,
        None => {
            let before = document.text[..token.span.start].chars().next_back();
            before.filter(|c| !c.is_whitespace()).map_or(NotLoadedWhy::Grammar, NotLoadedWhy::After)
        }
        Some(reference) if reference.inert == Some(Inert::Comment) => return None,
        Some(reference) if reference.inert == Some(Inert::Code) => NotLoadedWhy::Code,
        Some(reference) => {
            let read = path::resolve(document.path.parent(), reference.path.as_bytes());
            let same = read.is_some_and(|read| cx.workspace.resolve(&read) == Resolution::File(token.target.clone()));
            match (
                reference.path.strip_prefix(token.path.as_str()),
                imports.refused_extension(token.target.file_name()),
            ) {
                (Some(tail), _) if !same && !tail.is_empty() => NotLoadedWhy::Tail(tail.to_owned()),
                _ if !same => NotLoadedWhy::Grammar,
                (_, Some(extension)) => NotLoadedWhy::Extension(extension),
                _ if excluded_imports(cx.workspace, dialect, document, excluded).contains(&token.target) => {
                    NotLoadedWhy::Excluded
                }
                _ if imports.boundary == Boundary::Start => return below(cx.workspace, document, token),
                _ => return None,
            }
        }
    };
    (!finds_by_itself(cx.workspace, dialect, document, token)).then_some(why)
}

/// The imports that settings keep from one agent where it loads one document: its context is loaded once for all of them.
type Excluded = OnceCell<BTreeSet<RepoPath>>;

/// The files that settings keep from `dialect` where it loads the document and imports them.
fn excluded_imports<'e>(
    workspace: &Workspace,
    dialect: &'static Dialect,
    document: &Document,
    excluded: &'e Excluded,
) -> &'e BTreeSet<RepoPath> {
    excluded.get_or_init(|| {
        if workspace.settings.is_empty() {
            return BTreeSet::new();
        }
        let loaded = workspace.context(dialect, crate::workspace::contexts::home_of(document.path.as_bytes()));
        let skipped = loaded.context.skipped.iter();
        let refused = skipped.filter(|skipped| skipped.imported_by.is_some() && skipped.reason == Reason::Excluded);
        refused.filter_map(|skipped| loaded.path(skipped.path.as_ref()?)).collect()
    })
}

/// Whether `dialect` reads the target in this directory anyway, as a hint file of its own.
fn finds_by_itself(workspace: &Workspace, dialect: &'static Dialect, document: &Document, token: &NamedToken) -> bool {
    let Some(target) = workspace.document(token.target.as_bytes()) else { return false };
    target.kind != Kind::Imported
        && path::is_at_or_below(document.path.parent(), target.path.parent())
        && workspace.loads(dialect, target)
}

/// The case of an agent that imports nothing from outside the directory it is started in: there is a directory in which it
/// loads the file and not what the file imports.
fn below(workspace: &Workspace, document: &Document, token: &NamedToken) -> Option<NotLoadedWhy> {
    if document.kind == Kind::Imported {
        return None;
    }
    let here = crate::workspace::contexts::home_of(document.path.as_bytes());
    let common = path::ancestors_from_root(here)
        .into_iter()
        .rfind(|dir| path::is_at_or_below(token.target.as_bytes(), dir))
        .unwrap_or_default();
    // A start below `here` that does not hold the target needs a folder that can be started in.
    let folders =
        workspace.listing.children(here).into_iter().filter(|(name, kind)| kind.is_none() && !name.starts_with(b"."));
    let elsewhere = folders
        .map(|(name, _)| path::join(here, name))
        .any(|folder| !path::is_at_or_below(token.target.as_bytes(), &folder));
    (common != here || elsewhere).then(|| NotLoadedWhy::Subdirectory(RepoPath::new(common)))
}

/// Whether the sentence tells the reader to follow the file: who imports nothing does that. Who `imports` from other files may have been
/// meant to import it by `read @x`, too.
fn is_told_to_follow(document: &Document, span: Span, imports: bool) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let before = document.text.get(line.start..span.start).unwrap_or_default().to_lowercase();
    let before = before.trim_end().trim_end_matches(['`', '*', '(']).trim_end();
    let before = before.strip_suffix(" the").unwrap_or(before);
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    matches!(word, "check" | "consult" | "follow") || word == "read" && !imports
}

/// `owner_loads`: the agent whose file it is loads what the token names, so that the import was written for it and works.
fn report(
    workspace: &Workspace,
    document: &Document,
    token: &NamedToken,
    (verdicts, owner_loads): (&[(&'static Dialect, NotLoadedWhy)], bool),
) -> Option<Finding> {
    let is_told = |imports: bool| is_told_to_follow(document, token.span, imports);
    let serious = |(dialect, why): &&(&'static Dialect, NotLoadedWhy)| {
        let imports = !matches!(why, NotLoadedWhy::NoImports | NotLoadedWhy::NotHere);
        let meant = match why {
            NotLoadedWhy::Code => token.code == Some(true),
            NotLoadedWhy::Subdirectory(_) => false,
            _ => true,
        };
        meant && !owner_loads && !is_told(imports) && dialect.proof == Proof::Vectors
    };
    let (level, told): (Level, Vec<_>) = match verdicts.iter().filter(serious).collect::<Vec<_>>() {
        none if none.is_empty() => (Level::Info, verdicts.iter().collect()),
        some => (Level::Warning, some),
    };
    let mut by_reason: BTreeMap<&NotLoadedWhy, Vec<String>> = BTreeMap::new();
    for (dialect, why) in &told {
        by_reason.entry(why).or_default().push(dialect.versioned());
    }
    told.first()?;
    let reasons: Vec<String> =
        by_reason.iter().map(|(why, agents)| reason(why, &agents.join(" and "), agents.len())).collect();
    let absent = at_root::absent(workspace, document, token, told.iter().map(|(dialect, _)| *dialect));
    let level = if absent.is_loaded { Level::Info } else { level };
    let absent = absent.text;
    let part = if told.iter().all(|(_, why)| matches!(why, NotLoadedWhy::Subdirectory(_))) {
        "not always loaded"
    } else {
        "not loaded"
    };
    let message = format!("`@{}` is {part}: {}{absent}", sanitize::line(&token.path), reasons.join("; "));
    let help = match by_reason.keys().next() {
        Some(NotLoadedWhy::NoImports | NotLoadedWhy::NotHere) => {
            "write a sentence that tells the agent to read the file"
        }
        Some(NotLoadedWhy::Excluded) => "remove the setting, or delete the import",
        Some(NotLoadedWhy::Subdirectory(_)) => {
            "start the agent in that directory, or approve external imports when it asks"
        }
        Some(NotLoadedWhy::Extension(_)) => {
            "import a .md file instead, or tell the agent in a sentence to read this one"
        }
        _ => "put the import on a line of its own, outside code, with nothing before or after it",
    };
    let cause = Cause {
        key: format!("{} {}", document.path.to_str_lossy(), reasons.join("; ")),
        subject: format!("`@{}`", sanitize::line(&token.path)),
        many: "are not loaded",
        help: Some(format!("{}; {help}", reasons.join("; "))),
    };
    Some(
        Finding::new(INFO.name, level, &document.path, token.span, message)
            .cause(cause)
            .help(help)
            .agents(told.iter().map(|(dialect, _)| dialect.id)),
    )
}

fn reason(why: &NotLoadedWhy, agents: &str, count: usize) -> String {
    let verb = |one: &'static str, many: &'static str| if count == 1 { one } else { many };
    match why {
        NotLoadedWhy::NoImports => format!("{agents} {} no imports", verb("has", "have")),
        NotLoadedWhy::NotHere => format!("{agents} {} not look for imports in this file", verb("does", "do")),
        NotLoadedWhy::Tail(tail) => {
            format!("{agents} {} the `{tail}` after it as part of the path", verb("takes", "take"))
        }
        NotLoadedWhy::After(c) => format!("{agents} {} no import after `{c}`", verb("sees", "see")),
        NotLoadedWhy::Grammar => format!("{agents} {} no import here", verb("sees", "see")),
        NotLoadedWhy::Extension(extension) => format!("{agents} {} no .{extension} files", verb("imports", "import")),
        NotLoadedWhy::Code => format!("{agents} {} nothing in code", verb("imports", "import")),
        NotLoadedWhy::Excluded => format!("the settings of {agents} exclude the file"),
        NotLoadedWhy::Subdirectory(dir) if dir.as_bytes().is_empty() => {
            format!("{agents} {} it only when started in the repository's root", verb("loads", "load"))
        }
        NotLoadedWhy::Subdirectory(dir) => {
            format!("{agents} {} it only when started in {} or above", verb("loads", "load"), dir.to_str_lossy())
        }
    }
}

#[cfg(test)]
mod tests;
