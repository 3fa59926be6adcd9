//! The one integration binary.

mod dex;
mod gemini_2025;
mod show;
mod tree;
mod vectors;
