//! What the ranges of a text are, as far as hidden characters care. Knows offsets only; `locate` finds the regions.

use crate::base::text::Span;

/// What a range of bytes is; a range without a kind is text for readers. A region raises levels or switches contexts. None
/// silences a hit, but code does so for U+FFFD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(super) enum RegionKind {
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

/// A set of [`RegionKind`]s: what holds at one offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RegionKinds(u8);

impl RegionKinds {
    /// Regions that a reader copies, opens or runs, and that hold no prose.
    pub(super) const EXPOSED: RegionKinds = RegionKinds::of(&[
        RegionKind::Code,
        RegionKind::Url,
        RegionKind::Path,
        RegionKind::Import,
        RegionKind::Command,
        RegionKind::FrontmatterKey,
    ]);

    /// One level up: a deceived reader copies, opens or runs what stands there.
    const RAISING: RegionKinds = RegionKinds::of(&[
        RegionKind::Url,
        RegionKind::Path,
        RegionKind::Import,
        RegionKind::Command,
        RegionKind::FrontmatterKey,
    ]);

    pub(super) const fn of(kinds: &[RegionKind]) -> RegionKinds {
        let mut bits = 0;
        let mut index = 0;
        while index < kinds.len() {
            bits |= 1 << kinds[index] as u8;
            index += 1;
        }
        RegionKinds(bits)
    }

    pub(super) fn has(self, kind: RegionKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    pub(super) fn any(self, kinds: RegionKinds) -> bool {
        self.0 & kinds.0 != 0
    }

    pub(super) fn raises(self) -> bool {
        self.any(RegionKinds::RAISING)
    }

    /// What messages say, after "in": the narrowest region of the set.
    pub(super) fn describe(self) -> Option<&'static str> {
        const NAMES: [(RegionKind, &str); 7] = [
            (RegionKind::Import, "an import"),
            (RegionKind::Url, "a URL"),
            (RegionKind::Path, "a path"),
            (RegionKind::Command, "a command"),
            (RegionKind::Code, "code"),
            (RegionKind::FrontmatterKey, "a frontmatter key"),
            (RegionKind::Frontmatter, "the frontmatter"),
        ];
        NAMES.iter().find(|(kind, _)| self.has(*kind)).map(|(_, name)| *name)
    }
}

/// The regions of one text. They may nest and overlap.
#[derive(Clone, Debug, Default)]
pub(in crate::parse) struct Regions {
    /// Offsets where the set of kinds changes, ascending, each with the set that holds from there on.
    changes: Vec<(usize, RegionKinds)>,
}

impl Regions {
    /// The regions of these spans, in any order.
    pub(super) fn new(spans: Vec<(Span, RegionKind)>) -> Self {
        let mut edges: Vec<(usize, bool, RegionKind)> = Vec::with_capacity(spans.len() * 2);
        for (span, kind) in spans {
            if !span.is_empty() {
                edges.push((span.start, true, kind));
                edges.push((span.end, false, kind));
            }
        }
        edges.sort_unstable();
        let mut open = [0_u32; 7];
        let mut changes: Vec<(usize, RegionKinds)> = Vec::new();
        for (offset, opens, kind) in edges {
            let count = &mut open[kind as usize];
            *count = if opens { *count + 1 } else { count.saturating_sub(1) };
            let bits = (0..7).filter(|index| open[*index as usize] > 0).fold(0, |bits, index: u8| bits | 1 << index);
            match changes.last_mut() {
                Some(last) if last.0 == offset => last.1 = RegionKinds(bits),
                _ => changes.push((offset, RegionKinds(bits))),
            }
        }
        Regions { changes }
    }

    /// The kinds that hold anywhere in `span`, or at its offset if it is empty.
    pub(super) fn over(&self, span: Span) -> RegionKinds {
        let first = self.changes.partition_point(|(offset, _)| *offset <= span.start);
        let mut set = first.checked_sub(1).map_or(RegionKinds::default(), |index| self.changes[index].1);
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
        let regions = Regions::new(vec![
            (Span::new(0, 10), RegionKind::Code),
            (Span::new(2, 4), RegionKind::Url),
            (Span::new(4, 6), RegionKind::Url),
            (Span::new(10, 12), RegionKind::Import),
        ]);
        let set = |start, end| regions.over(Span::new(start, end));
        assert_eq!(set(0, 1), RegionKinds::of(&[RegionKind::Code]));
        assert_eq!(set(3, 5), RegionKinds::of(&[RegionKind::Code, RegionKind::Url]));
        assert_eq!(set(6, 7), RegionKinds::of(&[RegionKind::Code]));
        assert_eq!(set(9, 11), RegionKinds::of(&[RegionKind::Code, RegionKind::Import]));
        assert_eq!(set(12, 13), RegionKinds::default());
        assert_eq!(Regions::default().over(Span::new(0, 9)), RegionKinds::default());
    }
}
