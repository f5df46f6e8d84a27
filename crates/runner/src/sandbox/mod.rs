//! `--sandbox` and `--interactor-sandbox`: a program, here called the bot, can read files and compute, and do almost
//! nothing else.
//!
//! The sandbox needs Linux on x86-64, 64-bit ARM or 64-bit RISC-V; on other systems the judge refuses `--sandbox` with
//! a message.
//!
//! The judge starts its own program as a launcher in place of the bot. The launcher, which has a single thread, sets
//! up the following guards and becomes the bot. Processes that the bot starts inherit the guards, and no process can
//! undo them:
//!
//! - Files: Landlock refuses every write except to a few devices and, for an interactor, to files in its own folder.
//!   Seccomp refuses changes that Landlock does not restrict, such as modes, times and locks. The bot can read all
//!   files that the judge's user can read, except terminals and other devices in `/dev`.
//! - Network: seccomp refuses sockets of every family.
//! - Privileges: `no_new_privs`, so that a setuid program gives no privileges. The bot has no capability, except that
//!   a bot of root can read everything.
//! - Processes: `RLIMIT_NPROC` counts processes and threads and allows one more than the limit, so that the judge sees
//!   the excess. A bot of root runs as a user that does not exist. A bot of another user, or of root in a container
//!   that maps no such user, gets a user namespace. So only the processes of this bot count. Without user namespaces
//!   the limit is raised by the user's present number of processes.
//! - Other programs, including the judge: seccomp refuses System V shared memory, semaphores and queues. It also
//!   refuses to change limits, priority, scheduling or processors of any thread other than the calling one. From Linux
//!   6.12 on, Landlock refuses signals to processes outside the sandbox. On older kernels, a bot of root, which runs
//!   as another user, can end no other process, but a bot in a user namespace could end other processes of its user.
//!
//! When a judge is killed, the judge's supervisor ends the bot, with or without a sandbox. If both are killed at the
//! same moment, a death signal that seccomp protects ends the bot's first process, unless another thread of that
//! process has become another program.

#[cfg(target_os = "linux")]
mod guards;
#[cfg(target_os = "linux")]
mod syscalls;

#[cfg(target_os = "linux")]
pub use guards::enter;
#[cfg(target_os = "linux")]
pub(crate) use guards::spawn_apart;

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

/// Starts the program without keeping it apart from others, which needs Linux.
#[cfg(not(target_os = "linux"))]
pub(crate) fn spawn_apart(command: &mut Command) -> std::io::Result<std::process::Child> {
    command.spawn()
}

#[cfg(all(target_os = "linux", not(target_pointer_width = "64")))]
compile_error!("the sandbox of --sandbox is made for 64 bits");

/// Checks that the sandbox works here: starts the launcher without a bot, before the first game.
///
/// # Errors
///
/// If the sandbox is not possible here. The error says why.
pub fn check() -> anyhow::Result<()> {
    ensure!(cfg!(target_os = "linux"), "--sandbox needs Linux: it uses Landlock and seccomp");
    let judge =
        std::env::current_exe().context("the judge does not know its own path to start the sandbox")?;
    let trial = Command::new(judge).arg("launch").stdin(Stdio::null()).output();
    let trial = trial.context("the launcher of the sandbox could not be started")?;
    let reason = String::from_utf8_lossy(&trial.stderr);
    let reason = reason.trim_start_matches("judge: ").trim_end();
    ensure!(trial.status.success(), "the sandbox is not possible here: {reason} ({})", trial.status);
    Ok(())
}
