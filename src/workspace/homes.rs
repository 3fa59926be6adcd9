//! Files of somebody's home that a repository keeps for a tool which links or copies them there: the packages of GNU Stow and the sources
//! of chezmoi. Names the path that each has in the home.

use super::Workspace;
use super::own_projects::PROJECT_FILES;
use crate::agents::files::{self, is_agent_folder};
use crate::base::path;

/// What chezmoi writes before a name, in any number and order, and undoes in the home.
const ATTRIBUTES: [&[u8]; 10] = [
    b"after_",
    b"before_",
    b"create_",
    b"empty_",
    b"encrypted_",
    b"exact_",
    b"executable_",
    b"modify_",
    b"private_",
    b"readonly_",
];

/// The name that chezmoi gives a file or folder called `name` in its sources.
fn applied(name: &[u8]) -> Vec<u8> {
    let mut rest = name;
    while let Some(after) = ATTRIBUTES.iter().find_map(|attribute| rest.strip_prefix(*attribute)) {
        rest = after;
    }
    let rest = rest.strip_suffix(b".tmpl").unwrap_or(rest);
    match rest.strip_prefix(b"dot_") {
        Some(after) => [b".", after].concat(),
        None => rest.to_vec(),
    }
}

/// The name that the last folder of `dir` has where the files of a repository are put to use.
pub(crate) fn name_in_use(dir: &[u8]) -> Vec<u8> {
    let name = path::file_name(dir);
    match dir.split(|&byte| byte == b'/').any(is_source) {
        true => applied(name),
        false => name.to_vec(),
    }
}

/// Whether chezmoi would put a dot before the name.
fn is_source(name: &[u8]) -> bool {
    applied(name).starts_with(b".") && !name.starts_with(b".")
}

/// The path in the home of the file at `path`, if it is one of chezmoi's sources.
fn of_sources(path: &[u8]) -> Option<Vec<u8>> {
    let parts: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
    let first = parts.iter().position(|part| is_source(part))?;
    Some(parts[first..].iter().map(|part| applied(part)).collect::<Vec<_>>().join(&b'/'))
}

/// The path in the home of the file at `path`, if it lies in an agent's folder of a package or of sources.
fn in_home(path: &[u8]) -> Option<Vec<u8>> {
    if let Some(found) = of_sources(path) {
        return found.split(|&byte| byte == b'/').next().is_some_and(is_agent_folder).then_some(found);
    }
    let parts: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
    let first = parts.iter().position(|part| part.starts_with(b".")).filter(|first| *first > 0)?;
    is_agent_folder(parts[first]).then(|| parts[first..].join(&b'/'))
}

/// Files of a shell or of git that only a home has.
const OF_A_HOME: [&[u8]; 6] = [b".bash_profile", b".bashrc", b".gitconfig", b".zprofile", b".zshenv", b".zshrc"];

/// Folders that hold such files of one program each, from where a tool links them into a home.
const PACKAGES: [&[u8]; 8] = [b"bash", b"dotfiles", b"fish", b"git", b"home", b"shell", b"zsh", b"config"];
/// Folders in which a flake of NixOS has machines and homes.
const NIX: [&[u8]; 4] = [b"home-manager", b"hosts", b"machines", b"nixos"];
/// What lies beside the settings of an agent in a home, and folders that only a project has.
const BESIDE_SETTINGS: [&[u8]; 9] =
    [b"agent", b"agents", b"command", b"commands", b"prompt", b"prompts", b"skill", b"skills", b"themes"];
const SOURCES: [&[u8]; 7] = [b"app", b"apps", b"cmd", b"internal", b"lib", b"packages", b"src"];
/// Files at the top of a repository that only chezmoi reads.
const CHEZMOI: [&[u8]; 4] = [b".chezmoi.toml.tmpl", b".chezmoiignore", b".chezmoiroot", b".chezmoiversion"];
/// Files by which tools are known that link or copy a repository into a home, and the names that one of them gives to files.
const LINKERS: [&[u8]; 7] = [
    b".chezmoiroot",
    b".chezmoi.toml.tmpl",
    b".stow-local-ignore",
    b".stowrc",
    b"dot_bashrc",
    b"dot_gitconfig",
    b"dot_zshrc",
];

impl Workspace {
    /// Whether the repository is somebody's home itself, or is linked into it, so that its settings are for that person alone.
    pub(crate) fn is_a_home(&self) -> bool {
        *self.known.is_a_home.get_or_init(|| self.looks_like_a_home())
    }

    fn looks_like_a_home(&self) -> bool {
        let has = |path: &[u8]| self.listing.contains(path);
        let in_package = |name: &&[u8]| PACKAGES.iter().any(|package| has(&path::join(package, name)));
        // A project may keep such files of its authors in a folder.
        let mut manifests = PROJECT_FILES.into_iter().chain(["composer.json", "pom.xml"]);
        let is_project = manifests.any(|name| has(name.as_bytes()));
        // Who links them into a home often leaves the dot away.
        OF_A_HOME.iter().any(|name| has(name) || has(&name[1..]) || in_package(name) && !is_project)
            || LINKERS.iter().any(|name| has(name))
            || self.listing.has_dir(b"stow")
            // One person's machines, as NixOS builds them.
            || has(b"flake.nix") && !is_project && NIX.iter().any(|name| self.listing.has_dir(name))
            || self.is_home_of_an_agent()
            // A package is called like the program whose folder it holds.
            || files::all().flat_map(|files| files.folders).any(|folder| {
                let has_package = |name: &str| {
                    let package = format!("{name}/{folder}");
                    self.listing.has_dir(package.as_bytes())
                        || self.listing.has_dir(format!("dotfiles/{package}").as_bytes())
                };
                folder.strip_prefix('.').is_some_and(has_package)
            })
    }

    /// Whether the repository is the folder of an agent in a home: it has the agent's settings and the folders beside them, and no sources.
    fn is_home_of_an_agent(&self) -> bool {
        let has_dir = |name: &&[u8]| self.listing.has_dir(name);
        let mut at_the_top = files::all().flat_map(|files| files.settings).filter(|name| !name.contains('/'));
        at_the_top.any(|name| self.listing.contains(name.as_bytes()))
            && BESIDE_SETTINGS.iter().any(has_dir)
            && !SOURCES.iter().any(has_dir)
    }

    /// Whether the file at `path` is put into a home, where agents read it in every project.
    pub(crate) fn is_for_a_home(&self, path: &[u8]) -> bool {
        in_home(path).is_some() && (path.split(|&byte| byte == b'/').any(is_source) || self.is_a_home())
    }

    /// Whether the repository has the file that is at `wanted` in the home where `importer`, too, is put.
    pub(crate) fn keeps_for_home(&self, importer: &[u8], wanted: &[u8]) -> bool {
        if in_home(importer).is_none() {
            return false;
        }
        let is_wanted = |path: &[u8]| in_home(path).is_some_and(|found| found == wanted);
        let is_of_sources = importer.split(|&byte| byte == b'/').any(is_source);
        match is_of_sources {
            // Names are others there, and all folders of the home may be.
            true => self.listing.iter().any(|entry| of_sources(entry.path).is_some_and(|found| found == wanted)),
            false => self.listing.with_name(path::file_name(wanted)).into_iter().any(is_wanted),
        }
    }

    /// Whether the repository has the file that will be at `missing` once its folder and that of `importer` are put into a home.
    pub(crate) fn keeps_under_another_name(&self, importer: &[u8], missing: &[u8]) -> bool {
        in_home(missing).is_some_and(|wanted| self.keeps_for_home(importer, &wanted))
            || self.is_of_chezmoi() && self.has_source_of(missing)
    }

    /// Whether chezmoi puts the repository into a home: it has the files of that program, or its names at the top.
    fn is_of_chezmoi(&self) -> bool {
        CHEZMOI.iter().any(|name| self.listing.contains(name))
            || self.listing.children(b"").into_iter().any(|(name, _)| is_source(name))
    }

    /// Whether a file beside `missing` gets its name from chezmoi: `executable_x.sh` is put into the home as `x.sh`.
    fn has_source_of(&self, missing: &[u8]) -> bool {
        let wanted = applied(path::file_name(missing));
        self.listing.children(path::parent(missing)).into_iter().any(|(name, _)| applied(name) == wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::source::Memory;

    fn workspace(files: &[&str]) -> Workspace {
        let source = Memory::of_files(files.iter().map(|file| (*file, "")));
        crate::workspace::load(&source, Config::default(), &[]).unwrap().workspace
    }

    #[test]
    fn a_package_of_stow_begins_with_the_first_hidden_folder() {
        let kept = workspace(&["claude/.claude/docs/x.md", "claude/.claude/CLAUDE.md", "codex/.codex/AGENTS.md"]);
        for importer in ["claude/.claude/CLAUDE.md", "codex/.codex/AGENTS.md"] {
            assert!(kept.keeps_for_home(importer.as_bytes(), b".claude/docs/x.md"), "{importer}");
            assert!(!kept.keeps_for_home(importer.as_bytes(), b".claude/docs/y.md"), "{importer}");
        }
        for importer in [".claude/CLAUDE.md", "CLAUDE.md", "a/.venv/CLAUDE.md"] {
            assert!(!kept.keeps_for_home(importer.as_bytes(), b".claude/docs/x.md"), "{importer}");
        }
        assert!(kept.is_a_home() && kept.is_for_a_home(b"claude/.claude/CLAUDE.md"));
        let below = workspace(&["dotfiles/claude/.claude/rules/css.md", "scripts/stow.sh"]);
        assert!(below.is_for_a_home(b"dotfiles/claude/.claude/rules/css.md"));
        assert!(workspace(&["dotfiles/.zshrc", "a.md"]).is_a_home());
        assert!(!workspace(&["dotfiles/.zshrc", "pyproject.toml"]).is_a_home());
        let app = workspace(&["web/.claude/CLAUDE.md", "web/package.json"]);
        assert!(!app.is_a_home() && !app.is_for_a_home(b"web/.claude/CLAUDE.md"));
    }

    #[test]
    fn files_of_any_folder_have_names_of_chezmoi() {
        for mark in [".chezmoiroot", "dot_zshrc"] {
            let kept = workspace(&[mark, "AGENTS.md", "bin/executable_sync.sh", "bin/private_key.tmpl"]);
            for missing in ["bin/sync.sh", "bin/key"] {
                assert!(kept.keeps_under_another_name(b"AGENTS.md", missing.as_bytes()), "{mark} {missing}");
            }
            assert!(!kept.keeps_under_another_name(b"AGENTS.md", b"bin/other.sh"), "{mark}");
            assert!(!kept.keeps_under_another_name(b"AGENTS.md", b"sync.sh"), "{mark}");
        }
        let other = workspace(&["AGENTS.md", "bin/executable_sync.sh"]);
        assert!(!other.keeps_under_another_name(b"AGENTS.md", b"bin/sync.sh"));
    }

    #[test]
    fn names_of_chezmoi_are_undone() {
        assert_eq!(applied(b"private_executable_dot_x.sh.tmpl"), b".x.sh");
        assert_eq!(applied(b"README.md"), b"README.md");
        let kept = workspace(&["home/dot_claude/private_RTK.md", "home/dot_claude/CLAUDE.md", "src/dot_x/y.md"]);
        assert!(kept.keeps_under_another_name(b"home/dot_claude/CLAUDE.md", b"home/dot_claude/RTK.md"));
        assert!(kept.keeps_for_home(b"home/dot_claude/CLAUDE.md", b".claude/RTK.md"));
        let others =
            workspace(&["home/dot_claude/CLAUDE.md", "home/dot_config/kit/all.md", "home/dot_claude/executable_x.sh"]);
        assert!(others.keeps_for_home(b"home/dot_claude/CLAUDE.md", b".config/kit/all.md"));
        assert!(others.keeps_under_another_name(b"home/dot_claude/CLAUDE.md", b"home/dot_claude/x.sh"));
        assert!(!kept.keeps_under_another_name(b"home/dot_claude/CLAUDE.md", b"home/dot_claude/RTX.md"));
        assert!(!kept.keeps_under_another_name(b"src/dot_x/CLAUDE.md", b"src/dot_x/y.md"));
    }
}
