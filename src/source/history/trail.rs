//! What commits did to some paths, newest first, as far as it was followed: straight from the object database, by all cores,
//! opening only directories that differ and lead to one of the paths. Only where a path vanished is the whole commit looked at,
//! since it may have gone anywhere. Knows nothing of questions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

use git2::Oid;
use rayon::prelude::*;

use super::commits::{self, Wanted};
use super::graph::Graph;
use super::trees::{Difference, Paths, Trees, exact_renames};
use crate::source::objects::Objects;
use crate::source::raw::{RawChange, Status};
use crate::source::repository::Repository;
use crate::source::{EntryKind, SourceError};

/// What one commit did to paths that matter, and to all others where one of them vanished.
#[derive(Debug, Default)]
pub(super) struct Event {
    pub(super) changes: Vec<RawChange>,
    /// Whether files were missing that would have told renames from deletions.
    pub(super) is_blind: bool,
}

/// A walk that can be taken further back in time, and further afield.
pub(super) struct Trail<'r> {
    repository: &'r Repository,
    objects: &'r Objects,
    graph: &'r Graph,
    wanted: &'r Wanted,
    names: BTreeSet<Vec<u8>>,
    events: BTreeMap<usize, Event>,
    /// For every file that ever came or went, by the hash of its path: the commits that did it. Made when a second name of
    /// something turns up, since more will; then no further look at all commits is needed.
    comings: Option<HashMap<u64, Vec<usize>>>,
    /// So many commits have been looked at.
    reached: usize,
    /// Where the walk ends: at the last commit, or at the first that cannot be read, with the reason.
    end: usize,
    failure: Option<SourceError>,
}

/// The first batch of commits that are looked at together; each further one is larger. Most questions about files of today
/// are answered by the newest commits.
const FIRST_BATCH: usize = 1024;

/// From this many commits on, looking by all cores is faster than by one.
const WORTH_SHARING: usize = 512;

/// What one commit did, and what is still to be found out.
struct Found {
    place: usize,
    event: Event,
    /// The files to compare, to tell whether one that vanished lives on under another name. None: it is certain.
    to_compare: Vec<Oid>,
}

/// What to do with each commit.
struct Task {
    /// Find out what it did to the names that are followed.
    follows: bool,
    /// Note all files that came or went.
    notes: bool,
}

/// What one core found.
#[derive(Default)]
struct Part {
    found: Vec<Found>,
    comings: Vec<(u64, usize)>,
    failure: Option<(usize, SourceError)>,
}

/// For more names than these, some will have been renamed, and all comings and goings are noted on the way.
const FEW_NAMES: usize = 20;

impl<'r> Trail<'r> {
    pub(super) fn new(
        repository: &'r Repository,
        objects: &'r Objects,
        graph: &'r Graph,
        names: BTreeSet<Vec<u8>>,
        wanted: &'r Wanted,
    ) -> Self {
        let end = graph.len();
        Trail {
            repository,
            objects,
            graph,
            wanted,
            names,
            events: BTreeMap::new(),
            comings: None,
            reached: 0,
            end,
            failure: None,
        }
    }

    /// The paths that are followed.
    pub(super) fn names(&self) -> &BTreeSet<Vec<u8>> {
        &self.names
    }

    /// The commits that have been looked at and did something, newest first.
    pub(super) fn events(&self, places: Range<usize>) -> impl Iterator<Item = (usize, &Event)> {
        self.events.range(places).map(|(place, event)| (*place, event))
    }

    /// How far back the walk has come.
    pub(super) fn reached(&self) -> usize {
        self.reached
    }

    /// Why the walk ends before history does.
    pub(super) fn failure(self) -> Option<SourceError> {
        self.failure
    }

    /// Go further back; false at the end.
    pub(super) fn go_on(&mut self) -> bool {
        if self.reached >= self.end {
            return false;
        }
        if self.wanted.renames && self.names.len() > FEW_NAMES {
            self.comings.get_or_insert_default();
        }
        let batch = self.reached..self.end.min(self.reached * 4 + FIRST_BATCH);
        let notes = self.comings.is_some();
        self.look(&batch.clone().collect::<Vec<_>>(), &Task { follows: true, notes });
        self.reached = batch.end.min(self.end);
        true
    }

    /// Follow more files: go back to where they came and went.
    pub(super) fn add(&mut self, names: BTreeSet<Vec<u8>>) {
        if self.comings.is_none() {
            self.comings = Some(HashMap::new());
            self.look(&(0..self.reached).collect::<Vec<_>>(), &Task { follows: false, notes: true });
        }
        let comings = self.comings.as_ref();
        let places = names.iter().filter_map(|name| comings?.get(&hash(name))).flatten().copied();
        let places: BTreeSet<usize> = places.collect();
        self.names.extend(names);
        self.look(&places.into_iter().collect::<Vec<_>>(), &Task { follows: true, notes: false });
        self.reached = self.reached.min(self.end);
    }

    /// Look at the commits of `places`, in their order.
    fn look(&mut self, places: &[usize], task: &Task) {
        let names = Paths::new(&self.names);
        let looked = places.par_chunks(share_of(places.len())).map(|places| self.look_at(places, &names, task));
        let mut found = Vec::new();
        for part in looked.collect::<Vec<_>>() {
            found.extend(part.found);
            if let Some(comings) = self.comings.as_mut() {
                part.comings.into_iter().for_each(|(hash, place)| comings.entry(hash).or_default().push(place));
            }
            // Older commits may lack what newer ones need not: what was seen before holds.
            if let Some((place, error)) = part.failure {
                (self.end, self.failure) = (place, Some(error));
                break;
            }
        }
        self.compare_files(&mut found);
        self.events.extend(found.into_iter().map(|found| (found.place, found.event)));
    }

    /// One core's share; ends at the first commit that cannot be read.
    fn look_at(&self, places: &[usize], names: &Paths, task: &Task) -> Part {
        let mut part = Part::default();
        self.objects.with_reader(|reader| {
            let mut trees = Trees::new(reader);
            for &place in places {
                if let Err(error) = self.look_at_one(&mut trees, place, names, task, &mut part) {
                    part.failure = Some((place, error));
                    break;
                }
            }
        });
        part
    }

    fn look_at_one(
        &self,
        trees: &mut Trees<'_>,
        place: usize,
        names: &Paths,
        task: &Task,
        part: &mut Part,
    ) -> Result<(), SourceError> {
        let Some((old, new)) = self.trees_of(place) else { return Ok(()) };
        if task.notes {
            trees.comings_and_goings(old, new, &mut |path| part.comings.push((hash(path), place)))?;
        }
        if task.follows {
            part.found.extend(self.follow(trees, place, old, new, names)?);
        }
        Ok(())
    }

    /// The trees before and after a commit; nothing of a merge.
    fn trees_of(&self, place: usize) -> Option<commits::TreePair> {
        let new = Some(self.graph.commit(place).tree);
        let mut parents = self.graph.parents(place);
        match parents.len() {
            0 => Some((None, new)),
            1 => Some((parents.next().map(|parent| parent.tree), new)),
            _ => None,
        }
    }

    /// What one commit did to the names that are followed; nothing if it left them alone.
    fn follow(
        &self,
        trees: &mut Trees<'_>,
        place: usize,
        old: Option<Oid>,
        new: Option<Oid>,
        names: &Paths,
    ) -> Result<Option<Found>, SourceError> {
        let near = trees.differences(old, new, names)?;
        if near.is_empty() {
            return Ok(None);
        }
        let vanished: BTreeSet<&[u8]> = near.iter().filter(|change| change.new.is_none()).map(path_of).collect();
        let is_told = |change: &RawChange| self.wanted.modifications || change.status != Status::Modified;
        if vanished.is_empty() || !self.wanted.renames {
            let changes = near.iter().map(plain).filter(is_told).collect();
            return Ok(Some(Found { place, event: Event { changes, is_blind: false }, to_compare: Vec::new() }));
        }
        let whole = trees.differences(old, new, &Paths::all())?;
        let renames = exact_renames(&whole);
        let came: BTreeSet<usize> = renames.values().copied().collect();
        let is_open = |index: usize, change: &Difference| {
            !renames.contains_key(&index) && change.new.is_none() && vanished.contains(path_of(change))
        };
        let mut to_compare = Vec::new();
        if whole.iter().enumerate().any(|(index, change)| is_open(index, change)) {
            let is_file = |side: Option<(EntryKind, Oid)>| side.filter(|side| side.0 == EntryKind::File);
            let targets =
                whole.iter().enumerate().filter(|(index, change)| change.old.is_none() && !came.contains(index));
            to_compare.extend(targets.filter_map(|(_, change)| is_file(change.new)).map(|(_, id)| id));
            if !to_compare.is_empty() {
                let sources = whole.iter().enumerate().filter(|(index, _)| !renames.contains_key(index));
                let sources = sources.filter(|(_, change)| change.new.is_none());
                to_compare.extend(sources.filter_map(|(_, change)| is_file(change.old)).map(|(_, id)| id));
            }
        }
        let mut changes = Vec::with_capacity(whole.len());
        for (index, change) in whole.iter().enumerate().filter(|(index, _)| !came.contains(index)) {
            changes.push(match renames.get(&index) {
                Some(&target) => RawChange {
                    status: Status::Renamed { exact: true },
                    from: change.path.clone(),
                    to: whole[target].path.clone(),
                },
                None => plain(change),
            });
        }
        changes.retain(is_told);
        Ok(Some(Found { place, event: Event { changes, is_blind: false }, to_compare }))
    }

    /// Where a file that vanished may be one that came with some of its lines changed, compare them: by `git`, as often as
    /// it manages, and the rest by libgit2. What cannot be compared, since files are missing, stays as it is and is said to be blind.
    fn compare_files(&self, found: &mut [Found]) {
        let mut open: Vec<&mut Found> = found.iter_mut().filter(|found| !found.to_compare.is_empty()).collect();
        let is_partial = self.repository.is_partial();
        for attempt in 0..2 {
            if open.is_empty() {
                return;
            }
            // To look for each file costs time that only a repository with gaps should take.
            if is_partial || attempt > 0 {
                self.leave_out_incomplete(&mut open);
            }
            let commits: Vec<&super::graph::Commit> = open.iter().map(|found| self.graph.commit(found.place)).collect();
            let Some(compared) = commits::whole_changes(self.repository, &commits, self.wanted) else { break };
            self.settle(&mut open, compared);
        }
        let trees = open
            .iter()
            .filter_map(|found| Some((self.graph.commit(found.place).id, self.trees_of(found.place)?)))
            .collect::<Vec<_>>();
        self.settle(&mut open, commits::whole_changes_here(self.objects, &trees, self.wanted));
        for found in open {
            found.event.is_blind = true;
        }
    }

    /// Give those whose files were compared what came of it, and keep the others open.
    fn settle(&self, open: &mut Vec<&mut Found>, mut compared: HashMap<Oid, Vec<RawChange>>) {
        open.retain_mut(|found| match compared.remove(&self.graph.commit(found.place).id) {
            Some(changes) => {
                found.event.changes = changes;
                false
            }
            None => true,
        });
    }

    fn leave_out_incomplete(&self, open: &mut Vec<&mut Found>) {
        self.objects.with_reader(|reader| {
            open.retain_mut(|found| {
                found.event.is_blind = !found.to_compare.iter().all(|id| reader.has(*id));
                !found.event.is_blind
            });
        });
    }

    /// The merges that lack one of `paths` although a parent has it, newest first.
    pub(super) fn merges_that_lost(&self, paths: &[Vec<u8>]) -> Result<Vec<usize>, SourceError> {
        let paths = Paths::new(paths);
        let merges: Vec<usize> = (0..self.reached).filter(|&place| self.graph.parents(place).len() > 1).collect();
        let lost = merges.par_chunks(share_of(merges.len())).map(|merges| {
            self.objects.with_reader(|reader| {
                let mut trees = Trees::new(reader);
                let mut lost = Vec::new();
                for &place in merges {
                    let new = Some(self.graph.commit(place).tree);
                    for parent in self.graph.parents(place) {
                        let changes = trees.differences(Some(parent.tree), new, &paths)?;
                        if changes.iter().any(|change| change.new.is_none()) {
                            lost.push(place);
                            break;
                        }
                    }
                }
                Ok(lost)
            })
        });
        Ok(lost.collect::<Result<Vec<_>, SourceError>>()?.concat())
    }
}

/// How many of `count` commits each core looks at.
fn share_of(count: usize) -> usize {
    match count < WORTH_SHARING {
        true => count.max(1),
        false => count.div_ceil(rayon::current_num_threads()),
    }
}

/// The same path has the same hash; two paths with one hash cost a look in vain.
fn hash(path: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(path);
    hasher.finish()
}

fn path_of(change: &Difference) -> &[u8] {
    &change.path
}

/// A difference as it is told where nothing is known of renames.
fn plain(change: &Difference) -> RawChange {
    let status = match (change.old, change.new) {
        (None, _) => Status::Added,
        (_, None) => Status::Deleted,
        _ => Status::Modified,
    };
    RawChange { status, from: change.path.clone(), to: change.path.clone() }
}
