//! The engine of a stream, by how large its codes are.

use super::super::split::COMMON;
use super::masks;
use super::run::{Halt, Run};
use super::views::{Narrow, Wide};

/// What is seen from the next segment, in the form that fits the codes.
pub(super) enum Engine {
    Narrow(Narrow),
    Wide(Wide),
}

impl Engine {
    /// The one that fits.
    pub(super) fn new(run: &Run) -> Self {
        let codes = run.codes.first().iter().chain(run.codes.last()).copied();
        let mut all = codes.chain(run.rares.iter().map(|(_, code)| code));
        // So many nimbers follow each other whose class does not change.
        let runs = 1_usize << run.classes.mask().trailing_zeros().min(15);
        let is_wide = runs > masks::WIDTH || all.any(|code| usize::from(code & !COMMON) >= masks::WIDTH);
        if is_wide { Self::Wide(run.views()) } else { Self::Narrow(run.views()) }
    }

    /// Finds values until there are so many.
    pub(super) fn advance(&mut self, run: &mut Run, end: usize) -> Result<(), Halt> {
        loop {
            let result = match self {
                Self::Narrow(views) => run.advance(views, end),
                Self::Wide(views) => run.advance(views, end),
            };
            match (result, &self) {
                (Err(Halt::Wide), Self::Narrow(_)) => *self = Self::Wide(run.views()),
                (result, _) => return result,
            }
        }
    }
}
