//! The first process of a bot: its start, its end, and how it has ended.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process, kill_process_group, waitid,
};
use wait4::{ResUse, Wait4};

#[cfg(target_os = "linux")]
use crate::descendants::reaper;
use crate::event::{Exit, Usage};
use crate::running_bot;
use common::interrupt;

/// How long the judge waits for the end of a process that it has killed.
const KILL_TIMEOUT: Duration = Duration::from_secs(1);

/// How often it looks for that end.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// A process that this one has started as its bot.
pub(super) struct BotChild {
    child: Child,
    pid: Pid,
    /// Readable once the process has ended, where the system has such a thing.
    exit_fd: Option<OwnedFd>,
    is_reaped: bool,
}

impl BotChild {
    /// Starts the bot. Its orphans are reaped from now on.
    ///
    /// # Errors
    ///
    /// If the judge cannot reap; the inner error if the bot cannot be started.
    #[cfg_attr(not(target_os = "linux"), expect(clippy::unnecessary_wraps, reason = "it can fail on Linux"))]
    pub(super) fn spawn(command: &mut Command) -> anyhow::Result<io::Result<Self>> {
        #[cfg(target_os = "linux")]
        reaper::start()?;
        // The bot may interrupt the judge before the judge waits for its first line.
        interrupt::heed();
        let mut running = running_bot::lock();
        let child = command.spawn();
        *running = child.as_ref().ok().map(Pid::from_child);
        Ok(child.map(|child| {
            let pid = Pid::from_child(&child);
            Self { child, pid, exit_fd: open_exit_fd(pid), is_reaped: false }
        }))
    }

    /// The process with its pipes.
    pub(super) fn child_mut(&mut self) -> &mut Child {
        &mut self.child
    }

    pub(super) fn exit_fd(&self) -> Option<&OwnedFd> {
        self.exit_fd.as_ref()
    }

    /// How the process has ended, if it has. It is not reaped, so its number and its process group stay its own.
    pub(super) fn exit(&self) -> io::Result<Option<Exit>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.pid), options)?.map(|status| to_exit(&status)))
    }

    /// Kills the process, wherever it has gone, and its process group; it is no error if they are gone already.
    pub(super) fn kill(&self) {
        if self.is_reaped {
            // Its number may be another process's by now.
            return;
        }
        let _ = kill_process_group(self.pid, Signal::KILL);
        let _ = kill_process(self.pid, Signal::KILL);
    }

    pub(super) fn is_reaped(&self) -> bool {
        self.is_reaped
    }

    /// Reaps the process, which has been killed; what it has used, if that is known.
    pub(super) fn reap(&mut self) -> Option<ResUse> {
        let deadline = Instant::now() + KILL_TIMEOUT;
        while matches!(self.exit(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
        // With the number of a process that is reaped nothing may be killed any more.
        let mut running = running_bot::lock();
        *running = None;
        self.is_reaped = true;
        // One that cannot be killed, as a program of another user's, is left to the system.
        match self.exit() {
            Ok(None) => None,
            _ => self.child.wait4().ok(),
        }
    }
}

/// What a process that has ended has used.
pub(super) fn usage_of(ended: Option<ResUse>) -> Usage {
    let cpu = ended.as_ref().map(|ended| ended.rusage.utime + ended.rusage.stime);
    // The kernel's peak counts what the judge itself held when it started the bot.
    let memory = ended.map(|ended| ended.rusage.maxrss).filter(|&peak| Some(peak) > own_peak());
    Usage { cpu, memory, processes: None }
}

fn to_exit(status: &WaitIdStatus) -> Exit {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or(0)),
    }
}

#[cfg(target_os = "linux")]
fn open_exit_fd(pid: Pid) -> Option<OwnedFd> {
    // Before Linux 5.3 there is none, and waits look for the end at intervals.
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn open_exit_fd(_pid: Pid) -> Option<OwnedFd> {
    None
}

/// The most memory that the judge itself has held, in bytes.
#[cfg(target_os = "linux")]
fn own_peak() -> Option<u64> {
    let status = procfs::process::Process::myself().ok()?.status().ok()?;
    status.vmhwm.map(|kib| kib * 1024)
}

#[cfg(not(target_os = "linux"))]
fn own_peak() -> Option<u64> {
    None
}
