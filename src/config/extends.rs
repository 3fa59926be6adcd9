//! `extends`: a config on top of others of the same repository. Reads no file; the caller hands in what stands at a path.

use std::sync::Arc;

use super::{Config, read};
use crate::base::error::{ConfigError, ConfigProblem};
use crate::base::path::{RepoPath, resolve};
use crate::base::text::Span;

/// Most files that one config is made of.
const MAX_FILES: usize = 32;

/// Longest chain of files that extend each other.
const MAX_DEPTH: usize = 8;

/// A config file with its bytes.
type ConfigFile = (RepoPath, Arc<[u8]>);

/// Reads the file at a path; an error is the end of a sentence.
pub(crate) type ReadConfig<'r> = &'r mut dyn FnMut(&RepoPath) -> Result<Arc<[u8]>, String>;

/// A config with what it extends.
#[derive(Debug)]
pub(crate) struct WholeConfig {
    /// All settings: those of the extended files, first to last, and the file's own on top.
    pub config: Config,
    /// The extended files, in the order in which they were read.
    pub extended: Vec<ConfigFile>,
}

/// Read the config at `path` with contents `text`, and what it extends.
///
/// # Errors
/// All problems of the first file that has some. One that cannot be read, leads out of the repository or extends itself is a
/// problem of the file that names it.
pub(crate) fn whole(path: &RepoPath, text: &str, read: ReadConfig<'_>) -> Result<WholeConfig, ConfigError> {
    let mut chain = Chain { read, stack: Vec::new(), files: Vec::new() };
    let config = chain.add(Config::default(), path, text)?;
    Ok(WholeConfig { config, extended: chain.files })
}

struct Chain<'r> {
    read: ReadConfig<'r>,
    /// The files that led here.
    stack: Vec<RepoPath>,
    files: Vec<ConfigFile>,
}

impl Chain<'_> {
    /// `base` with the settings of one file and of those that it extends.
    fn add(&mut self, mut base: Config, path: &RepoPath, text: &str) -> Result<Config, ConfigError> {
        let own = read::read(Config::default(), path, text)?;
        self.stack.push(path.clone());
        for (name, span) in &own.extends {
            let error = |(message, help): (String, &str)| ConfigError {
                path: path.clone(),
                text: text.to_owned(),
                problems: vec![ConfigProblem { span: *span, message, help: Some(help.to_owned()) }],
                root: None,
            };
            let (file, bytes) = self.find(path, name).map_err(error)?;
            let text = std::str::from_utf8(&bytes)
                .map_err(|_| error((format!("{name:?} is not UTF-8"), "save that file as UTF-8")))?;
            base = self.add(base, &file, text)?;
            self.files.push((file, bytes.clone()));
        }
        self.stack.pop();
        read::read(base, path, text)
    }

    /// The file that `name` in the config at `from` means, or what is wrong with it.
    fn find(&mut self, from: &RepoPath, name: &str) -> Result<ConfigFile, (String, &'static str)> {
        let inside = !name.is_empty() && !name.starts_with('/') && !name.contains(['\\', '\0']);
        let path = resolve(from.parent(), name.as_bytes()).filter(|path| inside && !path.is_empty());
        let Some(path) = path.map(RepoPath::new) else {
            let help = "name a file of this repository, relative to the folder of this one";
            return Err((format!("{name:?} leads out of the repository"), help));
        };
        if self.stack.contains(&path) {
            let chain: Vec<_> = self.stack.iter().map(RepoPath::to_str_lossy).collect();
            let message = format!("{name:?} extends itself: {} → {}", chain.join(" → "), path.to_str_lossy());
            return Err((message, "remove one of them"));
        }
        if self.stack.len() >= MAX_DEPTH || self.files.len() >= MAX_FILES {
            return Err((
                format!("{name:?} is over the limit of extended files"),
                "merge the settings into fewer files",
            ));
        }
        match (self.read)(&path) {
            Ok(bytes) => Ok((path, bytes)),
            Err(why) => Err((format!("{name:?} cannot be read: {why}"), "name an existing file of this repository")),
        }
    }
}

impl Config {
    /// The file and the place that `table.key`, or a key of the top level, was read from; `None` where the default holds.
    pub(crate) fn origin(&self, table: &str, key: &str) -> Option<&(RepoPath, Span)> {
        self.origins.get(&dotted(table, key))
    }
}

/// `table.key`, or the key alone at the top level.
pub(crate) fn dotted(table: &str, key: &str) -> String {
    if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::finding::Level;

    fn load(files: &[(&str, &str)]) -> Result<WholeConfig, String> {
        let mut read = |path: &RepoPath| {
            let found = files.iter().find(|(name, _)| name.as_bytes() == path.as_bytes());
            found.map(|(_, text)| Arc::from(text.as_bytes())).ok_or_else(|| "no such file".to_owned())
        };
        let (path, text) = files[0];
        whole(&path.into(), text, &mut read).map_err(|error| {
            let problem = &error.problems[0];
            format!("{}: {}: {}", error.path.to_str_lossy(), &error.text[problem.span.range()], problem.message)
        })
    }

    #[test]
    fn later_files_and_the_own_one_are_on_top() {
        let files = [
            (
                "hintlint.toml",
                "extends = [\"policy/a.toml\", \"policy/b.toml\"]\n[limits]\nimport-depth = 9\n[rules]\nstale-path = \"info\"\n",
            ),
            (
                "policy/a.toml",
                "extends = [\"../base.toml\"]\nexclude = [\"a\"]\n[limits]\ncontext-bytes = 1\nimport-depth = 1\n",
            ),
            ("policy/b.toml", "exclude = [\"b\"]\n[limits]\ncontext-bytes = 2\n"),
            (
                "base.toml",
                "[rules]\nstale-path = \"off\"\n[[overrides]]\npaths = [\"x\"]\nrules = { imports = \"off\" }\n",
            ),
        ];
        let WholeConfig { config, extended } = load(&files).unwrap();
        assert_eq!((config.limits.import_depth, config.limits.context_bytes), (9, 2));
        assert_eq!(config.exclude.iter().map(|(pattern, _)| pattern.as_str()).collect::<Vec<_>>(), ["b"]);
        let rules: Vec<_> = config.rules.iter().map(|rule| (rule.level, rule.file.to_str_lossy())).collect();
        assert_eq!(rules, [(Some(None), "base.toml".into()), (Some(Some(Level::Info)), "hintlint.toml".into())]);
        assert_eq!(config.overrides[0].file, "base.toml".into());
        let names: Vec<_> = extended.iter().map(|(path, _)| path.to_str_lossy()).collect();
        assert_eq!(names, ["base.toml", "policy/a.toml", "policy/b.toml"]);
        assert_eq!(config.origin("limits", "context-bytes").unwrap().0, "policy/b.toml".into());
        assert_eq!(config.origin("dex", "enabled"), None);
        assert_eq!(config.sources.len(), 4);
    }

    #[test]
    fn what_cannot_be_extended_is_a_problem_with_its_place() {
        let one = |extends: &str| load(&[("a/hintlint.toml", &format!("extends = [{extends:?}]\n"))]).unwrap_err();
        assert_eq!(one("gone.toml"), "a/hintlint.toml: \"gone.toml\": \"gone.toml\" cannot be read: no such file");
        for out in ["../../x.toml", "/etc/passwd", "", ".."] {
            assert!(one(out).ends_with("leads out of the repository"), "{out}: {}", one(out));
        }
        assert!(one("hintlint.toml").contains("extends itself: a/hintlint.toml → a/hintlint.toml"));
        let cycle = [("hintlint.toml", "extends = [\"b.toml\"]\n"), ("b.toml", "extends = [\"hintlint.toml\"]\n")];
        assert!(load(&cycle).unwrap_err().starts_with("b.toml: \"hintlint.toml\": \"hintlint.toml\" extends itself"));
        let broken = [("hintlint.toml", "extends = [\"b.toml\"]\n"), ("b.toml", "exlude = []\n")];
        assert_eq!(load(&broken).unwrap_err(), "b.toml: exlude: unknown key `exlude` at the top level");
    }

    #[test]
    fn there_is_an_end_to_it() {
        let next = |n: usize| (format!("{n}.toml"), format!("extends = [\"{}.toml\", \"{}.toml\"]\n", n + 1, n + 1));
        let files: Vec<_> = (0..20).map(next).collect();
        let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert!(load(&files).unwrap_err().contains("over the limit of extended files"));
        let leaf = |n: usize| (format!("{n}.toml"), if n < 7 { next(n).1 } else { String::new() });
        let files: Vec<_> = (0..8).map(leaf).collect();
        let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert!(
            load(&files).unwrap_err().contains("over the limit of extended files"),
            "no more than {MAX_FILES} are read"
        );
    }
}
