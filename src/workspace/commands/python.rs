//! `python -m`: which modules are neither in this repository nor of a package that is another's.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::base::path;
use crate::source::Listing;

/// The modules of `names`, such as `package.module`, whose package is in this repository and which are not. The files are walked
/// once.
pub(super) fn missing<'n>(listing: &Listing, names: impl Iterator<Item = &'n str>) -> BTreeSet<String> {
    let mut sought: HashMap<String, Vec<&str>> = HashMap::new();
    let names: BTreeSet<&str> = names.collect();
    for name in &names {
        sought.entry(last(name).to_owned()).or_default().push(name);
    }
    let (mut there, mut packages) = (HashSet::new(), HashSet::new());
    let note = |found: &[u8], there: &mut HashSet<&'n str>| {
        let last = std::str::from_utf8(path::file_name(found)).ok();
        for name in last.and_then(|last| sought.get(last)).into_iter().flatten() {
            if ends(found, &name.replace('.', "/")) {
                there.insert(*name);
            }
        }
    };
    for (folder, run) in listing.runs() {
        let folder = folder.strip_suffix(b"/").unwrap_or(folder);
        path::ancestors_from_root(folder).into_iter().for_each(|folder| note(folder, &mut there));
        for stem in run.filter_map(|index| listing.entry(index).path.strip_suffix(b".py")) {
            note(stem, &mut there);
            packages.insert(path::file_name(folder));
        }
    }
    let is_ours = |name: &str| packages.contains(name.split('.').next().unwrap_or_default().as_bytes());
    names.into_iter().filter(|name| is_ours(name) && !there.contains(name)).map(str::to_owned).collect()
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether `end` is the whole of `path`, or its last components.
fn ends(path: &[u8], end: &str) -> bool {
    path.strip_suffix(end.as_bytes()).is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Memory, Source as _};

    #[test]
    fn modules_of_our_packages_are_looked_up() {
        let files = ["src/app/cli.py", "src/app/deep/data.json", "tools/gen/a.py", "tools/gen/sub/b.py"];
        let source = Memory::of_files(files.map(|path| (path, "")));
        let names =
            ["app.cli", "app.gone", "app.deep", "gen", "gen.sub", "gen.sub.b", "gen.a.main", "pytest", "other.cli"];
        let found: Vec<String> = missing(source.listing(), names.into_iter()).into_iter().collect();
        assert_eq!(found, ["app.gone", "gen.a.main"]);
    }
}
