//! Misère play: the player who makes the last move loses.

mod check;
mod genus;
mod heaps;
mod monoid;
mod quotient;
mod relations;
mod search;
mod solver;

pub use genus::{Genus, genera};
pub use heaps::Budget;
pub use monoid::Element;
pub use quotient::{PartialQuotient, Quotient};
pub use solver::Solver;
