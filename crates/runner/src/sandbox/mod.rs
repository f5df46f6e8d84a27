//! `--sandbox`: a bot that can read and compute, and do almost nothing else.
//!
//! It is made for Linux on x86-64, and on ARM and RISC-V of 64 bits; elsewhere it is refused with a message.
//!
//! The judge starts its own program as a launcher in the bot's place. The launcher, still a single thread, sets up
//! these guards and becomes the bot. What the bot starts inherits them, and nothing can undo them:
//!
//! - Files: Landlock refuses every write but to a few devices, and seccomp what Landlock does not watch, such
//!   as modes, times and locks. All that the judge's user can read can be read, except for terminals and other
//!   devices in `/dev`.
//! - Network: seccomp refuses sockets of every family.
//! - Privileges: `no_new_privs`, so that no setuid program gives any; no capability is left but that of root
//!   to read everything.
//! - Processes: one more than the limit, threads among them, by `RLIMIT_NPROC`, so that the judge sees the one too
//!   many. Root becomes a user that does not exist; others, and the root of a container that maps no such user, get a
//!   user namespace. So only the processes of this bot are counted; without namespaces the limit is raised by the
//!   number of the user's present processes.
//! - Other programs, the judge among them: seccomp refuses System V's shared memory, semaphores and queues,
//!   and to change limits, priority, scheduling or processors of any thread but the calling one. Landlock
//!   keeps signals inside from Linux 6.12 on. Before that a bot that root has made another user's ends
//!   nothing, and one in a user namespace could end what is its user's.
//!
//! What ends a bot when its judge is killed is the judge's supervisor, in a sandbox or not. Should both be killed
//! at the same moment, a death signal that seccomp lets nobody change ends the bot's first process, unless
//! another thread of it has become another program.

#[cfg(target_os = "linux")]
mod guards;
#[cfg(target_os = "linux")]
mod syscalls;

#[cfg(target_os = "linux")]
pub use guards::enter;

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

#[cfg(all(target_os = "linux", not(target_pointer_width = "64")))]
compile_error!("the sandbox of --sandbox is made for 64 bits");

/// Checks that there can be a sandbox: the launcher is run without a bot.
///
/// # Errors
///
/// If there can be none here, and why: so this is known before the first game.
pub fn check() -> anyhow::Result<()> {
    ensure!(
        cfg!(target_os = "linux"),
        "--sandbox needs Linux: its guards, Landlock and seccomp, are missing here"
    );
    let judge =
        std::env::current_exe().context("the judge does not know its own path to start the sandbox")?;
    let trial = Command::new(judge).arg("launch").stdin(Stdio::null()).output();
    let trial = trial.context("the launcher of the sandbox could not be started")?;
    let reason = String::from_utf8_lossy(&trial.stderr);
    let reason = reason.trim_start_matches("judge: ").trim_end();
    ensure!(trial.status.success(), "--sandbox is not possible here: {reason} ({})", trial.status);
    Ok(())
}
