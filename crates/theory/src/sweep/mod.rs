//! Sweeps: every game of a family is looked at, one line of JSON each.

mod bounds;
mod family;
mod findings;
mod game;
mod long_look;
mod look;
mod plan;
mod record;
mod run;
mod subtraction_look;
mod table_look;

pub use bounds::Bounds;
pub use family::Family;
pub use game::SweepGame;
pub use plan::SweepPlan;
pub use record::{Status, SweepRecord};
pub use run::run;
