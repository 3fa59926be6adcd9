//! Why an agent is sent a sentence, or is not: the file and line that it comes from, or what keeps it out. Plain data in and out;
//! the files behind a context are read by the caller.

use crate::agents::context::{Context, Importer, Layer, PartName, Reason, Why};
use crate::base::characters::is_hidden;
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::base::text::LineIndex;
use crate::compile::trace::{self, FileLines};
use crate::parse::Document;
use crate::world::AbsPath;

/// A text that is looked for. Blanks and line ends count as one blank, and hidden characters not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sought(String);

impl Sought {
    /// `None` if nothing is left of `text`.
    pub(crate) fn new(text: &str) -> Option<Sought> {
        let (text, _) = squeezed(text);
        let text = text.trim().to_owned();
        (!text.is_empty()).then_some(Sought(text))
    }

    /// Where it begins and ends in `text`, in bytes.
    pub(crate) fn find(&self, text: &str) -> Option<(usize, usize)> {
        let (squeezed, places) = squeezed(text);
        let start = squeezed.find(&self.0)?;
        let at = |offset: usize| places[places.partition_point(|(squeezed, _)| *squeezed <= offset) - 1];
        let last = start + self.0.len() - 1;
        let (begin, end) = (at(start), at(last));
        Some((begin.1 + start - begin.0, end.1 + last - end.0 + 1))
    }
}

/// The text with each run of blanks as one, and pairs of offsets in it and in the original from which both run alike.
fn squeezed(text: &str) -> (String, Vec<(usize, usize)>) {
    let mut out = String::with_capacity(text.len());
    let mut places = vec![(0, 0)];
    for (at, c) in text.char_indices() {
        let is_blank = c.is_whitespace();
        if (is_blank && out.ends_with(' ')) || (!is_blank && is_hidden(c)) {
            continue;
        }
        let expected = places.last().map_or(0, |(squeezed, original)| original + out.len() - squeezed);
        if at != expected {
            places.push((out.len(), at));
        }
        let before = out.len();
        out.push(if is_blank { ' ' } else { c });
        if out.len() - before != c.len_utf8() {
            places.push((out.len(), at + c.len_utf8()));
        }
    }
    (out, places)
}

/// A place of the sought text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TextPlace {
    pub(crate) path: AbsPath,
    /// From 1.
    pub(crate) line: usize,
}

/// What becomes of the sought text for one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SoughtVerdict {
    /// It is sent.
    Sent {
        part: PartName,
        /// Where it comes from; `None` for words of the agent's own.
        from: Option<TextPlace>,
        /// Why the file is loaded.
        why: Option<Why>,
        by: Option<Importer>,
    },
    /// It is not, for each place where it stands.
    Lost(Vec<(TextPlace, LossReason)>),
}

/// Why the text of a file is not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LossReason {
    /// The file is cut before it, in this line.
    Cut(usize),
    /// The agent takes comments out.
    Comment,
    /// The agent takes frontmatter out.
    Frontmatter,
    /// The file is loaded, and this is not in what the agent makes of it.
    TakenOut,
    /// The rule waits for a file.
    Waits { globs: Vec<String>, never: Option<&'static str> },
    /// The file is not loaded.
    Skipped { reason: Reason, by: Option<Importer> },
    /// Nothing looks for the file here.
    NotHere,
}

/// Why `sought` is or is not in `context`. `read` gives the text of a file; `others` are places of it in further files.
pub(crate) fn verdict(
    context: &Context,
    sought: &Sought,
    read: &dyn Fn(&AbsPath) -> Option<String>,
    others: &[TextPlace],
) -> SoughtVerdict {
    if let Some(sent) = sent(context, sought, read) {
        return sent;
    }
    let mut lost: Vec<(TextPlace, LossReason)> = Vec::new();
    for layer in &context.layers {
        if let Some((text, start, end)) = found(sought, &layer.path, read) {
            lost.push((place(&layer.path, &text, start), in_loaded(layer, &text, start, end)));
        }
    }
    for rule in &context.conditional {
        if let Some((text, start, _)) = found(sought, &rule.path, read) {
            let loss = LossReason::Waits { globs: rule.globs.clone(), never: rule.never };
            lost.push((place(&rule.path, &text, start), loss));
        }
    }
    for skipped in &context.skipped {
        let Some(path) = &skipped.path else { continue };
        if let Some((text, start, _)) = found(sought, path, read) {
            let loss = LossReason::Skipped { reason: skipped.reason.clone(), by: skipped.imported_by.clone() };
            lost.push((place(path, &text, start), loss));
        }
    }
    for other in others {
        if !lost.iter().any(|(known, _)| known.path == other.path) {
            lost.push((other.clone(), LossReason::NotHere));
        }
    }
    lost.sort_by(|(a, _), (b, _)| a.cmp(b));
    lost.dedup();
    SoughtVerdict::Lost(lost)
}

fn found(sought: &Sought, path: &AbsPath, read: &dyn Fn(&AbsPath) -> Option<String>) -> Option<(String, usize, usize)> {
    let text = read(path)?;
    let (start, end) = sought.find(&text)?;
    Some((text, start, end))
}

fn place(path: &AbsPath, text: &str, offset: usize) -> TextPlace {
    TextPlace { path: path.clone(), line: LineIndex::new(text.as_bytes()).line_of(offset) + 1 }
}

fn in_loaded(layer: &Layer, text: &str, start: usize, end: usize) -> LossReason {
    if let Some(cut) = layer.cut.filter(|cut| end > cut.kept) {
        return LossReason::Cut(cut.line);
    }
    let document = Document::parse(RepoPath::from("AGENTS.md"), Kind::AgentsMd, text.as_bytes().into());
    if document.markdown.in_comment(start) {
        LossReason::Comment
    } else if end <= document.body {
        LossReason::Frontmatter
    } else {
        LossReason::TakenOut
    }
}

/// Where a text that is sent comes from.
fn sent(context: &Context, sought: &Sought, read: &dyn Fn(&AbsPath) -> Option<String>) -> Option<SoughtVerdict> {
    let (part, (start, _)) =
        context.parts.iter().find_map(|part| sought.find(&part.text).map(|place| (part, place)))?;
    let layers: Vec<(&Layer, String)> = context
        .layers
        .iter()
        .filter(|layer| layer.part == part.name)
        .filter_map(|layer| Some((layer, read(&layer.path)?)))
        .collect();
    let lines: Vec<FileLines> = layers.iter().map(|(_, text)| FileLines::of(text)).collect();
    let at = LineIndex::new(part.text.as_bytes()).line_of(start);
    let origins = trace::trace(&part.text, &lines.iter().collect::<Vec<_>>());
    let origin = origins.get(at).copied().flatten().map(|origin| (origin.source, origin.line + 1));
    // What an agent changes in its own way is found in a file, if it is in one.
    let origin = origin.or_else(|| {
        let mut texts = layers.iter().enumerate();
        texts.find_map(|(index, (layer, text))| Some((index, place(&layer.path, text, sought.find(text)?.0).line)))
    });
    let (from, why, by) = match origin {
        Some((index, line)) => {
            let layer = layers[index].0;
            let from = TextPlace { path: layer.path.clone(), line };
            (Some(from), Some(layer.why), layer.imported_by.clone())
        }
        None => (None, None, None),
    };
    Some(SoughtVerdict::Sent { part: part.name, from, why, by })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{self, context};
    use crate::world::{MemoryFiles, RepoWorld, World};

    /// `PART FILE:LINE`, or `FILE:LINE loss` for each place.
    fn check(agent: &str, files: &[(&str, &str)], text: &str, expected: &str) {
        let files = files.iter().fold(MemoryFiles::new(), |files, (path, text)| files.file(path, text));
        let world = RepoWorld::new(files);
        let loaded =
            context::load(&world, agents::by_id(agent).unwrap(), world.root(), &context::LoadOptions::default());
        let read = |path: &AbsPath| Some(String::from_utf8_lossy(&world.read(path).ok()?).into_owned());
        let name =
            |at: &TextPlace| format!("{}:{}", String::from_utf8_lossy(&at.path.relative_to(world.root())), at.line);
        let found = match verdict(&loaded, &Sought::new(text).unwrap(), &read, &[]) {
            SoughtVerdict::Sent { part, from, .. } => {
                format!("{} {}", part.name(), from.as_ref().map_or("-".into(), name))
            }
            SoughtVerdict::Lost(lost) => {
                let one = |(at, loss): &(TextPlace, LossReason)| match loss {
                    LossReason::Cut(line) => format!("{} cut in {line}", name(at)),
                    LossReason::Waits { globs, .. } => format!("{} waits for {}", name(at), globs.join(",")),
                    LossReason::Skipped { reason, .. } => format!("{} {}", name(at), reason.name()),
                    other => format!("{} {other:?}", name(at)),
                };
                lost.iter().map(one).collect::<Vec<_>>().join("; ")
            }
        };
        assert_eq!(found, expected, "{agent}: {text}");
    }

    #[test]
    fn blanks_do_not_matter_and_places_are_exact() {
        let sought = Sought::new("  two\n three ").unwrap();
        let found = |text: &str| sought.find(text).map(|(start, end)| text[start..end].to_owned());
        assert_eq!(found("one two \n\t three four").as_deref(), Some("two \n\t three"));
        assert_eq!(found("\u{e9}\u{2003}\u{e9} two\u{200B} three").as_deref(), Some("two\u{200B} three"));
        assert_eq!(found("t\u{200B}wo three!").as_deref(), Some("t\u{200B}wo three"));
        assert_eq!(found("twothree"), None);
        assert_eq!(Sought::new(" \n\u{200B}"), None);
    }

    #[test]
    fn sent_text_has_a_file_and_line() {
        let files = [("CLAUDE.md", "# A\n\n@docs/b.md\n\nlast\nline\n"), ("docs/b.md", "b\n\nuse   tabs\n")];
        check("claude", &files, "use tabs", "main docs/b.md:3");
        check("claude", &files, "last line", "main CLAUDE.md:5");
        check("codex", &[("AGENTS.md", "x\n")], "<INSTRUCTIONS>", "main -");
    }

    #[test]
    fn lost_text_has_a_reason() {
        let long = format!("{}the end\n", "x".repeat(99).to_owned() + "\n").repeat(400);
        check("codex", &[("AGENTS.md", &long.replacen("the end", "", 399))], "the end", "AGENTS.md:800 cut in 649");
        check("claude", &[("CLAUDE.md", "a\n"), ("AGENTS.md", "Be polite\n")], "Be polite", "AGENTS.md:1 shadowed");
        let rule = "---\npaths: [\"**/*.py\"]\n---\nHints\n";
        check("claude", &[(".claude/rules/x.md", rule)], "Hints", ".claude/rules/x.md:4 waits for **/*.py");
        check("claude", &[("CLAUDE.md", "a\n\n<!-- secret\nplan -->\n")], "secret plan", "CLAUDE.md:3 Comment");
    }
}
