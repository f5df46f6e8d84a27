//! The budget of a search, which is counted and so the same on every machine.

/// What a search may still use.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The steps that are left. A step is about a nanosecond.
    pub steps: u64,
    /// Maximum number of elements of each candidate for the quotient.
    pub elements: usize,
}

/// The error of a search that needs more than its budget, or more memory than a constant allows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OverBudget;

impl Budget {
    /// The budget of `grundy misere` for each heap: a minute at most.
    pub const PER_HEAP: Self = Self { steps: 60_000_000_000, elements: 8192 };

    pub(super) fn spend(&mut self, steps: usize) -> Result<(), OverBudget> {
        self.steps = self.steps.checked_sub(steps as u64).ok_or(OverBudget)?;
        Ok(())
    }
}
