//! Names of files and folders that come and go with a task.

use crate::agents::files;
use crate::base::path::RepoPath;
use crate::parse::Document;
use crate::parse::placeholder::is_noun;
use crate::workspace::mentions::{Mention, MentionForm};

/// Folders of source code: what is called `data` or `state` there is part of it.
const CODE: [&str; 12] =
    ["app", "apps", "backend", "client", "cmd", "crates", "frontend", "internal", "lib", "packages", "server", "src"];

/// Names of folders for what is done and then taken away, or is made by programs.
const WORK: [&str; 35] = [
    "_wip",
    "temp",
    "tmp",
    "wip",
    "active",
    "artifacts",
    "backlog",
    "backups",
    "cache",
    "captures",
    "checkpoints",
    "completed",
    "coordination",
    "data",
    "drafts",
    "exports",
    "handoffs",
    "inbox",
    "issues",
    "logs",
    "memory",
    "notes",
    "output",
    "outputs",
    "planning",
    "plans",
    "reports",
    "results",
    "runs",
    "scratch",
    "screenshots",
    "sessions",
    "state",
    "tasks",
    "uploads",
];

/// The folder with which a path begins.
pub(super) fn first_folder(written: &str) -> &str {
    written.trim_start_matches("./").split('/').next().unwrap_or_default()
}

/// Whether a folder, or one above it, is called as one for passing things, or is a tool's own.
pub(super) fn holds_work(path: &str) -> bool {
    let parts = path.split('/').filter(|part| !part.starts_with("..") && *part != ".");
    let is_code = parts.clone().any(|part| CODE.contains(&part));
    // Folders of code are called so, too, where names begin with capitals: `Player/State`.
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase()) && part.contains(|c: char| c.is_ascii_lowercase())
    };
    let are_names = parts.clone().filter(|part| is_name(part)).count() > 1;
    !is_code
        && parts.into_iter().any(|part| {
            let is_of_a_tool = part.starts_with('.') && part != ".github" && !files::is_agent_folder(part.as_bytes());
            is_of_a_tool || !(are_names && is_name(part)) && WORK.contains(&part.to_ascii_lowercase().as_str())
        })
}

/// Whether a file lies in a folder of what is made: by a step, a run or an agent.
pub(super) fn is_output(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| matches!(folder, "artifacts" | "output" | "outputs" | "reports" | "results"))
}

/// Folders that hold a folder for each task, which has files of the same names: `specs/<id>/design/model.md`.
const OF_TASKS: [&str; 14] = [
    "cases",
    "changes",
    "epics",
    "experiments",
    "features",
    "investigations",
    "iterations",
    "proposals",
    "rfcs",
    "specs",
    "sprints",
    "stories",
    "tickets",
    "workstreams",
];

/// Whether `from`, of which a text gives only the end, lay in the folder of one of several tasks: the text means a file of each.
pub(super) fn is_of_one_task(from: &RepoPath, written: &str) -> bool {
    let from = String::from_utf8_lossy(from.as_bytes());
    let above = from.strip_suffix(written.trim_start_matches("./")).and_then(|above| above.strip_suffix('/'));
    let parts: Vec<&str> = above.map(|above| above.split('/').collect()).unwrap_or_default();
    !parts.iter().any(|part| CODE.contains(part))
        && parts.iter().rev().skip(1).any(|part| OF_TASKS.contains(&part.to_ascii_lowercase().as_str()))
}

/// Folders in which programs write source code.
const GENERATED: [&str; 4] = [".generated", "__generated__", "_generated", "generated"];

/// Whether a path that never was leads into a folder of generated code, or into one that a command of the text makes.
pub(super) fn is_made_later(document: &Document, path: &str) -> bool {
    path.split('/').rev().skip(1).any(|part| GENERATED.contains(&part)) || is_made_here(document, path)
}

/// So much of a text is searched for commands that make folders, and so many of them are looked at.
const MAX_TEXT: usize = 32 << 10;
const MAX_COMMANDS: usize = 100;

/// Whether a command of the text makes the folder in which `path` lies, or the folder that it is: `mkdir -p docs/audit`.
pub(super) fn is_made_here(document: &Document, path: &str) -> bool {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    let text = &document.text[..document.text.floor_char_boundary(MAX_TEXT)];
    let mut commands = text.match_indices("mkdir ").take(MAX_COMMANDS);
    commands.any(|(at, command)| {
        let rest = &text[at + command.len()..];
        let end = rest.find(['\n', '`', '&', ';', '|', '#']).unwrap_or(rest.len());
        let words = rest[..end].split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        let mut folders = words.map(|word| word.trim_start_matches("./").trim_end_matches('/'));
        folders.any(|folder| {
            !folder.is_empty() && path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    })
}

/// Names of files that agents make for a task and remove with it.
pub(super) const WORKING: [&str; 9] = [
    "HANDOFF.md",
    "NOTES.md",
    "PLAN.md",
    "PROGRESS.md",
    "SCRATCHPAD.md",
    "STATUS.md",
    "TASKS.md",
    "TODO.md",
    "plan.md",
];

/// Endings of data, which programs write as often as people.
pub(super) const DATA: [&[u8]; 15] = [
    b"cfg", b"conf", b"csv", b"html", b"ini", b"json", b"jsonc", b"patch", b"plist", b"png", b"snap", b"svg", b"txt",
    b"yaml", b"yml",
];

/// Words in the names of documents that tell of what is yet to come.
pub(super) const OUTLOOKS: [&str; 8] = ["backlog", "design", "plan", "proposal", "rfc", "roadmap", "spec", "todo"];

/// Words that say where something is to be put, and not where something lies.
pub(super) const PLACES: [&str; 19] = [
    "authored", "belong", "belongs", "create", "goes", "mirror", "mirrors", "move", "must", "new", "own", "owned",
    "owns", "place", "promote", "put", "route", "should", "stays",
];

/// Whether a path begins with a folder in which a tool keeps what is its own: its users make what lies there.
pub(super) fn is_of_a_tool(written: &str) -> bool {
    let first = first_folder(written);
    first.starts_with('.') && first != ".github"
}

/// Folders through which pieces of work go: one that is empty for a while was not renamed to the next one.
const QUEUES: [&str; 14] = [
    "active",
    "backlog",
    "doing",
    "done",
    "drafts",
    "in-progress",
    "in_progress",
    "inbox",
    "outbox",
    "pending",
    "queue",
    "review",
    "to-do",
    "todo",
];

/// Whether the folder is one through which pieces of work go.
pub(super) fn is_queue(folder: &RepoPath) -> bool {
    let name = String::from_utf8_lossy(folder.file_name()).to_ascii_lowercase();
    QUEUES.contains(&name.as_str())
}

/// Whether the words before a path say what is to be put there: "new tests go in `tests/`".
pub(super) fn goes_in(document: &Document, mention: &Mention) -> bool {
    let before = document.text[..mention.span.start].trim_end_matches(['`', '*', ' ']);
    let ends = ["go in", "goes in", "go into", "goes into", "go to", "goes to", "go under", "goes under"];
    ends.iter().any(|words| before.strip_suffix(words).is_some_and(|rest| rest.ends_with(' ')))
}

/// Whether an agent or a prompt looks for the folder in any project, whether it has it or not.
pub(super) fn is_looked_for(written: &str) -> bool {
    is_of_an_agent(written) || written.trim_start_matches("./").trim_end_matches('/') == ".github/workflows"
}

/// Whether a path is that of a folder which an agent looks for in any project: a page may tell of the agent.
pub(super) fn is_of_an_agent(written: &str) -> bool {
    let mut parts = written.trim_start_matches("./").trim_end_matches('/').split('/');
    let agent = parts.next().unwrap_or_default();
    let kinds = ["agents", "chatmodes", "commands", "hooks", "instructions", "prompts", "rules", "skills"];
    let is_kind = parts.next().is_some_and(|kind| kinds.contains(&kind)) && parts.next().is_none();
    is_kind && (agent == ".github" || files::is_agent_folder(agent.as_bytes()))
}

/// Words with which the heading of a recipe begins.
const RECIPES: [&str; 8] = ["add", "adding", "build", "create", "creating", "implement", "implementing", "new"];

/// Whether the text tells how to add a thing of some kind, and the file is called after the kind: `feature_service.py` below "Adding a
/// New Feature".
pub(super) fn is_of_a_recipe(document: &Document, mention: &Mention) -> bool {
    let heading =
        document.markdown.heading_of(mention.span.start).map(|at| document.markdown.headings[at].text.to_lowercase());
    let heading = heading.unwrap_or_default();
    let mut words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_recipe = words.find(|word| !matches!(*word, "how" | "to")).is_some_and(|word| RECIPES.contains(&word));
    let name = mention.path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let is_called = |word: &str| {
        let rest = name.strip_prefix(word);
        word.len() > 3 && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '_', '-']))
    };
    is_recipe && words.any(is_called)
}

/// Whether a file has the name of any of its kind, `src/module.rs`: it may stand for all of them.
pub(super) fn is_of_any(mention: &Mention) -> bool {
    let name = mention.path.rsplit('/').next().unwrap_or_default();
    mention.form == MentionForm::File && is_noun(name.split('.').next().unwrap_or(name))
}
