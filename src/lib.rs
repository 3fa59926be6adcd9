//! `hintlint` lints and compiles the files that tell AI coding agents how to work in a repository.

pub mod affected;
pub mod agents;
pub mod cli;
pub mod commands;
pub mod comparison;
pub mod compile;
pub mod config;
pub mod context;
pub mod dialect;
pub mod discover;
pub mod env;
pub mod error;
pub mod finding;
pub mod fix;
pub mod parse;
pub mod path;
pub mod report;
pub mod rules;
pub mod run;
pub mod source;
pub mod text;
pub mod tokens;
pub mod workspace;
pub mod world;
pub mod write;
