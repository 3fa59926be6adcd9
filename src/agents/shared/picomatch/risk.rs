//! Groups that the library does not repeat.

/// Whether the library takes a group that repeats for a danger, and so for text.
pub(super) fn is_risky(body: &str) -> bool {
    let branches: Vec<&str> = split(body);
    let of_one = |text: &str| text.chars().next().filter(|first| text.chars().all(|c| c == *first));
    let overlap = |a: &str, b: &str| of_one(a).is_some_and(|first| of_one(b) == Some(first));
    let several = branches.len() > 1
        && (branches.iter().any(|branch| branch.chars().all(|c| matches!(c, '*' | '?')))
            || branches.iter().enumerate().any(|(at, a)| branches[at + 1..].iter().any(|b| overlap(a, b))));
    let repeats = |branch: &&str| (branch.starts_with("+(") || branch.starts_with("*(")) && branch.ends_with(')');
    several || branches.iter().any(repeats)
}

/// Cut at each `|` outside of groups.
fn split(body: &str) -> Vec<&str> {
    let (mut depth, mut from, mut pieces) = (0_usize, 0, Vec::new());
    for (at, c) in body.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                pieces.push(body[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(body[from..].trim());
    pieces
}
