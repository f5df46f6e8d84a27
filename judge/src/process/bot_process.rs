//! A bot as a process: its start, what is heard of it, and an end that leaves nothing running.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process, kill_process_group, waitid,
};
use wait4::Wait4;

use super::delay::DelayMonitor;
use super::meter::Meter;
use super::pipes::{DREGS, Pipes, SIP};
#[cfg(target_os = "linux")]
use super::reaper;
use super::start::Start;
use super::tree::{self, Look};
use super::watch::{GLANCE, Watch};
use super::{Bot, TimedEvent, WaitLimits};
use crate::process::interrupt::{self, interrupted};
use crate::process::stop;
use crate::referee::event::{Bytes, Event, Exit, Failure, Limit, LimitReport, Usage};
use crate::referee::limits::{HeldBy, LATE_LIMIT, LINE_LIMIT, STDERR_KEPT};

/// How long the judge looks for an answer without pause before it sleeps until one comes.
const EAGER: Duration = Duration::from_micros(50);

/// The same on this machine: the bot needs a lone processor itself.
fn eager_time() -> Duration {
    static IS_ALONE: OnceLock<bool> = OnceLock::new();
    let is_alone = || thread::available_parallelism().is_ok_and(|processors| processors.get() == 1);
    if *IS_ALONE.get_or_init(is_alone) { Duration::ZERO } else { EAGER }
}

/// How long the judge waits for the end of a process that it has killed.
const PERSISTENCE: Duration = Duration::from_secs(1);

/// A running bot.
pub(crate) struct Process {
    child: Child,
    pid: Pid,
    /// Readable once the process has ended, where the system has such a thing.
    exit: Option<OwnedFd>,
    pipes: Pipes,
    watch: Watch,
    delays: DelayMonitor,
    /// How it has ended by itself.
    exited: Option<Exit>,
    /// Whether the system has been told that the process is done with.
    reaped: bool,
    /// What a game that has just begun is to hear of an end that came before it.
    news: Vec<TimedEvent>,
}

impl Process {
    /// Starts the program in a process group of its own.
    pub(crate) fn spawn(start: &Start) -> anyhow::Result<Self> {
        tree::adopt()?;
        // Before there is a bot that could stop the judge.
        stop::watch()?;
        let group = start.group()?;
        let command = start.command(group.as_ref())?;
        let (program, args) = command.split_first().context("expected the bot's command")?;
        // From here on its processes are counted.
        let meter = Meter::new(group, start.limits());
        let mut command = Command::new(program);
        command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = spawn(&mut command)?
            .with_context(|| format!("the bot {} could not be started", start.program().display()))?;
        let pid = Pid::from_child(&child);
        let pipes = Pipes::of(&mut child);
        interrupt::remember(pid);
        let mut process = Self {
            pid,
            exit: exit_fd(pid),
            child,
            pipes: pipes.context("the bot's pipes cannot be made non-blocking")?,
            watch: Watch::new(meter),
            delays: DelayMonitor::new(),
            exited: None,
            reaped: false,
            news: Vec::new(),
        };
        // Before its first line, so that no game is played whose limits are not held.
        process.watch.look_now().context(UNWATCHED)?;
        Ok(process)
    }

    /// How the bot is held to its limits, where it is.
    pub(crate) fn held_by(&self) -> Option<HeldBy> {
        let by = if self.watch.group().is_some() { HeldBy::Cgroup } else { HeldBy::Proc };
        cfg!(target_os = "linux").then_some(by)
    }

    /// Waits until a pipe moves or the process ends, `wait_limits` at most, and moves what can be moved.
    fn pump(&mut self, wait_limits: Duration, heard: &mut Vec<TimedEvent>) -> io::Result<()> {
        let exit = self.exit.as_ref().filter(|_| self.exited.is_none());
        let told = self.pipes.pump(exit, wait_limits, heard)?;
        if told || self.exit.is_none() {
            self.notice_exit(heard)?;
        }
        Ok(())
    }

    /// The same while a line is due. A delay of the judge's own comes before what has come meanwhile.
    fn await_line(&mut self, wait_limits: Duration, heard: &mut Vec<TimedEvent>) -> io::Result<()> {
        let at = Instant::now();
        self.pump(wait_limits, heard)?;
        if let Some(delay) = self.delays.after(wait_limits) {
            self.watch.delay(delay.by);
            heard.insert(0, TimedEvent { at, event: Event::Delayed(delay) });
        }
        Ok(())
    }

    fn ended(&self) -> io::Result<Option<WaitIdStatus>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.pid), options)?)
    }

    /// Sees whether the process has ended. What it said before it did counts as before; it is not reaped, so
    /// its process group keeps its number.
    fn notice_exit(&mut self, heard: &mut Vec<TimedEvent>) -> io::Result<()> {
        let Some(status) = self.ended()?.filter(|_| self.exited.is_none()) else { return Ok(()) };
        let exit = match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, signal) => Exit::Signal(signal.unwrap_or(0)),
        };
        self.exited = Some(exit);
        self.pipes.drain_stdout(heard)?;
        if is_interruption(exit) {
            heard.push(TimedEvent::now(Event::Interrupted));
        }
        heard.push(TimedEvent::now(Event::Exited(exit)));
        Ok(())
    }

    /// The limit that is reached in a wait of that length, if it is time to look and one is.
    fn reached(&mut self, waited: Duration, wait_limits: &WaitLimits) -> Option<TimedEvent> {
        match self.watch.limit(waited, wait_limits) {
            Ok(limit) => limit.map(|(limit, look, quiet)| self.standing(limit, look, quiet)),
            Err(error) => Some(unwatched(&error)),
        }
    }

    /// What the bot does while its line is due.
    fn standing(&self, limit: Limit, look: Look, quiet: Duration) -> TimedEvent {
        TimedEvent::now(Event::Limit(LimitReport {
            limit,
            used: look.used,
            sleeping: look.sleeping,
            stopped: look.stopped,
            quiet,
            channel: look.channel,
            unread: self.pipes.unread(),
            unfinished: Bytes(self.pipes.fragment().to_vec()),
        }))
    }

    /// Ends the bot, wherever it has gone, its process group, and all that it started; those already gone are
    /// no error.
    fn kill(&self) {
        let _ = kill_process_group(self.pid, Signal::KILL);
        let _ = kill_process(self.pid, Signal::KILL);
        if let Some(group) = self.watch.group() {
            group.kill();
        }
    }

    /// Ends and reaps the bot and all that it started; what they used.
    fn reap(&mut self) -> Usage {
        // The last that is known of what it leaves behind. If that fails, nothing can be made of it any more.
        let _ = self.watch.look_now();
        self.kill();
        self.reaped = true;
        let deadline = Instant::now() + PERSISTENCE;
        while matches!(self.ended(), Ok(None)) && Instant::now() < deadline {
            let _ = self.pipes.pump(self.exit.as_ref(), Duration::from_millis(1), &mut Vec::new());
        }
        // One that cannot be killed, as a program of another user's, is left to the system.
        let bot = match self.ended() {
            Ok(None) => None,
            _ => self.child.wait4().ok(),
        };
        tree::end_orphans();
        let cpu = bot.as_ref().map(|bot| bot.rusage.utime + bot.rusage.stime);
        // The kernel's peak counts what the judge itself held when it started the bot.
        let peak = bot.map(|bot| bot.rusage.maxrss).filter(|&peak| Some(peak) > tree::own_peak());
        self.watch.end(Usage { cpu, memory: peak, processes: None })
    }
}

impl Bot for Process {
    fn begin(&mut self) {
        let begun = self.watch.begin();
        self.news.extend(begun.err().map(|error| unwatched(&error)));
        // Whether the game before has heard of it depends on the moment, and this one shall not.
        self.news.extend(self.exited.map(|exit| TimedEvent::now(Event::Exited(exit))));
        if self.pipes.is_closed() {
            self.news.push(TimedEvent::now(Event::Closed));
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.watch.wake();
        self.delays.restart();
        self.pipes.send(bytes);
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        let mut heard = std::mem::take(&mut self.news);
        if let Err(error) = self.pump(Duration::ZERO, &mut heard) {
            heard.push(failed(&error));
        }
        heard
    }

    fn wait(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        let started = Instant::now();
        let mut heard = Vec::new();
        // A bot that always answers at once is looked at as well. Whether it is late its line tells first.
        let in_time = WaitLimits { wall: Duration::MAX, idle: Duration::MAX, ..*wait_limits };
        heard.extend(self.reached(Duration::ZERO, &in_time));
        while heard.is_empty() {
            // Known before the judge looks: a line is too late only if it is not there after the limit.
            let waited = started.elapsed();
            // A quick bot answers sooner than the judge could fall asleep and be woken.
            let eager = waited < eager_time();
            let left = wait_limits.wall.saturating_sub(waited).min(GLANCE);
            if let Err(error) = self.await_line(if eager { Duration::ZERO } else { left }, &mut heard) {
                heard.push(failed(&error));
                return heard;
            }
            if is_news(&heard) {
                return heard;
            }
            if self.pipes.fragment().len() > LINE_LIMIT {
                heard.push(self.standing(Limit::Line, Look::default(), Duration::ZERO));
            } else if eager {
                // Not to yield: where programs outnumber the processors, that gives away tens of milliseconds.
                std::hint::spin_loop();
            } else if interrupted() {
                heard.push(TimedEvent::now(Event::Interrupted));
            } else if let Some(reached) = self.reached(waited, wait_limits) {
                // The bot may have said its line and fallen asleep while the judge did not run.
                if is_idle(&reached)
                    && let Err(error) = self.await_line(Duration::ZERO, &mut heard)
                {
                    heard.push(failed(&error));
                }
                if !is_news(&heard) {
                    heard.push(reached);
                }
            }
        }
        heard
    }

    fn used(&mut self) -> TimedEvent {
        match self.watch.used() {
            Ok(used) => TimedEvent::now(Event::Used(used)),
            Err(error) => unwatched(&error),
        }
    }

    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        let deadline = Instant::now() + grace;
        let (mut heard, mut stderr) = (Vec::new(), Vec::new());
        let mut stopped = false;
        while self.exited.is_none() {
            // It has been told everything.
            self.pipes.finish_input();
            let left = deadline.saturating_duration_since(Instant::now());
            stopped = interrupted();
            // However late the judge looks, a bot that has ended by then has ended in time.
            if stopped || self.pump(left.min(GLANCE), &mut heard).is_err() || left.is_zero() {
                break;
            }
            self.pipes.shorten_fragment();
            skim(&mut heard, &mut stderr);
        }
        if self.exited.is_none() {
            // That it had no time to end is then nobody's fault.
            heard.push(TimedEvent::now(if stopped { Event::Interrupted } else { Event::Killed }));
        }
        let used = self.reap();
        // What is left in the pipes was written before the end.
        let _ = self.pipes.read_stderr(DREGS, &mut heard);
        let _ = self.pipes.read_stdout(SIP, &mut heard);
        skim(&mut heard, &mut stderr);
        if !stderr.is_empty() {
            heard.push(TimedEvent::now(Event::Stderr(Bytes(stderr))));
        }
        heard.push(TimedEvent::now(Event::Used(used)));
        heard
    }
}

/// Whether there is more than what the bot wrote to stderr.
fn is_news(heard: &[TimedEvent]) -> bool {
    heard.iter().any(|heard| !matches!(heard.event, Event::Stderr(_)))
}

/// Whether it is the limit on the time without any sign of life.
fn is_idle(heard: &TimedEvent) -> bool {
    matches!(&heard.event, Event::Limit(LimitReport { limit: Limit::Idle, .. }))
}

/// Keeps of a flood after the end only what can be reported: the first lines and the last of stderr.
fn skim(heard: &mut Vec<TimedEvent>, stderr: &mut Vec<u8>) {
    let mut lines = 0;
    heard.retain_mut(|heard| match &mut heard.event {
        Event::Received(_) => {
            lines += 1;
            lines <= LATE_LIMIT
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

/// Whether a bot has died of what was meant for the judge: until it has a process group of its own, a Ctrl-C
/// reaches it as well.
fn is_interruption(exit: Exit) -> bool {
    let signals = [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM];
    if !matches!(exit, Exit::Signal(number) if signals.iter().any(|signal| signal.as_raw() == number)) {
        return false;
    }
    if !interrupted() {
        // The judge's own signal may yet have to be noted.
        thread::sleep(GLANCE);
    }
    interrupted()
}

impl Drop for Process {
    fn drop(&mut self) {
        // Until it is reaped its process group keeps its number, and may have members that outlive it.
        if !self.reaped {
            self.reap();
        }
        interrupt::forget();
        #[cfg(target_os = "linux")]
        reaper::forget();
    }
}

/// Starts a bot whose orphans are reaped.
#[cfg(target_os = "linux")]
fn spawn(command: &mut Command) -> anyhow::Result<io::Result<Child>> {
    reaper::spawn(command)
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
fn spawn(command: &mut Command) -> anyhow::Result<io::Result<Child>> {
    Ok(command.spawn())
}

/// Why a game cannot be played or not go on.
const UNWATCHED: &str = "the judge cannot see what the bot uses, and so not hold it to its limits";

fn unwatched(error: &anyhow::Error) -> TimedEvent {
    TimedEvent::now(Event::Failed(Failure { why: format!("{UNWATCHED}: {error:#}") }))
}

pub(super) fn failed(error: &io::Error) -> TimedEvent {
    TimedEvent::now(Event::Failed(Failure { why: format!("the judge cannot hear the bot: {error}") }))
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
