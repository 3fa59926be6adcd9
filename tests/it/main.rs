//! The one integration binary.

mod vectors;
