//! Colour codes for our own words. The only place that writes an escape character, besides `miette`.

use std::borrow::Cow;

use crate::base::finding::Level;
use crate::base::sanitize;

/// A colour or weight, as the parameters of an SGR sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style(&'static str);

pub(super) const RED: Style = Style("31");
pub(super) const GREEN: Style = Style("32");
pub(super) const CYAN: Style = Style("36");
pub(super) const BOLD: Style = Style("1");
const BOLD_RED: Style = Style("1;31");
const BOLD_YELLOW: Style = Style("1;33");
const BOLD_CYAN: Style = Style("1;36");

/// The style in which a level's name is written.
pub(super) fn level(level: Level) -> Style {
    match level {
        Level::Error => BOLD_RED,
        Level::Warning => BOLD_YELLOW,
        Level::Info => BOLD_CYAN,
    }
}

/// `text`, linked to `url` if there is one: the terminal shows the text and opens the address. The address is a page of this project.
pub(super) fn linked(url: Option<String>, text: Cow<'_, str>) -> Cow<'_, str> {
    match url {
        Some(url) => Cow::Owned(sanitize::linked(&url, &text)),
        None => text,
    }
}

/// `text` in `style` if `color` is on.
pub(super) fn paint(color: bool, style: Style, text: &str) -> Cow<'_, str> {
    if color && !text.is_empty() {
        Cow::Owned(format!("\u{1B}[{}m{text}\u{1B}[0m", style.0))
    } else {
        Cow::Borrowed(text)
    }
}
