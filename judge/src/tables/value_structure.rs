//! What is known of a table's values beside the values.

use zeroxor::grundy::segment::{Period, SparseSpace};

/// What a plot marks in a table's values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// Whether a period was looked for, and the one that was found.
    pub(super) is_looked_for: bool,
    pub(super) period: Option<Period>,
    pub(super) space: Option<SparseSpace>,
}
