//! The integration tests, in one binary. Each module takes real repositories and looks at what comes out.

mod bad_input;
mod clients;
mod compile;
mod corpus;
mod dex;
mod facts;
mod gemini_2025;
mod help;
mod history;
mod hostile;
mod init;
mod odd_repositories;
mod packaging;
mod readme;
mod show;
mod sources;
mod support;
mod tree;
mod vectors;
