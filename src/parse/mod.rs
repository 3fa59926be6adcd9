//! From bytes to structure. Parsing is total: it never fails and never reads a file.

pub mod imports;
