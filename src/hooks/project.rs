//! Which project an event is about: where the agent was started, the root above it, and how paths of both are shown. Never
//! lists the repository.

use super::input::Input;
use crate::agents::HOST;
use crate::base::error::Obstacle;
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::config::{Config, FILE_NAMES, extends};
use crate::discover::Discovery;
use crate::world::{AbsPath, World};

/// The project of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HookProject {
    /// Where the agent was started, links resolved.
    pub start: AbsPath,
    /// The repository's root, or the start directory outside git.
    pub root: AbsPath,
    /// Whether it is a repository.
    pub in_git: bool,
}

impl HookProject {
    /// The project that `directory` lies in; `None` if there is no such directory.
    pub(crate) fn of(world: &dyn World, directory: &AbsPath) -> Option<HookProject> {
        let start = world.real_path(directory).ok().filter(|real| world.is_dir(real))?;
        let found = start.ancestors().find(|dir| world.file_type(&dir.join(".git")).is_some());
        Some(HookProject { root: found.clone().unwrap_or_else(|| start.clone()), in_git: found.is_some(), start })
    }

    /// The project of an event: the agent says where it was started; its working directory may have wandered since.
    pub(crate) fn of_event(world: &dyn World, input: &Input) -> Option<HookProject> {
        let told = world.env().get(HOST.project_variable).filter(|dir| dir.starts_with('/')).map(AbsPath::new);
        told.and_then(|dir| HookProject::of(world, &dir)).or_else(|| HookProject::of(world, &input.directory()?))
    }

    /// The project of a plan, for a caller that stands nowhere in particular.
    pub(crate) fn of_plan(world: &dyn World, plan: &AbsPath) -> Option<HookProject> {
        let folder = plan.parent()?;
        let project = HookProject::of(world, &folder)?;
        if project.in_git || project.start.file_name() != HOST.folder.as_bytes() {
            return Some(project);
        }
        HookProject::of(world, &project.start.dirname())
    }

    /// Whether a state with this project root is about this project.
    pub(crate) fn owns(&self, world: &dyn World, project_root: &str) -> bool {
        let root = AbsPath::new(project_root);
        let real = world.real_path(&root).unwrap_or(root);
        real == self.root || (!self.in_git && self.start.is_within(&real))
    }

    /// `path` with the links of its directory resolved, if that lies in the project.
    pub(crate) fn inside(&self, world: &dyn World, path: &AbsPath) -> Option<AbsPath> {
        let real = world.real_path(&path.dirname()).ok()?.join(path.file_name());
        (real.is_within(&self.root) && real != self.root).then_some(real)
    }

    /// `path` as seen from the root, as text; absolute where it lies elsewhere.
    pub(crate) fn show(&self, path: &AbsPath) -> String {
        match path.is_within(&self.root) && *path != self.root {
            true => String::from_utf8_lossy(&path.relative_to(&self.root)).into_owned(),
            false => path.to_string(),
        }
    }

    /// The project's config; the default where there is none.
    ///
    /// # Errors
    /// When it cannot be used.
    pub(crate) fn config(&self, world: &dyn World) -> Result<Config, Obstacle> {
        config(world, &self.root)
    }

    /// Whether the project's config takes the file for a plan.
    ///
    /// # Errors
    /// When the config cannot be used; the defaults decide then.
    pub(crate) fn is_plan(&self, world: &dyn World, path: &AbsPath) -> (bool, Option<String>) {
        let (config, problem) = match self.config(world) {
            Ok(config) => (config, None),
            Err(problem) => (Config::default(), Some(problem.into())),
        };
        let discovery = Discovery::new(&config).or_else(|_| Discovery::new(&Config::default())).ok();
        // An agent that was started in a part of a repository has its plan there.
        let is_plan = [&self.root, &self.start].into_iter().filter(|base| path.is_within(base)).any(|base| {
            let kind = discovery.as_ref().and_then(|discovery| discovery.kind(&path.relative_to(base)));
            kind == Some(Kind::Plan)
        });
        (is_plan, problem)
    }
}

/// The project's config; the default where there is none.
fn config(world: &dyn World, root: &AbsPath) -> Result<Config, Obstacle> {
    for name in FILE_NAMES {
        let Ok(bytes) = world.read(&root.join(name)) else { continue };
        let text = std::str::from_utf8(&bytes).map_err(|_| format!("{name} is not UTF-8"))?;
        let mut read =
            |path: &RepoPath| world.read(&root.join(path.as_bytes())).map_err(|_| "it is not there".to_owned());
        let whole = extends::whole(&RepoPath::from(name), text, &mut read);
        return whole
            .map(|whole| whole.config)
            .map_err(|_| format!("{name} has problems; `hintlint` names them").into());
    }
    Ok(Config::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;
    use crate::world::HostWorld;

    fn tree(folders: &[&str]) -> (tempfile::TempDir, AbsPath) {
        let dir = tempfile::tempdir().unwrap();
        for folder in folders {
            std::fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        let root = AbsPath::from_os(&dir.path().canonicalize().unwrap());
        (dir, root)
    }

    #[test]
    fn the_root_is_gits_or_the_start() {
        let (_dir, top) = tree(&["r/.git", "r/a/b", "plain/c"]);
        let world = HostWorld::new(Env::empty());
        let root = |dir: &str| HookProject::of(&world, &top.join(dir)).map(|project| (project.root, project.in_git));
        assert_eq!(root("r/a/b"), Some((top.join("r"), true)));
        assert_eq!(root("r"), Some((top.join("r"), true)));
        assert_eq!(root("plain/c"), Some((top.join("plain/c"), false)));
        assert_eq!(root("none"), None);
        let of_plan = |plan: &str| HookProject::of_plan(&world, &top.join(plan)).map(|project| project.root);
        std::fs::create_dir_all(top.join("plain/.claude").to_os()).unwrap();
        assert_eq!(of_plan("plain/.claude/PLAN.md"), Some(top.join("plain")));
        assert_eq!(of_plan("r/a/PLAN.md"), Some(top.join("r")));
    }

    #[test]
    fn the_agent_says_where_it_was_started() {
        let (_dir, top) = tree(&["r/.git", "other"]);
        let input = Input { cwd: top.join("other").to_string(), ..Input::default() };
        let root = |env: Env| HookProject::of_event(&HostWorld::new(env), &input).map(|project| project.root);
        assert_eq!(root(Env::empty()), Some(top.join("other")));
        assert_eq!(root(Env::empty().with("CLAUDE_PROJECT_DIR", top.join("r").to_string())), Some(top.join("r")));
        assert_eq!(root(Env::empty().with("CLAUDE_PROJECT_DIR", "/nowhere/at/all")), Some(top.join("other")));
    }

    #[test]
    fn plans_are_what_the_config_says() {
        let (_dir, top) = tree(&["r/.git", "s/.git"]);
        std::fs::write(top.join("r/hintlint.toml").to_os(), "[plans]\npaths = [\"todo/*.md\"]\n").unwrap();
        std::fs::write(top.join("s/hintlint.toml").to_os(), "plan = 1\n").unwrap();
        let world = HostWorld::new(Env::empty());
        let is_plan = |root: &str, path: &str| {
            let project = HookProject::of(&world, &top.join(root)).unwrap();
            let (is_plan, problem) = project.is_plan(&world, &project.root.join(path));
            (is_plan, problem.is_some())
        };
        assert_eq!(is_plan("r", "todo/a.md"), (true, false));
        assert_eq!(is_plan("r", ".claude/PLAN.md"), (false, false));
        assert_eq!(is_plan("s", ".claude/PLAN.md"), (true, true));
        assert_eq!(is_plan("s", "docs/plans/README.md"), (false, true));
        assert_eq!(is_plan("s", "../r/PLAN.md"), (false, true));
        std::fs::create_dir_all(top.join("r/part").to_os()).unwrap();
        assert_eq!(is_plan("r/part", "part/todo/a.md"), (true, false));
    }
}
