//! Any text may be the pattern of a rule: every agent's expansion of it ends within bounds, in lint, in contexts and in hooks.
//!
//! The first line is the pattern, every other one a path of the repository.

use std::path::Path;
use std::time::UNIX_EPOCH;

use hintlint::agents;
use hintlint::agents::context::{self, LoadOptions};
use hintlint::config::Config;
use hintlint::hooks::{self, HookEvent};
use hintlint::world::AbsPath;

use super::archive::{Archive, Entry};
use super::fix::lint;
use super::growth;
use super::machine::CHECKOUT;
use super::seeds;

/// Rules of every agent, by file and the field that holds patterns.
const RULES: [(&str, &str); 8] = [
    (".claude/rules/a.md", "paths"),
    (".claude/rules/b.md", "applies_to"),
    ("sub/.claude/rules/c.md", "paths"),
    (".cursor/rules/a.mdc", "globs"),
    (".github/instructions/a.instructions.md", "applyTo"),
    (".windsurf/rules/a.md", "globs"),
    (".clinerules/a.md", "paths"),
    (".kiro/steering/a.md", "fileMatchPattern"),
];

/// A repository in which each agent has a rule with this pattern.
pub(crate) fn archive(pattern: &str, paths: &mut dyn Iterator<Item = &str>) -> Archive {
    let mut archive = Archive::default();
    let quoted = serde_json::Value::from(pattern);
    for (name, field) in RULES {
        let text = format!("---\n{field}: {quoted}\n---\n\nRule.\n");
        archive.add(name.as_bytes(), Entry::File(text.into_bytes()));
    }
    archive.add(b"CLAUDE.md", Entry::File(b"x\n".to_vec()));
    for path in paths.take(16) {
        archive.add(path.as_bytes(), Entry::File(b"x\n".to_vec()));
    }
    archive.add(b"src/a.rs", Entry::File(b"x\n".to_vec()));
    archive
}

/// Lint the archive, and touch one of its files in every agent and in the hook.
pub(crate) fn touch(archive: &Archive) {
    lint(&archive.source(), &Config::default());
    let machine = archive.machine();
    let start = AbsPath::new(CHECKOUT);
    let touched = start.join("src/a.rs");
    let options = LoadOptions { touch: Some(touched.clone()), ..LoadOptions::default() };
    for dialect in agents::ALL {
        context::load(&machine, dialect, &start, &options);
    }
    let message =
        serde_json::json!({"cwd": CHECKOUT, "tool_name": "Read", "tool_input": {"file_path": touched.to_string()}});
    hooks::run(HookEvent::PostToolUse, message.to_string().as_bytes(), &machine, None, UNIX_EPOCH);
}

pub(crate) fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut lines = text.lines();
    let archive = archive(lines.next().unwrap_or_default(), &mut lines);
    growth::within_bounds(text.len(), || touch(&archive));
}

pub(crate) fn seeds(fixtures: &Path) -> Vec<Vec<u8>> {
    let mut seeds = seeds::files_named(fixtures, &|name| name.ends_with(".gitignore"));
    for pattern in [
        "src/**/*.{rs,toml}",
        "**/*.ts, *.js",
        "!(a|b)/**",
        "a/[!b-d]?.md",
        "{a,b}/{c,{d,e}}/**",
        "/sub/../x",
        "{a,b}{c,d}{e,f}/{g,h}{i,j}{k,l}",
        "*",
    ] {
        seeds.push(format!("{pattern}\nsrc/a.rs\nsub/b.ts\na/b/c.md\n").into_bytes());
    }
    seeds
}
