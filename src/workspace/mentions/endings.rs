//! Files that take the place of one which is called the same and ends otherwise. Reads the listing only.

use crate::base::path::{self, RepoPath};
use crate::source::Listing;

/// Endings of files of which one takes the place of another.
const ENDINGS: [&[&[u8]]; 7] = [
    &[b"json", b"jsonc", b"json5", b"toml", b"yaml", b"yml"],
    &[b"cjs", b"cts", b"js", b"jsx", b"mjs", b"mts", b"ts", b"tsx"],
    &[b"md", b"mdx", b"rst"],
    &[b"sln", b"slnx"],
    &[b"c", b"cc", b"cpp", b"cxx"],
    &[b"h", b"hh", b"hpp", b"hxx"],
    &[b"kt", b"kts"],
];

/// The one file beside `path` that is called like it and ends otherwise: `wrangler.jsonc` for `wrangler.toml`.
pub(crate) fn with_another_ending(listing: &Listing, path: &[u8]) -> Option<RepoPath> {
    let ending = path::extension(path)?;
    let family = ENDINGS.iter().find(|family| family.contains(&ending))?;
    let stem = path.strip_suffix(ending)?;
    let mut found = family.iter().filter(|other| **other != ending).map(|other| [stem, other].concat());
    let mut found = found.by_ref().filter(|other| listing.contains(other));
    let only = found.next()?;
    found.next().is_none().then(|| RepoPath::new(only))
}
