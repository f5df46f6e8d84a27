//! Misère play: the player who makes the last move loses.

mod bit_set;
mod budget;
mod candidate;
mod check;
mod genus;
mod heaps;
mod quotient;
mod relations;
mod search;
mod solver;

pub use budget::Budget;
pub use candidate::Element;
pub use genus::{Genus, genera};
pub use heaps::HeapGame;
pub use quotient::{PartialQuotient, Quotient};
pub use solver::Solver;
