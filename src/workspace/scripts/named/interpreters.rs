//! Programs that run scripts, and how scripts are called.

use crate::base::path::RepoPath;

/// Programs whose first argument that is no option is a script.
const INTERPRETERS: [&str; 23] = [
    ".",
    "source",
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "node",
    "nodejs",
    "bun",
    "deno",
    "tsx",
    "ts-node",
    "python",
    "python2",
    "python3",
    "ruby",
    "perl",
    "php",
    "pwsh",
    "powershell",
    "powershell.exe",
];
/// Those that read commands of a shell.
pub(super) const SHELLS: [&str; 8] = [".", "source", "sh", "bash", "zsh", "dash", "ksh", "fish"];
/// Options whose value is a script, too.
pub(super) const PRELOADS: [&str; 6] =
    ["-r", "--require", "--import", "--loader", "--experimental-loader", "--preload"];

/// Whether an option of an interpreter takes no value, so that the next word is the script.
pub(super) fn is_flag(interpreter: &str, option: &str) -> bool {
    let letters = match interpreter {
        name if SHELLS.contains(&name) => "efiluvx",
        name if name.starts_with("python") => "BEIOSdqsuvx",
        _ => return false,
    };
    option.strip_prefix('-').is_some_and(|flags| flags.chars().all(|flag| letters.contains(flag)))
}

/// Whether a file holds lines for a shell.
pub(super) fn is_shell_script(path: &RepoPath, bytes: &[u8]) -> bool {
    let is_named = [&b".sh"[..], b".bash", b".zsh"].iter().any(|end| path.as_bytes().ends_with(end));
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    is_named || (first.starts_with(b"#!") && first.ends_with(b"sh"))
}

/// Whether a word that is no option can only mean a script.
pub(super) fn is_script_name(text: &str) -> bool {
    let is_plain = !text.contains(['*', '?', '[', '{', '<', '>', '\\', '"', '\'']);
    is_plain && (text.contains('/') || has_script_end(text))
}

/// Whether a name ends as those of scripts do.
pub(super) fn has_script_end(name: &str) -> bool {
    let ends = [".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".php", ".ps1"];
    ends.iter().any(|end| name.ends_with(end))
}

/// Whether a name ends as those of settings and texts do, which nothing runs.
pub(super) fn is_data_name(name: &str) -> bool {
    let ends = [".json", ".jsonc", ".lock", ".md", ".mdc", ".toml", ".txt", ".yaml", ".yml"];
    ends.iter().any(|end| name.ends_with(end))
}

/// Whether a program runs the script that it is given.
pub(super) fn is_interpreter(name: &str) -> bool {
    let is_version = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    INTERPRETERS.contains(&name) || name.strip_prefix("python").is_some_and(is_version)
}
