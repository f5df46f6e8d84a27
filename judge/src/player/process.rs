//! A bot as a process: pipes that never block the judge, and an end that leaves nothing running.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use wait4::Wait4;

use super::pipes::{self, Lines, read};
use super::tree::{self, Look};
use super::{Bot, Heard, Patience};
use crate::event::{Bytes, Event, Exit, Failure, Limit, Standing, Usage};
use crate::interrupt::{self, interrupted};
use crate::limits::{LINE_LIMIT, STDERR_KEPT};

/// How often a wait looks up from the pipes: for Ctrl-C, for what the bot uses, and where no descriptor tells it, for
/// the exit.
pub(super) const GLANCE: Duration = Duration::from_millis(20);

/// The most that is taken from a pipe at once: what it holds by default.
const SIP: usize = 64 << 10;

/// The most that a pipe can hold without privileges, and so the most that can be left behind in it.
const DREGS: usize = 1 << 20;

/// A running bot and its three pipes, all watched together.
pub(crate) struct Process {
    child: Child,
    pid: Pid,
    /// Readable once the process has ended, where the system has such a thing.
    exit: Option<OwnedFd>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What the bot has yet to read.
    outgoing: VecDeque<u8>,
    lines: Lines,
    /// Whether the process is known to have ended.
    exited: bool,
    /// Whether the system has been told that the process is done with.
    reaped: bool,
    /// When it is time to look again at what the processes use.
    next_glance: Option<Instant>,
    /// Since when, and from which CPU time on, the bot is watched for idleness.
    quiet: Option<(Instant, Option<Duration>)>,
    /// The most that was seen in use since the game began, and the CPU time that was used in games before.
    used: Usage,
    earlier: Option<Duration>,
}

impl Process {
    /// Starts the program in a process group of its own.
    pub(crate) fn spawn(command: &[OsString]) -> anyhow::Result<Self> {
        let (program, args) = command.split_first().context("expected the bot's command")?;
        tree::adopt()?;
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .with_context(|| format!("the bot {} could not be started", program.display()))?;
        let pid = Pid::from_child(&child);
        let process = Self {
            pid,
            exit: exit_fd(pid),
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            child,
            outgoing: VecDeque::new(),
            lines: Lines::default(),
            exited: false,
            reaped: false,
            next_glance: None,
            quiet: None,
            used: Usage::default(),
            earlier: None,
        };
        interrupt::remember(pid);
        let pipes = [
            process.stdin.as_ref().map(AsFd::as_fd),
            process.stdout.as_ref().map(AsFd::as_fd),
            process.stderr.as_ref().map(AsFd::as_fd),
        ];
        for pipe in pipes.into_iter().flatten() {
            rustix::io::ioctl_fionbio(pipe, true).context("the bot's pipes cannot be made non-blocking")?;
        }
        Ok(process)
    }

    /// Waits until a pipe moves or the process ends, `patience` at most, and moves what can be moved.
    fn pump(&mut self, patience: Duration, heard: &mut Vec<Heard>) -> io::Result<()> {
        let [exit, stdout, stderr, stdin] = self.poll(patience)?;
        if stdin {
            self.write();
        }
        if stdout {
            self.lines.read(&mut self.stdout, SIP, heard)?;
        }
        if stderr {
            let mut text = Vec::new();
            read(&mut self.stderr, SIP, &mut text)?;
            if !text.is_empty() {
                heard.push(Heard::now(Event::Stderr(Bytes(text))));
            }
        }
        if exit || self.exit.is_none() {
            self.notice_exit(heard)?;
        }
        Ok(())
    }

    /// Which of exit, stdout, stderr and stdin are ready, within that time.
    fn poll(&self, patience: Duration) -> io::Result<[bool; 4]> {
        let watched = [
            self.exit.as_ref().filter(|_| !self.exited).map(|exit| PollFd::new(exit, PollFlags::IN)),
            self.stdout.as_ref().map(|stdout| PollFd::new(stdout, PollFlags::IN)),
            self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN)),
            self.stdin
                .as_ref()
                .filter(|_| !self.outgoing.is_empty())
                .map(|stdin| PollFd::new(stdin, PollFlags::OUT)),
        ];
        let open = watched.each_ref().map(Option::is_some);
        let mut fds: Vec<PollFd<'_>> = watched.into_iter().flatten().collect();
        let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok([false; 4]),
            Err(error) => return Err(error.into()),
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        Ok(open.map(|open| open && ready.next() == Some(true)))
    }

    /// Sees whether the process has ended. What it said before it did counts as before; it is not reaped, so its
    /// process group keeps its number.
    fn notice_exit(&mut self, heard: &mut Vec<Heard>) -> io::Result<()> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let Some(status) = waitid(WaitId::Pid(self.pid), options)?.filter(|_| !self.exited) else {
            return Ok(());
        };
        self.exited = true;
        self.lines.read(&mut self.stdout, DREGS, heard)?;
        // Whoever else holds the pipe is not the bot.
        self.lines.end(Instant::now(), heard);
        let exit = match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, signal) => Exit::Signal(signal.unwrap_or(0)),
        };
        heard.push(Heard::now(Event::Exited(exit)));
        Ok(())
    }

    fn write(&mut self) {
        pipes::write(&mut self.stdin, &mut self.outgoing, usize::MAX, |_| true);
    }

    /// Looks at what the processes use and do.
    fn look(&mut self) -> Option<Look> {
        let started = Instant::now();
        let look = tree::look();
        // Looking at many processes takes long; it must not take all the time.
        self.next_glance = Some(Instant::now() + GLANCE.max(started.elapsed() * 10));
        let mut look = look?;
        look.used.cpu = look.used.cpu.map(|cpu| cpu.saturating_sub(self.earlier.unwrap_or_default()));
        self.used = self.used.max(look.used);
        Some(look)
    }

    /// Whether it is time to look again.
    fn is_stale(&self) -> bool {
        self.next_glance.is_none_or(|next| Instant::now() >= next)
    }

    /// Looks whether a limit is reached, if it is time to.
    fn glance(&mut self, patience: &Patience, started: Instant) -> Option<Event> {
        let idle_from = self.quiet.map_or(started, |(since, _)| since);
        if interrupted() {
            return Some(Event::Interrupted);
        }
        let wall = started.elapsed() >= patience.wall;
        if !wall && !self.is_stale() {
            return None;
        }
        let look = self.look();
        let used = look.as_ref().map(|look| look.used);
        let cpu = used.and_then(|used| used.cpu);
        let (since, from) = *self.quiet.get_or_insert((idle_from, cpu));
        let quiet = since.elapsed();
        let limit = if wall {
            Limit::Wall
        } else if cpu > Some(patience.cpu) {
            Limit::Cpu
        } else if used.and_then(|used| used.memory) > Some(patience.memory) {
            Limit::Memory
        } else if quiet >= patience.idle {
            let spent = cpu.zip(from).map(|(cpu, from)| cpu.saturating_sub(from));
            let sleeping = look.as_ref().is_some_and(|look| look.sleeping);
            if !sleeping || spent.is_none_or(|spent| spent >= quiet / 10) {
                self.quiet = Some((Instant::now(), cpu));
                return None;
            }
            Limit::Idle
        } else {
            return None;
        };
        Some(self.standing(limit, look.unwrap_or_default()))
    }

    /// What the bot does while its line is due.
    fn standing(&self, limit: Limit, look: Look) -> Event {
        Event::Limit(Standing {
            limit,
            used: look.used,
            sleeping: look.sleeping,
            channel: look.channel,
            unread: self.outgoing.len(),
            unfinished: Bytes(self.lines.unfinished().to_vec()),
        })
    }

    /// Ends the whole process group; those already gone are no error.
    fn kill(&self) {
        let _ = kill_process_group(self.pid, Signal::KILL);
    }

    /// Ends and reaps the bot and all that it started.
    fn reap(&mut self) {
        self.kill();
        let bot = self.child.wait4().ok();
        self.reaped = true;
        let orphans = tree::end_orphans().unwrap_or_default();
        // To the microsecond for all games together; of one among several the looks know more.
        let total =
            bot.as_ref().map(|bot| bot.rusage.utime + bot.rusage.stime + orphans.cpu.unwrap_or_default());
        let cpu = total.filter(|_| self.earlier.is_none());
        // The kernel's peak counts what the judge itself held when it started the bot.
        let peak = bot.map(|bot| bot.rusage.maxrss).filter(|&peak| Some(peak) > tree::own_peak());
        self.used =
            Usage { cpu: cpu.or(self.used.cpu), memory: self.used.memory.max(peak).max(orphans.memory) };
    }
}

impl Bot for Process {
    fn begin(&mut self) {
        if self.is_stale() {
            self.look();
        }
        self.earlier = Some(self.earlier.unwrap_or_default() + self.used.cpu.unwrap_or_default());
        self.used = Usage::default();
    }

    fn say(&mut self, bytes: &[u8]) {
        self.outgoing.extend(bytes);
        self.quiet = None;
        self.write();
    }

    fn overhear(&mut self) -> Vec<Heard> {
        let mut heard = Vec::new();
        if let Err(error) = self.pump(Duration::ZERO, &mut heard) {
            heard.push(failed(&error));
        }
        heard
    }

    fn listen(&mut self, patience: &Patience) -> Vec<Heard> {
        let started = Instant::now();
        let mut heard = Vec::new();
        loop {
            let left = patience.wall.saturating_sub(started.elapsed()).min(GLANCE);
            if let Err(error) = self.pump(left, &mut heard) {
                heard.push(failed(&error));
                return heard;
            }
            if heard.iter().any(|heard| !matches!(heard.event, Event::Stderr(_))) {
                return heard;
            }
            if self.lines.unfinished().len() > LINE_LIMIT {
                heard.push(Heard::now(self.standing(Limit::Line, Look::default())));
            } else if let Some(limit) = self.glance(patience, started) {
                heard.push(Heard::now(limit));
            }
            if !heard.is_empty() {
                return heard;
            }
        }
    }

    fn used(&mut self) -> Heard {
        if self.is_stale() {
            self.look();
        }
        Heard::now(Event::Used(self.used))
    }

    fn end(&mut self, grace: Duration) -> Vec<Heard> {
        let deadline = Instant::now() + grace;
        let (mut heard, mut stderr) = (Vec::new(), Vec::new());
        while !self.exited {
            if self.outgoing.is_empty() {
                // It has been told everything.
                self.stdin = None;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || interrupted() || self.pump(left.min(GLANCE), &mut heard).is_err() {
                break;
            }
            self.lines.truncate(LINE_LIMIT);
            skim(&mut heard, &mut stderr);
        }
        if !self.exited {
            heard.push(Heard::now(Event::Killed));
        }
        self.reap();
        // What is left in the pipes was written before the end.
        let _ = read(&mut self.stderr, DREGS, &mut stderr);
        let _ = self.lines.read(&mut self.stdout, SIP, &mut heard);
        skim(&mut heard, &mut stderr);
        if !stderr.is_empty() {
            heard.push(Heard::now(Event::Stderr(Bytes(stderr))));
        }
        heard.push(Heard::now(Event::Used(self.used)));
        heard
    }
}

/// Keeps of a flood after the end only what can be reported: the first lines and the last of stderr.
fn skim(heard: &mut Vec<Heard>, stderr: &mut Vec<u8>) {
    let mut lines = 0;
    heard.retain_mut(|heard| match &mut heard.event {
        Event::Said(_) => {
            lines += 1;
            lines <= LINE_LIMIT
        }
        Event::Stderr(text) => {
            stderr.append(&mut text.0);
            false
        }
        _ => true,
    });
    let excess = stderr.len().saturating_sub(STDERR_KEPT);
    stderr.drain(..excess);
}

impl Drop for Process {
    fn drop(&mut self) {
        // Until it is reaped its process group keeps its number, and may have members that outlive it.
        if !self.reaped {
            self.reap();
        }
        interrupt::forget();
    }
}

pub(super) fn failed(error: &io::Error) -> Heard {
    Heard::now(Event::Failed(Failure { why: format!("the judge cannot hear the bot: {error}") }))
}

#[cfg(target_os = "linux")]
fn exit_fd(pid: Pid) -> Option<OwnedFd> {
    // Before Linux 5.3 there is none; the glances do.
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_fd(_pid: Pid) -> Option<OwnedFd> {
    None
}
