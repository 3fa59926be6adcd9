//! Gathers the mentions of all documents, and asks the source about those that the listing lacks: once for ignore files, once
//! for the files whose anchors are named.

use std::collections::{BTreeMap, BTreeSet};

use super::commands::in_command;
use super::links::{in_link, in_spans, settle_anchors};
use super::paths::{in_code, in_pattern, in_words, is_covered};
use super::place::MentionedNames;
use super::probed::{ProbedPaths, candidates};
use super::trees::in_tree;
use super::{
    Mention, MentionForm, Mentions, Miss, aliased, at_paths, blanks, bundle_root, captions, children, excused,
    listings, machine, optional_pages, own_urls, plain, run, samples, stance, template, written,
};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::parse::patterns;
use crate::source::{Probe, Source};
use crate::workspace::{Workspace, of_each};

/// All mentions of the workspace's documents that lead nowhere. Files on which the search panics go to `failed`.
pub(crate) fn collect(source: &dyn Source, workspace: &Workspace, failed: &mut Vec<RepoPath>) -> Mentions {
    let documents: Vec<&Document> = workspace.in_focus().collect();
    let found = of_each(&documents, |document| mentions_of(workspace, document));
    let unread = documents.iter().zip(&found).filter(|(_, found)| found.is_none());
    failed.extend(unread.map(|(document, _)| document.path.clone()));
    let found: Vec<Vec<Mention>> = found.into_iter().map(Option::unwrap_or_default).collect();
    let absent = |mention: &&Mention| matches!(mention.place, Miss::Absent { .. });
    let names = MentionedNames::new(&workspace.listing, found.iter().flatten().filter(absent));
    let settle = |(document, mentions): (&&Document, Vec<Mention>)| {
        // Skills and prompts name pages of others, too.
        let is_local = !document.kind.is_general();
        let settled = mentions.into_iter().filter_map(|mention| names.settle(mention, is_local));
        let is_kept = |mention: &Mention| match mention.place {
            Miss::OtherCase(_) => true,
            Miss::Absent { .. } => !mention.denied || mention.illustrates,
            _ => !mention.denied,
        };
        settled.filter(is_kept).collect()
    };
    let found: Vec<Vec<Mention>> = documents.iter().zip(found).map(settle).collect();
    let paths = documents.iter().map(|document| document.path.clone());
    let mut by_document: BTreeMap<RepoPath, Vec<Mention>> =
        paths.zip(found).filter(|(_, found)| !found.is_empty()).collect();
    let ignored = drop_what_is_made(source, &mut by_document);
    written::drop(source, &mut by_document);
    aliased::drop(source, workspace, &mut by_document);
    excused::note(workspace, &mut by_document);
    optional_pages::note(source, workspace, &mut by_document);
    settle_anchors(source, workspace, &mut by_document);
    own_urls::settle(source, workspace, &mut by_document);
    let mut examples = take_examples(&mut by_document);
    for (path, mention) in ignored {
        examples.entry(path).or_default().push(mention);
    }
    by_document.retain(|_, mentions| !mentions.is_empty());
    Mentions { by_document, examples }
}

/// Take the paths out that are told as examples and are not there.
fn take_examples(by_document: &mut BTreeMap<RepoPath, Vec<Mention>>) -> BTreeMap<RepoPath, Vec<Mention>> {
    let mut examples = BTreeMap::new();
    for (path, mentions) in by_document {
        let is_example = |mention: &mut Mention| mention.illustrates && matches!(mention.place, Miss::Absent { .. });
        let taken: Vec<Mention> = mentions.extract_if(.., is_example).collect();
        if !taken.is_empty() {
            examples.insert(path.clone(), taken);
        }
    }
    examples
}

fn mentions_of(workspace: &Workspace, document: &Document) -> Vec<Mention> {
    #[cfg(test)]
    crate::base::defect::provoke("mentions", &document.bytes);
    if document.kind == Kind::Artifact {
        return Vec::new();
    }
    let links = &document.markdown.links;
    let remains = template::remains(document);
    let swapped = template::blocks_to_the_eye(document);
    // What is code for all readers is read as code.
    let is_swapped = |span: Span| template::holds(&swapped, span) && document.markdown.fence_at(span.start).is_none();
    let is_shown = |span: Span| template::holds(&remains, span) || is_swapped(span);
    let links_of = || links.iter().filter(|link| !is_shown(link.span));
    let spans = document.markdown.code.iter().filter(|code| code.kind == CodeKind::Span);
    if document.kind == Kind::SkillPage {
        let mut found: Vec<Mention> = links_of().filter_map(|link| in_link(workspace, document, link)).collect();
        let spans = spans.filter(|code| !is_covered(links, code.span));
        let named = spans.flat_map(|code| in_code(workspace, document, code.content));
        found.extend(named.filter(|mention| mention.form == MentionForm::File && !mention.denied));
        found.extend(in_commands(workspace, document, &found).into_iter().filter(|mention| !mention.denied));
        samples::drop(workspace, document, &mut found);
        tell_from_the_root(workspace, document, &mut found);
        found.extend(machine::paths(workspace, document));
        found.sort_by_key(|mention| (mention.span.start, mention.span.end));
        return found;
    }
    let mut found: Vec<Mention> = spans
        // What a link's text says, its destination says better.
        .filter(|code| !is_covered(links, code.span))
        .flat_map(|code| {
            let blank = blanks::in_code(workspace, document, code.content);
            in_code(workspace, document, code.content).into_iter().chain(blank)
        })
        .collect();
    found.extend(in_commands(workspace, document, &found));
    let drawn: Vec<Mention> =
        plain::trees(document).iter().flat_map(|tree| in_tree(workspace, document, tree)).collect();
    let starts: BTreeSet<usize> = drawn.iter().map(|mention| mention.span.start).collect();
    let words = plain::words(document).into_iter().filter(|(span, _)| !starts.contains(&span.start));
    found.extend(words.filter_map(|(span, fence)| in_words(workspace, document, span, fence)));
    let listed = listings::paths(workspace, document).into_iter().chain(children::paths(workspace, document));
    let listed = listed.chain(captions::paths(workspace, document));
    replace_by(&mut found, listed.filter(|mention| !starts.contains(&mention.span.start)).collect());
    samples::drop(workspace, document, &mut found);
    found.extend(drawn);
    deny_everywhere(document, &mut found);
    found.retain(|mention| !is_shown(mention.span));
    let coded = in_spans(document);
    found.extend(links_of().chain(&coded).filter_map(|link| in_link(workspace, document, link)));
    tell_from_the_root(workspace, document, &mut found);
    found.extend(machine::paths(workspace, document));
    found.extend(patterns::of(document).iter().filter_map(|pattern| in_pattern(workspace, document, pattern)));
    found.sort_by_key(|mention| (mention.span.start, mention.span.end));
    found
}

/// The paths in commands. A script alone in a code span is a path and a command; it is told once.
fn in_commands(workspace: &Workspace, document: &Document, found: &[Mention]) -> Vec<Mention> {
    let spans: BTreeSet<Span> = found.iter().map(|mention| mention.span).collect();
    let commands = run::paths(document).into_iter().filter(|word| !spans.contains(&word.span));
    commands.filter_map(|word| in_command(workspace, document, &word)).collect()
}

/// Add what counts from the root of a bundle or of the repository, in every file, and from a skill's own folder, which was taken for
/// a path like others.
fn tell_from_the_root(workspace: &Workspace, document: &Document, found: &mut Vec<Mention>) {
    let of_bundle = bundle_root::paths(workspace, document);
    replace_by(found, of_bundle);
    found.extend(own_urls::paths(workspace, document));
    found.extend(at_paths::paths(workspace, document));
}

/// Add `others`, each in place of what was found where it stands.
fn replace_by(found: &mut Vec<Mention>, others: Vec<Mention>) {
    let starts: BTreeSet<usize> = others.iter().map(|mention| mention.span.start).collect();
    found.retain(|mention| !starts.contains(&mention.span.start));
    found.extend(others);
}

/// Where a text says once that a file is made, or gone, it need not say so at every mention. A command in a fence of examples runs
/// what is there.
fn deny_everywhere(document: &Document, found: &mut [Mention]) {
    let bare = |mention: &Mention| mention.path.trim_start_matches("./").to_owned();
    let is_shown = |mention: &&Mention| {
        let fence = document.markdown.fence_at(mention.span.start);
        mention.form == MentionForm::Command && fence.is_some_and(|fence| stance::shows_examples(document, fence.span))
    };
    let denied = found.iter().filter(|mention| mention.denied).filter(|mention| !is_shown(mention));
    let (examples, gone): (Vec<&Mention>, Vec<&Mention>) = denied.partition(|mention| mention.illustrates);
    let gone: BTreeSet<String> = gone.into_iter().map(bare).collect();
    let denied: BTreeSet<String> = examples.into_iter().map(bare).chain(gone.iter().cloned()).collect();
    for mention in found {
        let path = bare(mention);
        mention.denied |= denied.contains(&path);
        mention.illustrates &= !gone.contains(&path);
    }
}

/// Drop mentions of what ignore files exclude, of what is there without being listed, and of what the source cannot tell. Returns those
/// of ignored files on which the text relies: the pattern may be that of a program, and history tells whether the file was moved.
fn drop_what_is_made(
    source: &dyn Source,
    by_document: &mut BTreeMap<RepoPath, Vec<Mention>>,
) -> Vec<(RepoPath, Mention)> {
    let mut dropped = Vec::new();
    let Some(probed) = ProbedPaths::new(source, by_document.values().flatten()) else { return dropped };
    let is_folder = |mention: &Mention| mention.form == MentionForm::Directory;
    let is_lone = |mention: &Mention| mention.form == MentionForm::File && !mention.path.contains('/');
    let has_lone = by_document.values().flatten().any(is_lone);
    let has_folder = by_document.values().flatten().any(is_folder);
    let named = if has_lone || has_folder { IgnoreFiles::read(source) } else { IgnoreFiles::default() };
    let is_asked = |mention: &Mention| candidates(mention).iter().any(|path| probed.is_ignored(path));
    let hidden = ignored_folders(source, by_document, is_asked);
    let kept = if hidden.is_empty() { BTreeSet::new() } else { kept_by_ignore_files(source) };
    for (document, mentions) in by_document {
        // Patterns that name the folder of a tracked file do not keep git from tracking what lies there.
        let is_kept = kept.iter().any(|kept| path::is_at_or_below(document.as_bytes(), kept));
        let beside_document = |path: &RepoPath| {
            if is_kept {
                return false;
            }
            let mut above = path::ancestors_from_root(document.parent()).into_iter();
            above.any(|dir| hidden.contains(dir) && path::is_at_or_below(path.as_bytes(), dir))
        };
        mentions.retain(|mention| {
            let is_absent = |path: &RepoPath| {
                let is_made = is_folder(mention) && probed.is_ignored_inside(path);
                probed.is_absent(path) && !is_made || probed.is_ignored(path) && beside_document(path)
            };
            let candidates = candidates(mention);
            let is_kept_out = candidates.first().is_some_and(|own| is_skills_own(document, mention, own));
            let is_beside = candidates.first().is_some_and(|own| probed.is_beside_sources(own));
            let is_open = |path: &RepoPath| is_absent(path) || is_kept_out && probed.is_ignored(path);
            let is_kept = (is_beside || candidates.iter().all(is_open))
                && !(is_lone(mention) && named.names.contains(mention.path.as_bytes()))
                && !(is_folder(mention) && candidates.iter().any(|path| named.folders.contains(path)));
            let is_told = mention.form == MentionForm::File && mention.relied_on && !mention.denied;
            let is_nowhere = |path: &RepoPath| probed.is_absent(path) || probed.is_ignored(path);
            if !is_kept && is_told && candidates.iter().all(is_nowhere) {
                dropped.push((document.clone(), mention.clone()));
            }
            is_kept
        });
    }
    dropped
}

/// The files and folders that patterns of the root's ignore file except from others: what those ignore beside them is ignored on
/// purpose.
fn kept_by_ignore_files(source: &dyn Source) -> BTreeSet<Vec<u8>> {
    let bytes = source.read_many(&[RepoPath::from(".gitignore")]).into_iter().flatten().next();
    let lines = bytes.iter().flat_map(|bytes| bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii));
    let kept = lines.filter_map(|line| line.strip_prefix(b"!")).map(|line| line.strip_prefix(b"/").unwrap_or(line));
    let kept = kept.map(|line| line.strip_suffix(b"/**").or_else(|| line.strip_suffix(b"/*")).unwrap_or(line));
    kept.filter(|line| !line.is_empty() && !line.ends_with(b"/") && !line.iter().any(|byte| b"*?[\\".contains(byte)))
        .map(<[u8]>::to_vec)
        .collect()
}

/// Folders of a skill that go wherever it goes.
pub(crate) const SKILLS_OWN: [&str; 3] = ["assets", "references", "scripts"];

/// Whether a skill links the `path` of a folder of its own, which goes wherever the skill goes. A pattern that keeps it from git keeps
/// it from everyone who gets the skill.
fn is_skills_own(document: &RepoPath, mention: &Mention, path: &RepoPath) -> bool {
    let folder = document.parent();
    let is_own = |own: &&str| path::is_at_or_below(path.as_bytes(), &path::join(folder, own.as_bytes()));
    let is_page = || mention.form == MentionForm::File && mention.claimed && mention.path.starts_with("references/");
    let is_told = mention.form == MentionForm::Link || is_page() && mention.path.ends_with(".md");
    is_told && document.file_name() == b"SKILL.md" && SKILLS_OWN.iter().any(is_own)
}

/// Ignore files that are looked at for the names in them, at most.
const MAX_IGNORE_FILES: usize = 100;

/// What the patterns of ignore files name, of files that are made.
#[derive(Default)]
struct IgnoreFiles {
    /// The names with which those patterns end that name one file in one folder, or below the folder of the ignore file. A text may name
    /// such a file alone.
    names: BTreeSet<Vec<u8>>,
    /// Folders of which they name some files, as `data/rows/*.json` does.
    folders: BTreeSet<RepoPath>,
}

impl IgnoreFiles {
    fn read(source: &dyn Source) -> IgnoreFiles {
        let files = source.listing().with_name(b".gitignore");
        let files: Vec<RepoPath> = files.into_iter().take(MAX_IGNORE_FILES).map(RepoPath::new).collect();
        let mut named = IgnoreFiles::default();
        let is_wild = |part: &[u8]| part.iter().any(|byte| b"*?[\\".contains(byte));
        for (file, bytes) in files.iter().zip(source.read_many(&files)) {
            let Ok(bytes) = bytes else { continue };
            for line in bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
                if line.starts_with(b"#") || line.starts_with(b"!") || line.ends_with(b"/") {
                    continue;
                }
                let (folder, name) = (path::parent(line), path::file_name(line));
                let is_of_a_folder = !file.parent().is_empty() || name.len() < line.len();
                if is_of_a_folder && !name.is_empty() && !is_wild(name) {
                    named.names.insert(name.to_vec());
                } else if is_wild(name) && !folder.is_empty() && !is_wild(folder) {
                    let folder = folder.strip_prefix(b"/").unwrap_or(folder);
                    named.folders.insert(RepoPath::new(path::join(file.parent(), folder)));
                }
            }
        }
        named
    }
}

/// The folders above the documents of some mentions that ignore files name.
fn ignored_folders(
    source: &dyn Source,
    by_document: &BTreeMap<RepoPath, Vec<Mention>>,
    is_asked: impl Fn(&Mention) -> bool,
) -> BTreeSet<Vec<u8>> {
    let documents = by_document.iter().filter(|(_, mentions)| mentions.iter().any(&is_asked));
    let above = documents.flat_map(|(document, _)| path::ancestors_from_root(document.parent()));
    let folders: BTreeSet<&[u8]> = above.filter(|dir| !dir.is_empty()).collect();
    let inside: Vec<RepoPath> = folders.iter().map(|dir| RepoPath::new(path::join(dir, b"file"))).collect();
    let probes = source.probe_many(&inside);
    let ignored = folders.into_iter().zip(probes).filter(|(_, probe)| *probe == Probe::Ignored);
    ignored.map(|(dir, _)| dir.to_vec()).collect()
}
