//! Finds the entries of a listing by their names. Reads the listing only.

use super::Listing;

/// Finds entries by their last component, in any case. Two flat arrays, since there may be millions of entries.
#[derive(Debug)]
pub(super) struct NameIndex {
    /// Where each bucket begins in `entries`, and where the last one ends. Their number is a power of two, plus one.
    starts: Vec<u32>,
    /// The entries' indexes by bucket, in bytewise order within each.
    entries: Vec<u32>,
}

impl NameIndex {
    pub(super) fn new(listing: &Listing) -> Self {
        // Some entries to each: few enough buckets to stay in a processor's cache while they are filled.
        let buckets = (listing.len() / 4).next_power_of_two();
        // By one core: others wait for this, and one that helped could be given work that waits for it too.
        let mut of: Vec<u32> = Vec::with_capacity(listing.len());
        for (directory, run) in listing.runs() {
            let name = |index: usize| &listing.entry(index).path[directory.len()..];
            of.extend(run.map(|index| Self::bucket(name(index), buckets) as u32));
        }
        let mut starts = vec![0u32; buckets + 1];
        for &bucket in &of {
            starts[bucket as usize + 1] += 1;
        }
        for bucket in 0..buckets {
            starts[bucket + 1] += starts[bucket];
        }
        let mut next = starts.clone();
        let mut entries = vec![0u32; of.len()];
        for (index, &bucket) in of.iter().enumerate() {
            entries[next[bucket as usize] as usize] = index as u32;
            next[bucket as usize] += 1;
        }
        NameIndex { starts, entries }
    }

    /// The bucket of `name`, whatever its case: eight bytes at a time, with the bit set that tells small letters from capitals.
    fn bucket(name: &[u8], buckets: usize) -> usize {
        let mix = |hash: u64, word: u64| {
            let mixed = (hash ^ word | 0x2020_2020_2020_2020).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ (mixed >> 32)
        };
        let (words, rest) = name.as_chunks::<8>();
        let hash = words.iter().fold(name.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
        // The last eight bytes stand for those that fill no word, where there are so many.
        let rest = match name.last_chunk::<8>() {
            Some(last) => u64::from_le_bytes(*last),
            None => rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        mix(hash, rest) as usize & (buckets - 1)
    }

    /// The indexes of all entries that may have the name.
    pub(super) fn candidates(&self, name: &[u8]) -> &[u32] {
        let bucket = Self::bucket(name, self.starts.len() - 1);
        &self.entries[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }
}
