//! What the judges hand to the reporter: a hit without words. Knows no messages.

use super::class::Class;
use crate::base::finding::{Applicability, Level};
use crate::base::text::Span;

/// The edits that would fix a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HitFix {
    /// Who may apply it.
    pub applicability: Applicability,
    /// Byte ranges and what replaces each; in order, without overlap.
    pub edits: Vec<(Span, String)>,
}

impl HitFix {
    /// Remove `span`.
    pub(super) fn remove(applicability: Applicability, span: Span) -> HitFix {
        HitFix { applicability, edits: vec![(span, String::new())] }
    }

    /// Replace `span`.
    pub(super) fn replace(applicability: Applicability, span: Span, by: impl Into<String>) -> HitFix {
        HitFix { applicability, edits: vec![(span, by.into())] }
    }
}

/// What a hidden character keeps from being there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// An import, or another one.
    Import,
    /// A code fence or a longer run of backticks: other text would be code.
    Code,
    /// Frontmatter.
    Frontmatter,
    /// A field of frontmatter, or another type of its value.
    Field,
    /// A comment: other text would be hidden from readers of the page.
    Comment,
    /// Anything else that Markdown gives a meaning.
    Structure,
}

/// A hit before it has words.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    pub(super) class: Class,
    pub(super) span: Span,
    pub(super) level: Level,
    pub(super) fix: Option<HitFix>,
    /// Whether the region raises the level.
    pub(super) raise: bool,
    /// What its removal would change, if that is the only reason why the fix is unsafe.
    pub(super) holds: Option<Holds>,
    /// What is special about this one, in words; replaces the usual sentence's end.
    pub(super) note: Option<String>,
}

impl Raw {
    pub(super) fn new(class: Class, span: Span, level: Level) -> Raw {
        Raw { class, span, level, fix: None, raise: true, holds: None, note: None }
    }

    pub(super) fn fix(mut self, fix: HitFix) -> Raw {
        self.fix = Some(fix);
        self
    }

    /// Offer to remove the whole span.
    pub(super) fn removable(self, applicability: Applicability) -> Raw {
        let span = self.span;
        self.fix(HitFix::remove(applicability, span))
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Raw {
        self.note = Some(note.into());
        self
    }

    /// Keep the level in every region.
    pub(super) fn flat(mut self) -> Raw {
        self.raise = false;
        self
    }
}
