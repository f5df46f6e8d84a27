//! Misère play: the player who makes the last move loses.

mod candidate;
mod check;
mod genus;
mod heaps;
mod quotient;
mod relations;
mod search;
mod solver;

pub use candidate::Element;
pub use genus::{Genus, genera};
pub use heaps::Budget;
pub use quotient::{PartialQuotient, Quotient};
pub use solver::Solver;
