//! The integration tests, in one binary. Each module takes real repositories and looks at what comes out.

mod history;
mod odd_repositories;
mod sources;
mod support;
