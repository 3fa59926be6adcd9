//! What the config decides about `merged` contexts.

use std::borrow::Cow;

use crate::agents::merged::repository;
use crate::base::error::Obstacle;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::config::Config;
use crate::discover::Discovery;

/// A config, as the renderer of `merged` asks it.
#[derive(Debug)]
pub(crate) struct CompileSettings<'c> {
    config: &'c Config,
    discovery: Discovery,
    output: Vec<u8>,
}

impl<'c> CompileSettings<'c> {
    /// The settings of `config`, whose patterns `discovery` holds.
    ///
    /// # Errors
    /// When the output folder is unusable; the message says why.
    pub(crate) fn new(config: &'c Config, discovery: Discovery) -> Result<Self, Obstacle> {
        let written = &config.compile.output;
        let output = path::resolve(b"", written.as_bytes())
            .filter(|output| !output.is_empty() && !written.starts_with('/') && !path::has_dot_git(output));
        let output = output.ok_or_else(|| {
            format!("the output folder `{}` of [compile] is not a folder inside the repository", written.escape_debug())
        })?;
        Ok(CompileSettings { config, discovery, output })
    }
}

impl repository::MergedSettings for CompileSettings<'_> {
    fn output(&self) -> &[u8] {
        &self.output
    }

    fn import_depth(&self) -> usize {
        self.config.limits.import_depth
    }

    fn is_excluded(&self, path: &[u8]) -> bool {
        self.discovery.is_excluded(path)
    }

    fn kind(&self, path: &[u8]) -> Option<Kind> {
        self.discovery.kind(path).filter(|_| !self.discovery.is_excluded(path))
    }

    fn clean<'t>(&self, path: &RepoPath, text: &'t str) -> Cow<'t, str> {
        crate::config::sanitized(self.config, path, text)
    }
}
