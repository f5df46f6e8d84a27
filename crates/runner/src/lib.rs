//! Bots as processes: the source, pipes, usage, limits and end of a bot.

#![allow(missing_docs, missing_debug_implementations, reason = "only programs of this workspace use it")]

pub mod activity;
mod bot;
pub mod bot_process;
#[allow(dead_code, reason = "nobody reads the CPU time of hosts any more")]
mod bot_tree;
pub mod cgroup;
pub mod config;
mod delay;
pub mod descendants;
pub mod escape;
pub mod event;
pub mod host;
pub mod inherited;
pub mod interrupt;
#[cfg(target_os = "linux")]
pub mod job;
pub mod judge_processes;
pub mod limits;
mod lines;
pub mod listener;
pub mod message;
pub mod nanos;
mod pipes;
pub mod program;
pub mod relay;
pub mod sandbox;
pub mod signals;
pub mod sources;
pub mod start;
pub mod stderr_excerpt;
pub mod streams;
#[cfg(target_os = "linux")]
pub mod supervisor;
pub mod threads;
#[allow(dead_code, reason = "no delay is excluded any more")]
mod usage;

pub use bot::{Bot, TimedEvent, WaitLimits};
pub use descendants::EXIT_HOOKS;
