//! Makes all patterns ready before the first text is read.

use std::sync::LazyLock;

use super::heads::{CASE, EXAMPLE_HEAD, GONE_HEAD, MADE_HEAD, MAY_MISS_HEAD};
use super::pattern::FoldedPattern;
use super::words::*;
use super::{negations, records, tongues};

/// Take all patterns apart and make their words ready to be looked for, on this core alone.
pub(crate) fn prepare() {
    all().for_each(|pattern| _ = LazyLock::force(pattern));
}

/// The patterns of all files.
pub(super) fn all() -> impl Iterator<Item = &'static LazyLock<FoldedPattern>> {
    PATTERNS.into_iter().chain(tongues::PATTERNS).chain(records::PATTERNS).chain(negations::PATTERNS)
}

static PATTERNS: [&LazyLock<FoldedPattern>; 31] = [
    &GONE,
    &FORBIDDEN,
    &ACTS,
    &ADDS,
    &OLD,
    &COMMENT_DENIES,
    &READ,
    &SENDS,
    &BEFORE,
    &MADE_LABEL,
    &MAKES,
    &AFTER,
    &EXAMPLE,
    &SOURCE_OF,
    &EXAMPLE_LEAD,
    &PRODUCES_LEAD,
    &RECORD,
    &HEDGE,
    &HEDGE_COMMAND,
    &FORBIDS,
    &CASE,
    &EXAMPLE_HEAD,
    &GONE_HEAD,
    &GONE_HEADING,
    &LATER,
    &MADE_HEAD,
    &MAY_MISS_HEAD,
    &MAY_MISS_LATER,
    &REPLACES,
    &OUTLINE,
    &HEDGE_HEADING,
];
