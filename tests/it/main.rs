//! The integration tests, in one binary. Each module takes real repositories and looks at what comes out.

#![allow(clippy::print_stderr, reason = "a test that cannot run on this machine says so")]

mod bad_input;
mod check;
mod compile;
mod corpus;
mod dex;
mod diff;
mod facts;
mod findings;
mod fix;
mod fixtures;
mod formats;
mod gemini_2025;
mod history;
mod hostile;
mod invariants;
mod odd_repositories;
mod readme;
mod seeds;
mod show;
mod sources;
mod support;
mod tree;
mod unicode;
mod vectors;
