//! `hintlint` lints and compiles the files that tell AI coding agents how to work in a repository.
//!
//! Each folder or file uses only what stands above it in this map; `tests/it/layers.rs` reads the map and holds the code to it.
//!
//! | layer | folder or file | owns |
//! | --- | --- | --- |
//! | base | [`base`] | our own words: text, spans, paths, kinds, findings, failures, characters, the sanitiser |
//! | bytes | [`env`](mod@env) | the environment, explicit |
//! | bytes | [`source`] | a repository's bytes (worktree, index, commit, memory), its changes and its history |
//! | bytes | [`world`] | a file system as an agent sees it: the real one, or a repository alone |
//! | bytes | [`write`](mod@write) | the only writer of user files |
//! | syntax | [`parse`] | bytes in, one `Document` out, never an error |
//! | agents | [`agents`] | what each agent loads, to the byte |
//! | setting | [`config`] | the config file |
//! | setting | [`discover`] | which file is a hint file, and of which kind |
//! | model | [`workspace`] | everything loaded, imports followed, frozen |
//! | judgement | [`compile`] | contexts as committed artifacts, and how contexts change between two states |
//! | judgement | [`plan`] | the state of the plan that is worked on |
//! | judgement | [`pack`] | hint packages: what is in one, which is active, what it gives |
//! | judgement | [`library`] | hints, skills, packages and rules as one catalogue, and the search in it |
//! | judgement | [`rules`] | pure functions of the workspace and of what history answered; levels and suppressions |
//! | engine | [`engine`] | open, load, check, fix: the order of things, for a command or an editor alike |
//! | views | [`report`] | findings into each format |
//! | views | [`explore`] | contexts as one HTML page |
//! | faces | [`hooks`] | the hooks that agents run |
//! | faces | [`server`] | with the feature of this name the language server: an editor's texts and questions to the engine, its answers back |
//! | faces | [`cli`] | arguments as data, one file per verb; exit codes leave through `main` alone |
//!
//! What the tests hold: the same bytes and history give the same output on every machine and with any number of threads;
//! nothing panics on any input; fixing and compiling twice changes nothing more; spans lie on character boundaries.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod agents;
pub mod base;
pub mod cli;
pub mod compile;
pub mod config;
pub mod discover;
pub mod engine;
pub mod env;
pub mod explore;
pub mod hooks;
pub mod library;
pub mod pack;
pub mod parse;
pub mod plan;
pub mod report;
pub mod rules;
#[cfg(feature = "server")]
pub mod server;
pub mod source;
pub mod workspace;
pub mod world;
pub mod write;
