//! The numbers of the judge's own processes: this one, and its supervisor if it has one.

use std::sync::OnceLock;

use rustix::process::{Pid, Signal, getppid, kill_process};

static SUPERVISOR: OnceLock<i32> = OnceLock::new();

/// Remembers the supervisor of this judge.
pub(super) fn set_supervisor(process: i32) {
    SUPERVISOR.get_or_init(|| process);
}

/// Continues the supervisor of this judge, if it has one: a bot may have stopped it.
pub(super) fn continue_supervisor() {
    if let Some(supervisor) = SUPERVISOR.get().and_then(|&process| Pid::from_raw(process))
        && getppid() == Some(supervisor)
    {
        let _ = kill_process(supervisor, Signal::CONT);
    }
}

/// The process numbers of this judge and of its supervisor.
pub(super) fn judge_processes() -> Vec<i32> {
    SUPERVISOR.get().copied().into_iter().chain([std::process::id().cast_signed()]).collect()
}
