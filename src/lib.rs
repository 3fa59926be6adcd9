//! `hintlint` lints and compiles the files that tell AI coding agents how to work in a repository.
//!
//! The map of the house; data flows from the top down:
//!
//! * [`source`]: a repository's bytes (worktree, index, commit, memory), its changes and its history, behind one trait.
//! * [`world`]: a file system as an agent sees it, real or a repository alone; [`env`](mod@env): the environment, explicit.
//! * [`config`] and [`discover`]: what is a hint file, and of which kind; [`agents`]: who reads it.
//! * [`parse`]: bytes in, one `Document` out, never an error.
//! * [`workspace`]: everything loaded, imports followed, frozen.
//! * [`rules`]: pure functions of the workspace and of what history answered; [`run`] applies levels and suppressions;
//!   [`affected`] keeps what a commit is answerable for.
//! * [`fix`]: findings into edits into bytes; [`write`](mod@write): the only writer of user files.
//! * [`dialect`] and [`context`]: what each agent loads, to the byte; [`compile`]: merged contexts as committed artifacts;
//!   [`comparison`]: how contexts change between two states.
//! * [`plan`] and [`hooks`]: the runtime side: the state of the plan that is worked on, and the hooks that agents run.
//! * [`report`]: findings into each format; everything that came from a file is sanitised here.
//! * [`defect`]: a panic costs the unit of work that it happened in, and prints nothing of a file.
//! * [`cli`] and [`commands`]: arguments as data, and one file per verb. Exit codes leave through `main` alone.
//!
//! What the tests hold: the same bytes and history give the same output on every machine and with any number of threads;
//! nothing panics on any input; fixing and compiling twice changes nothing more; spans lie on character boundaries.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod affected;
pub mod agents;
pub mod cli;
pub mod commands;
pub mod comparison;
pub mod compile;
pub mod config;
pub mod context;
mod date;
pub mod defect;
pub mod dialect;
pub mod discover;
pub mod env;
pub mod error;
pub mod finding;
pub mod fix;
pub mod hooks;
pub mod parse;
pub mod path;
pub mod plan;
pub mod report;
pub mod rules;
pub mod run;
pub mod source;
pub mod text;
pub mod tokens;
pub mod workspace;
pub mod world;
pub mod write;
