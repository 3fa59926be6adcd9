//! Rules about hidden and deceptive characters. One engine, `parse::unicode`, judges every character; each rule here is a
//! card and reports the classes that are its own.

mod bidi_control;
mod control_character;
mod hidden_bits;
mod hidden_selectors;
mod hidden_tags;
mod invalid_utf8;
mod invisible_filler;
mod lookalike_letters;
mod misplaced_bom;
mod noncharacter;
mod private_use_run;
mod replacement_character;
mod report;
mod stacked_marks;
mod stray_ignorable;
mod stray_joiner;
#[cfg(test)]
mod testing;
mod text_out_of_sight;
mod unusual_space;
mod zero_width;

use super::Rule;

/// The rules of this group, by name.
pub const RULES: &[&dyn Rule] = &[
    &bidi_control::BidiControl,
    &control_character::ControlCharacter,
    &hidden_bits::HiddenBits,
    &hidden_selectors::HiddenSelectors,
    &hidden_tags::HiddenTags,
    &invalid_utf8::InvalidUtf8,
    &invisible_filler::InvisibleFiller,
    &lookalike_letters::LookalikeLetters,
    &misplaced_bom::MisplacedBom,
    &noncharacter::Noncharacter,
    &private_use_run::PrivateUseRun,
    &replacement_character::ReplacementCharacter,
    &stacked_marks::StackedMarks,
    &stray_ignorable::StrayIgnorable,
    &stray_joiner::StrayJoiner,
    &text_out_of_sight::TextOutOfSight,
    &unusual_space::UnusualSpace,
    &zero_width::ZeroWidth,
];
