//! What a manifest defines: scripts, targets, recipes. Text in, names out.

use std::collections::BTreeSet;

use super::Runner;

/// The names that a manifest defines; `None` where it cannot be known, such as in a Makefile that includes others.
pub(super) fn names(runner: Runner, text: &str) -> Option<BTreeSet<String>> {
    match runner {
        Runner::Package => scripts(text),
        Runner::Make => targets(text),
        Runner::Just => recipes(text),
    }
}

/// A manifest that is no JSON (a template, a fixture of broken JSON) defines nothing.
fn scripts(text: &str) -> Option<BTreeSet<String>> {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return Some(BTreeSet::new()) };
    let scripts = value.get("scripts").and_then(|scripts| scripts.as_object());
    Some(scripts.into_iter().flatten().map(|(name, _)| name.clone()).collect())
}

fn targets(text: &str) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with(['\t', '#']) {
            continue;
        }
        let Some((head, rest)) = line.split_once(':') else { continue };
        // `A := b` and `A = b:c` define variables.
        if rest.starts_with('=') || rest.starts_with(":=") || head.contains('=') {
            continue;
        }
        // A rule that makes up its targets may make any.
        if head.contains('$') || head.trim() == "%" {
            return None;
        }
        let listed = if head.trim() == ".PHONY" { rest } else { head };
        names.extend(listed.split_whitespace().map(str::to_owned));
    }
    Some(names)
}

fn recipes(text: &str) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with([' ', '\t', '#', '[']) {
            continue;
        }
        let mut words = line.trim_start_matches('@').split([' ', ':']).filter(|word| !word.is_empty());
        match words.next() {
            Some("alias") => names.extend(words.next().map(str::to_owned)),
            Some("import" | "import?" | "mod" | "mod?") => return None,
            Some("set" | "export" | "unexport") | None => {}
            Some(name) if line.contains(':') && !line.trim_start_matches(name).trim_start().starts_with(":=") => {
                names.insert(name.to_owned());
            }
            Some(_) => {}
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_each_kind() {
        let read = |runner, text| names(runner, text).map(|names| names.into_iter().collect::<Vec<_>>());
        let row = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(read(Runner::Package, r#"{"scripts":{"b":"","a:c":""}}"#), row(&["a:c", "b"]));
        assert_eq!(read(Runner::Package, "{"), row(&[]));
        assert_eq!(
            read(Runner::Make, "A := b\na b: c\n\td: e\n# f: g\n.PHONY: h\nX = y:z\ni::\n"),
            row(&["a", "b", "h", "i"])
        );
        assert_eq!(read(Runner::Make, "$(NAMES): x\n"), None);
        assert_eq!(
            read(Runner::Just, "set x := 1\nalias t := test\n@q a='b':\n  r:\nv := 'x:y'\ntest *a: dep\n"),
            row(&["q", "t", "test"])
        );
        assert_eq!(read(Runner::Just, "import 'x.just'\n"), None);
    }
}
