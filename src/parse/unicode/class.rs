//! The classes of hidden and deceptive characters, and the rule that reports each. Knows nothing about text.

/// What is wrong with a character or a run of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    /// Tag characters outside a flag.
    TagSmuggling,
    /// Variation selectors that select nothing.
    VsSmuggling,
    /// Invisible mathematical operators.
    SneakyBits,
    /// Three or more default-ignorable characters of several classes in a row.
    MixedIgnorables,
    /// Three or more zero-width characters in a row.
    ZwBinary,
    /// A zero-width character where no orthography puts one.
    ZwSplit,
    /// A joiner after an emoji that joins nothing.
    DanglingJoiner,
    /// A byte order mark inside the file; at its start, at level info.
    BomInside,
    /// Bidirectional embeddings and overrides.
    BidiOverride,
    /// Bidirectional isolates.
    BidiIsolate,
    /// Bidirectional marks.
    BidiMark,
    /// A soft hyphen outside a word of prose.
    ShyMisuse,
    /// Characters that are letters or symbols by their category, and blank.
    InvisibleFiller,
    /// Deprecated format characters.
    DeprecatedFormat,
    /// Reserved default-ignorable code points; musical and shorthand format characters out of place.
    ReservedIgnorable,
    /// Interlinear annotation.
    Annotation,
    /// Line and paragraph separators other than LF and CR LF.
    LineSeparator,
    /// Control characters and escape sequences.
    ControlChar,
    /// A space other than U+0020 where it changes what the line is.
    UnusualSpace,
    /// Noncharacters.
    Noncharacter,
    /// Unassigned code points.
    Unassigned,
    /// Four or more private-use characters in a row.
    PuaRun,
    /// Bytes that are not UTF-8.
    InvalidUtf8,
    /// Too many combining marks on one letter.
    Zalgo,
    /// Letters of another script that look like ASCII letters.
    Homoglyph,
    /// U+FFFD in the text itself.
    ReplacementCharacter,
    /// Visible blanks of several kinds that alternate.
    BlankBits,
    /// Text behind so many blanks or blank lines that a reader does not see it.
    OutOfSight,
}

impl Class {
    /// The name of the rule that reports the class.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            Class::TagSmuggling => "hidden-tags",
            Class::VsSmuggling => "hidden-selectors",
            Class::SneakyBits | Class::MixedIgnorables | Class::BlankBits => "hidden-bits",
            Class::ZwBinary | Class::ZwSplit => "zero-width",
            Class::DanglingJoiner => "stray-joiner",
            Class::BomInside => "misplaced-bom",
            Class::BidiOverride | Class::BidiIsolate | Class::BidiMark => "bidi-control",
            Class::ShyMisuse | Class::DeprecatedFormat | Class::ReservedIgnorable => "stray-ignorable",
            Class::InvisibleFiller => "invisible-filler",
            Class::Annotation | Class::LineSeparator | Class::ControlChar => "control-character",
            Class::UnusualSpace => "unusual-space",
            Class::Noncharacter | Class::Unassigned => "noncharacter",
            Class::PuaRun => "private-use-run",
            Class::InvalidUtf8 => "invalid-utf8",
            Class::Zalgo => "stacked-marks",
            Class::Homoglyph => "lookalike-letters",
            Class::ReplacementCharacter => "replacement-character",
            Class::OutOfSight => "text-out-of-sight",
        }
    }

    /// The class's own name, as the policy has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::TagSmuggling => "tag-smuggling",
            Class::VsSmuggling => "vs-smuggling",
            Class::SneakyBits => "sneaky-bits",
            Class::MixedIgnorables => "mixed-ignorables",
            Class::ZwBinary => "zw-binary",
            Class::ZwSplit => "zw-split",
            Class::DanglingJoiner => "dangling-joiner",
            Class::BomInside => "bom-inside",
            Class::BidiOverride => "bidi-override",
            Class::BidiIsolate => "bidi-isolate",
            Class::BidiMark => "bidi-mark",
            Class::ShyMisuse => "shy-misuse",
            Class::InvisibleFiller => "invisible-filler",
            Class::DeprecatedFormat => "deprecated-format",
            Class::ReservedIgnorable => "reserved-ignorable",
            Class::Annotation => "annotation",
            Class::LineSeparator => "line-separator",
            Class::ControlChar => "control-char",
            Class::UnusualSpace => "unusual-space",
            Class::Noncharacter => "noncharacter",
            Class::Unassigned => "unassigned",
            Class::PuaRun => "pua-run",
            Class::InvalidUtf8 => "invalid-utf8",
            Class::Zalgo => "zalgo",
            Class::Homoglyph => "homoglyph",
            Class::ReplacementCharacter => "replacement-character",
            Class::BlankBits => "blank-bits",
            Class::OutOfSight => "out-of-sight",
        }
    }

    /// What messages call several characters of the class.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Class::TagSmuggling => "invisible tag characters",
            Class::VsSmuggling => "variation selectors that select nothing",
            Class::SneakyBits => "invisible operators",
            Class::MixedIgnorables => "invisible characters of several kinds",
            Class::ZwBinary | Class::ZwSplit => "zero-width characters",
            Class::DanglingJoiner => "joiners that join nothing",
            Class::BomInside => "byte order marks",
            Class::BidiOverride => "bidirectional embedding controls",
            Class::BidiIsolate => "bidirectional isolate controls",
            Class::BidiMark => "bidirectional marks",
            Class::ShyMisuse => "soft hyphens",
            Class::InvisibleFiller => "blank filler characters",
            Class::DeprecatedFormat => "deprecated format characters",
            Class::ReservedIgnorable => "reserved invisible characters",
            Class::Annotation => "annotation characters",
            Class::LineSeparator => "line separators",
            Class::ControlChar => "control characters",
            Class::UnusualSpace => "unusual spaces",
            Class::Noncharacter => "noncharacters",
            Class::Unassigned => "unassigned code points",
            Class::PuaRun => "private-use characters",
            Class::InvalidUtf8 => "bytes",
            Class::Zalgo => "stacked combining marks",
            Class::Homoglyph => "lookalike letters",
            Class::ReplacementCharacter => "replacement characters",
            Class::BlankBits => "blanks",
            Class::OutOfSight => "characters",
        }
    }
}
