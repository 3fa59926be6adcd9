//! What several agents need to walk, read, expand and keep account. It names no agent.

pub mod context;
pub(crate) mod documented;
pub(crate) mod globs;
pub(crate) mod imports;
pub(crate) mod loading;
pub(crate) mod settings;
pub mod signs;
