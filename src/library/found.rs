//! What a search found, and the contents of it.

use std::borrow::Cow;
use std::fmt;

use super::{Catalogue, CatalogueEntry, SearchHit};

/// Between the contents of several hints.
const SEPARATOR: &str = "\n\n---\n\n";

/// Nothing of that name was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownHint(
    /// The name.
    pub String,
);

impl fmt::Display for UnknownHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no hint `{}` was found", self.0)
    }
}

impl std::error::Error for UnknownHint {}

/// The hints that were found for a question, best first.
///
/// ```
/// use hintlint::library::{Catalogue, CatalogueEntry, CatalogueKind, FoundHints, SearchOptions, search};
///
/// let hint = |path: &str, text: &str| CatalogueEntry::new(path.into(), CatalogueKind::Hint, text.as_bytes().into());
/// let catalogue = Catalogue::new(vec![
///     hint("src/hints/deep/library-usage-sqlite.md", "---\ndescription: How to query SQLite\n---\nUse db.get().\n"),
///     hint("src/hints/writing-tests.md", "---\ndescription: How to write tests\n---\nKeep them small.\n"),
/// ]);
/// let found = FoundHints::from(search(&catalogue, "run a query on sqlite", &SearchOptions::default()));
/// assert_eq!(found.names(), ["library-usage-sqlite"]);
/// assert_eq!(found.count(), 1);
/// assert!(found.has_hints());
/// assert!(found.content("library-usage-sqlite")?.ends_with("Use db.get().\n"));
/// assert!(found.content("writing-tests").is_err());
///
/// // A model's answer is a list of names; those that no hint has are dropped.
/// let found = FoundHints::of_names(&catalogue, ["writing-tests", "unheard-of", "library-usage-sqlite"]);
/// let contents = found.contents();
/// assert_eq!(contents[1].0, "library-usage-sqlite");
/// assert_eq!(found.concatenated(), format!("{}\n\n---\n\n{}", contents[0].1, contents[1].1));
/// assert_eq!(found.concatenated_with("").lines().count(), 8);
/// # Ok::<(), hintlint::library::UnknownHint>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FoundHints<'c> {
    entries: Vec<&'c CatalogueEntry>,
}

impl<'c> From<Vec<SearchHit<'c>>> for FoundHints<'c> {
    fn from(hits: Vec<SearchHit<'c>>) -> Self {
        FoundHints { entries: hits.into_iter().map(|hit| hit.entry).collect() }
    }
}

impl<'c> FoundHints<'c> {
    /// The hints of `catalogue` with these names, in this order: each once, unknown names dropped.
    pub fn of_names<N: AsRef<str>>(catalogue: &'c Catalogue, names: impl IntoIterator<Item = N>) -> Self {
        let mut entries: Vec<&CatalogueEntry> = Vec::new();
        for name in names {
            if let Some(entry) = catalogue.get(name.as_ref())
                && !entries.iter().any(|known| known.name == entry.name)
            {
                entries.push(entry);
            }
        }
        FoundHints { entries }
    }

    /// The same with no more hints than `limit`.
    #[must_use]
    pub fn limited(mut self, limit: usize) -> Self {
        self.entries.truncate(limit);
        self
    }

    /// The hints themselves.
    pub fn entries(&self) -> &[&'c CatalogueEntry] {
        &self.entries
    }

    /// Their names.
    pub fn names(&self) -> Vec<&'c str> {
        self.entries.iter().map(|entry| entry.name.as_str()).collect()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is any.
    pub fn has_hints(&self) -> bool {
        !self.entries.is_empty()
    }

    /// The whole text of the hint called `name`, frontmatter included.
    ///
    /// # Errors
    /// When no hint of that name was found.
    pub fn content(&self, name: &str) -> Result<Cow<'c, str>, UnknownHint> {
        let entry = self.entries.iter().find(|entry| entry.name == name);
        entry.map(|entry| entry.text()).ok_or_else(|| UnknownHint(name.to_owned()))
    }

    /// The names and whole texts of all of them.
    pub fn contents(&self) -> Vec<(&'c str, Cow<'c, str>)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), entry.text())).collect()
    }

    /// The whole texts of all of them, with `\n\n---\n\n` in between.
    pub fn concatenated(&self) -> String {
        self.concatenated_with(SEPARATOR)
    }

    /// The whole texts of all of them, with `separator` in between.
    pub fn concatenated_with(&self, separator: &str) -> String {
        let texts: Vec<Cow<'_, str>> = self.entries.iter().map(|entry| entry.text()).collect();
        texts.join(separator)
    }
}
