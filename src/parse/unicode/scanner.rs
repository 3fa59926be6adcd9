//! One walk over a text: every odd character goes to its judge. Knows who judges what, and nothing of the judgements.

use super::ascii;
use super::bidi::BidiLine;
use super::class::Class;
use super::context::TextContext;
use super::raw::{HitFix, Raw};
use super::run::CharacterRun;
use super::{blanks, controls, lookalikes, selectors, singles, words};
use crate::base::characters::{Properties, is_noncharacter, is_private_use, is_unusual_space};
use crate::base::finding::{Applicability, Level};
use crate::base::text::Span;

/// The hits of a text, sorted by place, with levels raised where the region asks for it.
pub(super) fn raw_hits(cx: &TextContext<'_>) -> Vec<Raw> {
    let mut scanner = Scanner::default();
    let bytes = cx.text.as_bytes();
    let mut at = 0;
    while let Some(odd) = ascii::next_odd(bytes, at) {
        let Some(c) = cx.after(odd) else { break };
        at = scanner.character(cx, odd, c);
    }
    scanner.finish(cx)
}

/// What the walk carries along. The offsets say how far words and stacks have been judged as a whole, while the characters
/// in them are still to be judged one by one.
#[derive(Default)]
struct Scanner {
    out: Vec<Raw>,
    bidi: Option<BidiLine>,
    flags: Vec<Span>,
    letters: usize,
    crowded: usize,
    marks: usize,
    private: usize,
    braille: Option<(Span, bool)>,
    blanks: usize,
}

impl Scanner {
    /// Judge the character at `at`; where to go on.
    fn character(&mut self, cx: &TextContext<'_>, at: usize, c: char) -> usize {
        let end = at + c.len_utf8();
        if controls::is_judged(c) {
            return controls::judge(cx, at, c, &mut self.out);
        }
        match c {
            '\u{FEFF}' if at == 0 => {
                let hit = Raw::new(Class::BomInside, Span::new(at, end), Level::Info);
                self.out.push(hit.note("begins the file; some agents then miss the frontmatter"));
                return end;
            }
            '\u{FFFD}' => return singles::judge_replacement(cx, at, &mut self.out),
            '\u{2800}' => return self.blank_cells(cx, at),
            '\u{FFF9}'..='\u{FFFB}' => {
                let hit = Raw::new(Class::Annotation, Span::new(at, end), Level::Warning);
                self.out.push(hit.removable(Applicability::Manual));
                return end;
            }
            _ if is_unusual_space(c) => {
                if at >= self.blanks {
                    let line = cx.line(at).span;
                    self.blanks = line.end;
                    self.out.extend(blanks::alternating(cx.text, line));
                }
                return singles::judge_spaces(cx, at, &mut self.out);
            }
            _ if is_noncharacter(c) => return singles::judge_noncharacters(cx, at, &mut self.out),
            _ if is_private_use(c) => {
                if at >= self.private {
                    self.private = singles::judge_private_use(cx, at, &mut self.out);
                }
                return end;
            }
            _ if lookalikes::is_mathematical(c) => return lookalikes::judge_mathematical(cx, at, &mut self.out),
            _ => {}
        }
        let properties = Properties::of(c);
        if properties.any(Properties::IGNORABLE) {
            return self.run(cx, at);
        }
        if properties.any(Properties::UNASSIGNED) {
            return singles::judge_unassigned(cx, at, &mut self.out);
        }
        if properties.any(Properties::NONSPACING) && at >= self.marks {
            self.marks = singles::judge_marks(cx, at, &mut self.out);
        }
        let fullwidth = matches!(c, '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}');
        let lookalike = properties.any(Properties::LOOKALIKE_SCRIPT) && properties.any(Properties::LETTER);
        if (lookalike || fullwidth) && at >= self.letters {
            self.letters = lookalikes::judge(cx, at, c, &mut self.out);
        }
        end
    }

    fn run(&mut self, cx: &TextContext<'_>, at: usize) -> usize {
        let run = CharacterRun::at(cx, at);
        let before = self.out.len();
        run.judge(&mut self.bidi, &mut self.flags, &mut self.out);
        let joins = run.chars.iter().any(|(_, c)| matches!(c, '\u{200C}' | '\u{200D}'));
        if joins && self.out.len() == before {
            words::judge_crowded_word(cx, run.span, &mut self.crowded, &mut self.out);
        }
        run.span.end
    }

    /// U+2800, the Braille cell without dots: a blank where no other cells stand near.
    fn blank_cells(&mut self, cx: &TextContext<'_>, at: usize) -> usize {
        let rest = &cx.text[at..];
        let length = rest.len() - rest.trim_start_matches('\u{2800}').len();
        let line = cx.line(at);
        let braille = match self.braille {
            Some((span, known)) if span == line.span => known,
            _ => line.braille || cx.braille_beside(line),
        };
        self.braille = Some((line.span, braille));
        if !braille {
            let span = Span::new(at, at + length);
            // Inside a word no gap was meant; elsewhere the cell is as wide as a space.
            let of_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let inside = of_word(cx.before(at)) && of_word(cx.after(span.end));
            let width = '\u{2800}'.len_utf8();
            let by = if inside { "" } else { " " };
            let edits =
                (0..length / width).map(|cell| (Span::new(at + cell * width, at + (cell + 1) * width), by.to_owned()));
            let fix = HitFix { applicability: Applicability::Safe, edits: edits.collect() };
            let level = if line.properties.any(Properties::LATIN) { Level::Error } else { Level::Warning };
            self.out.push(Raw::new(Class::InvisibleFiller, span, level).fix(fix));
        }
        at + length
    }

    fn finish(mut self, cx: &TextContext<'_>) -> Vec<Raw> {
        selectors::judge_pairs(cx, &mut self.out);
        // One flag that no vendor draws may be meant; a second one makes the tags a channel.
        let channel = self.flags.len() > 1;
        for hit in &mut self.out {
            if channel && hit.class == Class::TagSmuggling && hit.level == Level::Warning {
                hit.level = Level::Error;
                hit.note = None;
                hit.fix = Some(HitFix::remove(Applicability::Safe, hit.span));
            }
            if hit.raise && cx.regions(hit.span).raises() {
                hit.level = hit.level.raised();
            }
        }
        self.out.sort_by_key(|hit| (hit.span, hit.class));
        self.out
    }
}
