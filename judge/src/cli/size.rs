//! How sizes are typed: of heaps, and of what a move takes.

use std::ops::RangeInclusive;

use clap::builder::RangedU64ValueParser;
use zeroxor::MAX_SIZE;

/// A size in this range.
pub(super) fn size(range: RangeInclusive<u64>) -> RangedU64ValueParser {
    clap::value_parser!(u64).range(range)
}

/// A size of a heap, or a number that a move takes.
pub(super) fn any_size() -> RangedU64ValueParser {
    size(1..=MAX_SIZE)
}
