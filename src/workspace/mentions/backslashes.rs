//! Paths that are spelt with backslashes. Knows the text alone.

use super::token;

/// The path that a code span spells with backslashes, with slashes: `scripts\\start.bat`. A name with a drive is of one machine.
pub(super) fn with_slashes(content: &str) -> Option<String> {
    let text = content.trim();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "\\_-.".contains(c);
    let parts = text.split('\\').skip_while(|part| *part == ".");
    let is_path = text.chars().all(is_plain) && parts.clone().count() > 1 && parts.clone().all(|part| part.len() > 1);
    (is_path && token::may_have_been(text.rsplit('\\').next()?)).then(|| parts.collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::with_slashes;

    #[test]
    fn paths_are_told_from_names_of_classes_and_drives() {
        assert_eq!(with_slashes("scripts\\start.bat").as_deref(), Some("scripts/start.bat"));
        assert_eq!(with_slashes(".\\src\\main\\Go.java").as_deref(), Some("src/main/Go.java"));
        for other in [
            "App\\Models\\User",
            "C:\\x\\go.bat",
            "\\n",
            "a\\b c.bat",
            "\\\\host\\x.txt",
            "x\\.bat",
            "go.bat",
            "\\d+\\.md",
        ] {
            assert_eq!(with_slashes(other), None, "{other}");
        }
    }
}
