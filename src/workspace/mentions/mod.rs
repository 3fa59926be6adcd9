//! Paths that hint files name, in code spans, as link destinations and at the beginning of path patterns, as far as they lead nowhere; and link anchors that no
//! heading has. Collected while loading, since the source has to be asked about them; judged by the rules.

mod agents_folder;
mod aliased;
mod alike;
mod anchors;
mod at_paths;
mod backslashes;
mod blanks;
mod bundle_root;
mod captions;
mod children;
mod collect;
mod commands;
mod endings;
mod exact;
mod excused;
#[cfg(feature = "server")]
pub(crate) mod found;
mod led;
mod links;
mod listings;
mod lone_list;
mod machine;
mod optional_pages;
mod own_sources;
mod own_urls;
mod paths;
mod place;
mod plain;
mod printed;
mod probed;
mod run;
mod samples;
mod stance;
mod template;
mod token;
mod trees;
mod tried;
mod written;

use std::collections::BTreeMap;

pub(crate) use alike::is_spelt_so;
pub(crate) use collect::SKILLS_OWN;
pub(super) use collect::collect;
pub(crate) use endings::with_another_ending;
pub(crate) use led::begins_with_the_checkout;
pub(crate) use own_sources::is_source;
pub(super) use own_urls::own_names;
pub(super) use stance::prepare;

use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::parse::Document;

/// Whether the text around `span` says that what stands there is not there, is yet to be made, or must not be used.
pub(crate) fn is_denied(document: &Document, span: Span) -> bool {
    stance::stance(document, span) == stance::Stance::Denies
}

/// Whether the text around `span` denies what stands there, or gives it as an example, and does not ask for it to be used.
pub(crate) fn is_doubted(document: &Document, span: Span) -> bool {
    match stance::stance(document, span) {
        stance::Stance::Denies => true,
        stance::Stance::Hedges => !is_to_be_used(document, span),
        stance::Stance::Claims => false,
    }
}

/// Whether the sentence before what stands at `span` forbids to read or to use it.
pub(crate) fn is_ruled_out(document: &Document, span: Span) -> bool {
    stance::is_ruled_out(document, span)
}

/// Whether the line says `Use template:` and the like before the path at `span`.
fn is_to_be_used(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let before = document.text.get(line.start..span.start).unwrap_or_default().to_lowercase();
    let mut words = before.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).rev().take(4);
    words.any(|word| matches!(word, "use" | "using" | "follow" | "read"))
}

/// Whether a file of this name may be one that people keep in a repository, and none of which a project has one or the other, such as
/// lock files.
pub(crate) fn is_of_one_project(name: &str) -> bool {
    token::is_plausible(name) && !stance::is_alternative(name)
}

/// Whether the text gives the command at `span` as an example, or as one of another repository.
pub(super) fn command_is_hedged(document: &Document, span: Span) -> bool {
    stance::command_is_hedged(document, span)
}

/// Whether files in folder after folder of a project have this name.
pub(crate) fn is_common(name: &[u8]) -> bool {
    place::is_common(name)
}

/// Whether `span` stands inside quotation marks: what somebody else says, or may say.
pub(crate) fn is_said(document: &Document, span: Span) -> bool {
    stance::is_in_quotes(document, span)
}

/// Whether a comment behind a command says that there may be no such command.
pub(super) fn comment_denies(comment: &str) -> bool {
    stance::remark_denies(comment)
}

/// What inner fences cut off from templates of pages, sorted by place.
pub(super) fn remains_of_templates(document: &Document) -> Vec<Span> {
    template::remains(document)
}

/// Whether one of the `remains` holds the fence.
pub(super) fn is_of_a_template(remains: &[Span], fence: Span) -> bool {
    template::holds(remains, fence)
}

/// Whether what introduces a fence denies the commands in it, and whether it hedges.
pub(super) fn fence_is_doubted(document: &Document, fence: Span) -> (bool, bool) {
    stance::of_commands(document, fence)
}

/// The path of a link's destination, decoded and without anchor; `None` for what leads elsewhere.
pub(super) fn linked_path(destination: &str) -> Option<String> {
    token::destination(destination).filter(|found| !found.from_root && !found.path.is_empty()).map(|found| found.path)
}

/// Where the headings of a Markdown text stand, and the anchor of each.
pub(crate) fn heading_anchors(markdown: &crate::parse::Markdown) -> Vec<(Span, String)> {
    anchors::of_headings(markdown)
}

/// Whether two anchors name the same place.
#[cfg(feature = "server")]
pub(crate) fn is_same_anchor(a: &str, b: &str) -> bool {
    anchors::folded(a) == anchors::folded(b)
}

/// All mentions of a workspace that do not lead to a file as they stand.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    by_document: BTreeMap<RepoPath, Vec<Mention>>,
    /// Paths told as examples, and such that git ignores: whole paths of files that the repository may have had.
    examples: BTreeMap<RepoPath, Vec<Mention>>,
}

impl Mentions {
    /// The mentions in the file at `path`, by place.
    pub(crate) fn of(&self, path: &RepoPath) -> &[Mention] {
        self.by_document.get(path).map_or(&[], Vec::as_slice)
    }

    /// The paths that the file at `path` gives as examples, and that are not there.
    pub(crate) fn examples_of(&self, path: &RepoPath) -> &[Mention] {
        self.examples.get(path).map_or(&[], Vec::as_slice)
    }

    /// All of them, by file and place.
    pub(crate) fn examples(&self) -> impl Iterator<Item = (&RepoPath, &Mention)> {
        self.examples.iter().flat_map(|(path, mentions)| mentions.iter().map(move |mention| (path, mention)))
    }

    /// Let `change` take mentions out, file by file.
    pub(crate) fn change(&mut self, mut change: impl FnMut(&RepoPath, &mut Vec<Mention>)) {
        for (path, mentions) in &mut self.by_document {
            change(path, mentions);
        }
        self.by_document.retain(|_, mentions| !mentions.is_empty());
    }

    /// All mentions, by file and place.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&RepoPath, &Mention)> {
        self.by_document.iter().flat_map(|(path, mentions)| mentions.iter().map(move |mention| (path, mention)))
    }
}

/// How a path is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MentionForm {
    /// A code span that is a file's path.
    File,
    /// A code span that is a directory's path.
    Directory,
    /// A file that a command reads or runs.
    Command,
    /// A link's destination.
    Link,
    /// The part of a frontmatter pattern before its first wildcard.
    Glob,
}

/// One path that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    /// How.
    pub form: MentionForm,
    /// Where the path stands, without `mdc:`, line numbers and anchors.
    pub span: Span,
    /// The path, decoded.
    pub path: String,
    /// Whether the text relies on the path and the path looks like one of this repository, so that it is worth reporting even
    /// if history never knew it.
    pub claimed: bool,
    /// Whether the text relies on the path, and the path is told exactly enough to be looked for as the end of a longer one.
    pub relied_on: bool,
    /// Whether the text may describe another repository, or give an example.
    pub hedged: bool,
    /// Whether the text tells the reader to read the file.
    pub to_be_read: bool,
    /// Whether the text sends the reader to the path, to read it or to run it, or says that something lies there.
    pub sends: bool,
    /// Whether the sentence tells of something that is to be added, before it names the path.
    pub to_come: bool,
    /// Whether the path counts from the text's own folder and from nowhere else, as `../` before it says.
    pub exact: bool,
    /// Whether the path counts from the root of the bundle that holds the text, by a variable, or of this repository, by its address or
    /// an `@`.
    pub of_bundle: bool,
    /// Whether another hint file says that the path is made or may be missing, or nobody can read what this one says: a path that
    /// never was is no slip then.
    pub excused: bool,
    /// Whether the text says that nothing is there. Then only a wrong spelling is worth reporting.
    denied: bool,
    /// Whether that is only because the path is an example.
    illustrates: bool,
    /// Whether the path counts from the root, in every file.
    pub from_root: bool,
    /// Whether the bytes at `span` are the path letter by letter or percent-encoded, so that a fix can replace them.
    pub verbatim: bool,
    /// Where it leads.
    pub place: Miss,
}

impl Mention {
    /// Whether the path is told as an example and nothing else.
    pub(crate) fn illustrates(&self) -> bool {
        self.illustrates
    }

    /// A path of which nothing more is known. It counts from the file's folder and is written letter by letter.
    fn new(form: MentionForm, span: Span, path: String, place: Miss) -> Mention {
        Mention {
            form,
            span,
            path,
            claimed: false,
            relied_on: false,
            hedged: false,
            to_be_read: false,
            sends: false,
            to_come: false,
            exact: false,
            of_bundle: false,
            excused: false,
            denied: false,
            illustrates: false,
            from_root: false,
            verbatim: true,
            place,
        }
    }
}

/// How a path misses what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// A file of that name exists if upper and lower case are not told apart.
    OtherCase(RepoPath),
    /// Nothing is there.
    Absent {
        /// What the path may mean, from the mentioning file's folder up to the root.
        candidates: Vec<RepoPath>,
        /// The one file of the repository that has this name, if it lies close by.
        near: Option<RepoPath>,
    },
    /// Nothing is there, and one file of the repository ends so, which the text may abbreviate.
    Abbreviated {
        /// What the path may mean, from the mentioning file's folder up to the root.
        candidates: Vec<RepoPath>,
        /// That file.
        file: RepoPath,
    },
    /// It leads out of the repository. `inside` is the file that the path names when counted from the root.
    Outside {
        /// A file that was probably meant.
        inside: Option<RepoPath>,
    },
    /// An address with `mdc:` before it: the address without.
    Address(String),
    /// The file is there, and has no such heading or id.
    NoAnchor {
        /// The file.
        file: RepoPath,
        /// The anchor, decoded, without `#`.
        anchor: String,
        /// Where the anchor stands.
        span: Span,
        /// The anchor of that file that is spelt most alike.
        near: Option<String>,
    },
}
