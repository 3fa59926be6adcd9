//! `hintlint` lints and compiles the files that tell AI coding agents how to work in a repository.
//!
//! The map of the house, from the ground up; a folder may use those above it and none below:
//!
//! * [`base`]: our own words: text, spans, paths, findings, failures, and what may be printed of them.
//! * [`source`]: a repository's bytes (worktree, index, commit, memory), its changes and its history, behind one trait;
//!   [`world`]: a file system as an agent sees it, real or a repository alone; [`env`](mod@env): the environment, explicit;
//!   [`write`](mod@write): the only writer of user files.
//! * [`parse`]: bytes in, one `Document` out, never an error.
//! * [`agents`]: what each agent loads, to the byte.
//! * [`config`] and [`discover`]: what is a hint file, of which kind.
//! * [`workspace`]: everything loaded, imports followed, frozen.
//! * [`rules`]: pure functions of the workspace and of what history answered; [`run`] applies levels and suppressions;
//!   [`affected`] keeps what a commit is answerable for; [`fix`]: findings into edits into bytes.
//! * [`compile`]: contexts as committed artifacts; [`comparison`]: how contexts change between two states; [`plan`]: the state
//!   of the plan that is worked on.
//! * [`report`]: findings into each format.
//! * [`cli`] and [`hooks`]: arguments as data and one file per verb; the hooks that agents run. Exit codes leave through `main`
//!   alone.
//!
//! What the tests hold: the same bytes and history give the same output on every machine and with any number of threads;
//! nothing panics on any input; fixing and compiling twice changes nothing more; spans lie on character boundaries.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod affected;
pub mod agents;
pub mod base;
pub mod cli;
pub mod comparison;
pub mod compile;
pub mod config;
pub mod discover;
pub mod env;
pub mod fix;
pub mod hooks;
pub mod parse;
pub mod plan;
pub mod report;
pub mod rules;
pub mod run;
pub mod source;
pub mod workspace;
pub mod world;
pub mod write;
