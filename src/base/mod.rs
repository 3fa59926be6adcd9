//! Our own words: text and spans, paths, findings, failures, and what may be printed of them. Knows no file, git or agent.

pub mod characters;
pub mod date;
pub mod defect;
pub mod error;
pub mod evidence;
pub mod fields;
pub mod finding;
pub mod kind;
pub mod path;
pub mod sanitize;
pub(crate) mod sha256;
pub mod text;
pub mod tokens;
