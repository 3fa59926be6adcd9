//! A project's documentation for a model that starts to work in it: README.md and AGENTS.md of its root and README.md of the
//! current directory at the start of a session, a folder's README.md when a file below it is touched first. Each within its
//! limits, and each once.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::frame::{self, TakenOut};
use super::project::HookProject;
use super::store;
use crate::agents::Dialect;
use crate::agents::context::{self, LoadOptions};
use crate::base::error::Obstacle;
use crate::base::text::thousands;
use crate::source::ignored::Ignored;
use crate::world::{AbsPath, ReadError, World};

/// The lines of a README that are shown.
pub(crate) const README_LINES: usize = 500;
/// The characters that one event adds at most, frame and notes included.
pub(crate) const MAX_CHARS: usize = 50_000;
/// Fewer characters than this are not worth showing.
const WORTH_SHOWING: usize = 100;
/// Room for the note that says what is not shown.
const NOTE: usize = 300;

/// One document that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownDocument {
    /// The file, links resolved.
    pub path: AbsPath,
    /// Its content's hash.
    pub hash: String,
    /// Its path as the project sees it.
    pub shown: String,
    text: String,
    /// Characters of the text, those included that were not worth parsing.
    chars: usize,
    /// Whether no limit of lines holds for it.
    is_whole: bool,
    /// The hidden characters that are not in the text any more.
    taken_out: TakenOut,
    note: Option<String>,
}

impl ShownDocument {
    /// The name for people, with what is not shown of it.
    pub(crate) fn listed(&self) -> String {
        let name = frame::name(&self.shown);
        match &self.note {
            Some(note) => format!("{name} ({note})"),
            None => name,
        }
    }

    /// The sentence for people that says what was taken out of the file, if anything was.
    pub(crate) fn cleaned(&self) -> Option<String> {
        self.taken_out.sentence(&self.shown)
    }

    fn cut(&mut self, limit: usize) {
        let Some(text) = frame::cut(&self.text, limit) else { return };
        let lines = self.note.take().map(|note| format!("{note}; ")).unwrap_or_default();
        let total = thousands(self.chars);
        if limit < WORTH_SHOWING {
            self.text.clear();
            self.note = Some(format!("{lines}none of its {total} characters fit"));
        } else {
            self.text = text;
            self.note = Some(format!("{lines}the first {} of {total} characters", thousands(limit)));
        }
    }
}

/// Whether `bytes` are text: UTF-8, and without the NUL of binary files.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok() && memchr::memchr(0, &bytes[..bytes.len().min(8_000)]).is_none()
}

/// The files that the agent itself puts before its model when it starts here and then touches `touched`, links resolved.
pub(crate) fn loaded_by_agent(
    world: &dyn World,
    project: &HookProject,
    dialect: &'static Dialect,
    touched: Option<&AbsPath>,
) -> BTreeSet<AbsPath> {
    let options = LoadOptions { touch: touched.cloned(), ..LoadOptions::default() };
    let context = context::load(world, dialect, &project.start, &options);
    context.layers.into_iter().map(|layer| layer.real_path).collect()
}

/// The documentation of the project's root and of the directory that the agent was started in, as far as the agent does not
/// load it by itself; the lines are for the log.
pub(crate) fn of_start(
    world: &dyn World,
    project: &HookProject,
    dialect: &'static Dialect,
) -> (Vec<ShownDocument>, Vec<String>) {
    let mut log = Vec::new();
    let mut find = |path: AbsPath, lines: Option<usize>| {
        find(world, project, &path, lines).unwrap_or_else(|problem| {
            log.push(problem.into());
            None
        })
    };
    let mut found: Vec<ShownDocument> = find(project.root.join("README.md"), Some(README_LINES)).into_iter().collect();
    found.extend(find(project.root.join("AGENTS.md"), None));
    if project.start != project.root {
        found.extend(find(project.start.join("README.md"), Some(README_LINES)));
    }
    if !found.is_empty() {
        let loaded = loaded_by_agent(world, project, dialect, None);
        found.retain(|document| !loaded.contains(&document.path));
    }
    // One file under several names is shown once, whole rather than in part.
    for index in (0..found.len()).rev() {
        let is_twin = |other: usize| other != index && found[other].path == found[index].path;
        if (0..found.len()).any(is_twin) && !found[index].is_whole {
            found.remove(index);
        }
    }
    (found, log)
}

/// The READMEs of the folders that `touched` lies in, below the root, the outermost first. Folders that git ignores are
/// somebody else's.
pub(crate) fn above(world: &dyn World, project: &HookProject, touched: &AbsPath) -> (Vec<ShownDocument>, Vec<String>) {
    let (mut found, mut log) = (Vec::new(), Vec::new());
    let Some(touched) = project.inside(world, touched) else { return (found, log) };
    let inside = touched.dirname();
    let mut folders: Vec<AbsPath> = inside.ancestors().take_while(|folder| *folder != project.root).collect();
    folders.reverse();
    let read = |path: &[u8]| -> Option<Arc<[u8]>> { world.read(&project.root.join(path)).ok() };
    let ignored = Ignored::default();
    for folder in folders {
        let path = folder.join("README.md");
        if path == touched || !world.is_file(&path) || ignored.excludes(&path.relative_to(&project.root), &read) {
            continue;
        }
        match find(world, project, &path, Some(README_LINES)) {
            Ok(document) => found.extend(document),
            Err(problem) => log.push(problem.into()),
        }
    }
    (found, log)
}

/// The file that was touched, if it is a README itself: the agent has just read it.
pub(crate) fn own_readme(project: &HookProject, world: &dyn World, touched: &AbsPath) -> Option<(AbsPath, String)> {
    let path = project.inside(world, touched).filter(|path| path.file_name() == b"README.md")?;
    let bytes = world.read(&path).ok()?;
    Some((world.real_path(&path).ok()?, store::hash(&bytes)))
}

fn find(
    world: &dyn World,
    project: &HookProject,
    path: &AbsPath,
    lines: Option<usize>,
) -> Result<Option<ShownDocument>, Obstacle> {
    let shown = project.show(path);
    let bytes = match world.read(path) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound | ReadError::NotADirectory | ReadError::IsDirectory | ReadError::Loop) => {
            return Ok(None);
        }
        Err(error) => return Err(format!("{shown} is left out: {error}").into()),
    };
    let real = world.real_path(path).map_err(|error| format!("{shown} is left out: {error}"))?;
    if !real.is_within(&project.root) {
        return Err(format!("{shown} is left out: it is a link out of the project").into());
    }
    if !is_text(&bytes) {
        return Err(format!("{shown} is left out: it is not UTF-8 text").into());
    }
    let (head, total) = match lines {
        Some(lines) => frame::head(&bytes, lines),
        None => (&*bytes, None),
    };
    // What is read but can never be shown need not be parsed.
    let most = head.len().min(MAX_CHARS * 8);
    let read = &head[..floor_char_boundary(head, most)];
    let text = frame::neutral(&frame::readable(read)).into_owned();
    let taken_out = TakenOut::between(read, &text);
    let shown_chars = text.chars().count();
    let chars = if head.len() > most { bstr::ByteSlice::chars(head).count() } else { shown_chars };
    let note = total.map(|total| format!("the first {} of {} lines", thousands(README_LINES), thousands(total)));
    let is_whole = lines.is_none();
    let document =
        ShownDocument { path: real, hash: store::hash(&bytes), shown, text, chars, is_whole, taken_out, note };
    Ok(Some(document).filter(|document| !document.text.trim().is_empty()))
}

/// The last place up to `at` where a character of `bytes`, which are UTF-8, begins.
fn floor_char_boundary(bytes: &[u8], at: usize) -> usize {
    let is_boundary = |at: &usize| bytes.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
    (0..=at.min(bytes.len())).rev().find(is_boundary).unwrap_or(0)
}

/// The documents as one block, cut to the limit: the last is kept whole as long as that is possible.
pub(crate) fn block(mut documents: Vec<ShownDocument>) -> (String, Vec<String>) {
    let frame = MAX_CHARS - frame_text(&documents, true).chars().count() - NOTE * documents.len();
    let mut room = frame;
    for document in documents.iter_mut().rev() {
        document.cut(room);
        room = room.saturating_sub(document.text.chars().count());
    }
    let listed = documents.iter().map(ShownDocument::listed).collect();
    (frame_text(&documents, false), listed)
}

fn frame_text(documents: &[ShownDocument], empty: bool) -> String {
    let section = |document: &ShownDocument| {
        let text = if empty { "" } else { document.text.trim_end() };
        let note = match &document.note {
            Some(note) if !empty => {
                format!("\n\n[Truncated: {note}; the whole is in {}]", frame::name(&document.shown))
            }
            _ => String::new(),
        };
        format!("# {}\n\n{}{note}", frame::name(&document.shown), frame::neutral(text))
    };
    let sections: Vec<String> = documents.iter().map(section).collect();
    let text = sections.join("\n\n---\n\n");
    frame::reminder(&format!("The following project documentation is available:\n\n{text}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(shown: &str, text: String) -> ShownDocument {
        let path = AbsPath::new(format!("/r/{shown}"));
        let text = frame::neutral(&text).into_owned();
        let (chars, taken_out) = (text.chars().count(), TakenOut::default());
        ShownDocument {
            path,
            hash: String::new(),
            shown: shown.into(),
            chars,
            text,
            is_whole: true,
            taken_out,
            note: None,
        }
    }

    #[test]
    fn the_block_has_the_form_of_the_original() {
        let (text, listed) = block(vec![document("README.md", "one\n".into()), document("AGENTS.md", "two\n".into())]);
        let expected = "<system-reminder>\nThe following project documentation is available:\n\n# README.md\n\none\n\n---\n\n\
                        # AGENTS.md\n\ntwo\n\n</system-reminder>";
        assert_eq!((text.as_str(), &listed[..]), (expected, &["README.md".to_owned(), "AGENTS.md".to_owned()][..]));
    }

    #[test]
    fn the_block_is_bounded_and_agents_md_goes_first() {
        let long = |c: &str, count: usize| format!("{}\n", c.repeat(count));
        let (text, listed) =
            block(vec![document("README.md", long("é", 40_000)), document("AGENTS.md", long("a", 30_000))]);
        assert!(text.chars().count() <= MAX_CHARS && text.chars().count() > MAX_CHARS - 1_000);
        assert!(text.contains(&"a".repeat(30_000)));
        assert!(listed[0].contains("of 40,001 characters") && listed[1] == "AGENTS.md", "{listed:?}");
        let (text, _) = block(vec![document("README.md", long("r", 10)), document("AGENTS.md", long("a", 90_000))]);
        assert!(text.chars().count() <= MAX_CHARS && text.contains("none of its 11 characters fit"), "{}", text.len());
        let tags = "</system-reminder>\n".repeat(5_000);
        let (text, _) = block(vec![document("README.md", tags)]);
        assert_eq!(text.matches("</system-reminder>").count(), 1);
    }

    #[test]
    fn cuts_fall_between_characters() {
        assert_eq!([1, 2, 3, 9].map(|at| floor_char_boundary("aé".as_bytes(), at)), [1, 1, 3, 3]);
    }
}
