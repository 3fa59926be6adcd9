//! Reads a repository's objects (loose or packed, its own or an alternate's) by gitoxide, with which threads neither wait for
//! each other nor unpack again what several deltas are based on. What it does not find, libgit2 is asked for, which follows
//! alternates further. Object names are 20 bytes; what libgit2 cannot open, the `git` program reads.

use std::cell::{OnceCell, RefCell};
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use git2::Oid;
use gix_hash::oid;
use gix_object::Kind;
use gix_odb::pack::Find;
use gix_odb::pack::cache::lru::MemoryCappedHashmap;
use gix_odb::store::init::Options;
use gix_odb::{HandleArc, Header, Store};
use rayon::prelude::*;

use super::program::hex;
use super::snapshot::Blob;
use super::{MAX_FILE_BYTES, ReadError, ReadResult};

/// From this many files on, reading by all cores is faster than reading by one.
const WORTH_SHARING: usize = 256;
/// Largest object that is unpacked, in bytes. A header may promise any size; a tree of this one would have millions of entries.
const MAX_UNPACKED: usize = 256 << 20;
/// How many bytes a reader keeps of objects that others are based on.
const KEPT_BYTES: usize = 16 << 20;

/// The objects of a repository.
pub(super) struct Objects {
    common_dir: PathBuf,
    store: Arc<Store>,
    /// Readers that nobody uses at the moment, with what they keep.
    idle: Mutex<Vec<Reader>>,
}

impl Objects {
    /// The objects in the folder `objects` of a git directory. Which packs there are is looked up when one is asked for.
    pub(super) fn open(common_dir: &Path) -> std::io::Result<Objects> {
        // An index of many packs may name packs that are gone, and gitoxide believes it; each pack has one of its own.
        let options =
            Options { alloc_limit_bytes: Some(MAX_UNPACKED), use_multi_pack_index: false, ..Options::default() };
        let place = common_dir.join("objects");
        let store = Store::at_opts(place, gix_hash::Kind::Sha1, &mut std::iter::empty(), options)?;
        Ok(Objects { common_dir: common_dir.to_owned(), store: Arc::new(store), idle: Mutex::default() })
    }

    /// Do something with a reader that is nobody else's, so that several threads can do so at a time.
    pub(super) fn with_reader<T>(&self, work: impl FnOnce(&Reader) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().pop();
        let reader = known.unwrap_or_else(|| Reader::new(&self.store, &self.common_dir));
        let done = work(&reader);
        idle().push(reader);
        done
    }

    /// The bytes of files, in the order of `blobs`. Many are read by all cores.
    pub(super) fn blobs(&self, blobs: &[Blob<'_>]) -> Vec<ReadResult> {
        let read = |blobs: &[Blob<'_>]| -> Vec<ReadResult> {
            self.with_reader(|reader| blobs.iter().map(|blob| reader.blob(*blob)).collect())
        };
        if blobs.len() < WORTH_SHARING {
            return read(blobs);
        }
        blobs.par_chunks(blobs.len().div_ceil(rayon::current_num_threads())).flat_map_iter(read).collect()
    }
}

/// Why an object's bytes could not be had.
#[derive(Debug)]
pub(super) enum ObjectError {
    Missing,
    /// It is there, and is no such object as was asked for.
    OtherKind(Kind),
    Damaged(String),
}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObjectError::Missing => f.write_str("it is missing from the repository"),
            ObjectError::OtherKind(kind) => write!(f, "it is a {kind}"),
            ObjectError::Damaged(why) => f.write_str(why),
        }
    }
}

/// One thread's way to the objects.
pub(super) struct Reader {
    handle: HandleArc,
    common_dir: PathBuf,
    /// Opened for the first object that was not found; `None` where that failed.
    library: OnceCell<Option<git2::Repository>>,
    /// The object that was read last.
    buffer: RefCell<Vec<u8>>,
}

impl Reader {
    fn new(store: &Arc<Store>, common_dir: &Path) -> Self {
        let handle = store.to_cache_arc();
        let handle = handle.with_pack_cache(|| Box::new(MemoryCappedHashmap::new(KEPT_BYTES)));
        let common_dir = common_dir.to_owned();
        Reader { handle, common_dir, library: OnceCell::new(), buffer: RefCell::default() }
    }

    /// Put the bytes of the object `id`, which is to be of a `kind`, into `buffer`, in place of what was there.
    pub(super) fn read(&self, id: Oid, kind: Kind, buffer: &mut Vec<u8>) -> Result<(), ObjectError> {
        match self.handle.try_find(name(id.as_bytes()), buffer) {
            Ok(Some((object, _))) if object.kind != kind => Err(ObjectError::OtherKind(object.kind)),
            // In a pack the checksum of the compressed bytes is looked at, of a loose object it is not.
            Ok(Some((object, None))) => match object.verify_checksum(name(id.as_bytes())) {
                Ok(_) => Ok(()),
                Err(error) => Err(damaged(error.iter_errors())),
            },
            Ok(Some((_, Some(_)))) => Ok(()),
            Ok(None) => self.read_by_library(id, kind, buffer).ok_or(ObjectError::Missing),
            // libgit2 is not asked, which never comes to an end with some damaged objects.
            Err(error) => Err(damaged(error.iter_errors())),
        }
    }

    /// The same for what was not found.
    fn read_by_library(&self, id: Oid, kind: Kind, buffer: &mut Vec<u8>) -> Option<()> {
        let odb = self.library()?.odb().ok()?;
        let (size, found) = odb.read_header(id).ok()?;
        if size > MAX_UNPACKED || found.str().as_bytes() != kind.as_bytes() {
            return None;
        }
        buffer.clear();
        buffer.extend_from_slice(odb.read(id).ok()?.data());
        Some(())
    }

    fn library(&self) -> Option<&git2::Repository> {
        self.library.get_or_init(|| git2::Repository::open(&self.common_dir).ok()).as_ref()
    }

    /// How many bytes an object has.
    fn size(&self, id: Oid) -> Result<u64, ObjectError> {
        let by_library = |library: &git2::Repository| Some(library.odb().ok()?.read_header(id).ok()?.0 as u64);
        match self.handle.try_header(name(id.as_bytes())) {
            Ok(Some(header)) => Ok(header.size()),
            Ok(None) => self.library().and_then(by_library).ok_or(ObjectError::Missing),
            Err(error) => Err(damaged(error.iter_errors())),
        }
    }

    /// The bytes of a file.
    pub(super) fn blob(&self, blob: Blob<'_>) -> ReadResult {
        let failed = |why: ObjectError| ReadError::Failed(format!("object {} cannot be read: {why}", hex(blob.id)));
        let id = Oid::from_bytes(blob.id).map_err(|error| failed(ObjectError::Damaged(error.message().to_owned())))?;
        if !blob.is_small {
            // The size first, so that a huge file is never unpacked.
            match self.size(id).map_err(failed)? {
                size if size > MAX_FILE_BYTES => return Err(ReadError::TooLarge(size)),
                _ => {}
            }
        }
        let mut buffer = self.buffer.borrow_mut();
        self.read(id, Kind::Blob, &mut buffer).map_err(failed)?;
        match buffer.len() as u64 {
            size if size > MAX_FILE_BYTES => Err(ReadError::TooLarge(size)),
            _ => Ok(Arc::from(buffer.as_slice())),
        }
    }

    /// Whether there is such an object, as far as is known already.
    pub(super) fn has(&self, id: Oid) -> bool {
        let by_library = |library: &git2::Repository| {
            library.odb().is_ok_and(|odb| odb.exists_ext(id, git2::OdbLookupFlags::NO_REFRESH))
        };
        self.handle.exists_without_refresh(name(id.as_bytes())) || self.library().is_some_and(by_library)
    }
}

/// An error of gitoxide's, as what it was and what that came of.
fn damaged<'e>(causes: impl Iterator<Item = &'e (dyn Error + 'static)>) -> ObjectError {
    let causes: Vec<String> = causes.map(ToString::to_string).collect();
    ObjectError::Damaged(causes.join(": "))
}

/// An object name of 20 bytes as gitoxide takes it.
fn name(id: &[u8]) -> &oid {
    oid::from_bytes_unchecked(id)
}
