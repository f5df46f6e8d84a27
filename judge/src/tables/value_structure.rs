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
