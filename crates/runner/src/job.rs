//! Ctrl-Z (SIGTSTP): the judge as a job that a shell stops and continues.
//!
//! The supervisor stops all processes below it, so that no bot runs while nobody enforces its limits. Then it stops
//! itself, so that the shell sees the stop. A stopped process handles no signal except SIGKILL and SIGCONT. Therefore
//! a separate process, the waker, runs during the stop and continues the supervisor after a signal that asks the
//! supervisor to end.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use procfs::process::Process;
use rustix::process::{Pid, Signal, getpid, getppid, kill_process, set_parent_process_death_signal};

use super::descendants;

/// The first argument of a waker. The second is the process number of the supervisor.
const ROLE: &str = "wake";

/// The signals that ask the supervisor to end.
const ENDING: [Signal; 4] = [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM];

/// How often the waker checks for the signals that ask the supervisor to end.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Stops this supervisor and all processes below it until the supervisor is continued.
///
/// # Errors
///
/// If the waker cannot be started. In this case nothing is stopped.
pub(super) fn stop() -> anyhow::Result<()> {
    let program = env::current_exe().context("the judge does not know its own path")?;
    let own = getpid();
    // The waker has its own process group, because signals to the job's process group are only for the supervisor.
    let waker = Command::new(program).args([ROLE, &own.as_raw_pid().to_string()]).process_group(0).spawn();
    let mut waker = waker.context("the process that could continue it cannot be started")?;
    let stopped = descendants::stop_all(Pid::from_child(&waker));
    let _ = kill_process(own, Signal::STOP);
    let _ = waker.kill();
    let _ = waker.wait();
    // Continue the bot before its judge: a judge process must not see its bot stopped.
    for process in stopped.into_iter().rev() {
        let _ = kill_process(process, Signal::CONT);
    }
    Ok(())
}

/// Returns the supervisor that a process with these arguments must wake, if the process is a waker.
pub fn waker_of(args: &[OsString]) -> Option<i32> {
    match args {
        [_, role, supervisor] if role == ROLE => supervisor.to_str()?.parse().ok(),
        _ => None,
    }
}

/// Continues this supervisor whenever a signal that asks it to end is pending, until the supervisor ends this process.
pub fn wake(supervisor: i32) -> ExitCode {
    let parent =
        Pid::from_raw(supervisor).filter(|_| set_parent_process_death_signal(Some(Signal::KILL)).is_ok());
    while let Some(parent) = parent.filter(|_| getppid() == parent) {
        if has_ending_signal(supervisor) {
            let _ = kill_process(parent, Signal::CONT);
        }
        thread::sleep(POLL_INTERVAL);
    }
    ExitCode::FAILURE
}

fn has_ending_signal(process: i32) -> bool {
    let Ok(status) = Process::new(process).and_then(|process| process.status()) else { return false };
    let pending = status.sigpnd | status.shdpnd;
    ENDING.into_iter().any(|signal| pending >> (signal.as_raw() - 1) & 1 == 1)
}
