//! The places of results in their files, sorted by the numbers of the results.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// How many places are sorted in memory at a time: 24 MiB.
const PART: usize = 1 << 20;

/// How much is read of all sorted parts together, in bytes, and of each at least.
const READ_ALL: usize = 8 << 20;
const READ_LEAST: usize = 100;

/// Where a result is: the line of `length` bytes at `offset` of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The result's number.
    pub(super) index: u64,
    pub(super) file: u32,
    pub(super) offset: u64,
    pub(super) length: u32,
}

impl Place {
    /// Its size in a temporary file, in bytes.
    const SIZE: usize = 24;

    fn bytes(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.index.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.offset.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.file.to_le_bytes());
        bytes[20..].copy_from_slice(&self.length.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self {
            index: u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?),
            offset: u64::from_le_bytes(bytes.get(8..16)?.try_into().ok()?),
            file: u32::from_le_bytes(bytes.get(16..20)?.try_into().ok()?),
            length: u32::from_le_bytes(bytes.get(20..24)?.try_into().ok()?),
        })
    }
}

/// Places as they come, to be sorted: an external merge sort (D. Knuth 1973, "The Art of Computer Programming", volume 3,
/// section 5.4).
pub(super) struct Places {
    part: Vec<Place>,
    /// How many places a part has at most.
    limit: usize,
    /// The sorted parts that are no longer in memory, and where each begins and ends in the file.
    file: Option<File>,
    ranges: Vec<(u64, u64)>,
    temporary: PathBuf,
}

impl Places {
    /// No places. A temporary file is created in this directory if they need one.
    pub(super) fn new(temporary: &Path) -> Self {
        Self {
            part: Vec::new(),
            limit: PART,
            file: None,
            ranges: Vec::new(),
            temporary: temporary.to_owned(),
        }
    }

    /// Adds a place.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be written.
    pub(super) fn add(&mut self, place: Place) -> anyhow::Result<()> {
        if self.part.len() >= self.limit {
            self.write_part()?;
        }
        self.part.push(place);
        Ok(())
    }

    fn write_part(&mut self) -> anyhow::Result<()> {
        let error = || format!("a temporary file in {} cannot be written", self.temporary.display());
        self.part.sort_unstable();
        let file = match &mut self.file {
            Some(file) => file,
            // It has no name, and is gone when the judge ends.
            none => none.insert(tempfile::tempfile_in(&self.temporary).with_context(error)?),
        };
        let begin = self.ranges.last().map_or(0, |&(_, end)| end);
        for places in self.part.chunks(1 << 12) {
            let bytes: Vec<u8> = places.iter().flat_map(|place| place.bytes()).collect();
            file.write_all(&bytes).with_context(error)?;
        }
        self.ranges.push((begin, begin + (self.part.len() * Place::SIZE) as u64));
        self.part.clear();
        Ok(())
    }

    /// The places in their order.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be written.
    pub(super) fn in_order(mut self) -> anyhow::Result<PlacesInOrder> {
        self.part.sort_unstable();
        if self.file.is_some() && !self.part.is_empty() {
            self.write_part()?;
            self.part = Vec::new();
        }
        Ok(PlacesInOrder { part: self.part, file: self.file, ranges: self.ranges })
    }
}

/// Places in their order: all in memory, or sorted parts in a file.
pub(super) struct PlacesInOrder {
    part: Vec<Place>,
    file: Option<File>,
    ranges: Vec<(u64, u64)>,
}

impl PlacesInOrder {
    /// All of them.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be read.
    pub(super) fn sorted(&self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Place>>> {
        let mut in_memory = self.part.iter().copied();
        let mut parts = Vec::new();
        let mut heads = BinaryHeap::new();
        let each = (READ_ALL / Place::SIZE / self.ranges.len().max(1)).max(READ_LEAST);
        for (number, &range) in self.ranges.iter().enumerate() {
            let file = self.file.as_ref().context("there is no temporary file")?.try_clone()?;
            let mut part = SortedPart { file, range, each, read: Vec::new().into_iter() };
            heads.extend(part.next()?.map(|place| Reverse((place, number))));
            parts.push(part);
        }
        let mut next = move || -> anyhow::Result<Option<Place>> {
            let Some(mut head) = heads.peek_mut() else { return Ok(in_memory.next()) };
            let Reverse((place, number)) = *head;
            match parts[number].next()? {
                Some(following) => *head = Reverse((following, number)),
                None => drop(PeekMut::pop(head)),
            }
            Ok(Some(place))
        };
        Ok(std::iter::from_fn(move || next().transpose()))
    }
}

/// A sorted part in a file.
struct SortedPart {
    file: File,
    /// What of the file has not been read.
    range: (u64, u64),
    /// How many places are read at a time.
    each: usize,
    read: std::vec::IntoIter<Place>,
}

impl SortedPart {
    fn next(&mut self) -> anyhow::Result<Option<Place>> {
        if self.read.len() == 0 {
            self.read_more().context("a temporary file cannot be read")?;
        }
        Ok(self.read.next())
    }

    fn read_more(&mut self) -> io::Result<()> {
        let (begin, end) = self.range;
        let length = (end - begin).min((self.each * Place::SIZE) as u64);
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.file.read_exact_at(&mut bytes, begin)?;
        self.range.0 = begin + length;
        self.read =
            bytes.chunks_exact(Place::SIZE).filter_map(Place::from_bytes).collect::<Vec<_>>().into_iter();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        /// However many fit in memory, they come as a sort of all would have them.
        #[test]
        fn places_come_in_order(numbers in prop::collection::vec(0..50_u64, 0..300), limit in 1..80_usize) {
            let place = |(offset, index): (u64, &u64)| Place { index: *index, file: (offset % 3) as u32, offset, length: 7 };
            let mut expected: Vec<Place> = (0..).zip(&numbers).map(place).collect();
            let mut places = Places { limit, ..Places::new(&std::env::temp_dir()) };
            for &place in &expected {
                places.add(place).unwrap();
            }
            expected.sort();
            let places = places.in_order().unwrap();
            for _ in 0..2 {
                let found: Vec<Place> = places.sorted().unwrap().map(Result::unwrap).collect();
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}
