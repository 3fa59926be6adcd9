//! Paths that never were, of which another hint file says that they are made or need not be there: the output of a command or of a
//! skill that a page describes. Folders that come and go. And paths in files whose encoding is broken: what the text says of them cannot be read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use memchr::memmem::{self, Finder};
use rayon::prelude::*;

use super::stance::{Stance, stance};
use super::{Mention, MentionForm, Miss, printed};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Paths that other files are searched for, at most.
const MAX_PATHS: usize = 500;

/// Note which mentions are excused.
pub(super) fn note(workspace: &Workspace, by_document: &mut BTreeMap<RepoPath, Vec<Mention>>) {
    let excused = excused_paths(workspace, by_document);
    by_document.par_iter_mut().for_each(|(path, mentions)| {
        let own = workspace.document(path.as_bytes());
        let is_broken = own.is_some_and(|document| document.is_garbled() || tells_of_another_place(document));
        for mention in mentions {
            mention.excused = is_broken || asked(mention).is_some_and(|asked| excused.contains(&asked));
            if is_broken || !matches!(mention.place, Miss::Absent { .. }) {
                continue;
            }
            let is_lone = mention.form == MentionForm::File && !has_folder(mention);
            mention.excused |= is_lone && own.is_some_and(|document| is_denied_in(document, &mention.path));
            let is_of_the_reader = |document| printed::is_of_the_reader(document, &mention.path);
            mention.excused |=
                mention.form == MentionForm::Command && !mention.exact && own.is_some_and(is_of_the_reader);
        }
    });
}

/// The paths of which other files say that they are made or need not be there, and the folders that come and go.
fn excused_paths(workspace: &Workspace, by_document: &BTreeMap<RepoPath, Vec<Mention>>) -> BTreeSet<String> {
    let mut wanted: BTreeMap<String, &RepoPath> = BTreeMap::new();
    for (path, mentions) in by_document {
        for asked in mentions.iter().filter_map(asked) {
            if wanted.len() < MAX_PATHS {
                wanted.entry(asked).or_insert(path);
            }
        }
    }
    let telling = OnceLock::new();
    let is_excused = |(asked, path): &(String, &RepoPath)| match asked.ends_with('/') {
        true => comes_and_goes(telling.get_or_init(|| texts_that_tell(workspace)), asked),
        false => is_denied_by_another(workspace, path, asked),
    };
    wanted.into_par_iter().filter(is_excused).map(|(asked, _)| asked).collect()
}

/// What other files are asked about `mention`: the path as it is written, or a folder with a slash behind it.
fn asked(mention: &Mention) -> Option<String> {
    let is_absent = matches!(mention.place, Miss::Absent { .. });
    match mention.form {
        MentionForm::Directory => {
            mention.path.contains('/').then(|| format!("{}/", mention.path.trim_start_matches("./")))
        }
        // Another file means another path by one that counts from its own folder.
        MentionForm::File if !has_folder(mention) => None,
        MentionForm::File | MentionForm::Command => (is_absent && !mention.exact).then(|| mention.path.clone()),
        // A link counts from its own file.
        MentionForm::Link => match &mention.place {
            Miss::Absent { candidates, .. } => {
                candidates.first().map(|path| path.to_str_lossy().into_owned()).filter(|path| path.contains('/'))
            }
            _ => None,
        },
        MentionForm::Glob => None,
    }
}

/// Whether the path is more than a name.
fn has_folder(mention: &Mention) -> bool {
    mention.path.trim_start_matches("./").contains('/')
}

/// Whether a prompt says of the files that it names that another repository has them.
fn tells_of_another_place(document: &Document) -> bool {
    let says = |words: &str| memmem::find(document.text.as_bytes(), words.as_bytes()).is_some();
    document.kind.is_general()
        && ["not available locally", "not stored locally", "not vendored here"].into_iter().any(says)
}

/// What stands before a folder that is emptied or filled, and behind one that is there at times.
const BEFORE_FOLDER: [&str; 6] = ["git rm ", "git rm -r ", "Write(", "Edit(", "Write(/", "Edit(/"];
const BEHIND_FOLDER: [&str; 3] = ["only while", "only when", "only during"];

/// The hint files and settings that tell of some folder that it comes and goes.
fn texts_that_tell(workspace: &Workspace) -> Vec<&[u8]> {
    let signs: Vec<Finder<'_>> = BEFORE_FOLDER.iter().chain(&BEHIND_FOLDER).map(Finder::new).collect();
    let texts = workspace.documents.iter().map(|document| document.text.as_bytes());
    let texts = texts.chain(workspace.settings.values().map(|bytes| &bytes[..]));
    texts.filter(|bytes| signs.iter().any(|sign| sign.find(bytes).is_some())).collect()
}

/// Whether one of the `texts` says that the folder is there only at times: something is written there, and taken away.
fn comes_and_goes(texts: &[&[u8]], folder: &str) -> bool {
    let before = BEFORE_FOLDER.map(|command| format!("{command}{folder}"));
    let behind = BEHIND_FOLDER.map(|words| format!("{folder}` {words}"));
    let signs: Vec<&String> = before.iter().chain(&behind).collect();
    texts.iter().any(|bytes| signs.iter().any(|sign| memmem::find(bytes, sign.as_bytes()).is_some()))
}

/// Whether a hint file other than that at `path` says of `written` that it is not there, or is made.
fn is_denied_by_another(workspace: &Workspace, path: &RepoPath, written: &str) -> bool {
    let is_other = |document: &&Document| document.path != *path && document.kind != Kind::Artifact;
    workspace.documents.iter().filter(is_other).any(|document| is_denied_in(document, written))
}

/// Places in one text at which a path is looked at, at most.
const MAX_PLACES: usize = 50;

/// Whether `document` says at some place of `written` that it is not there, or is made.
fn is_denied_in(document: &Document, written: &str) -> bool {
    let finder = Finder::new(written.trim_start_matches("./"));
    let text = &document.text;
    let is_part = |c: char| c.is_alphanumeric() || "/_-".contains(c);
    let is_whole = |span: &Span| {
        let before = text[..span.start].strip_suffix("./").unwrap_or(&text[..span.start]);
        !before.ends_with(is_part) && !before.ends_with('.') && !text[span.end..].starts_with(is_part)
    };
    // A path from the root may have a slash before it.
    let start = |at: usize| at - usize::from(text[..at].ends_with("`/"));
    let spans = finder.find_iter(text.as_bytes()).map(|at| Span::new(start(at), at + finder.needle().len()));
    spans.filter(is_whole).take(MAX_PLACES).any(|span| stance(document, span) == Stance::Denies)
}
