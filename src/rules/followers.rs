//! What a move leaves of a heap.

use std::ops::Deref;

use super::Heap;
use crate::compat::SmallList;

/// The heaps that a move leaves, each with its first place within the old heap, from 0: a slice, mostly of none to
/// two.
///
/// ```
/// use zeroxor::rules::{Followers, Heap};
///
/// let followers: Followers = [(0, Heap::of(3)), (5, Heap::of(2))].into_iter().collect();
/// assert_eq!(followers.len(), 2);
/// assert_eq!(followers[1], (5, Heap::of(2)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followers(SmallList<(u64, Heap)>);

impl FromIterator<(u64, Heap)> for Followers {
    fn from_iter<I: IntoIterator<Item = (u64, Heap)>>(heaps: I) -> Self {
        Self(heaps.into_iter().collect())
    }
}

impl Deref for Followers {
    type Target = [(u64, Heap)];

    fn deref(&self) -> &[(u64, Heap)] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a Followers {
    type Item = &'a (u64, Heap);
    type IntoIter = std::slice::Iter<'a, (u64, Heap)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
