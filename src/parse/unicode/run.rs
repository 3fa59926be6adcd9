//! Runs of default-ignorable characters: which of them are orthography, and what the others are. Bidirectional controls
//! are judged by `bidi`; decoding is `decode`'s work.

use super::bidi::{self, BidiLine};
use super::class::Class;
use super::context::TextContext;
use super::emoji;
use super::raw::{HitFix, Raw};
use super::regions::{RegionKind, RegionKinds};
use super::words;
use crate::base::characters::{Properties, is, is_ignorable, is_standardized};
use crate::base::finding::{Applicability, Level};
use crate::base::text::Span;

/// Runs at least this long are never orthography.
const DATA: usize = 3;

/// One run, as the judges of its characters see it.
pub(super) struct CharacterRun<'a> {
    pub(super) cx: &'a TextContext<'a>,
    pub(super) span: Span,
    pub(super) chars: Vec<(usize, char)>,
    pub(super) regions: RegionKinds,
    /// Whether the visible characters around the run belong to one ASCII token.
    pub(super) in_token: bool,
}

/// Characters of an anchor that are looked at.
const LONGEST_ANCHOR: usize = 200;

/// What a character of a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CharacterVerdict {
    /// It does its work here.
    Fine,
    /// It does not. The flag is whether removing it is safe.
    Bad(Class, Level, bool),
    /// Worth a word, not a fix.
    Note(Class, &'static str),
    /// It opens or closes an isolate that changes the order of left-to-right words.
    Reorders,
}

impl<'a> CharacterRun<'a> {
    /// The run that begins at `start`.
    pub(super) fn at(cx: &'a TextContext<'a>, start: usize) -> CharacterRun<'a> {
        let chars: Vec<(usize, char)> = cx.text[start..]
            .char_indices()
            .take_while(|&(_, c)| is_ignorable(c))
            .map(|(offset, c)| (start + offset, c))
            .collect();
        let end = chars.last().map_or(start, |&(at, c)| at + c.len_utf8());
        let span = Span::new(start, end);
        CharacterRun { cx, span, chars, regions: cx.regions(span), in_token: cx.inside_ascii_token(span) }
    }

    fn char(&self, index: usize) -> char {
        self.chars[index].1
    }

    /// The character before the one at `index`, in the run or before it.
    pub(super) fn previous(&self, index: usize) -> Option<char> {
        match index.checked_sub(1) {
            Some(before) => Some(self.char(before)),
            None => self.cx.before(self.span.start),
        }
    }

    /// The character after the one at `index`, in the run or after it.
    pub(super) fn next(&self, index: usize) -> Option<char> {
        match self.chars.get(index + 1) {
            Some(&(_, c)) => Some(c),
            None => self.cx.after(self.span.end),
        }
    }

    pub(super) fn in_code(&self) -> bool {
        self.regions.has(RegionKind::Code)
    }

    /// Whether the run is one or two times the same character, which is how orthography uses typing controls.
    pub(super) fn is_plain(&self) -> bool {
        self.chars.len() <= 2 && self.chars.iter().all(|&(_, c)| c == self.char(0))
    }

    /// The visible characters beside the run.
    pub(super) fn sides(&self) -> (Option<char>, Option<char>) {
        (self.cx.before(self.span.start), self.cx.after(self.span.end))
    }

    /// Whether a visible neighbour has one of `wanted`.
    fn beside(&self, wanted: Properties) -> bool {
        let (before, after) = self.sides();
        before.is_some_and(|c| is(c, wanted)) || after.is_some_and(|c| is(c, wanted))
    }

    fn beside_range(&self, range: std::ops::RangeInclusive<char>) -> bool {
        let (before, after) = self.sides();
        before.is_some_and(|c| range.contains(&c)) || after.is_some_and(|c| range.contains(&c))
    }

    /// Judge the run.
    pub(super) fn judge(&self, bidi: &mut Option<BidiLine>, flags: &mut Vec<Span>, out: &mut Vec<Raw>) {
        let mut verdicts = vec![CharacterVerdict::Fine; self.chars.len()];
        let mut index = self.judge_flag(&mut verdicts, flags, out);
        while index < self.chars.len() {
            verdicts[index] = self.judge_char(index, bidi);
            index += 1;
        }
        self.report(&verdicts, out);
    }

    /// Accept the tags of a flag at the start of the run; the number of characters that belong to it.
    fn judge_flag(&self, verdicts: &mut [CharacterVerdict], flags: &mut Vec<Span>, out: &mut Vec<Raw>) -> usize {
        if self.previous(0) != Some(emoji::BLACK_FLAG) {
            return 0;
        }
        let Some((length, known)) = emoji::flag_tags(self.chars.iter().map(|&(_, c)| c)) else { return 0 };
        verdicts[..length].fill(CharacterVerdict::Fine);
        if !known {
            let (last, c) = self.chars[length - 1];
            let span = Span::new(self.span.start, last + c.len_utf8());
            flags.push(span);
            let hit = Raw::new(Class::TagSmuggling, span, Level::Warning).removable(Applicability::Manual);
            out.push(hit.note("spell a flag that no vendor draws; it shows as a plain black flag"));
        }
        length
    }

    fn judge_char(&self, index: usize, bidi: &mut Option<BidiLine>) -> CharacterVerdict {
        let c = self.char(index);
        match c {
            '\u{E0001}' | '\u{E0020}'..='\u{E007F}' => CharacterVerdict::Bad(Class::TagSmuggling, Level::Error, true),
            '\u{E0000}' | '\u{E0002}'..='\u{E001F}' => {
                let tags = |c: char| matches!(c, '\u{E0001}' | '\u{E0020}'..='\u{E007F}');
                let class = if self.previous(index).is_some_and(tags) || self.next(index).is_some_and(tags) {
                    Class::TagSmuggling
                } else {
                    Class::ReservedIgnorable
                };
                CharacterVerdict::Bad(class, Level::Error, true)
            }
            '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => self.judge_selector(index, c),
            '\u{180B}'..='\u{180D}' | '\u{180F}' => {
                let fine = self.beside(Properties::MONGOLIAN) && self.chars.len() <= 2;
                if fine { CharacterVerdict::Fine } else { self.bad_selector(index) }
            }
            '\u{2061}'..='\u{2064}' => self.judge_operator(index),
            '\u{200B}' | '\u{200C}' | '\u{200D}' | '\u{2060}' => words::judge_zero_width(self, index, c),
            '\u{FEFF}' => CharacterVerdict::Bad(Class::BomInside, Level::Error, true),
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => bidi::judge_embedding(self, self.chars[index].0, bidi),
            '\u{200E}' | '\u{200F}' | '\u{61C}' => bidi::judge_mark(self),
            '\u{AD}' => words::judge_soft_hyphen(self),
            '\u{206A}'..='\u{206F}' => CharacterVerdict::Bad(Class::DeprecatedFormat, Level::Error, true),
            '\u{1D173}'..='\u{1D17A}' if self.beside_range('\u{1D100}'..='\u{1D1FF}') && self.chars.len() < DATA => {
                CharacterVerdict::Fine
            }
            '\u{1BCA0}'..='\u{1BCA3}' if self.beside_range('\u{1BC00}'..='\u{1BC9F}') && self.chars.len() < DATA => {
                CharacterVerdict::Fine
            }
            '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' | '\u{17B4}' | '\u{17B5}' | '\u{34F}' | '\u{180E}' => {
                self.judge_filler(index, c)
            }
            _ => CharacterVerdict::Bad(Class::ReservedIgnorable, Level::Error, true),
        }
    }

    fn judge_selector(&self, index: usize, c: char) -> CharacterVerdict {
        let Some(base) = self.previous(index) else { return self.bad_selector(index) };
        if emoji::is_selector(base) {
            return self.bad_selector(index);
        }
        let alone = !self.next(index).is_some_and(emoji::is_selector);
        if matches!(c, '\u{FE0E}' | '\u{FE0F}') {
            // The first of a run stays what it is; what follows it is the payload.
            let keycap = matches!(base, '0'..='9' | '#' | '*') && self.next(index) == Some('\u{20E3}');
            if is(base, Properties::PICTOGRAPH) || keycap {
                return CharacterVerdict::Fine;
            }
            if alone && c == '\u{FE0F}' && matches!(base, '#' | '-') && self.stands_in_anchor() {
                return CharacterVerdict::Fine;
            }
            if alone && c == '\u{FE0F}' && self.stands_before_a_key() {
                return CharacterVerdict::Note(Class::VsSmuggling, "comes before the keycap that it belongs to");
            }
            if alone && !base.is_ascii() && is(base, Properties::SYMBOL) {
                return CharacterVerdict::Note(Class::VsSmuggling, "follows a symbol that has no emoji form");
            }
        }
        let standard = is_standardized(base, c) || (c >= '\u{E0100}' && is(base, Properties::IDEOGRAPHIC));
        if alone && standard { CharacterVerdict::Fine } else { self.bad_selector(index) }
    }

    /// Whether a key and its frame follow, as in an emoji whose parts were put in the wrong order.
    fn stands_before_a_key(&self) -> bool {
        let mut after = self.cx.text[self.span.end..].chars();
        matches!(after.next(), Some('0'..='9' | '#' | '*')) && after.next() == Some('\u{20E3}')
    }

    /// Whether the run stands in a link to a place of a file. GitHub makes the anchor of a heading without its emoji and with the
    /// selector behind it.
    fn stands_in_anchor(&self) -> bool {
        let before = self.cx.text[..self.span.start].chars().rev().take(LONGEST_ANCHOR);
        let mut anchor = before.take_while(|c| !c.is_whitespace() && !matches!(c, '(' | '<' | '"'));
        self.regions.has(RegionKind::Url) && anchor.any(|c| c == '#')
    }

    fn bad_selector(&self, index: usize) -> CharacterVerdict {
        let of_run = |c: Option<char>| c.is_some_and(|c| emoji::is_selector(c) || emoji::is_mongolian_selector(c));
        let run = of_run(self.previous(index)) || of_run(self.next(index));
        let (before, _) = self.sides();
        let letter = before.is_none_or(|c| c.is_ascii() || is(c, Properties::LETTER));
        let level = if run || letter { Level::Error } else { Level::Warning };
        CharacterVerdict::Bad(Class::VsSmuggling, level, true)
    }

    fn judge_operator(&self, index: usize) -> CharacterVerdict {
        let mathematical = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || is(c, Properties::MATH));
        if self.chars.len() == 1
            && !self.in_code()
            && mathematical(self.previous(index))
            && mathematical(self.next(index))
        {
            return CharacterVerdict::Note(Class::SneakyBits, "stands between parts of a formula");
        }
        let of_class = |c: Option<char>| matches!(c, Some('\u{2061}'..='\u{2064}'));
        let run = of_class(self.previous(index)) || of_class(self.next(index));
        CharacterVerdict::Bad(Class::SneakyBits, if run { Level::Error } else { Level::Warning }, true)
    }

    fn judge_filler(&self, index: usize, c: char) -> CharacterVerdict {
        let (previous, next) = (self.previous(index), self.next(index));
        let khmer = previous.is_some_and(|c| is(c, Properties::KHMER) && is(c, Properties::LETTER) && !is_ignorable(c));
        let fine = match c {
            '\u{115F}' => matches!(next, Some('\u{1161}'..='\u{11A7}' | '\u{D7B0}'..='\u{D7C6}')),
            '\u{1160}' => matches!(previous, Some('\u{1100}'..='\u{115E}' | '\u{A960}'..='\u{A97C}')),
            '\u{17B4}' | '\u{17B5}' if khmer && self.chars.len() == 1 => {
                return CharacterVerdict::Note(Class::InvisibleFiller, "is discouraged in Khmer text");
            }
            '\u{34F}' => {
                let base = previous.is_some_and(|c| {
                    !c.is_ascii() && !is_ignorable(c) && is(c, Properties::LETTER.and(Properties::MARK))
                });
                base && next.is_some_and(|c| is(c, Properties::COMBINING_CLASS))
            }
            '\u{180E}' => self.beside(Properties::MONGOLIAN) && self.chars.len() <= 2,
            _ => false,
        };
        if fine {
            return CharacterVerdict::Fine;
        }
        CharacterVerdict::Bad(Class::InvisibleFiller, self.filler_level(), true)
    }

    /// A filler among letters of its own kind of script is a slip, in Latin text or a name it is there to deceive.
    fn filler_level(&self) -> Level {
        let own = Properties::HANGUL.and(Properties::KHMER).and(Properties::MONGOLIAN);
        let line = self.cx.line(self.span.start).properties;
        let latin = self.in_code() || self.beside(Properties::LATIN) || (line.any(Properties::LATIN) && !line.any(own));
        if latin || self.in_token { Level::Error } else { Level::Warning }
    }

    /// Turn the verdicts into hits: one for each stretch of bad characters that belong together.
    fn report(&self, verdicts: &[CharacterVerdict], out: &mut Vec<Raw>) {
        let mut index = 0;
        while index < verdicts.len() {
            let start = index;
            match &verdicts[index] {
                CharacterVerdict::Fine => index += 1,
                CharacterVerdict::Note(class, note) => {
                    index += 1;
                    out.push(Raw::new(*class, self.slice(start, index), Level::Info).note(*note));
                }
                CharacterVerdict::Reorders => {
                    index += 1;
                    let hit = Raw::new(Class::BidiIsolate, self.slice(start, index), Level::Warning);
                    let note =
                        "isolates only left-to-right words, so they are shown in a different order than they are read";
                    out.push(hit.removable(Applicability::Manual).note(note));
                }
                CharacterVerdict::Bad(class, ..) if bidi::is_embedding(*class) => {
                    while index < verdicts.len() && verdicts[index] == verdicts[start] {
                        index += 1;
                    }
                    out.push(bidi::embedding_hit(self, self.slice(start, index), &verdicts[start]));
                }
                CharacterVerdict::Bad(..) => {
                    while verdicts.get(index).is_some_and(is_ordinary) {
                        index += 1;
                    }
                    self.report_stretch(start, &verdicts[start..index], out);
                }
            }
        }
    }

    fn report_stretch(&self, start: usize, verdicts: &[CharacterVerdict], out: &mut Vec<Raw>) {
        let data = verdicts.len() >= DATA;
        let mut first = 0;
        while first < verdicts.len() {
            let mut last = first + 1;
            while last < verdicts.len() && (data || class_of(&verdicts[last]) == class_of(&verdicts[first])) {
                last += 1;
            }
            let part = &verdicts[first..last];
            let class = if data { common_class(part) } else { class_of(&part[0]) };
            let span = self.slice(start + first, start + last);
            let level = if data { Level::Error } else { part.iter().map(level_of).max().unwrap_or(Level::Error) };
            let safe = part.iter().all(|verdict| matches!(verdict, CharacterVerdict::Bad(_, _, true)));
            let applicability = if safe { Applicability::Safe } else { Applicability::Unsafe };
            out.push(Raw::new(class, span, level).fix(HitFix::remove(applicability, span)));
            first = last;
        }
    }

    fn slice(&self, first: usize, end: usize) -> Span {
        let (last, c) = self.chars[end - 1];
        Span::new(self.chars[first].0, last + c.len_utf8())
    }
}

fn is_ordinary(verdict: &CharacterVerdict) -> bool {
    matches!(verdict, CharacterVerdict::Bad(class, ..) if !bidi::is_embedding(*class))
}

fn class_of(verdict: &CharacterVerdict) -> Class {
    match verdict {
        CharacterVerdict::Bad(class, ..) | CharacterVerdict::Note(class, _) => *class,
        CharacterVerdict::Reorders => Class::BidiIsolate,
        CharacterVerdict::Fine => Class::MixedIgnorables,
    }
}

fn level_of(verdict: &CharacterVerdict) -> Level {
    match verdict {
        CharacterVerdict::Bad(_, level, _) => *level,
        _ => Level::Info,
    }
}

/// The class of a stretch of three or more: the one that all or most of its characters have, else mixed.
fn common_class(verdicts: &[CharacterVerdict]) -> Class {
    let zero_width = |class| matches!(class, Class::ZwSplit | Class::ZwBinary | Class::DanglingJoiner);
    let count = |wanted: &dyn Fn(Class) -> bool| verdicts.iter().filter(|verdict| wanted(class_of(verdict))).count();
    let all = verdicts.len();
    let first = class_of(&verdicts[0]);
    if count(&|class| zero_width(class) || class == Class::BomInside) == all && count(&zero_width) > 0 {
        return Class::ZwBinary;
    }
    if count(&|class| class == first) == all {
        return first;
    }
    for class in [Class::TagSmuggling, Class::VsSmuggling] {
        if count(&|other| other == class) * 2 >= all {
            return class;
        }
    }
    Class::MixedIgnorables
}
