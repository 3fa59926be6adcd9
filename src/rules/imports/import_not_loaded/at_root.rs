//! What is said of a token that names no file from where it stands: the root may have that file, and the agent may load it anyway.

use super::NamedToken;
use crate::agents::Dialect;
use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::workspace::Workspace;

/// What the message ends with, and whether nothing is lost.
pub(super) struct AbsentFile {
    pub(super) text: String,
    /// Whether the agents load the file of the root by themselves.
    pub(super) is_loaded: bool,
}

/// `told`: the agents that do not import it.
pub(super) fn absent(
    workspace: &Workspace,
    document: &Document,
    token: &NamedToken,
    mut told: impl Iterator<Item = &'static Dialect>,
) -> AbsentFile {
    if !token.missing {
        return AbsentFile { text: String::new(), is_loaded: false };
    }
    let at_root = path::resolve(b"", token.path.as_bytes()).filter(|path| workspace.listing.contains(path));
    let Some(at_root) = at_root.map(RepoPath::new).filter(|path| *path != document.path) else {
        return AbsentFile { text: ", and there is no such file".to_owned(), is_loaded: false };
    };
    let target = workspace.document(at_root.as_bytes());
    let is_loaded = target.is_some_and(|target| told.all(|dialect| workspace.loads(dialect, target)));
    let text = match is_loaded {
        true => format!(", and loads the {} of the root anyway", at_root.to_str_lossy()),
        false => format!(", and only the root has a file {}", at_root.to_str_lossy()),
    };
    AbsentFile { text, is_loaded }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::lines;

    #[test]
    fn a_file_of_the_root_is_no_missing_one() {
        let said = |text: &str| {
            let files = [(".github/copilot-instructions.md", text), ("AGENTS.md", "x\n"), ("docs/a.md", "x\n")];
            let found = lines("import-not-loaded", "agents = [\"copilot\"]\n", &files);
            (found[0].contains(" info "), found[0].rsplit(", and ").next().unwrap_or_default().to_owned())
        };
        assert_eq!(said("@AGENTS.md\n"), (true, "loads the AGENTS.md of the root anyway".to_owned()));
        assert_eq!(said("@docs/a.md\n"), (false, "only the root has a file docs/a.md".to_owned()));
        assert_eq!(said("@docs/none.md\n"), (false, "there is no such file".to_owned()));
    }
}
