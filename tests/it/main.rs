//! The one integration binary.

mod compile;
mod dex;
mod gemini_2025;
mod show;
mod tree;
mod vectors;
