//! Files among an agent's subagents without frontmatter: which of them describe their folder, and which were meant to be subagents.

use bstr::ByteSlice;

use crate::base::kind::Role;
use crate::base::path;
use crate::parse::Document;
use crate::workspace::Workspace;

/// How far into a file the words must stand by which it speaks to an agent, in bytes.
const ADDRESS_WITHIN: usize = 1000;

/// How prompts in some languages begin: "You are".
const ADDRESSES: [&str; 10] =
    ["You are ", "你是", "您是", "Du bist ", "Tu es ", "Vous êtes ", "Eres ", "Você é ", "あなたは", "Ты "];

/// Whether a file among the subagents describes the folder and is no subagent.
pub(super) fn is_about_the_folder(document: &Document) -> bool {
    let start = document.text[document.body..].bytes().take(ADDRESS_WITHIN).collect::<Vec<u8>>();
    let is_prompt = |line: &[u8]| {
        ADDRESSES.iter().any(|words| line.starts_with(words.as_bytes()))
            || memchr::memmem::find(line, b"$ARGUMENTS").is_some()
    };
    let speaks = || start.lines().any(is_prompt);
    document.kind.role() == Some(Role::Subagent) && !speaks() && !is_titled_as_one(document, &start)
}

/// Whether the file's title, or a line that gives its name or role, calls it an agent, and its own name is none of a page about the
/// folder.
fn is_titled_as_one(document: &Document, start: &[u8]) -> bool {
    let title = start.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_agent = title.starts_with(b"# ") && title.to_ascii_lowercase().trim().ends_with(b" agent");
    let is_role = |line: &[u8]| line.starts_with(b"**Agent Name:**") || line.starts_with(b"**Role:**");
    !is_named_as_a_page(document) && (is_agent || start.lines().any(is_role))
}

/// Whether the file has the name of a page about its folder.
fn is_named_as_a_page(document: &Document) -> bool {
    let name = document.path.file_name();
    !name.iter().any(u8::is_ascii_lowercase)
        || name.iter().take_while(|byte| **byte != b'.').any(u8::is_ascii_uppercase)
        || [&b"readme"[..], b"index", b"guide", b"overview", b"_"].iter().any(|begin| name.starts_with(begin))
}

/// Letters of a name, at least, by which texts may call an agent.
const SHORTEST: usize = 4;

/// Texts that are searched for the name of one agent, at most.
const MAX_TEXTS: usize = 500;

/// Whether another text sends its reader to the agent of the file's name: "use the planner agent".
pub(super) fn is_called_an_agent(workspace: &Workspace, document: &Document) -> bool {
    let stem = path::file_name(document.path.as_bytes()).strip_suffix(b".md").unwrap_or_default();
    let stem = String::from_utf8_lossy(stem);
    if stem.len() < SHORTEST || is_named_as_a_page(document) {
        return false;
    }
    let calls =
        ["agent", "subagent"].iter().flat_map(|kind| [format!("the {stem} {kind}"), format!("`{stem}` {kind}")]);
    let calls: Vec<String> = calls.collect();
    let says = |text: &str| calls.iter().any(|call| memchr::memmem::find(text.as_bytes(), call.as_bytes()).is_some());
    workspace.documents.iter().take(MAX_TEXTS).any(|other| other.path != document.path && says(&other.text))
}
