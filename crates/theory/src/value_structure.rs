//! What is known of the structure of a table's values.

use zeroxor::grundy::segment::{Period, SparseSpace};

/// The period and the sparse space of a table's values, as far as they are known: what a plot marks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ValueStructure {
    /// Whether a period was looked for, and the one that was found.
    pub(super) is_looked_for: bool,
    pub(super) period: Option<Period>,
    pub(super) space: Option<SparseSpace>,
}

/// How many values are rare, up to a heap if that is to be said, the last of them, and what makes a value rare.
pub(crate) fn rare_values(
    SparseSpace { mask, rares, last }: SparseSpace,
    is_by_place: bool,
    up_to: Option<u64>,
) -> String {
    let up_to = up_to.map_or_else(String::new, |to| format!(" up to n = {to}"));
    let last = if rares == 0 { String::new() } else { format!(", the last at n = {last}") };
    let by_place = if is_by_place { ", and by the place" } else { "" };
    format!("{rares}{up_to}{last} (mask {mask:#b}{by_place})")
}
