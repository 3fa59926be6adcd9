//! Compiles all patterns before the first text is read.

use std::sync::LazyLock;

use rayon::prelude::*;

use super::heads::{EXAMPLE_HEAD, GONE_HEAD, MADE_HEAD, MAY_MISS_HEAD};
use super::pattern::FoldedPattern;
use super::words::*;
use super::{negations, records, tongues};

/// Compile all patterns, on this core alone.
pub(crate) fn prepare() {
    all().for_each(|pattern| _ = LazyLock::force(pattern));
}

/// Compile all patterns on all cores. Otherwise the first thread that needs one compiles it while the others wait.
pub(crate) fn prepare_on_all_cores() {
    all().par_bridge().for_each(|pattern| _ = LazyLock::force(pattern));
}

/// The patterns of all files.
pub(super) fn all() -> impl Iterator<Item = &'static LazyLock<FoldedPattern>> + Send {
    PATTERNS.into_iter().chain(tongues::PATTERNS).chain(records::PATTERNS).chain(negations::PATTERNS)
}

static PATTERNS: [&LazyLock<FoldedPattern>; 30] = [
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
