//! From a bot's command to the bot inside the sandbox.

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

use super::{files, privileges, syscalls};

/// Checks that there can be a sandbox: the launcher is run without a bot.
///
/// # Errors
///
/// If there can be none here, and why: so this is known before the first game.
pub fn check() -> anyhow::Result<()> {
    let judge =
        std::env::current_exe().context("the judge does not know its own path to start the sandbox")?;
    let trial = Command::new(judge).arg("launch").stdin(Stdio::null()).output();
    let trial = trial.context("the launcher of the sandbox could not be started")?;
    let reason = String::from_utf8_lossy(&trial.stderr);
    let reason = reason.trim_start_matches("judge: ").trim_end();
    ensure!(trial.status.success(), "--sandbox is not possible here: {reason} ({})", trial.status);
    Ok(())
}

/// Puts this process into the sandbox for good, with at most so many processes and threads. If the judge's number is
/// given, which must be that of its parent, the process ends with it. It must be a single thread.
///
/// # Errors
///
/// If a guard is missing, and which, or if the judge has ended.
pub fn enter(judge: Option<i32>, processes: u64) -> anyhow::Result<()> {
    privileges::drop_all(processes)?;
    // Behind the change of user, which clears it.
    set_parent_process_death_signal(Some(Signal::KILL)).context("the bot cannot be tied to the judge")?;
    // No signal comes of an end before this moment.
    ensure!(judge.is_none_or(|judge| judge == Pid::as_raw(getppid())), "the judge has ended");
    files::close_inherited()?;
    files::restrict()?;
    syscalls::refuse()
}
