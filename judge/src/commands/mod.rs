//! What the judge can be asked to do, one file a subcommand.

pub(crate) mod bot;
pub(crate) mod count;
pub(crate) mod demo;
pub(crate) mod play;
pub(crate) mod run;
pub(crate) mod solve;
pub(crate) mod table;
