//! What a bot's processes use and do, and the limits on that.

#[cfg(target_os = "linux")]
mod cpu_account;
pub(super) mod limit_watch;
#[cfg_attr(not(target_os = "linux"), path = "meter_elsewhere.rs")]
pub(super) mod meter;
#[cfg(target_os = "linux")]
mod process_state;
#[cfg(target_os = "linux")]
mod shared_memory;
pub(super) mod snapshot;
