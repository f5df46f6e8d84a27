//! The strategy: a winning move, or the best delaying move from a lost position.

mod analysis;
mod delaying;
mod misere;
mod player;
mod solver;
mod symmetry;

pub use analysis::Analysis;
pub use player::Player;
pub use solver::Solver;
pub use symmetry::symmetric_move;
