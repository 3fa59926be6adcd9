//! Every scope of a repository renders, for `merged` and for each agent, to the same artifact twice: well-formed text with one
//! final newline and our header.
#![no_main]

mod files;

use hintlint::compile::plan::Selection;
use hintlint::compile::{compiler, marker};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let memory = files::memory(data);
    let (_, workspace) = files::lint(&memory);
    let compiler = compiler(&workspace).expect("the default output folder is usable");
    let agents = ["merged", "claude", "codex", "gemini"].map(str::to_owned).to_vec();
    let plan = compiler.plan(&Selection { agents, ..Selection::default() });
    for artifact in &plan.artifacts {
        let Some(rendered) = compiler.render(artifact) else { continue };
        let bytes = rendered.text.as_bytes();
        assert!(marker::has_header(bytes));
        assert!(bytes.ends_with(b"\n") && !bytes.ends_with(b"\n\n"), "one final newline");
        assert!(!bytes.contains(&b'\r'), "line ends are LF");
        assert_eq!(compiler.render(artifact).expect("as before").text.as_bytes(), bytes);
    }
});
