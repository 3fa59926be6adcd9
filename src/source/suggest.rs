//! What a misspelt revision may have meant.

use crate::base::text::edit_distance;

/// The name that `revision` most likely stands for: the same name on a remote, the same except for case, or one within two edits.
pub(super) fn nearest_revision<'a>(revision: &str, names: &[&'a str]) -> Option<&'a str> {
    let on_remote = |name: &&&str| name.split_once('/').is_some_and(|(_, branch)| branch == revision);
    if let Some(name) = names.iter().find(on_remote) {
        return Some(name);
    }
    if let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(revision)) {
        return Some(name);
    }
    let near = names.iter().map(|name| (edit_distance(revision, name), *name)).min_by_key(|(edits, _)| *edits)?;
    (near.0 <= 2 && near.0 < revision.chars().count()).then_some(near.1)
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
