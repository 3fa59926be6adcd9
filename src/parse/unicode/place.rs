//! What the ranges of a text are, as far as hidden characters care. Knows offsets only; `outline` finds the places.

use crate::base::text::Span;

/// What a range of bytes is. A place raises levels or switches contexts; it never makes anything silent but code does so
/// for U+FFFD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Place {
    /// Text for readers; the same as no place at all.
    Prose,
    /// Code spans, fenced and indented code.
    Code,
    /// A URL or link destination.
    Url,
    /// A path.
    Path,
    /// An `@path` import.
    Import,
    /// A command for a shell.
    Command,
    /// A key of the frontmatter.
    FrontmatterKey,
    /// Any other part of the frontmatter.
    Frontmatter,
}

/// A set of [`Place`]s: what holds at one offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PlaceSet(u8);

impl PlaceSet {
    /// One level up: a deceived reader copies, opens or runs what stands there.
    const RAISING: PlaceSet =
        PlaceSet::of(&[Place::Url, Place::Path, Place::Import, Place::Command, Place::FrontmatterKey]);

    pub(super) const fn of(places: &[Place]) -> PlaceSet {
        let mut bits = 0;
        let mut index = 0;
        while index < places.len() {
            bits |= 1 << places[index] as u8;
            index += 1;
        }
        PlaceSet(bits)
    }

    pub(super) fn has(self, place: Place) -> bool {
        self.0 & (1 << place as u8) != 0
    }

    pub(super) fn any(self, places: PlaceSet) -> bool {
        self.0 & places.0 != 0
    }

    pub(super) fn raises(self) -> bool {
        self.any(PlaceSet::RAISING)
    }

    /// What messages say, after "in": the narrowest place of the set.
    pub(super) fn describe(self) -> Option<&'static str> {
        const NAMES: [(Place, &str); 7] = [
            (Place::Import, "an import"),
            (Place::Url, "a URL"),
            (Place::Path, "a path"),
            (Place::Command, "a command"),
            (Place::Code, "code"),
            (Place::FrontmatterKey, "a frontmatter key"),
            (Place::Frontmatter, "the frontmatter"),
        ];
        NAMES.iter().find(|(place, _)| self.has(*place)).map(|(_, name)| *name)
    }
}

/// The places of one text. Ranges may nest and overlap.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Offsets where the set of places changes, ascending, each with the set that holds from there on.
    changes: Vec<(usize, PlaceSet)>,
}

impl Places {
    /// The places of these spans, in any order.
    pub fn new(spans: Vec<(Span, Place)>) -> Self {
        let mut edges: Vec<(usize, bool, Place)> = Vec::with_capacity(spans.len() * 2);
        for (span, place) in spans {
            if !span.is_empty() && place != Place::Prose {
                edges.push((span.start, true, place));
                edges.push((span.end, false, place));
            }
        }
        edges.sort_unstable();
        let mut open = [0_u32; 8];
        let mut changes: Vec<(usize, PlaceSet)> = Vec::new();
        for (offset, opens, place) in edges {
            let count = &mut open[place as usize];
            *count = if opens { *count + 1 } else { count.saturating_sub(1) };
            let bits = (0..8).filter(|index| open[*index as usize] > 0).fold(0, |bits, index: u8| bits | 1 << index);
            match changes.last_mut() {
                Some(last) if last.0 == offset => last.1 = PlaceSet(bits),
                _ => changes.push((offset, PlaceSet(bits))),
            }
        }
        Places { changes }
    }

    /// The places that hold anywhere in `span`, or at its offset if it is empty.
    pub(super) fn over(&self, span: Span) -> PlaceSet {
        let first = self.changes.partition_point(|(offset, _)| *offset <= span.start);
        let mut set = first.checked_sub(1).map_or(PlaceSet::default(), |index| self.changes[index].1);
        for (offset, more) in &self.changes[first..] {
            if *offset >= span.end {
                break;
            }
            set.0 |= more.0;
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_and_touching_spans() {
        let places = Places::new(vec![
            (Span::new(0, 10), Place::Code),
            (Span::new(2, 4), Place::Url),
            (Span::new(4, 6), Place::Url),
            (Span::new(10, 12), Place::Import),
        ]);
        let set = |start, end| places.over(Span::new(start, end));
        assert_eq!(set(0, 1), PlaceSet::of(&[Place::Code]));
        assert_eq!(set(3, 5), PlaceSet::of(&[Place::Code, Place::Url]));
        assert_eq!(set(6, 7), PlaceSet::of(&[Place::Code]));
        assert_eq!(set(9, 11), PlaceSet::of(&[Place::Code, Place::Import]));
        assert_eq!(set(12, 13), PlaceSet::default());
        assert_eq!(Places::default().over(Span::new(0, 9)), PlaceSet::default());
    }
}
