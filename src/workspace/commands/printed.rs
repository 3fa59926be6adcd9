//! Commands that a text defines itself, by the manifest that it prints: a skill or prompt is about the project for which it prints that, and
//! a hint file may say what to add to the manifest.

use memchr::memmem;

use super::{MentionedCommand, Runner};
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};
use crate::workspace::Workspace;

/// Whether `document`, or another page of its skill, prints the definition of what `command` runs: in a text for any project, or as what is to
/// be added.
pub(super) fn defines(workspace: &Workspace, document: &Document, command: &MentionedCommand) -> bool {
    if !is_printed(command.runner) {
        return false;
    }
    if !document.kind.is_general() {
        return prints(document, command, is_to_be_added);
    }
    let prints = |document: &Document| {
        memmem::find(document.text.as_bytes(), command.name.as_bytes()).is_some()
            && prints(document, command, |_, _| true)
    };
    prints(document) || document.path.file_name() == b"SKILL.md" && below(workspace, document.path.parent()).any(prints)
}

/// The documents below a folder; they stand together, since all are ordered by path.
fn below<'w>(workspace: &'w Workspace, folder: &[u8]) -> impl Iterator<Item = &'w Document> {
    let begin = if folder.is_empty() { Vec::new() } else { [folder, b"/"].concat() };
    let from = workspace.documents.partition_point(|document| document.path.as_bytes() < begin.as_slice());
    workspace.documents[from..].iter().take_while(move |document| document.path.as_bytes().starts_with(&begin))
}

/// Whether texts print what defines the commands of `runner`.
fn is_printed(runner: Runner) -> bool {
    matches!(runner, Runner::Package | Runner::Composer | Runner::Deno | Runner::Make | Runner::Just | Runner::Task)
}

/// Words by which a line tells its reader to add what stands below it.
const ADDS: [&str; 3] = ["add", "agrega", "ajoute"];

/// Whether the line above a fence tells the reader to add what it holds.
fn is_to_be_added(document: &Document, code: &Code) -> bool {
    let above = document.text[..code.span.start].trim_end().rsplit('\n').next().unwrap_or_default().to_lowercase();
    let mut words = above.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ADDS.contains(&word)) || ["追加", "添加"].iter().any(|word| above.contains(word))
}

/// Whether a fence of `document` that is `meant` defines what `command` runs.
fn prints(document: &Document, command: &MentionedCommand, meant: impl Fn(&Document, &Code) -> bool) -> bool {
    let name = command.name.as_str();
    document.markdown.code.iter().filter(|code| meant(document, code)).any(|code| {
        let CodeKind::Fence { language, .. } = &code.kind else { return false };
        let text = document.slice(code.content);
        let language = language.to_ascii_lowercase();
        match command.runner {
            Runner::Package | Runner::Composer => text.contains("\"scripts\"") && has_key(text, name),
            Runner::Deno => text.contains("\"tasks\"") && has_key(text, name),
            Runner::Task => text.contains("tasks:") && text.lines().any(|line| begins(line.trim_start(), name)),
            Runner::Make if language.starts_with("make") => text.lines().any(|line| begins(line, name)),
            Runner::Just if language.starts_with("just") => text.lines().any(|line| begins(line, name)),
            _ => false,
        }
    })
}

/// Whether a text of JSON has the key `name`.
fn has_key(text: &str, name: &str) -> bool {
    let key = format!("\"{name}\"");
    text.match_indices(&key).any(|(at, _)| text[at + key.len()..].trim_start().starts_with(':'))
}

/// Whether a line begins the definition of `name`; recipes may have parameters.
fn begins(line: &str, name: &str) -> bool {
    let rest = line.strip_prefix(name).filter(|rest| rest.starts_with([':', ' ']));
    rest.is_some_and(|rest| rest.contains(':') && !rest.contains(":="))
}
