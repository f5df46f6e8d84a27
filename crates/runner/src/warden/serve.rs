//! The warden itself: it isolates itself once, and then starts, measures and ends one program after another.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use nix::sys::resource::UsageWho;
use rustix::event::{PollFd, PollFlags};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process, kill_process_group, waitid,
};
use signal_hook::consts::SIGCHLD;
use wait4::Wait4;

use super::guards::Guards;
use super::link::{Detail, Isolate, Link, Reply, Request, Snapshot};
use crate::event::Exit;
use crate::pipes::{is_ready, poll_all};
use crate::usage::meter::{Meter, cpu_of};
use crate::{inherited, interrupt};
use crate::{proc, processor};

const END_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time of one wait for a request or the end of a child.
const MAX_WAIT: Duration = Duration::from_secs(3600);

/// Answers the requests from the socket on stdin until the judge closes the socket or ends.
pub fn serve() -> anyhow::Result<()> {
    interrupt::reset_signals()?;
    // Signals to the judge's process group, such as Ctrl-C, are for the judge. The programs cannot reach its terminal.
    let _ = rustix::process::setsid();
    let stdin = io::stdin().as_fd().try_clone_to_owned().context("the socket to the judge cannot be used")?;
    let mut link = Link::new(UnixStream::from(stdin));
    let Isolate { confinement, open_files } =
        link.receive()?.context("expected how to isolate the programs")?;
    let limited = open_files.map_or(Ok(()), inherited::limit_open_files);
    let own = link.stream().as_raw_fd();
    let guards = limited.and_then(|()| Guards::set_up(&confinement, own));
    let isolation = guards.as_ref().map(|guards| &guards.isolation).map_err(|error| format!("{error:#}"));
    link.send(&isolation, &[])?;
    let Ok(guards) = guards else { return Ok(()) };
    let (child_ended, notify) = UnixStream::pair().context("the warden cannot listen for ended processes")?;
    child_ended.set_nonblocking(true).context("a socket")?;
    signal_hook::low_level::pipe::register(SIGCHLD, notify).context("SIGCHLD cannot be caught")?;
    let mut server = Server { guards, link, child_ended, running: None, own_before: own_cpu() };
    let served = server.answer_all();
    server.finish();
    served
}

struct Server {
    guards: Guards,
    link: Link,
    /// Readable after a child has ended.
    child_ended: UnixStream,
    running: Option<RunningProgram>,
    /// The CPU time of this process when the last program ended, or when this process was ready. What it has used since
    /// then, for example to read the request, it has used for the program.
    own_before: Duration,
}

struct RunningProgram {
    child: Child,
    meter: Meter,
    /// Whether a snapshot has counted the writes, so that their number at the end is of interest.
    counts_writes: bool,
}

impl Server {
    fn answer_all(&mut self) -> anyhow::Result<()> {
        loop {
            let watched = [self.link.stream(), &self.child_ended];
            let watched = watched.map(|socket| Some(PollFd::new(socket, PollFlags::IN)));
            let [mut has_request, has_ended] = poll_all(&[watched], MAX_WAIT)?[0];
            if has_ended {
                self.reap()?;
            }
            while has_request {
                let Some(request) = self.link.receive()? else { return Ok(()) };
                self.answer(request)?;
                has_request = self.link.has_message();
            }
        }
    }

    fn answer(&mut self, request: Request) -> anyhow::Result<()> {
        let measured = match request {
            Request::Start { command, processor } => {
                // Without the restriction the program only takes longer.
                let _ = processor.map(processor::run_on);
                self.start(&command)
            }
            Request::Measure(detail) => self.measure(detail),
            Request::End => {
                let Some(RunningProgram { child, meter, .. }) = &mut self.running else { return Ok(()) };
                let _ = meter.take_snapshot();
                let program = Pid::from_child(child);
                let _ = kill_process_group(program, Signal::KILL);
                let _ = kill_process(program, Signal::KILL);
                let end = self.finish();
                return self.link.send(&Reply::Ended(end), &[]);
            }
        };
        self.link.send(&Reply::Measured(measured.map_err(|error| format!("{error:#}"))), &[])
    }

    /// Starts a program. The descriptors of its pipes came with the request.
    fn start(&mut self, command: &[OsString]) -> anyhow::Result<Snapshot> {
        let (program, args) = command.split_first().context("expected a command")?;
        let fds: Result<[OwnedFd; 3], _> = self.link.take_fds().try_into();
        let [stdin, stdout, stderr] = fds.ok().context("expected the pipes of the program")?;
        ensure!(self.running.is_none(), "the last program still runs");
        let mut meter = Meter::new();
        let mut command = Command::new(program);
        command.args(args).stdin(stdin).stdout(stdout).stderr(stderr).process_group(0);
        let (child, init) = self.guards.spawn(&mut command).map_err(|error| {
            anyhow::Error::new(error).context(format!("the bot {} could not be started", program.display()))
        })?;
        meter.init = init;
        self.running = Some(RunningProgram { child, meter, counts_writes: false });
        Ok(Snapshot { warden_cpu: self.cpu_for_program(), ..Snapshot::default() })
    }

    fn measure(&mut self, detail: Detail) -> anyhow::Result<Snapshot> {
        let Some(running) = &mut self.running else { return Ok(Snapshot::default()) };
        let mut snapshot = running.meter.take_snapshot()?;
        if detail == Detail::Threads {
            running.counts_writes = true;
            snapshot.writes = writes(running.child.id());
        }
        snapshot.warden_cpu = self.cpu_for_program();
        Ok(snapshot)
    }

    /// Reaps ended children. If the program has ended, ends everything that it has started, and reports its end.
    fn reap(&mut self) -> anyhow::Result<()> {
        self.clear_notices();
        let Some(running) = &self.running else { return Ok(()) };
        let program = Pid::from_child(&running.child);
        while look_for_end(WaitId::Pid(program))?.is_none() {
            // Everything else is an orphan of the program. A thread of the program that has made the warden its tracer
            // is reaped like an orphan: before that, the system does not report the end of the program.
            match peek_ended()? {
                Some(ended) if ended != program => reap(WaitId::Pid(ended)),
                _ => return Ok(()),
            }
        }
        let end = self.finish();
        self.link.send(&Reply::Ended(end), &[])
    }

    /// Clears some notices. If others are left, the next wait ends at once.
    fn clear_notices(&mut self) {
        let _ = self.child_ended.read(&mut [0; 64]);
    }

    fn cpu_for_program(&self) -> Duration {
        own_cpu().saturating_sub(self.own_before)
    }

    /// Ends and reaps all processes of a program, if there is one. Returns how its first process ended, and the usage of
    /// all.
    fn finish(&mut self) -> Snapshot {
        let mut end = Snapshot::default();
        let Some(mut running) = self.running.take() else { return end };
        let deadline = Instant::now() + END_TIMEOUT;
        let program = Pid::from_child(&running.child);
        let mut is_killed = false;
        loop {
            let children = if end.exit.is_none() { WaitId::Pid(program) } else { WaitId::All };
            match look_for_end(children) {
                Ok(Some(status)) if end.exit.is_none() => {
                    end.exit = Some(Exit::from(&status));
                    end.writes = running.counts_writes.then(|| writes(running.child.id())).flatten();
                    end.used.memory = running.child.wait4().ok().map(|ended| ended.rusage.maxrss);
                }
                Ok(Some(_)) => reap(WaitId::All),
                // No child is left.
                Err(_) => break,
                Ok(None) if Instant::now() > deadline => break,
                Ok(None) => {
                    if !std::mem::replace(&mut is_killed, true) || !self.guards.isolation.refuses_signals {
                        self.guards.kill_all();
                    }
                    let _ = is_ready(&self.child_ended, PollFlags::IN, Duration::from_millis(2));
                    self.clear_notices();
                }
            }
        }
        running.meter.init = None;
        end.used.cpu = Some(running.meter.reaped());
        end.used = end.used.max(running.meter.used);
        end.warden_cpu = self.cpu_for_program();
        self.own_before = own_cpu();
        end
    }
}

/// Returns how often a process, and the children that it has waited for, have called write(2).
fn writes(process: u32) -> Option<u64> {
    let io = proc::read(&format!("/proc/{process}/io")).ok()??;
    proc::value(&io, "syscw:")?.parse().ok()
}

/// Returns how a child has ended that is not reaped yet.
fn look_for_end(children: WaitId<'_>) -> io::Result<Option<WaitIdStatus>> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // The system also reports the stop of a child that has made the warden its tracer.
    let has_ended = |status: &WaitIdStatus| status.exited() || status.killed() || status.dumped();
    Ok(waitid(children, options)?.filter(has_ended))
}

fn reap(children: WaitId<'_>) {
    let _ = waitid(children, WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
}

/// Returns a child that has ended and is not reaped yet.
#[cfg(target_os = "linux")]
fn peek_ended() -> io::Result<Option<Pid>> {
    use nix::sys::wait::{Id, WaitPidFlag};
    let peek = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let ended = nix::sys::wait::waitid(Id::All, peek).map_err(io::Error::from)?;
    Ok(ended.pid().and_then(|pid| Pid::from_raw(pid.as_raw())))
}

/// Returns `None`: only on Linux a warden gets other children than the programs that it starts.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
fn peek_ended() -> io::Result<Option<Pid>> {
    Ok(None)
}

fn own_cpu() -> Duration {
    cpu_of(UsageWho::RUSAGE_SELF)
}
