//! Bots as processes: their pipes, what they use, their limits, and their end.

pub(crate) mod affinity;
mod bot;
pub(crate) mod bot_process;
mod bot_tree;
pub(crate) mod cgroup;
mod delay;
pub(crate) mod descendants;
mod failure;
pub(crate) mod host;
pub(crate) mod interrupt;
#[cfg(target_os = "linux")]
pub(crate) mod job;
pub(crate) mod judge_child;
#[cfg(target_os = "linux")]
mod judge_processes;
mod lines;
pub(crate) mod listener;
pub(crate) mod open_files;
mod pipes;
pub(crate) mod program;
mod running_bot;
pub(crate) mod sandbox;
pub(crate) mod save_request;
pub(crate) mod signals;
pub(crate) mod start;
pub(crate) mod stop;
pub(crate) mod streams;
#[cfg(target_os = "linux")]
pub(crate) mod supervisor;
pub(crate) mod threads;
mod usage;

pub(crate) use bot::{Bot, TimedEvent, WaitLimits};
