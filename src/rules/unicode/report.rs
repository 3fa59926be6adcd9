//! From the engine's hits to findings: in a file's text, in its name, and in the names of what it imports. Judges nothing.

use crate::base::characters::visible;
use crate::base::finding::{Edit, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::unicode::{Hit, scan_name};
use crate::rules::{Cx, Rule, RuleInfo};
use crate::workspace::imports::{Import, Target};

/// The rule of a card: it reports the hits of its classes.
pub(super) struct CharacterRule(pub(super) &'static RuleInfo);

impl Rule for CharacterRule {
    fn info(&self) -> &'static RuleInfo {
        self.0
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let info = self.0;
        let own = |hit: &&Hit| hit.class.rule() == info.name;
        findings.extend(document.hidden.iter().filter(own).map(|hit| in_text(info.name, &document.path, hit)));
        if is_odd_name(&document.path) {
            for hit in scan_name(&document.path).iter().filter(own) {
                let message = format!("the file's name: {}", hit.message);
                findings.push(in_name(info.name, hit.level, document, Span::empty(0), message));
            }
        }
        let imports = &cx.workspace.imports;
        let from = imports.partition_point(|import| import.importer < document.path);
        for import in imports[from..].iter().take_while(|import| import.importer == document.path) {
            in_target(info, document, import, findings);
        }
    }
}

/// The hits in the name of what is imported that the token itself does not show, since links or case stand between the two.
fn in_target(info: &'static RuleInfo, document: &Document, import: &Import, findings: &mut Vec<Finding>) {
    let (Target::File(path) | Target::NotTracked { path, .. } | Target::Missing(path) | Target::Unreadable(path, _)) =
        &import.target
    else {
        return;
    };
    if !is_odd_name(path) {
        return;
    }
    let shown = document.hidden.iter().any(|hit| hit.class.rule() == info.name && hit.span.overlaps(import.span));
    for hit in scan_name(path).iter().filter(|hit| !shown && hit.class.rule() == info.name) {
        let message = format!("the import leads to {}: {}", visible(&path.to_str_lossy()), hit.message);
        findings.push(in_name(info.name, hit.level, document, import.span, message));
    }
}

/// Nearly all names are printable ASCII, and nothing is wrong with those.
fn is_odd_name(path: &RepoPath) -> bool {
    !path.as_bytes().iter().all(|byte| (b' '..=b'~').contains(byte))
}

fn in_text(rule: &'static str, path: &RepoPath, hit: &Hit) -> Finding {
    let mut finding = Finding::new(rule, hit.level, path, hit.span, hit.message.as_str());
    finding.help.clone_from(&hit.help);
    let Some(fix) = &hit.fix else { return finding };
    let edit = |(span, replacement): &(Span, String)| Edit {
        path: path.clone(),
        span: *span,
        replacement: replacement.clone(),
    };
    finding.fix_edits(fix.applicability, fix.edits.iter().map(edit).collect())
}

fn in_name(rule: &'static str, level: Level, document: &Document, span: Span, message: String) -> Finding {
    Finding::new(rule, level, &document.path, span, message).help("rename the file, and correct what names it")
}

#[cfg(test)]
mod tests {
    use crate::base::characters::visible;
    use crate::config::Config;
    use crate::rules::run::{Selection, run};
    use crate::source::Memory;
    use crate::source::history::Answers;
    use crate::workspace::load;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let loaded = load(&Memory::of_files(files.iter().copied()), Config::default(), &[]).unwrap();
        let selection = Selection { select: vec!["unicode".into()], ..Selection::default() };
        let report = run(loaded, &selection, &mut |_| Answers::default());
        let show = |finding: &crate::base::finding::Finding| {
            let place = format!("{}-{}", finding.span.start, finding.span.end);
            format!("{}:{place} {} {}", visible(&finding.path.to_str_lossy()), finding.rule, finding.message)
        };
        report.findings.iter().map(show).collect()
    }

    #[test]
    fn names_of_hint_files_are_searched() {
        let found =
            findings(&[("do\u{200B}cs/AGENTS.md", "x\n"), ("größe/AGENTS.md", "x\n"), ("日本/CLAUDE.md", "x\n")]);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(found[0].starts_with("do\\u{200B}cs/AGENTS.md:0-0 zero-width the file's name: U+200B"), "{found:#?}");
    }

    #[test]
    fn names_of_import_targets_are_searched_once() {
        let found = findings(&[("CLAUDE.md", "See @a\u{200B}b.md\n"), ("a\u{200B}b.md", "x\n")]);
        let places: Vec<_> = found.iter().map(|line| line.split(" zero-width").next().unwrap()).collect();
        assert_eq!(places, ["CLAUDE.md:6-9", "a\\u{200B}b.md:0-0"], "{found:#?}");
    }
}
