//! Control groups: the kernel itself counts and limits what all processes of a bot use.
//!
//! A group is about a dozen small files in folders of the kernel's. The crates for it bring D-Bus and the whole
//! of a container runtime with them, so these files are written and read here.
//!
//! Both versions of the interface work, also side by side: version 2 keeps all resources in one folder, version
//! 1 has a tree for each. The process that the judge forks joins the group before it becomes the bot.

#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod folder;
#[cfg(target_os = "linux")]
mod group;
#[cfg(target_os = "linux")]
mod group_meter;
#[cfg(target_os = "linux")]
mod join;
#[cfg(target_os = "linux")]
mod limit;
#[cfg(target_os = "linux")]
mod place;
#[cfg(target_os = "linux")]
mod removal;
#[cfg(target_os = "linux")]
mod reuse;
#[cfg(target_os = "linux")]
mod stale;
#[cfg(target_os = "linux")]
mod usage;
#[cfg(target_os = "linux")]
mod version_2;

#[cfg(target_os = "linux")]
pub use group::{ControlGroup, end_all};
#[cfg(target_os = "linux")]
pub(crate) use group_meter::{GroupMeter, GroupMeterState};
#[cfg(target_os = "linux")]
pub use place::Place;

mod source;

pub use source::GroupSource;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{ControlGroup, GroupMeter, GroupMeterState, Place, end_all};
