//! Panics are our defects, and hostile files look for them. A unit of work that panics fails alone: [`contain`] turns the panic
//! into a value, and the caller reports it. A panic's own message is never printed, since it may quote a file.
//!
//! A stack overflow cannot be contained, so every recursion over a file's content needs a limit of its own.

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::{Mutex, PoisonError};

/// Where panics happened, as places in our source. A set, so that the order in which threads panic does not show.
static PLACES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Run `work`; `None` if it panicked. What `work` had changed before stays changed, so it should own what it changes, or leave
/// nothing half done.
pub fn contain<T>(work: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Say that `what` failed, for a report: `the rule x failed on this file`.
pub fn message(what: &str) -> String {
    format!("this is a bug in hintlint: {what}; please report it")
}

/// Remember the place of each panic for [`places`] instead of printing its message. For the program: the setting is global.
pub fn record_places() {
    panic::set_hook(Box::new(|info| {
        if let Some(location) = info.location() {
            PLACES.lock().unwrap_or_else(PoisonError::into_inner).insert(place(location));
        }
    }));
}

/// The places in our source where panics happened, sorted.
pub fn places() -> Vec<String> {
    PLACES.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
}

fn place(location: &Location<'_>) -> String {
    format!("{}:{}", short(location.file()), location.line())
}

/// The file of a panic without the folders of the machine that built the program: `src/run.rs`, `name-1.0.0/src/lib.rs`.
fn short(file: &str) -> String {
    let file = file.replace('\\', "/");
    let of_registry = file.rsplit_once("/registry/src/").and_then(|(_, rest)| rest.split_once('/'));
    let of_toolchain = file.rsplit_once("/library/");
    of_registry.or(of_toolchain).map_or(file.as_str(), |(_, rest)| rest).to_owned()
}

/// Panic if `bytes` ask for it, so that tests can see what a defect at `place` costs.
#[cfg(test)]
pub(crate) fn provoke(place: &str, bytes: &[u8]) {
    if memchr::memmem::find(bytes, format!("PANIC IN {place}").as_bytes()).is_some() {
        panic!("{}", String::from_utf8_lossy(bytes));
    }
}

#[cfg(test)]
mod tests;
