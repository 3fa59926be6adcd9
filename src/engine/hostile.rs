//! Every rule and every fix over texts that are made to upset offsets: no rule panics, spans lie on character boundaries, and fixes
//! can be applied to what they are offered for.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::edits;
use crate::base::finding::{Applicability, Level};
use crate::base::path::RepoPath;
use crate::base::text::same_length_text;
use crate::config::Config;
use crate::rules::run::{Selection, run};
use crate::source::Memory;
use crate::source::history::Answers;
use crate::workspace::load;

/// One path for each way in which a file is read.
const PATHS: [&str; 18] = [
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".goosehints",
    ".dexhints",
    "PLAN.md",
    ".claude/rules/a.md",
    ".claude/commands/a.md",
    ".claude/agents/a.md",
    "skills/a/SKILL.md",
    ".cursor/rules/a.mdc",
    ".cursorrules",
    ".windsurf/rules/a.md",
    ".clinerules/a.md",
    ".kiro/steering/a.md",
    ".github/copilot-instructions.md",
    ".github/instructions/a.instructions.md",
    "hints/a/hint.yaml",
];

/// Pieces that move offsets or mean something to some reader.
const PIECES: [&[u8]; 96] = [
    b"\xef\xbb\xbf",
    b"\xef\xbb\xbf",
    "\u{200b}".as_bytes(),
    "\u{2060}".as_bytes(),
    "\u{200d}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{ad}".as_bytes(),
    "\u{85}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{3000}".as_bytes(),
    "\u{e0041}".as_bytes(),
    "🙂".as_bytes(),
    "𝒳".as_bytes(),
    "é".as_bytes(),
    "ß".as_bytes(),
    "İ".as_bytes(),
    b"\xff",
    b"\xc3",
    b"\xf0\x9f\x99",
    b"\xed\xa0\x80",
    b"\0",
    b"\x1b",
    b"\r",
    b"\r",
    b"\r\n",
    b"\n",
    b"\n",
    b"\n\n",
    b" ",
    b"\t",
    b"    ",
    b"---",
    b"---\n",
    b"---\n",
    b"---\r\n",
    b"--- \n",
    b"...\n",
    b"name: x\n",
    b"name: A B\n",
    b"nmae: y\n",
    b"description: a: b\n",
    "description: 사용: 그때\n".as_bytes(),
    b"paths: src/**\n",
    b"paths: [a, \"!b\", {c\n",
    b"globs: **/*.ts, src\\a\\*.ts\n",
    b"globs: {a,b}{a,b}{a,b}\n",
    b"applyTo: '**'\n",
    b"alwaysApply: \"yes\"\n",
    b"alwaysApply: maybe\n",
    b"inclusion: FileMatch\n",
    b"trigger: glob\n",
    b"allowed_tools: 1\n",
    b"metadata: &a [*a, !!str x]\n",
    b"x: &b {y: 1}\nz: *b\n",
    b"<<: *b\n",
    b"k: !tag v\n",
    b"? [a]\n: b\n",
    b"k: |\n  t\n",
    b"k: \"\\u00e9",
    b"# hintlint-ignore a: b\n",
    b"<!-- hintlint-ignore unicode: b -->\n",
    b"<!--",
    b"-->",
    b"<!-->",
    b"<!-- From: a.md -->\n",
    b"<!-- End of a.md -->\n",
    b"> ",
    b"> > > ",
    b"- ",
    b"1. ",
    b"- [ ] a\n",
    b"- [X]b\n",
    b"-[ ] a\n",
    "［ ］ a\n".as_bytes(),
    b"# T\n",
    b"## Tasks (1/3)\n",
    b"**Progress:** 2 of 5 (9%)\n",
    b"=====\n",
    b"`",
    b"```\n",
    b"```sh\nnpm run x\n",
    b"~~~\n",
    b"`src/gone.rs`",
    b"[a](./Gone.md#x \"t\")",
    b"[a]: <b c>\n[a]",
    b"![](",
    b"](",
    b"@docs/a.md ",
    b"@./AGENTS.md,",
    b"|a|`b`|\n|-|-|\n",
    b"<div>\n",
    b"<a href=\"x.md\">",
    b"<promise>DONE</promise>",
    b"<<<<<<< a\n",
    b"=======\n>>>>>>> b\n",
    b"word ",
];

type HostileFiles = BTreeMap<RepoPath, Arc<[u8]>>;

/// Check `files` with all rules; what the fixes make of them.
fn checked(files: &HostileFiles) -> HostileFiles {
    let memory = Memory::of_files(files.iter().map(|(path, bytes)| (path.as_bytes(), bytes)));
    let loaded = load(&memory, Config::default(), &[]).expect("there are no patterns");
    let selection = Selection { select: vec!["all".to_owned()], min_level: Level::Info, ..Selection::default() };
    let report = run(loaded, &selection, &mut |_| Answers::default());
    assert_eq!(report.failures, [], "a rule panicked on {files:?}");
    for finding in &report.findings {
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| (&edit.path, edit.span));
        let related = finding.related.iter().map(|related| (&related.path, related.span));
        for (path, span) in related.chain(edits).chain([(&finding.path, finding.span)]) {
            let text = files.get(path).map(|bytes| same_length_text(bytes)).unwrap_or_default();
            assert!(span.start <= span.end && text.get(span.range()).is_some(), "{finding:?} in {text:?}");
        }
    }
    let fixed = edits::apply(&report.findings, Applicability::Unsafe, &|path| files.get(path).cloned());
    let mut after = files.clone();
    after.extend(fixed.into_iter().map(|(path, fixed)| (path, fixed.bytes)));
    after
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_rule_or_fix_is_upset_by_any_text(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..16),
        path in prop::sample::select(&PATHS[..]),
        beside in prop::sample::select(&PATHS[..]),
        shape in 0..5_u8,
    ) {
        let text = pieces.concat();
        let fenced = [b"---\n", &*text, b"\n---\n", &*text].concat();
        let text = match shape {
            0 => text,
            1 => fenced,
            2 => [b"\xef\xbb\xbf", &*fenced].concat(),
            3 => [b"\xef\xbb\xbf\xef\xbb\xbf---\nname: x\n---\n", &*text].concat(),
            _ => [&*text, b"---\ndescription: x\n---\n"].concat(),
        };
        let both = [(path, text.as_slice()), (beside, &[b"@AGENTS.md\n", &*text].concat())];
        let mut files: HostileFiles = both.map(|(path, bytes)| (RepoPath::from(path), Arc::from(bytes))).into();
        // Fixes give rise to texts that nobody wrote; the rules must bear them, too.
        for _ in 0..2 {
            files = checked(&files);
        }
    }
}
