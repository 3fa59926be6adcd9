//! Whether one of two names is a slip of the other's. Knows letters only.

/// Letters of the longer word, at least.
const MIN_LETTERS: usize = 5;

/// Whether the two names differ in one word, by one or two letters too many within that word, a letter doubled at its edge, or two
/// letters that changed places. An ending or a syllable before it makes another word: `builder`, `reviews`, `unlock`.
pub(super) fn is_slip(name: &str, folder: &str) -> bool {
    let (ours, theirs): (Vec<&str>, Vec<&str>) = (name.split('-').collect(), folder.split('-').collect());
    let mut differing = ours.iter().zip(&theirs).filter(|(a, b)| a != b);
    let (Some((a, b)), None) = (differing.next(), differing.next()) else { return false };
    let plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    ours.len() == theirs.len()
        && plain(a)
        && plain(b)
        && a.len().max(b.len()) >= MIN_LETTERS
        && (is_swapped(a.as_bytes(), b.as_bytes())
            || has_more(a.as_bytes(), b.as_bytes())
            || has_more(b.as_bytes(), a.as_bytes()))
}

/// Whether two letters beside each other changed places.
fn is_swapped(a: &[u8], b: &[u8]) -> bool {
    let differing: Vec<usize> = (0..a.len().min(b.len())).filter(|&at| a[at] != b[at]).collect();
    matches!(differing[..], [at, next] if a.len() == b.len() && next == at + 1 && a[at] == b[next] && a[next] == b[at])
}

/// Whether `long` is `short` with one or two letters more, which stand within the word or double the one beside them.
fn has_more(long: &[u8], short: &[u8]) -> bool {
    let start = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    let end = long.iter().rev().zip(short.iter().rev()).take_while(|(a, b)| a == b).count();
    let more = long.len().saturating_sub(short.len());
    if !matches!(more, 1 | 2) || start + end < short.len() {
        return false;
    }
    // Where the letters repeat, they may stand at any of these places.
    let first = short.len().saturating_sub(end).min(start);
    let added = &long[start..start + more];
    let is_doubled = more == 1 && (start > 0 && long[start - 1] == added[0] || long.get(start + 1) == Some(&added[0]));
    is_doubled || first > 0 && start < short.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_too_many_lost_and_swapped() {
        for (name, folder) in [
            ("ccompatible-simplifier", "compatible-simplifier"),
            ("reveiw-code", "review-code"),
            ("code-reivew", "code-review"),
            ("deployyment", "deployment"),
            ("deplyment", "deployment"),
            ("migration", "migratiion"),
            ("depment-x", "deployment-x"),
        ] {
            let is_far = name == "depment-x";
            assert_eq!(is_slip(name, folder), !is_far, "{name} {folder}");
        }
    }

    #[test]
    fn other_words_are_no_slips() {
        for (name, folder) in [
            ("build", "builder"),
            ("code-reviews", "code-review"),
            ("unlock", "lock"),
            ("plan", "plans"),
            ("get-post", "set-post"),
            ("react-18", "react-19"),
            ("organise", "organize"),
            ("audit-code", "review-code"),
            ("a-review", "review"),
            ("form", "farm"),
            ("test", "tests"),
        ] {
            assert!(!is_slip(name, folder), "{name} {folder}");
        }
    }
}
