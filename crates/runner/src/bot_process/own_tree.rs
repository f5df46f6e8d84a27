//! The processes of a bot that this process has started.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};
use std::{io, thread};

use anyhow::Context;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process, kill_process_group, waitid,
};
use wait4::{ResUse, Wait4};

use crate::bot::UNMEASURED;
use crate::bot_tree::{BotTree, EndUsage, ProcSnapshot};
use crate::cgroup::{ControlGroup, GroupMeter, GroupSource};
use crate::descendants;
#[cfg(target_os = "linux")]
use crate::descendants::reaper;
use crate::event::{Exit, Usage};
use crate::interrupt;
use crate::pipes::PipeEnds;
use crate::start::Start;
use crate::usage::meter::Meter;

/// A bot that this process has started. Only one such bot may run at a time, because all descendants of this process
/// count as the bot's.
pub(crate) struct OwnTree {
    child: BotChild,
    meter: Meter,
    /// The source that gave the control group, and gets it back at the end.
    groups: Option<Rc<GroupSource>>,
}

impl OwnTree {
    /// Starts the program in its own process group, with new pipes.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started, or its limits cannot be enforced.
    pub(crate) fn spawn(start: &Start) -> anyhow::Result<(Self, PipeEnds)> {
        descendants::become_subreaper()?;
        let groups = start.groups();
        let group = groups.as_ref().map(|groups| groups.take()).transpose();
        let group = group.context("the bot's control group cannot be made")?;
        let mut command = start.command(group.as_ref())?;
        // From here on, the CPU time of this process's descendants counts as the bot's.
        let meter = Meter::new(group, start.limits());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = BotChild::spawn(start, &mut command)?
            .with_context(|| format!("the bot {} could not be started", start.program().display()))?;
        let pipes = PipeEnds::of(child.child_mut());
        let mut tree = Self { child, meter, groups };
        // Measure before the first line, so that no game is played without enforced limits.
        tree.measure().context(UNMEASURED)?;
        Ok((tree, pipes.context("the bot has no pipes")?))
    }

    /// Returns the meter of the control group, if there is one.
    pub(crate) fn group_meter(&self) -> Option<&GroupMeter> {
        self.meter.group().map(ControlGroup::meter)
    }

    /// Checks whether a process has left the control group.
    pub(crate) fn has_left_group(&self) -> bool {
        self.meter.has_left()
    }

    /// Measures the usage of the processes.
    fn measure(&mut self) -> anyhow::Result<Usage> {
        match self.meter.used_by_group()? {
            Some(used) => Ok(used),
            None => Ok(self.meter.take_snapshot(false)?.used),
        }
    }
}

impl BotTree for OwnTree {
    fn exit_fd(&self) -> Option<&OwnedFd> {
        self.child.exit_fd()
    }

    fn exit(&mut self) -> io::Result<Option<Exit>> {
        self.child.exit()
    }

    fn has_group(&self) -> bool {
        self.meter.group().is_some()
    }

    fn used_by_group(&mut self) -> anyhow::Result<Option<Usage>> {
        self.meter.used_by_group()
    }

    fn take_snapshot(&mut self, is_complete: bool) -> anyhow::Result<ProcSnapshot> {
        self.meter.take_snapshot(is_complete)
    }

    fn look_at_threads(&mut self, mut snapshot: ProcSnapshot) -> anyhow::Result<ProcSnapshot> {
        self.meter.look_at_threads(&mut snapshot)?;
        Ok(snapshot)
    }

    fn end(&mut self) -> EndUsage {
        // This is the last measurement. An error no longer matters.
        let seen = self.measure().unwrap_or_default();
        self.child.kill();
        if let Some(group) = self.meter.group() {
            group.kill();
        }
        let ended = self.child.reap();
        descendants::end_all();
        let total = self.meter.end(|| usage_of(ended));
        if let (Some(groups), Some(group)) = (&self.groups, self.meter.take_group()) {
            groups.give_back(group);
        }
        EndUsage { seen, total }
    }

    fn host_cpu(&self) -> Duration {
        Duration::ZERO
    }
}

impl Drop for OwnTree {
    fn drop(&mut self) {
        if !self.child.is_reaped() {
            self.end();
        }
    }
}

/// How long to wait for the end of a process that the judge has killed.
const KILL_TIMEOUT: Duration = Duration::from_secs(1);

/// How often to check for the end of a killed process.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// A process that this process has started as its bot.
struct BotChild {
    child: Child,
    pid: Pid,
    /// A descriptor that becomes readable once the process has ended, if the system has one.
    exit_fd: Option<OwnedFd>,
    is_reaped: bool,
}

impl BotChild {
    /// Starts the bot by `command`. From now on the judge reaps the bot's orphans.
    ///
    /// # Errors
    ///
    /// Returns the outer error if the judge cannot reap, and the inner error if the bot cannot be started.
    #[cfg_attr(not(target_os = "linux"), expect(clippy::unnecessary_wraps, reason = "it can fail on Linux"))]
    fn spawn(start: &Start, command: &mut Command) -> anyhow::Result<io::Result<Self>> {
        #[cfg(target_os = "linux")]
        reaper::start()?;
        // Record interrupts from now on: a bot may interrupt the judge before the judge waits for the bot's first line.
        interrupt::record_first();
        let mut running = descendants::lock_bot();
        let child = start.spawn(command);
        *running = child.as_ref().ok().map(Pid::from_child);
        Ok(child.map(|child| {
            let pid = Pid::from_child(&child);
            Self { child, pid, exit_fd: open_exit_fd(pid), is_reaped: false }
        }))
    }

    /// Returns the process with its pipes.
    fn child_mut(&mut self) -> &mut Child {
        &mut self.child
    }

    fn exit_fd(&self) -> Option<&OwnedFd> {
        self.exit_fd.as_ref()
    }

    /// Returns how the process ended, or `None` if it still runs. Does not reap the process, so its number and its
    /// process group stay reserved.
    fn exit(&self) -> io::Result<Option<Exit>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.pid), options)?.map(|status| to_exit(&status)))
    }

    /// Kills the process group, and the process even if it has left the group. Ignores processes that have already
    /// ended.
    fn kill(&self) {
        if self.is_reaped {
            // Another process may have the number by now.
            return;
        }
        let _ = kill_process_group(self.pid, Signal::KILL);
        let _ = kill_process(self.pid, Signal::KILL);
    }

    fn is_reaped(&self) -> bool {
        self.is_reaped
    }

    /// Reaps the killed process. Returns its usage, if it is known.
    fn reap(&mut self) -> Option<ResUse> {
        let deadline = Instant::now() + KILL_TIMEOUT;
        while matches!(self.exit(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
        // Once the process is reaped, its number must no longer be used for kill(2).
        let mut running = descendants::lock_bot();
        *running = None;
        self.is_reaped = true;
        // A process that cannot be killed, such as a program of another user, is left to the system.
        match self.exit() {
            Ok(None) => None,
            _ => self.child.wait4().ok(),
        }
    }
}

/// Returns the usage of an ended process.
fn usage_of(ended: Option<ResUse>) -> Usage {
    let cpu = ended.as_ref().map(|ended| ended.rusage.utime + ended.rusage.stime);
    // The kernel's peak includes the memory that the judge itself had when it started the bot. So only a peak above the
    // judge's own peak is known to be the bot's.
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
    // Before Linux 5.3 there is no such descriptor, and waits check for the end at intervals.
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn open_exit_fd(_pid: Pid) -> Option<OwnedFd> {
    None
}

/// Returns the peak of the judge's own memory, in bytes.
#[cfg(target_os = "linux")]
fn own_peak() -> Option<u64> {
    let status = procfs::process::Process::myself().ok()?.status().ok()?;
    status.vmhwm.map(|kib| kib * 1024)
}

#[cfg(not(target_os = "linux"))]
fn own_peak() -> Option<u64> {
    None
}
