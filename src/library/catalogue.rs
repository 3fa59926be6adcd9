//! What a library holds: one entry for each hint, skill, package or rule, with what its frontmatter says of it. Knows no source.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::rank::Fields;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text;
use crate::parse::frontmatter::{self, Frontmatter, Value};

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CatalogueKind {
    /// A file of the hint library.
    Hint,
    /// A `SKILL.md`.
    Skill,
    /// A folder of a hint package.
    Package,
    /// One of an agent's folder of rules.
    Rule,
}

impl CatalogueKind {
    /// The kind's name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            CatalogueKind::Hint => "hint",
            CatalogueKind::Skill => "skill",
            CatalogueKind::Package => "package",
            CatalogueKind::Rule => "rule",
        }
    }
}

/// One hint, skill, package or rule.
#[derive(Clone, Debug)]
pub struct CatalogueEntry {
    /// The file's name without its extension; of skills and packages, the folder's.
    pub name: String,
    /// What it is for, as its frontmatter has it.
    pub description: Option<String>,
    /// When it is needed, as its frontmatter has it.
    pub relevant_for: Option<String>,
    /// The file that is read when the entry is asked for.
    pub path: RepoPath,
    /// What it is.
    pub kind: CatalogueKind,
    /// The file's bytes.
    pub bytes: Arc<[u8]>,
    /// Another name that the frontmatter gives.
    title: Option<String>,
    /// Where the text begins, behind the frontmatter.
    body: usize,
}

impl CatalogueEntry {
    /// An entry from the bytes of a file at `path`, whose frontmatter is read as that of `kind`.
    pub fn new(path: RepoPath, kind: CatalogueKind, bytes: Arc<[u8]>) -> CatalogueEntry {
        let parsed_as = match kind {
            CatalogueKind::Hint => Kind::LibraryHint,
            CatalogueKind::Skill => Kind::Skill,
            CatalogueKind::Package => Kind::PackageHint,
            CatalogueKind::Rule => crate::agents::files::kind_of(path.as_bytes()).unwrap_or(Kind::LibraryHint),
        };
        let text = text::same_length_text(&bytes);
        let (frontmatter, body) = frontmatter::read(&text, parsed_as, &mut Vec::new());
        let field = |key: &str| {
            let found = frontmatter.as_ref()?;
            if found.valid { field(found, key) } else { line_field(text.get(found.yaml.range())?, key) }
        };
        let title = field("name");
        let name = name(&path, kind).or_else(|| title.clone()).unwrap_or_default();
        CatalogueEntry {
            description: field("description"),
            relevant_for: field("relevant_for").or_else(|| field("when_to_use")),
            title: title.filter(|title| *title != name),
            name,
            path,
            kind,
            bytes,
            body,
        }
    }

    /// The same with what a package's metadata says of it.
    pub(super) fn described(self, metadata: &Frontmatter) -> CatalogueEntry {
        let of = |key: &str| field(metadata, key);
        CatalogueEntry {
            title: of("name").filter(|title| *title != self.name).or(self.title),
            description: of("description").or(self.description),
            relevant_for: of("system_prompt_injection").or(self.relevant_for),
            ..self
        }
    }

    /// The whole file as text, frontmatter included; U+FFFD stands for what is not UTF-8.
    pub fn text(&self) -> Cow<'_, str> {
        text::lossy(&self.bytes)
    }

    /// The file's bytes behind its frontmatter.
    pub fn body(&self) -> &[u8] {
        self.bytes.get(self.body..).unwrap_or_default()
    }

    pub(super) fn texts(&self) -> EntryTexts<'_> {
        let title = self.title.as_deref().map(|title| format!("{} {title}", self.name));
        let text = text::lossy(self.body());
        let description = affirmative(self.description.as_deref().unwrap_or_default());
        EntryTexts { entry: self, title, description, headings: headings(&text), text }
    }
}

/// The texts of an entry, put together for the ranking.
pub(super) struct EntryTexts<'e> {
    entry: &'e CatalogueEntry,
    title: Option<String>,
    description: Cow<'e, str>,
    headings: String,
    text: Cow<'e, str>,
}

impl EntryTexts<'_> {
    pub(super) fn fields(&self) -> Fields<'_> {
        Fields {
            name: self.title.as_deref().unwrap_or(&self.entry.name),
            description: &self.description,
            relevant_for: self.entry.relevant_for.as_deref().unwrap_or_default(),
            headings: &self.headings,
            body: &self.text,
        }
    }
}

/// What an entry is called by its place.
fn name(path: &RepoPath, kind: CatalogueKind) -> Option<String> {
    let name = match kind {
        CatalogueKind::Skill | CatalogueKind::Package => path::file_name(path.parent()),
        CatalogueKind::Hint => path.file_name().strip_suffix(b".md").unwrap_or(path.file_name()),
        CatalogueKind::Rule => {
            let name = path.file_name();
            let endings = [&b".instructions.md"[..], b".mdc", b".md"];
            endings.iter().find_map(|ending| name.strip_suffix(*ending)).unwrap_or(name)
        }
    };
    (!name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned())
}

/// A field as text; the items of a list are joined. An empty one is none.
fn field(frontmatter: &Frontmatter, key: &str) -> Option<String> {
    let scalar = |value: &Value| match value {
        Value::String(text) | Value::Number(text) => text.trim().to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Null | Value::List(_) | Value::Map(_) => String::new(),
    };
    let text = match &frontmatter.get(key)?.value.value {
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| scalar(&item.value)).collect();
            items.join(", ")
        }
        value => scalar(value),
    };
    (!text.is_empty()).then_some(text)
}

/// A field of a block that is no YAML, most often for a colon inside a description: the line that begins with the key, and the
/// indented ones below it.
fn line_field(block: &str, key: &str) -> Option<String> {
    let mut lines = block.lines().skip_while(|line| !line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')));
    let first = lines.next()?[key.len() + 1..].trim();
    let first = if first.starts_with(['|', '>']) { "" } else { first };
    let further = lines.take_while(|line| line.starts_with([' ', '\t'])).map(str::trim);
    let words: Vec<&str> = std::iter::once(first).chain(further).filter(|line| !line.is_empty()).collect();
    let text = words.join(" ");
    let text = text.trim_matches(['"', '\'']);
    (!text.is_empty()).then(|| text.to_owned())
}

/// A description without the sentences that say when the entry is no answer: their words lead to others.
fn affirmative(description: &str) -> Cow<'_, str> {
    const REFUSALS: [&str; 6] = ["do not use", "don't use", "never use", "do not trigger", "not for ", "not when "];
    let is_refusal = |sentence: &str| {
        let beginning = sentence.trim_start().as_bytes();
        let begins =
            |words: &&str| beginning.get(..words.len()).is_some_and(|here| here.eq_ignore_ascii_case(words.as_bytes()));
        REFUSALS.iter().any(begins)
    };
    let mut ended = false;
    let sentences = description.split_inclusive(|c: char| {
        let is_end = matches!(c, ';' | '\n') || (ended && c.is_whitespace());
        ended = matches!(c, '.' | '!');
        is_end
    });
    let (refusals, kept): (Vec<&str>, Vec<&str>) = sentences.partition(|sentence| is_refusal(sentence));
    if refusals.is_empty() { Cow::Borrowed(description) } else { Cow::Owned(kept.concat()) }
}

/// The headings of a Markdown text, one a line. Lines in fences are none; a parser would find the same at twenty times the cost.
fn headings(text: &str) -> String {
    let mut headings = String::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if let Some(open) = fence {
            if trimmed.starts_with(open) {
                fence = None;
            }
        } else if let Some(open) = ["```", "~~~"].into_iter().find(|open| trimmed.starts_with(open)) {
            fence = Some(open);
        } else if line.starts_with('#')
            && let Some(heading) = line.trim_start_matches('#').strip_prefix(' ')
        {
            headings.push_str(heading.trim_end_matches(['#', ' ']));
            headings.push('\n');
        }
    }
    headings
}

/// A library: its entries, by name and then by path.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    entries: Vec<CatalogueEntry>,
}

impl Catalogue {
    /// A catalogue of these entries.
    pub fn new(mut entries: Vec<CatalogueEntry>) -> Catalogue {
        entries.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.path.cmp(&b.path)));
        Catalogue { entries }
    }

    /// All entries, by name and then by path.
    pub fn entries(&self) -> &[CatalogueEntry] {
        &self.entries
    }

    /// The first entry of that name.
    pub fn get(&self, name: &str) -> Option<&CatalogueEntry> {
        self.entries.get(self.place(name)..)?.first().filter(|entry| entry.name == name)
    }

    fn place(&self, name: &str) -> usize {
        self.entries.partition_point(|entry| entry.name.as_str() < name)
    }

    /// Where the entries of that name stand.
    pub fn named(&self, name: &str) -> Range<usize> {
        let from = self.place(name);
        from..from + self.entries[from..].partition_point(|entry| entry.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, kind: CatalogueKind, text: &str) -> CatalogueEntry {
        CatalogueEntry::new(path.into(), kind, text.as_bytes().into())
    }

    #[test]
    fn entries_are_named_by_their_place() {
        let name = |path: &str, kind| entry(path, kind, "---\nname: given\n---\n").name;
        assert_eq!(name("src/hints/deep/a.b.md", CatalogueKind::Hint), "a.b");
        assert_eq!(name("skills/x/SKILL.md", CatalogueKind::Skill), "x");
        assert_eq!(name("SKILL.md", CatalogueKind::Skill), "given");
        assert_eq!(name("hints/p/hint.md", CatalogueKind::Package), "p");
        assert_eq!(name(".cursor/rules/r.mdc", CatalogueKind::Rule), "r");
        assert_eq!(name(".github/instructions/ts.instructions.md", CatalogueKind::Rule), "ts");
    }

    #[test]
    fn the_frontmatter_describes() {
        let one = entry("a.md", CatalogueKind::Hint, "---\ndescription: one\nrelevant_for: [a, b]\n---\n# T\n");
        assert_eq!((one.description.as_deref(), one.relevant_for.as_deref()), (Some("one"), Some("a, b")));
        let none = entry("a.md", CatalogueKind::Hint, "# T\n```\n# no\n```\n## U ##\n#no\n");
        assert_eq!((none.description.as_deref(), none.texts().fields().headings), (None, "T\nU\n"));
    }

    #[test]
    fn a_description_with_a_colon_is_read_though_it_is_no_yaml() {
        let skill = |head: &str| entry("s/SKILL.md", CatalogueKind::Skill, &format!("---\n{head}\n---\ntext\n"));
        let lint = skill("name: lint\ndescription: Checks code. Triggers on: lint, format\nallowed-tools: Read");
        assert_eq!(
            (lint.name.as_str(), lint.description.as_deref()),
            ("s", Some("Checks code. Triggers on: lint, format"))
        );
        assert_eq!(lint.body(), b"text\n");
        let folded = skill("description: >-\n  One: two.\n  Three\nargument-hint: a: b");
        assert_eq!(folded.description.as_deref(), Some("One: two. Three"));
        for none in ["descriptions: a: b", "argument-hint: a: b\ndescription:", "  description: a: b: c"] {
            assert_eq!(skill(none).description, None, "{none}");
        }
        assert_eq!(skill("description: 'one'").description.as_deref(), Some("one"), "YAML is read as such");
    }

    #[test]
    fn sentences_that_turn_questions_away_are_not_searched() {
        let text = "Reviews code. Do not use for triage. Use when asked; NOT for v1.2 or tests;\nand more";
        assert_eq!(affirmative(text), "Reviews code. Use when asked;\nand more");
        assert_eq!(affirmative("Don't use it."), "");
        for kept in ["", "Explains why not for all uses", "Do not. Use it", "Does not use tools. Notes for all"] {
            assert_eq!(affirmative(kept), kept);
        }
    }

    #[test]
    fn entries_are_sorted_and_found_by_name() {
        let catalogue = Catalogue::new(
            ["src/hints/b.md", "src/hints/z/a.md", "src/hints/a.md"]
                .map(|path| entry(path, CatalogueKind::Hint, ""))
                .into(),
        );
        let paths: Vec<_> = catalogue.entries().iter().map(|entry| entry.path.to_str_lossy()).collect();
        assert_eq!(paths, ["src/hints/a.md", "src/hints/z/a.md", "src/hints/b.md"]);
        assert_eq!(catalogue.named("a"), 0..2);
        assert!(catalogue.get("a").is_some_and(|entry| entry.path.as_bytes() == b"src/hints/a.md"));
        assert!(catalogue.get("c").is_none());
    }
}
