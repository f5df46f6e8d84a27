//! Bots as processes: the source, pipes, usage, limits and end of a bot.

#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::missing_errors_doc,
    reason = "only programs of this workspace use it"
)]

pub mod activity;
mod cgroup;
pub mod children;
pub mod escape;
pub mod event;
pub mod grace;
mod inherited;
pub mod interrupt;
pub mod janitor;
pub mod limits;
pub mod message;
pub mod nanos;
pub mod party;
mod pipes;
mod proc;
#[cfg(target_os = "linux")]
mod processor;
#[cfg(not(target_os = "linux"))]
#[path = "any_processor.rs"]
mod processor;
pub mod program;
pub mod relay;
pub mod sandbox;
pub mod sources;
pub mod stderr_excerpt;
pub mod threads;
pub mod to_end;
mod usage;
pub mod warden;

pub use processor::OneProcessor;
