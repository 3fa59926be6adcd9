//! The one integration binary.

mod dex;
mod facts;
mod gemini_2025;
mod hostile;
mod show;
mod tree;
mod vectors;
