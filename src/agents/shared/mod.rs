//! What several agents need to walk, read, expand and keep account. It names no agent.

pub mod bundles;
pub mod context;
pub(crate) mod described;
pub(crate) mod documented;
pub(crate) mod documented_servers;
pub(crate) mod expand;
pub mod files;
pub(crate) mod flat;
pub(crate) mod globs;
pub(crate) mod hooks;
pub(crate) mod instructions;
pub(crate) mod js_globs;
pub(crate) mod last_keys;
pub(crate) mod loading;
pub(crate) mod memory;
pub(crate) mod picomatch;
pub(crate) mod references;
pub(crate) mod roots;
pub(crate) mod rules;
pub mod runs;
pub(crate) mod settings;
pub mod signs;
pub(crate) mod text;
pub(crate) mod vendors;
