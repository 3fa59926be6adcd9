//! What a misspelt revision may have meant.

/// The name that `revision` most likely stands for: the same name on a remote, the same but for case, or one within two edits.
pub(super) fn nearest_revision<'a>(revision: &str, names: &[&'a str]) -> Option<&'a str> {
    let on_remote = |name: &&&str| name.split_once('/').is_some_and(|(_, branch)| branch == revision);
    if let Some(name) = names.iter().find(on_remote) {
        return Some(name);
    }
    if let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(revision)) {
        return Some(name);
    }
    let near = names.iter().map(|name| (distance(revision, name), *name)).min_by_key(|(edits, _)| *edits)?;
    (near.0 <= 2 && near.0 < revision.chars().count()).then_some(near.1)
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(200).collect(), b.chars().take(200).collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_suggested_and_far_ones_not() {
        let names = ["feature/x", "main", "origin/dev", "v1.0"];
        let cases = [
            ("mian", Some("main")),
            ("Main", Some("main")),
            ("dev", Some("origin/dev")),
            ("v1.1", Some("v1.0")),
            ("xy", None),
            ("something-else", None),
        ];
        for (revision, expected) in cases {
            assert_eq!(nearest_revision(revision, &names), expected, "{revision}");
        }
        assert_eq!(nearest_revision("main", &[]), None);
    }
}
