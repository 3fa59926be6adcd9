//! Folders that are projects of their own: by a manifest. A template or an example with one is described by its hint files as it stands.
//! And the repository that is a template itself.

use super::Workspace;
use crate::base::kind::Role;
use crate::base::path;
use crate::discover;
use crate::parse::Document;

/// Files of which one stands in the folder of a project.
pub(super) const PROJECT_FILES: [&str; 4] = ["Cargo.toml", "go.mod", "package.json", "pyproject.toml"];

/// Folders of projects that somebody copies or reads; what tests read is none.
const SHOWN: [&str; 6] = ["example", "examples", "sample", "samples", "template", "templates"];

impl Workspace {
    /// Whether the file at `path` is part of a template or an example that is a whole project, and of nothing else that is set aside.
    pub(crate) fn is_of_a_shown_project(&self, path: &[u8]) -> bool {
        let is_shown = |folder: &[u8]| {
            let name = folder.to_ascii_lowercase();
            SHOWN.iter().any(|shown| name == shown.as_bytes()) || name.ends_with(b"-template")
        };
        let has_manifest =
            |dir: &[u8]| PROJECT_FILES.iter().any(|name| self.listing.contains(&path::join(dir, name.as_bytes())));
        let above = path::ancestors_from_root(path::parent(path));
        let mut from = above.into_iter().skip_while(|dir| !is_shown(path::file_name(dir)));
        let Some(root) = from.find(|dir| has_manifest(dir)) else { return false };
        // Names that are filled in when the template is used are in no listing.
        let is_filled_in = root.iter().any(|byte| matches!(byte, b'{' | b'<' | b'$'));
        let others: Vec<&[u8]> = root.split(|&byte| byte == b'/').filter(|folder| !is_shown(folder)).collect();
        let beside = path::join(&others.join(&b'/'), b"x");
        let inside = &path[root.len() + 1..];
        !is_filled_in && discover::why_set_aside(&beside).is_none() && discover::why_set_aside(inside).is_none()
    }

    /// Whether `document` is a template, or part of a repository that is one: its title, or that of the root's hint file, has blanks.
    pub(crate) fn is_of_a_template(&self, document: &Document) -> bool {
        self.is_unfilled() || document.is_unfilled()
    }

    /// Whether the repository is one from which others are made: the title of its own hint file is not filled in.
    fn is_unfilled(&self) -> bool {
        let is_own =
            |document: &Document| document.path.parent().is_empty() && document.kind.role() == Some(Role::Main);
        let is_blank = |document: &Document| is_own(document) && document.is_unfilled();
        *self.known.is_unfilled.get_or_init(|| self.documents.iter().any(is_blank))
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::source::Memory;
    use crate::workspace::load;

    #[test]
    fn a_template_or_example_with_a_manifest_is_a_project() {
        let files = [
            "template/package.json",
            "examples/web/package.json",
            "examples/web/fixtures/go.mod",
            "tests/fixtures/examples/a/package.json",
            "templates/{{name}}/package.json",
            "fixtures/package.json",
            "archive/template/package.json",
            "package.json",
        ];
        let workspace =
            load(&Memory::of_files(files.map(|file| (file, "{}"))), Config::default(), &[]).unwrap().workspace;
        for (path, want) in [
            ("template/CLAUDE.md", true),
            ("template/src/CLAUDE.md", true),
            ("examples/web/AGENTS.md", true),
            ("examples/api/AGENTS.md", false),
            ("examples/AGENTS.md", false),
            ("examples/web/fixtures/AGENTS.md", false),
            ("tests/fixtures/examples/a/AGENTS.md", false),
            ("templates/{{name}}/AGENTS.md", false),
            ("fixtures/AGENTS.md", false),
            ("archive/template/CLAUDE.md", false),
            ("CLAUDE.md", false),
        ] {
            assert_eq!(workspace.is_of_a_shown_project(path.as_bytes()), want, "{path}");
        }
    }

    #[test]
    fn a_title_with_blanks_is_that_of_a_template() {
        let told = |title: &str| {
            let source = Memory::of_files([("AGENTS.md", title), (".claude/rules/a.md", "x\n")]);
            load(&source, Config::default(), &[]).unwrap().workspace.is_unfilled()
        };
        assert!(told("<!-- x -->\n# {{PROJECT_NAME}}: rules\n"));
        for title in ["# Rules\n\n# {{PROJECT_NAME}}\n", "# Rules of {{ name }}\n", "Put `{{NAME}}` in.\n", "# {{}}\n"]
        {
            assert!(!told(title), "{title}");
        }
    }
}
