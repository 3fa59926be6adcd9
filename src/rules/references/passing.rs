//! Names of files and folders that come and go with a task.

use crate::agents::files;

/// Folders of source code: what is called `data` or `state` there is part of it.
const CODE: [&str; 12] =
    ["app", "apps", "backend", "client", "cmd", "crates", "frontend", "internal", "lib", "packages", "server", "src"];

/// Names of folders for what is done and then taken away, or is made by programs.
const WORK: [&str; 30] = [
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

/// Whether a folder, or one above it, is called as one for passing things, or is a tool's own.
pub(super) fn holds_work(path: &str) -> bool {
    let parts = path.split('/').filter(|part| !part.starts_with("..") && *part != ".");
    let is_code = parts.clone().any(|part| CODE.contains(&part));
    !is_code
        && parts.into_iter().any(|part| {
            let is_of_a_tool = part.starts_with('.') && part != ".github" && !files::is_agent_folder(part.as_bytes());
            is_of_a_tool || WORK.contains(&part.to_ascii_lowercase().as_str())
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
pub(super) const PLACES: [&str; 14] = [
    "belong", "belongs", "goes", "move", "must", "own", "owned", "owns", "place", "promote", "put", "route", "should",
    "stays",
];

/// Words above a list or table that say how any project is to be laid out.
pub(super) const STANDARDS: [&str; 5] = ["convention", "conventions", "placement", "standard", "standards"];
