//! From a bot's command to the bot inside the sandbox.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use rustix::fs::{Access, access};
use rustix::io::Errno;
use rustix::process::{Signal, set_parent_process_death_signal};

use super::{files, privileges, syscalls};

/// The command that starts this bot in a sandbox.
///
/// # Errors
///
/// If there can be no sandbox here, and why, or if the bot's program is not found or may not be executed. So
/// both are known before the first game.
pub(crate) fn launcher(bot: &[OsString]) -> anyhow::Result<Vec<OsString>> {
    let program = bot.first().context("expected the bot's command")?;
    find(program).with_context(|| format!("the bot {} could not be started", program.display()))?;
    let judge =
        std::env::current_exe().context("the judge does not know its own path to start the sandbox")?;
    let trial = Command::new(&judge).arg("launch").stdin(Stdio::null()).output();
    let trial = trial.context("the sandbox could not be tried")?;
    let reason = String::from_utf8_lossy(&trial.stderr);
    let reason = reason.trim_start_matches("judge: ").trim_end();
    ensure!(trial.status.success(), "--sandbox is not possible here: {reason} ({})", trial.status);
    let launch = [judge.into(), "launch".into(), "--".into()];
    Ok(launch.into_iter().chain(bot.iter().cloned()).collect())
}

/// Shuts this process in, for good. It must be its only thread.
///
/// # Errors
///
/// If a guard is missing, and which.
pub(crate) fn enter() -> anyhow::Result<()> {
    privileges::drop_all()?;
    // Behind the change of user, which clears it.
    set_parent_process_death_signal(Some(Signal::KILL)).context("the bot cannot be tied to the judge")?;
    files::close_inherited()?;
    files::make_read_only()?;
    syscalls::refuse()
}

/// Looks a program up as execvp(3) does.
fn find(program: &OsStr) -> io::Result<()> {
    let places: Vec<PathBuf> = if program.as_bytes().contains(&b'/') {
        vec![program.into()]
    } else {
        let path = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
        std::env::split_paths(&path).map(|folder| folder.join(program)).collect()
    };
    let mut refusal = Errno::NOENT;
    for place in places {
        match access(&place, Access::EXEC_OK) {
            Ok(()) if place.is_file() => return Ok(()),
            Ok(()) | Err(Errno::ACCESS) => refusal = Errno::ACCESS,
            Err(_) => {}
        }
    }
    Err(refusal.into())
}
