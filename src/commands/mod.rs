//! One file per verb: from parsed arguments to bytes on a writer and an exit code.

pub mod show;
