//! `hintlint` lints and compiles the files that tell AI coding agents how to work in a repository.

pub mod finding;
pub mod path;
pub mod text;
