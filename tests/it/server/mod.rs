//! The language server, spoken to by a client over its standard input and output.

mod actions;
pub(crate) mod client;
mod docs;
mod features;
mod lifecycle;
mod random;
mod renames;
mod speed;
