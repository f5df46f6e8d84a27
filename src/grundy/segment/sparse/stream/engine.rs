//! The engine of a stream, by how large its codes are.

use super::super::split::COMMON;
use super::common_words::CODES;
use super::rare_words::{NoRares, RareWords};
use super::run::{Halt, Run};
use super::views::{Narrow, Wide};

/// So many of the last codes tell how large the next are.
const RECENT: usize = 1 << 14;

/// A smaller word has all codes but one in so many.
const MOST_SMALL: usize = 256;

/// One word has all codes but one in so many: to look for others takes some times as long as more words.
const MOST_NARROW: usize = 16;

/// What is seen from the next segment, in the form that fits the codes.
pub(super) enum Engine {
    /// Nearly all below 16: words show rare options in less time than rows do.
    Least(Box<Narrow<u16, 64, 16, 1, RareWords<u16, 32>>>),
    /// Nearly all below 32.
    Small(Box<Narrow<u32, 32, 8, 1, NoRares>>),
    Narrow(Box<Narrow<u64, 16, 4, 1, NoRares>>),
    /// Many from 64 on.
    Large(Box<Narrow<u64, 16, 4, 4, NoRares>>),
    Wide(Box<Wide>),
}

impl Engine {
    /// The one that fits.
    pub(super) fn new(run: &Run) -> Self {
        let largest = |codes: &[u16]| codes.iter().map(|code| code & !COMMON).max().unwrap_or(0);
        let of_rares = run.rares.iter().map(|(_, code)| code).max().unwrap_or(0);
        let largest = largest(run.codes.first()).max(largest(run.codes.last())).max(of_rares);
        // So many nimbers follow each other whose class does not change.
        let many = 1_usize << run.classes.mask().trailing_zeros().min(15);
        if many.max(usize::from(largest) + 1) > CODES {
            return Self::Wide(Box::new(run.views()));
        }
        let last = run.codes.last();
        let recent = &last[last.len().saturating_sub(RECENT)..];
        let fits = |codes: u16, most: usize| {
            let large = recent.iter().filter(|code| *code & !COMMON >= codes).count();
            large * most <= recent.len()
        };
        if fits(16, MOST_SMALL) {
            Self::Least(Box::new(run.views()))
        } else if fits(32, MOST_SMALL) {
            Self::Small(Box::new(run.views()))
        } else if fits(64, MOST_NARROW) {
            Self::Narrow(Box::new(run.views()))
        } else {
            Self::Large(Box::new(run.views()))
        }
    }

    /// Finds values until there are so many.
    pub(super) fn advance(&mut self, run: &mut Run, end: usize) -> Result<(), Halt> {
        let result = match self {
            Self::Least(views) => run.advance(&mut **views, end),
            Self::Small(views) => run.advance(&mut **views, end),
            Self::Narrow(views) => run.advance(&mut **views, end),
            Self::Large(views) => run.advance(&mut **views, end),
            Self::Wide(views) => run.advance(&mut **views, end),
        };
        if let (Err(Halt::Wide), false) = (&result, matches!(self, Self::Wide(_))) {
            *self = Self::Wide(Box::new(run.views()));
            return self.advance(run, end);
        }
        result
    }
}
