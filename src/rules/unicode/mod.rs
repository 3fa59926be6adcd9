//! Rules about hidden and deceptive characters. `parse::unicode` judges every character; each rule here is a card, and
//! [`report::CharacterRule`] reports the hits of its classes.

mod bidi_control;
mod control_character;
mod hidden_bits;
mod hidden_selectors;
mod hidden_tags;
mod invalid_utf8;
mod invisible_filler;
mod lookalike_letters;
mod misplaced_bom;
mod mojibake;
mod noncharacter;
mod pages;
mod private_use_run;
mod purpose;
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
    &bidi_control::RULE,
    &control_character::RULE,
    &hidden_bits::RULE,
    &hidden_selectors::RULE,
    &hidden_tags::RULE,
    &invalid_utf8::RULE,
    &invisible_filler::RULE,
    &lookalike_letters::RULE,
    &misplaced_bom::RULE,
    &noncharacter::RULE,
    &private_use_run::RULE,
    &replacement_character::RULE,
    &stacked_marks::RULE,
    &stray_ignorable::RULE,
    &stray_joiner::RULE,
    &text_out_of_sight::RULE,
    &unusual_space::RULE,
    &zero_width::RULE,
];
