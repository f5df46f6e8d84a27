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

pub(crate) use bounds::Bounds;
pub(crate) use family::Family;
pub(crate) use game::SweepGame;
pub(crate) use plan::SweepPlan;
pub(crate) use record::{Status, SweepRecord};
pub(crate) use run::run;
