//! The integration tests, in one binary. Each module takes real repositories and looks at what comes out.

#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

mod agent;
mod agents;
mod bad_input;
mod check;
mod clients;
mod compile;
mod completions;
mod corpus;
mod dex;
mod diff;
mod drift;
mod facts;
mod findings;
mod fix;
mod fixtures;
mod formats;
mod gemini_2025;
mod git_hooks;
mod globs;
mod help;
mod history;
mod hooks;
mod hostile;
mod init;
mod invariants;
mod litter;
mod missing_import;
mod observed;
mod odd_findings;
mod odd_repositories;
mod packaging;
mod plan;
mod printed;
mod reading;
mod readme;
mod references;
mod seeds;
mod show;
mod sources;
mod stored_objects;
mod support;
mod tree;
mod unicode;
mod vectors;
