//! The engine of a stream, by how large its codes are.

use super::super::split::COMMON;
use super::run::{Halt, Run};
use super::views::{Narrow, Wide};

/// What is seen from the next segment, in the form that fits the codes.
pub(super) enum Engine {
    /// Below 64.
    Single(Box<Narrow<1>>),
    /// Below 128.
    Double(Box<Narrow<2>>),
    /// Below 256.
    Quadruple(Box<Narrow<4>>),
    Wide(Box<Wide>),
}

impl Engine {
    /// The one that fits.
    pub(super) fn new(run: &Run) -> Self {
        let codes = run.codes.first().iter().chain(run.codes.last()).copied();
        let all = codes.chain(run.rares.iter().map(|(_, code)| code));
        let largest = all.map(|code| usize::from(code & !COMMON)).max().unwrap_or(0);
        // So many nimbers follow each other whose class does not change.
        let many = 1_usize << run.classes.mask().trailing_zeros().min(15);
        match many.max(largest + 1) {
            0..=64 => Self::Single(Box::new(run.views())),
            65..=128 => Self::Double(Box::new(run.views())),
            129..=256 => Self::Quadruple(Box::new(run.views())),
            _ => Self::Wide(Box::new(run.views())),
        }
    }

    /// Finds values until there are so many.
    pub(super) fn advance(&mut self, run: &mut Run, end: usize) -> Result<(), Halt> {
        loop {
            let result = match self {
                Self::Single(views) => run.advance(&mut **views, end),
                Self::Double(views) => run.advance(&mut **views, end),
                Self::Quadruple(views) => run.advance(&mut **views, end),
                Self::Wide(views) => run.advance(&mut **views, end),
            };
            match (result, &self) {
                (Err(Halt::Wide), Self::Single(_)) => *self = Self::Double(Box::new(run.views())),
                (Err(Halt::Wide), Self::Double(_)) => *self = Self::Quadruple(Box::new(run.views())),
                (Err(Halt::Wide), Self::Quadruple(_)) => *self = Self::Wide(Box::new(run.views())),
                (result, _) => return result,
            }
        }
    }
}
