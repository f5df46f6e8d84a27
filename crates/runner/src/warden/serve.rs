//! The warden itself: it isolates itself once, and then starts, measures and ends one program after another.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use nix::sys::resource::UsageWho;
use rustix::event::{PollFd, PollFlags};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process, kill_process_group, waitid,
};
use signal_hook::consts::SIGCHLD;
use wait4::Wait4;

use super::Confinement;
use super::guards::Guards;
use super::link::{Detail, Request, Snapshot, receive, send};
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
    let socket = UnixStream::from(stdin);
    let ((confinement, open_files), _): ((Confinement, Option<u64>), _) = receive(&socket)?;
    let limited = open_files.map_or(Ok(()), inherited::limit_open_files);
    let guards = limited.and_then(|()| Guards::set_up(&confinement, socket.as_raw_fd()));
    let isolation = guards.as_ref().map(|guards| &guards.isolation).map_err(|error| format!("{error:#}"));
    send(&socket, &isolation, &[])?;
    let Ok(guards) = guards else { return Ok(()) };
    let (child_ended, notify) = UnixStream::pair().context("the warden cannot listen for ended processes")?;
    child_ended.set_nonblocking(true).context("a socket")?;
    signal_hook::low_level::pipe::register(SIGCHLD, notify).context("SIGCHLD cannot be caught")?;
    let mut server = Server { guards, socket, child_ended, running: None, own_before: own_cpu() };
    let served = server.answer_all();
    let _ = server.finish();
    served
}

struct Server {
    guards: Guards,
    socket: UnixStream,
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
}

impl Server {
    fn answer_all(&mut self) -> anyhow::Result<()> {
        loop {
            let watched = [&self.socket, &self.child_ended];
            let watched = watched.map(|socket| Some(PollFd::new(socket, PollFlags::IN)));
            let [has_request, has_ended] = poll_all(&[watched], MAX_WAIT)?[0];
            if has_ended {
                self.reap()?;
            }
            if has_request {
                // The judge has ended.
                let Ok((request, pipes)) = receive(&self.socket) else { return Ok(()) };
                self.answer(request, pipes)?;
            }
        }
    }

    fn answer(&mut self, request: Request, pipes: Vec<OwnedFd>) -> anyhow::Result<()> {
        let answer = match (request, &mut self.running) {
            (Request::Start { command, processor }, None) => {
                // Without the restriction the program only takes longer.
                let _ = processor.map(processor::run_on);
                self.start(&command, pipes)
            }
            (Request::Start { .. }, Some(_)) => Err(anyhow!("the last program still runs")),
            // The judge has not read the end of the program yet.
            (_, None) => return Ok(()),
            (Request::Measure(detail), Some(RunningProgram { child, meter })) => {
                let writes = if detail == Detail::Threads { writes(child) } else { None };
                meter.take_snapshot().map(|snapshot| Snapshot { writes, ..snapshot })
            }
            (Request::End, Some(RunningProgram { child, meter })) => {
                let _ = meter.take_snapshot();
                let program = Pid::from_child(child);
                let _ = kill_process_group(program, Signal::KILL);
                let _ = kill_process(program, Signal::KILL);
                return self.finish();
            }
        };
        self.send(answer)
    }

    /// Sends an answer, with the CPU time that this process has used for the program.
    fn send(&self, answer: anyhow::Result<Snapshot>) -> anyhow::Result<()> {
        let warden_cpu = own_cpu().saturating_sub(self.own_before);
        let answer = answer.map(|snapshot| Snapshot { warden_cpu, ..snapshot });
        send(&self.socket, &answer.map_err(|error| format!("{error:#}")), &[])
    }

    fn start(&mut self, command: &[OsString], pipes: Vec<OwnedFd>) -> anyhow::Result<Snapshot> {
        let (program, args) = command.split_first().context("expected a command")?;
        let pipes: Result<[OwnedFd; 3], _> = pipes.try_into();
        let [stdin, stdout, stderr] = pipes.ok().context("expected the pipes of the program")?;
        let mut meter = Meter::new();
        let mut command = Command::new(program);
        command.args(args).stdin(stdin).stdout(stdout).stderr(stderr).process_group(0);
        let (child, init) = self.guards.spawn(&mut command).map_err(|error| {
            anyhow::Error::new(error).context(format!("the bot {} could not be started", program.display()))
        })?;
        meter.init = init;
        self.running = Some(RunningProgram { child, meter });
        Ok(Snapshot::default())
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
        self.finish()
    }

    /// Clears some notices. If others are left, the next wait ends at once.
    fn clear_notices(&mut self) {
        let _ = self.child_ended.read(&mut [0; 64]);
    }

    /// Ends and reaps all processes of a program, if there is one. Reports how its first process ended, and the usage of
    /// all.
    fn finish(&mut self) -> anyhow::Result<()> {
        let Some(mut running) = self.running.take() else { return Ok(()) };
        let mut end = Snapshot { ended: true, ..Snapshot::default() };
        let deadline = Instant::now() + END_TIMEOUT;
        let program = Pid::from_child(&running.child);
        let mut is_killed = false;
        loop {
            let children = if end.exit.is_none() { WaitId::Pid(program) } else { WaitId::All };
            match look_for_end(children) {
                Ok(Some(status)) if end.exit.is_none() => {
                    end.exit = Some(Exit::from(&status));
                    // Nobody is interested in the writes of a program that was never measured.
                    end.writes = running.meter.used.cpu.and_then(|_| writes(&running.child));
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
        let sent = self.send(Ok(end));
        self.own_before = own_cpu();
        sent
    }
}

/// Returns how often a process, and the children that it has waited for, have called write(2).
fn writes(process: &Child) -> Option<u64> {
    let io = proc::read(&format!("/proc/{}/io", process.id())).ok()??;
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
