//! An import whose target does not exist.

use std::collections::{BTreeMap, BTreeSet};

use super::OBSERVED;
use super::optional::is_called_optional;
use crate::agents::files;
use crate::base::characters::is_hidden;
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::kind::Role;
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::config::nearest;
use crate::discover;
use crate::parse::Document;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::{CommitRef, Fate, Questions};
use crate::workspace::attachments::{aimed_at, start_of};
use crate::workspace::imports::{Import, ImportTarget};
use crate::workspace::mentions;

const INFO: RuleInfo = RuleInfo {
    name: "missing-import",
    group: Group::Imports,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "an import names a file that does not exist",
    explanation: "\
## What it does
Reports `@path` imports whose target is not in the repository, and `@path` in a prompt that the user calls by name, which brings the
file into it.

## Why is this bad?
Most agents skip a missing import without a word, others put an error text into the prompt. Either way the instructions that
the author wrote are not there. In a file that no enabled agent loads, and in a prompt, it is a warning. In a file of a folder that
is copied to the user's home (`config/`, `home/`), it is an info, once, where the target lies beside that folder. So is a line whose
paragraph says that the file may be missing, what a file imports whose title has a blank to fill in (`# {{PROJECT_NAME}}`), and what a prompt
brings from a folder that is not there: a tool may make it. Where a rule names another rule from the wrong folder, it is an info too:
the agent loads that one anyway.

## Example
```markdown
See @docs/architecure.md for the layers.
```

## How to fix
Correct the path. Where only upper and lower case differ, or history knows what became of the file, `--fix` does it; where
exactly one file of the repository has that name, `--unsafe-fixes` does.
",
    evidence: &[OBSERVED],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct MissingImport;

impl Rule for MissingImport {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        for import in &cx.workspace.imports {
            if let ImportTarget::Missing(path) = &import.target
                && cx.workspace.focus.has(&import.importer)
            {
                questions.fates.insert(path.clone());
            }
        }
        questions.fates.extend(cx.workspace.attachments.iter().filter_map(aimed_at).cloned());
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let mut copied: BTreeSet<&RepoPath> = BTreeSet::new();
        let mut of_importer: BTreeMap<&RepoPath, Option<Level>> = BTreeMap::new();
        for import in &cx.workspace.imports {
            let ImportTarget::Missing(path) = &import.target else { continue };
            let importer = cx.workspace.document(import.importer.as_bytes());
            if importer.is_some_and(|document| mentions::is_ruled_out(document, import.span))
                || cx.workspace.keeps_under_another_name(import.importer.as_bytes(), path.as_bytes())
            {
                continue;
            }
            let level = match import.agents == ["merged"] {
                true => *of_importer.entry(&import.importer).or_insert_with(|| level_where_nobody_imports(cx, import)),
                false => Some(Level::Error),
            };
            let Some(level) = level else { continue };
            let is_optional = importer.is_some_and(|document| is_called_optional(document, import.span));
            // A folder is named, and nothing brought in.
            let is_folder = import.written.ends_with('/');
            let is_kept = discover::why_set_aside(import.importer.as_bytes()).is_some()
                || importer.is_some_and(|document| cx.workspace.is_of_a_template(document));
            let is_loaded =
                is_a_rule(cx, import) || importer.is_some_and(|document| tells_what_a_file_holds(document, import));
            let level = if is_optional || is_folder || is_kept || is_loaded { Level::Info } else { level };
            if let Some(beside) = beside_copied(cx, &import.importer, path) {
                if copied.insert(&import.importer) {
                    let message = format!("`@{}` does not exist here: the file is at {beside}", import.shown());
                    findings.push(
                        Finding::new(INFO.name, Level::Info, &import.importer, import.span, message)
                            .agents(import.agents.iter().copied())
                            .help("ignore this if both files are copied into one folder; otherwise write the path relative to this file"),
                    );
                }
                continue;
            }
            let message = format!("`@{}` names no file: there is no {}", import.shown(), sanitize::path(path));
            let finding = Finding::new(INFO.name, level, &import.importer, import.span, message)
                .agents(import.agents.iter().copied());
            findings.push(with_fix(cx, import, import.importer.parent(), path, finding));
        }
        for import in &cx.workspace.attachments {
            let Some(path) = aimed_at(import) else { continue };
            let message = format!("`@{}` attaches no file: there is no {}", import.shown(), sanitize::path(path));
            let cause = Cause {
                key: format!("attachment {}", path.to_str_lossy()),
                subject: format!("`@{}`", import.shown()),
                many: "attach no file",
                help: None,
            };
            let is_doubtful = is_one_of_several(cx, import, path) || is_made_by_a_tool(cx, path);
            let level = if is_doubtful { Level::Info } else { Level::Warning };
            let finding = Finding::new(INFO.name, level, &import.importer, import.span, message).cause(cause);
            findings.push(with_fix(cx, import, start_of(&import.importer), path, finding));
        }
    }
}

/// Attachments of one text that projects have instead of each other, at least, before it is about any project.
const SEVERAL: usize = 3;

/// Whether a prompt attaches whichever manifests and settings of a project are there, of which `path` is one, or shows a name that may
/// be given.
fn is_one_of_several(cx: &Cx<'_>, import: &Import, path: &RepoPath) -> bool {
    let is_any = |path: &RepoPath| {
        let name = path.to_str_lossy();
        let name = name.rsplit('/').next().unwrap_or(&name);
        !mentions::is_of_one_project(name) || name.starts_with('.') || path.to_str_lossy().starts_with(".circleci/")
    };
    // A table of arguments shows what one may look like.
    let is_in_a_table = cx.workspace.document(import.importer.as_bytes()).is_some_and(|document| {
        let line = document.lines.line_span(document.lines.line_of(import.span.start));
        document.slice(line).trim_start().starts_with('|')
    });
    if is_in_a_table && !import.written.contains('/') {
        return true;
    }
    let others = cx.workspace.attachments.iter().filter(|other| other.importer == import.importer);
    let missing = others.filter_map(aimed_at).filter(|path| is_any(path));
    is_any(path) && missing.take(SEVERAL).count() == SEVERAL
}

/// Whether a rule names another rule by its path from the folder above, or from the root: the agent loads that one by itself.
fn is_a_rule(cx: &Cx<'_>, import: &Import) -> bool {
    let importer = cx.workspace.document(import.importer.as_bytes());
    let is_rule = |file: &[u8]| cx.workspace.document(file).is_some_and(|it| it.kind.role() == Some(Role::Rule));
    let written = import.written.split('#').next().unwrap_or_default();
    importer.is_some_and(|it| it.kind.role() == Some(Role::Rule))
        && path::ancestors_from_root(path::parent(import.importer.parent()))
            .into_iter()
            .filter_map(|dir| path::resolve(dir, written.as_bytes()))
            .any(|file| is_rule(&file))
}

/// Whether the text tells which line another file has: "`AGENTS.md`, and CLAUDE.md with `@AGENTS.md` in it" names no file to load.
fn tells_what_a_file_holds(document: &Document, import: &Import) -> bool {
    let line = document.lines.line_span(document.lines.line_of(import.span.start));
    let (before, after) = (&document.text[line.start..import.span.start], &document.text[import.span.end..line.end]);
    let last = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_main = files::main_names().any(|name| last.trim_matches(['`', '*', '(']) == name);
    is_main && after.trim_start().starts_with(char::is_alphabetic)
}

/// Folders, besides those called by an agent, whose files an installer copies to the user's home.
const COPIED: [&str; 3] = ["config", "dotfiles", "home"];
/// Files that make a project of a folder.
const MANIFESTS: [&str; 5] = ["package.json", "Cargo.toml", "pyproject.toml", "go.mod", "composer.json"];

/// Where `missing` lies if the folder of `importer` is one that is copied, and the path counts from beside it.
fn beside_copied(cx: &Cx<'_>, importer: &RepoPath, missing: &RepoPath) -> Option<String> {
    let folder = importer.parent();
    let name = std::str::from_utf8(path::file_name(folder)).ok()?;
    let name = name.strip_prefix("dot_").unwrap_or(name);
    let has = |path: &[u8]| cx.workspace.listing.contains(path);
    let is_project = MANIFESTS.iter().any(|manifest| has(&path::join(folder, manifest.as_bytes())));
    let is_copied = (COPIED.contains(&name) || files::is_agent_name(name)) && !is_project;
    let rest = missing.as_bytes().strip_prefix(folder)?.strip_prefix(b"/")?;
    let beside = path::join(path::parent(folder), rest);
    (is_copied && has(&beside)).then(|| sanitize::path(&RepoPath::new(beside)).into_owned())
}

/// The level of a missing target that no agent treats as an import. `None` where agents load the importer and
/// look for no imports in it, so that nobody would load the file if it were there: that is `import-not-loaded`'s to say.
fn level_where_nobody_imports(cx: &Cx<'_>, import: &Import) -> Option<Level> {
    let Some(importer) = cx.workspace.document(import.importer.as_bytes()) else { return Some(Level::Error) };
    if cx.workspace.imports_nothing(importer) {
        return None;
    }
    let is_loaded = cx.workspace.compiles() || !cx.workspace.loaders(importer).is_empty();
    Some(if is_loaded { Level::Error } else { Level::Warning })
}

/// Offer the path that was probably meant, as counted from the directory `base`: from history, by case, or by a name that only one
/// file has.
fn with_fix(cx: &Cx<'_>, import: &Import, base: &[u8], missing: &RepoPath, finding: Finding) -> Finding {
    let token = cx.workspace.document(import.importer.as_bytes()).map_or("", |document| document.slice(import.span));
    let replace = |finding: Finding, applicability, to: &[u8]| match rewritten(import, base, token, to) {
        Some(token) => finding.fix(applicability, import.span, token),
        None => finding,
    };
    if let Fate::Renamed { to, exact, commit } = cx.answers.fate(missing) {
        let applicability = if *exact { Applicability::Safe } else { Applicability::Unsafe };
        let help = format!("it was renamed to {}{}", to.to_str_lossy(), since(commit.as_ref()));
        return replace(finding.help(help), applicability, to.as_bytes());
    }
    let listing = &cx.workspace.listing;
    if let [only] = listing.ignoring_case(missing.as_bytes())[..] {
        let help = format!("the file is named {}; case matters on Linux", String::from_utf8_lossy(only));
        return replace(finding.help(help), Applicability::Safe, only);
    }
    let plain = import.written.split('#').next().unwrap_or(&import.written);
    let from_root = path::resolve(b"", plain.as_bytes()).filter(|path| !base.is_empty() && listing.contains(path));
    if let Some(path) = from_root {
        let cause = Cause {
            key: "from the root".to_owned(),
            subject: format!("`@{}`", import.shown()),
            many: "are written from the root, and imports count from the file that holds them",
            help: None,
        };
        let help =
            format!("imports count from the file that holds them: the file is {}", String::from_utf8_lossy(&path));
        return replace(finding.cause(cause).help(help), Applicability::Unsafe, &path);
    }
    let deleted = match cx.answers.fate(missing) {
        Fate::Deleted { commit } => Some(format!("it was deleted{}", since(commit.as_ref()))),
        Fate::Gone { commit } => Some(format!("it was deleted or renamed{}", since(commit.as_ref()))),
        _ => None,
    };
    let namesakes = namesakes(cx, missing);
    match (&namesakes[..], deleted) {
        ([only], deleted) => {
            let deleted = deleted.map_or_else(String::new, |deleted| format!("{deleted}; "));
            let help = format!("{deleted}did you mean {}?", String::from_utf8_lossy(only));
            replace(finding.help(help), Applicability::Unsafe, only)
        }
        (_, Some(deleted)) => finding.help(format!("{deleted}; delete the import, or restore the file")),
        _ if let Some(near) = neighbour(cx, missing) => finding.help(format!("did you mean {near}?")),
        _ if base != import.importer.parent() => {
            finding.help("the path is relative to the directory where the agent starts; correct it, or delete the `@`")
        }
        _ => finding.help("imports are relative to the file that holds them; correct the path or delete the import"),
    }
}

/// The files of the same name; a template is none of them.
fn namesakes<'c>(cx: &'c Cx<'_>, missing: &RepoPath) -> Vec<&'c [u8]> {
    let mut same = cx.workspace.listing.with_name(missing.file_name());
    same.retain(|path| !discover::is_illustrative(path));
    same
}

/// Whether the folder of what a prompt attaches is not there either, nor was the file, nor has another one its name: a tool that the
/// prompt belongs to may make it.
fn is_made_by_a_tool(cx: &Cx<'_>, missing: &RepoPath) -> bool {
    let was = matches!(cx.answers.fate(missing), Fate::Renamed { .. } | Fate::Deleted { .. } | Fate::Gone { .. });
    let stands = missing.parent().is_empty() || cx.workspace.listing.has_dir(missing.parent());
    !was && !stands && namesakes(cx, missing).is_empty()
}

/// The file in the same folder whose name is one slip away.
fn neighbour(cx: &Cx<'_>, missing: &RepoPath) -> Option<String> {
    let name = std::str::from_utf8(missing.file_name()).ok()?;
    let children = cx.workspace.listing.children(missing.parent());
    let files = children.into_iter().filter(|(_, kind)| kind.is_some());
    let near = nearest(name, files.filter_map(|(name, _)| std::str::from_utf8(name).ok()))?;
    String::from_utf8(path::join(missing.parent(), near.as_bytes())).ok()
}

/// The commit that did it, in words; nothing for what is not committed yet.
fn since(commit: Option<&CommitRef>) -> String {
    commit.map_or_else(String::new, |commit| format!(" (commit {}, {})", commit.id, commit.date))
}

/// The token with the path of `to`, spelt relative to `base` as the author spelt it.
fn rewritten(import: &Import, base: &[u8], token: &str, to: &[u8]) -> Option<String> {
    let relative = path::relative(base, to);
    // A name with hidden characters is not written into a text: the fix of those would change it again.
    let relative = std::str::from_utf8(&relative).ok().filter(|path| !path.contains(is_hidden))?;
    if relative.contains(char::is_whitespace) {
        return None;
    }
    let dot = if import.written.starts_with("./") && !relative.starts_with("..") { "./" } else { "" };
    // What follows the path names a part of the file, which agents leave out of the import but not out of the token.
    let fragment = token.find('#').map_or("", |at| &token[at..]);
    Some(format!("@{dot}{relative}{fragment}"))
}

#[cfg(test)]
mod tests;
