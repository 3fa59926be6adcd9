//! Rules about `@path` imports. The import graph is the workspace's; nothing here looks at a token again.

mod duplicate_import;
mod import_bomb;
mod import_cycle;
mod import_escapes_repository;
mod import_not_loaded;
mod import_too_deep;
mod missing_import;
mod optional;
mod unreadable_import;
mod untracked_import;

use super::{Evidence, Rule};
use crate::agents;
use crate::base::text::Span;
use crate::parse::Document;

/// The rules of this group, by name.
pub const RULES: &[&dyn Rule] = &[
    &duplicate_import::DuplicateImport,
    &import_bomb::ImportBomb,
    &import_cycle::ImportCycle,
    &import_escapes_repository::ImportEscapesRepository,
    &import_not_loaded::ImportNotLoaded,
    &import_too_deep::ImportTooDeep,
    &missing_import::MissingImport,
    &unreadable_import::UnreadableImport,
    &untracked_import::UntrackedImport,
];

/// Whether the import's line is a command that hands the token to a program: `gemini -p "@src/ explain"`.
fn is_in_a_command(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let before = document.text.get(line.start..span.start).unwrap_or_default();
    [" -p ", " -i ", " --prompt ", " --prompt-interactive "].iter().any(|option| {
        before
            .split_once(option)
            .is_some_and(|(_, prompt)| prompt.starts_with(['"', '\'']) && !prompt[1..].contains(&prompt[..1]))
    })
}

/// What the released agents were seen to do with imports.
const OBSERVED: Evidence = Evidence {
    source: "golden vectors: Claude Code 2.1.329, Gemini CLI 0.61.0, Goose 20ee205c, Qwen Code 0.24.4, Copilot CLI 1.0.102",
    checked: "2026-11",
};

/// How many imports deep an agent follows.
fn depth_limit(agent: &str, configured: usize) -> Option<usize> {
    let dialect = agents::by_id(agent)?;
    let depth = dialect.imports?.depth;
    Some(if dialect.files.is_limited_by_config { configured } else { depth })
}

#[cfg(test)]
mod testing {
    use crate::base::finding::Finding;
    use crate::config::Config;
    use crate::rules::run::{Selection, run};
    use crate::source::Memory;
    use crate::source::history::Answers;
    use crate::workspace::load;

    /// What one rule says of a repository, as `path:start-end level message`.
    pub(super) fn check(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
        findings(rule, files).iter().map(show).collect()
    }

    pub(super) fn show(finding: &Finding) -> String {
        let Finding { path, span, level, message, .. } = finding;
        format!("{}:{}-{} {} {message}", path.to_str_lossy(), span.start, span.end, level.name())
    }

    pub(super) fn findings(rule: &str, files: &[(&str, &str)]) -> Vec<Finding> {
        let source = Memory::of_files(files.iter().copied());
        let loaded = load(&source, Config::default(), &[]).unwrap();
        let selection = Selection { select: vec![rule.to_owned()], ..Selection::default() };
        run(loaded, &selection, &mut |_| Answers::default()).findings
    }
}
