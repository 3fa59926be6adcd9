//! The order of things: open a repository, load it, check it, fix it. It knows no arguments, no terminal, no process and no
//! environment but the one that it is given, so that a command, an editor and a test all use it alike.
//!
//! ```
//! use hintlint::engine::{self, CheckRequest, ConfigFrom, Repository};
//! use hintlint::source::Memory;
//!
//! let files = [("CLAUDE.md", "Read @docs/style.md\n"), ("docs/style.md", "Be brief.\n")];
//! let mut repository = Repository::new(Box::new(Memory::of_files(files)), ConfigFrom::Repository)?;
//! let request = CheckRequest::default();
//! assert!(engine::check(&repository, &request)?.report.findings.is_empty());
//!
//! // An editor's text that is not saved yet.
//! repository.overlay("CLAUDE.md".into(), b"Read @docs/stile.md\n".as_slice().into());
//! let checked = engine::check(&repository, &request)?;
//! assert_eq!(checked.report.findings[0].rule, "missing-import");
//! # Ok::<(), hintlint::base::error::Error>(())
//! ```

mod affected;
pub mod baseline;
mod check;
mod config_file;
pub mod edits;
mod fingerprint;
mod fix;
mod group;
#[cfg(test)]
mod hostile;
pub mod loosened;
mod open;
mod overlay;
mod past;
mod report;
pub mod request;
mod stage;

use std::sync::Arc;

use crate::base::path::RepoPath;

pub(crate) use check::{BaselineFrom, Checked};
#[cfg(feature = "server")]
pub(crate) use check::{CheckMemory, check_again};
pub use check::{CheckRequest, artifacts, check, load, load_texts};
pub(crate) use fingerprint::Fingerprints;
pub(crate) use fix::FixesWritten;
pub use fix::{Fixed, Fixes, fix};
pub use open::{ConfigFrom, Opening, Repository, open};
pub use overlay::Overlay;
pub use report::Report;
pub(crate) use report::{Extent, FixSummary, SourceText};
pub use stage::Stage;

/// A file with its bytes.
pub(crate) type NamedFile = (RepoPath, Arc<[u8]>);
