//! Tests of paths that only their surroundings prove: folders, drawings, plain words, links in notes, and what scripts write.

use super::testing::{Past, findings, show};
use crate::base::finding::Level;

/// The findings of `rule` above info about the file at `path`.
fn warnings(rule: &str, path: &str, text: &str, files: &[(&str, &str)], past: &[(&str, Past<'_>)]) -> Vec<String> {
    let mut all = files.to_vec();
    all.push((path, text));
    let found = findings(rule, &all, past, &[], false);
    let of_path = found.into_iter().filter(|finding| finding.level > Level::Info && finding.path == path.into());
    show(&of_path.collect::<Vec<_>>(), text)
}

#[test]
fn links_of_a_log_led_somewhere_on_their_day() {
    let text = "# Log\n\n[a](./gone.md) [b](./none.md)\n";
    let past = [("skills/x/gone.md", Past::Deleted)];
    let files = [("skills/x/SKILL.md", "---\nname: x\ndescription: y\n---\n[log](CHANGELOG.md) [more](LOG.md)\n")];
    assert_eq!(warnings("broken-link", "skills/x/CHANGELOG.md", text, &files, &past), [""; 0]);
    assert_eq!(warnings("broken-link", "skills/x/LOG.md", text, &files, &past).len(), 2);
}

#[test]
fn what_a_script_writes_is_made() {
    let text = "Read `out_report.json`. Then `log_report.json`.\n";
    let past = [("a/out_report.json", Past::Deleted), ("a/log_report.json", Past::Deleted)];
    let script = "// Write the report\nconst path = join(dir, 'out_report.json');\nprint('generate log_report.json')\n";
    let at = |script: &str| warnings("stale-path", "AGENTS.md", text, &[("scripts/a1.ts", script)], &past);
    assert_eq!(at("").len(), 2);
    assert_eq!(at(script), ["error log_report.json"]);
    assert_eq!(at("const data = readJson('out_report.json');\n// generate\n").len(), 2);
}
