//! `hintlint` lints and compiles the files that tell AI coding agents how to work in a repository.

pub mod commands;
pub mod context;
pub mod dialect;
pub mod env;
pub mod finding;
pub mod parse;
pub mod path;
pub mod text;
pub mod world;
