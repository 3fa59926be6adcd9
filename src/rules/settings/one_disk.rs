//! Absolute paths into one person's home in what settings run: on other machines there is no such file.

/// Folders in which the homes of people lie.
const HOMES: [&str; 3] = ["/Users/", "/home/", "\\Users\\"];
/// Names that stand for nobody, and users of containers and services, whose homes are alike everywhere.
const NOBODY: [&str; 30] = [
    "agent",
    "app",
    "appuser",
    "circleci",
    "codespace",
    "coder",
    "default",
    "dev",
    "developer",
    "docker",
    "gitpod",
    "jovyan",
    "linuxbrew",
    "me",
    "name",
    "node",
    "oai",
    "public",
    "runner",
    "runneradmin",
    "sandbox",
    "shared",
    "someone",
    "ubuntu",
    "user",
    "username",
    "vscode",
    "vsts",
    "you",
    "yourname",
];

/// The home of one person that `text` names, from the root of the disk on.
pub(super) fn home(text: &str) -> Option<&str> {
    HOMES.iter().flat_map(|folder| text.match_indices(folder)).find_map(|(at, folder)| {
        let name = &text[at + folder.len()..];
        let end = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '-' | '_'))?;
        let is_person = end > 0 && !NOBODY.contains(&name[..end].to_ascii_lowercase().as_str());
        let start = root(&text[..at])?;
        let is_path = name[end..].starts_with(['/', '\\']);
        (is_person && is_path).then(|| &text[start..at + folder.len() + end])
    })
}

/// Where the path begins whose folder of homes stands behind `before`; `None` for one that begins elsewhere.
fn root(before: &str) -> Option<usize> {
    let disk = before.rfind(|c: char| c.is_whitespace() || "\"'=:([;,".contains(c) && !before.ends_with(':'));
    let start = disk.map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
    let disk = &before[start..];
    let is_letter = |text: &str| text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_root = disk.is_empty()
        || disk.strip_suffix(':').is_some_and(is_letter)
        || disk.strip_prefix('/').is_some_and(|rest| is_letter(rest.strip_prefix("mnt/").unwrap_or(rest)));
    is_root.then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_of_people_are_told_from_others() {
        for (text, expected) in [
            ("bash /Users/joe/.claude/a.sh", "/Users/joe"),
            ("python3 \"/home/jane.d/x.py\"", "/home/jane.d"),
            ("/mnt/c/Users/joe/x.sh --a", "/mnt/c/Users/joe"),
            ("/c/Users/joe/x.sh", "/c/Users/joe"),
            ("C:/Users/joe/bin/x.exe hook", "C:/Users/joe"),
            ("C:\\Users\\joe\\x.exe", "C:\\Users\\joe"),
            ("X=/home/joe/x node a.js", "/home/joe"),
        ] {
            assert_eq!(home(text), Some(expected), "{text}");
        }
        for near_miss in [
            "$HOME/.claude/a.sh",
            "~/a.sh",
            "/home/node/a.sh",
            "/home/vscode/x",
            "/home/runner/work/x",
            "/Users/Shared/x",
            "/Users/$USER/x",
            "/home/<user>/x",
            "src/Users/joe/x.sh",
            "https://x.example/home/joe/x",
            "/home/joe",
            "/opt/home/joe/x",
        ] {
            assert_eq!(home(near_miss), None, "{near_miss}");
        }
    }
}
