//! The processes that descend from the judge: its bot, and everything that the bot has started.
//!
//! The judge is a subreaper: a process of the bot that has lost its parent becomes a child of the judge, so
//! nothing that the bot has started can leave the tree below the judge.

#[cfg(target_os = "linux")]
mod kill;
#[cfg(target_os = "linux")]
pub(super) mod reaper;
#[cfg(target_os = "linux")]
pub(super) mod tree;

#[cfg(target_os = "linux")]
pub use kill::{end_all, stop_all};
#[cfg(target_os = "linux")]
pub use tree::{become_subreaper, is_stopped, survivors};

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{become_subreaper, end_all, survivors};
