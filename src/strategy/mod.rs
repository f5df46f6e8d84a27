//! The strategy: a winning move, or the best delaying move from a lost position.

#[cfg(feature = "analysis")]
mod analysis;
mod delaying;
#[cfg(feature = "engines")]
mod misere;
mod player;
mod solver;
mod symmetry;

#[cfg(feature = "analysis")]
pub use analysis::Analysis;
pub use player::Player;
pub use solver::Solver;
pub use symmetry::{Symmetry, symmetry};
