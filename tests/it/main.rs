//! The integration tests, in one binary. Each module takes real repositories and looks at what comes out.

mod agents;
mod bad_input;
mod compile;
mod corpus;
mod dex;
mod diff;
mod facts;
mod findings;
mod fixtures;
mod gemini_2025;
mod history;
mod hostile;
mod odd_repositories;
mod readme;
mod show;
mod sources;
mod support;
mod tree;
mod unicode;
mod vectors;
