//! The words by which entries are found: where a text's words begin and end, how identifiers fall into parts, which words carry
//! no meaning, and what remains of a word without its ending. Knows nothing of ranking.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// Longer words, in bytes, are hashes or encoded data.
const MAX_WORD: usize = 64;

static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// A word or an identifier: `retry`, `useEffect`, `type-stripping`, `next.js`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WordToken {
    /// All of it without separators, in lower case.
    pub(super) whole: String,
    /// Its parts in lower case; empty for a word of one part.
    pub(super) parts: Vec<String>,
    /// Whether the parts are words of their own that a hyphen or an underscore joins. A letter is none: `e-mail`, `E-E-A-T`.
    pub(super) is_joined: bool,
}

/// Show the tokens of `text`, in order.
pub(super) fn tokens(text: &str, mut each: impl FnMut(WordToken)) {
    let text = composed(text);
    let mut ideographs: Vec<char> = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    let mut end_of_ideographs = 0;
    let chars = |word: &str| word.chars().next().filter(|&c| is_ideograph(c));
    for (at, word) in text.unicode_word_indices() {
        if let Some(c) = chars(word) {
            if let Some((start, end)) = open.take() {
                identifier(&text[start..end], &mut each);
            }
            if at != end_of_ideographs {
                bigrams(&mut ideographs, &mut each);
            }
            ideographs.push(c);
            ideographs.extend(word.chars().skip(1));
            end_of_ideographs = at + word.len();
            continue;
        }
        bigrams(&mut ideographs, &mut each);
        let end = at + word.len();
        open = match open {
            Some((start, before)) if at == before + 1 && text.as_bytes()[before] == b'-' => Some((start, end)),
            Some((start, before)) => {
                identifier(&text[start..before], &mut each);
                Some((at, end))
            }
            None => Some((at, end)),
        };
    }
    bigrams(&mut ideographs, &mut each);
    if let Some((start, end)) = open {
        identifier(&text[start..end], &mut each);
    }
}

/// Text whose characters are composed in one way; ASCII as it is.
fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfkc().collect()) }
}

/// Scripts without blanks between words.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn bigrams(run: &mut Vec<char>, each: &mut impl FnMut(WordToken)) {
    let mut give =
        |pair: &[char]| each(WordToken { whole: pair.iter().collect(), parts: Vec::new(), is_joined: false });
    match run.len() {
        0 => {}
        1 => give(run),
        _ => run.windows(2).for_each(give),
    }
    run.clear();
}

fn identifier(text: &str, each: &mut impl FnMut(WordToken)) {
    let text = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
    let mut parts = Vec::new();
    for piece in text.split(['-', '_', '.', ':']) {
        humps(piece, &mut parts);
    }
    parts.retain(|part| part.len() <= MAX_WORD);
    let whole = parts.concat();
    let is_joined = text.contains(['-', '_']) && parts.iter().all(|part| part.len() > 1);
    match parts.len() {
        0 => return,
        1 => parts.clear(),
        _ => {}
    }
    if whole.len() <= MAX_WORD || !parts.is_empty() {
        each(WordToken { whole, parts, is_joined });
    }
}

/// The parts of `camelCase` and `HTTPServer`, in lower case and without apostrophes.
fn humps(piece: &str, parts: &mut Vec<String>) {
    let mut part = String::new();
    let mut chars = piece.chars().filter(|c| !matches!(c, '\'' | '’')).peekable();
    let mut before: Option<char> = None;
    while let Some(c) = chars.next() {
        let begins = c.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || (before.is_uppercase()
                        && chars.peek().is_some_and(|next| next.is_lowercase())
                        && !is_plural(chars.clone()))
            });
        if begins && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        part.extend(c.to_lowercase());
        before = Some(c);
    }
    if !part.is_empty() {
        parts.push(part);
    }
}

/// Whether all that follows is the ending of `APIs` and `URLs`.
fn is_plural(mut rest: impl Iterator<Item = char>) -> bool {
    rest.next() == Some('s') && rest.next().is_none()
}

/// The word without its ending, in American spelling.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    match american(word) {
        Some(american) => Cow::Owned(ENGLISH.stem(&american).into_owned()),
        None => ENGLISH.stem(word),
    }
}

/// The American spelling of a word in British spelling. Words that only look so change too, in questions as in texts.
fn american(word: &str) -> Option<String> {
    const ENDINGS: [(&str, &str); 14] = [
        ("isation", "ization"),
        ("isations", "izations"),
        ("ise", "ize"),
        ("ised", "ized"),
        ("ises", "izes"),
        ("ising", "izing"),
        ("yse", "yze"),
        ("ysed", "yzed"),
        ("ysing", "yzing"),
        ("our", "or"),
        ("ours", "ors"),
        ("oured", "ored"),
        ("ogue", "og"),
        ("ogues", "ogs"),
    ];
    let of = |(british, american): (&str, &str)| {
        let root = word.strip_suffix(british).filter(|root| root.len() >= 3)?;
        Some(format!("{root}{american}"))
    };
    ENDINGS.into_iter().find_map(of)
}

/// Words that say nothing of what a question is about.
const STOP: &str = "\
    a about above after again all also am an and any anybody anyone anything are as at away be because been before being belong belongs below \
    best better between both but by can cannot cant could did do does doesnt doing dont done down during each either else etc \
    ever every few find for from further give go goes going good got had happen happens has have having he help her here hers him his how i \
    id if im in into is isnt it its ive just kind know lets like live lives look looking many may maybe me mean means might more most much must my \
    need needed needs no nor not now of off ok on once one only onto or other our ours out over own per please proper properly \
    really right same say seem shall she should show so some somebody someone something sort still such sure take tell than \
    thank thanks that thats the their them then there these they thing things this those though through to together too \
    toward try trying under until up upon us very via want wanted wants was way ways we well were what whats when where \
    whether which while who whole whom whose why will with within without wont would yes yet you your yours";

/// Words that nearly every entry has in common.
const COMMON: &str = "\
    app application apply add build change code create current different do existing file first follow following get handle \
    include including make manage new part project provide project related repository repo run see set setup specific start step \
    support system task thing time tool update use user various work write trigger request ask mention \
    involve need";

static STOP_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| sorted(STOP));
static COMMON_STEMS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut stems: Vec<String> = COMMON.split_whitespace().map(|word| stem(word).into_owned()).collect();
    stems.sort_unstable();
    stems
});

fn sorted(list: &'static str) -> Vec<&'static str> {
    let mut words: Vec<&str> = list.split_whitespace().collect();
    words.sort_unstable();
    words
}

/// Whether a word says nothing of what a question is about.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok() || (word.len() == 1 && word.is_ascii())
}

/// Whether nearly every entry has the word of this stem, so that it tells them apart only beside others.
pub(super) fn is_common(stem: &str) -> bool {
    COMMON_STEMS.binary_search_by(|common| common.as_str().cmp(stem)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let mut shown = Vec::new();
        tokens(text, |token| {
            shown.push(format!(
                "{}{}",
                token.whole,
                token.parts.iter().map(|part| format!("/{part}")).collect::<String>()
            ));
        });
        shown
    }

    #[test]
    fn identifiers_are_split_and_kept_whole() {
        assert_eq!(shown("useEffect in Next.js"), ["useeffect/use/effect", "in", "nextjs/next/js"]);
        assert_eq!(
            shown("type-stripping, XDG_STATE_HOME"),
            ["typestripping/type/stripping", "xdgstatehome/xdg/state/home"]
        );
        assert_eq!(shown("HTTPServer v4 don't project's"), ["httpserver/http/server", "v4", "dont", "project"]);
        assert_eq!(shown("APIs, PRs and userIDs"), ["apis", "prs", "and", "userids/user/ids"]);
        assert_eq!(shown("src/main.ts - done."), ["src", "maints/main/ts", "done"]);
    }

    #[test]
    fn text_without_blanks_is_pairs_of_characters() {
        assert_eq!(shown("数据库 x 中"), ["数据", "据库", "x", "中"]);
        assert_eq!(shown("Ｎｏｄｅ"), ["node"], "compatibility forms are composed");
    }

    #[test]
    fn endings_are_dropped() {
        assert_eq!(stem("queries"), stem("query"));
        assert_eq!(stem("testing"), "test");
        assert_eq!(stem("summarise"), stem("summarizing"));
        assert_eq!(stem("behaviours"), stem("behavior"));
        assert_eq!((stem("hour").as_ref(), stem("größe").as_ref()), ("hour", "größe"));
        assert!(is_stop_word("how") && is_stop_word("i") && !is_stop_word("test"));
        assert!(is_common(&stem("creating")) && !is_common(&stem("database")));
    }
}
