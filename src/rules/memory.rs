//! What a rule works out when it asks history, kept until it checks the answers: nothing is worked out twice in one run.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// One value of each type that rules keep. A rule keeps values of its own types only.
#[derive(Default)]
pub(crate) struct RuleMemory(Mutex<BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl RuleMemory {
    /// The value of type `T` that this run has already, or the one that `make` makes of the workspace. Nothing is locked while it
    /// is made, so that it may share its work among threads.
    pub(crate) fn once<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let known = self.values().get(&TypeId::of::<T>()).cloned().and_then(|value| value.downcast::<T>().ok());
        known.unwrap_or_else(|| {
            let value = Arc::new(make());
            self.values().insert(TypeId::of::<T>(), value.clone());
            value
        })
    }

    fn values(&self) -> std::sync::MutexGuard<'_, BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for RuleMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RuleMemory of {} values", self.values().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once() {
        let memory = RuleMemory::default();
        let made = [1_u32, 2].map(|number| *memory.once(|| number));
        assert_eq!((made, *memory.once(|| "other type")), ([1, 1], "other type"));
    }
}
