//! A bot as a process: conversation with it, and an end that leaves nothing running.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::Signal;

use super::bot::{Bot, POLL_INTERVAL, TimedEvent, WaitLimits};
use super::child::BotChild;
use super::delay::DelayMonitor;
use super::interrupt::interrupted;
use super::late_output::LateOutput;
use super::pipes::Pipes;
use super::start::Start;
use super::usage::limit_watch::{LimitWatch, ReachedLimit};
use super::usage::meter::Meter;
use super::{descendants, stop};
use crate::referee::event::{Bytes, Event, Exit, Failure, Limit, LimitReport, Usage};
use crate::referee::limits::{HeldBy, LINE_LIMIT};

/// How long the judge polls for an answer without a pause before it sleeps until one comes: a quick bot answers
/// sooner than the judge could fall asleep and be woken.
const SPIN_TIME: Duration = Duration::from_micros(50);

/// How long the judge polls without a pause on this machine: the bot needs a single processor itself.
fn spin_time() -> Duration {
    static IS_ALONE: OnceLock<bool> = OnceLock::new();
    let is_alone = || thread::available_parallelism().is_ok_and(|processors| processors.get() == 1);
    if *IS_ALONE.get_or_init(is_alone) { Duration::ZERO } else { SPIN_TIME }
}

/// A running bot.
pub(crate) struct Process {
    child: BotChild,
    pipes: Pipes,
    watch: LimitWatch,
    delays: DelayMonitor,
    /// How it has ended by itself.
    exited: Option<Exit>,
    /// What a game that has just begun is still to be given of what came before it.
    pending: Vec<TimedEvent>,
}

impl Process {
    /// Starts the program in a process group of its own.
    pub(crate) fn spawn(start: &Start) -> anyhow::Result<Self> {
        descendants::become_subreaper()?;
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
        let mut child = BotChild::spawn(&mut command)?
            .with_context(|| format!("the bot {} could not be started", start.program().display()))?;
        let mut process = Self {
            pipes: Pipes::of(child.child_mut()),
            child,
            watch: LimitWatch::new(meter),
            delays: DelayMonitor::new(),
            exited: None,
            pending: Vec::new(),
        };
        process.pipes.set_nonblocking().context("the bot's pipes cannot be made non-blocking")?;
        // Before its first line, so that no game is played whose limits are not held.
        process.watch.update().context(UNMEASURED)?;
        Ok(process)
    }

    /// How the bot is held to its limits, where it is.
    pub(crate) fn held_by(&self) -> Option<HeldBy> {
        let by = if self.watch.group().is_some() { HeldBy::Cgroup } else { HeldBy::Proc };
        cfg!(target_os = "linux").then_some(by)
    }

    /// Waits until a pipe is ready or the process ends, `timeout` at most, and reads and writes what it can.
    fn pump(&mut self, timeout: Duration, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        let exit = self.child.exit_fd().filter(|_| self.exited.is_none());
        let has_exited = self.pipes.pump(exit, timeout, events)?;
        if has_exited || self.child.exit_fd().is_none() {
            self.notice_exit(events)?;
        }
        Ok(())
    }

    /// Pumps while a line is due. A delay of the judge's own comes before what has come meanwhile.
    fn await_line(&mut self, timeout: Duration, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        let at = Instant::now();
        self.pump(timeout, events)?;
        if let Some(delay) = self.delays.after(timeout) {
            self.watch.exclude_delay(delay.by);
            events.insert(0, TimedEvent { at, event: Event::Delayed(delay) });
        }
        Ok(())
    }

    /// Records that the process has ended, if it has. What it printed before counts as before.
    fn notice_exit(&mut self, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        if self.exited.is_some() {
            return Ok(());
        }
        let Some(exit) = self.child.exit()? else { return Ok(()) };
        self.exited = Some(exit);
        self.pipes.drain_stdout(events)?;
        if is_interruption(exit) {
            events.push(TimedEvent::now(Event::Interrupted));
        }
        events.push(TimedEvent::now(Event::Exited(exit)));
        Ok(())
    }

    /// The limit that is reached in a wait of that length, if it is time to look and one is.
    fn check_limits(&mut self, waited: Duration, wait_limits: &WaitLimits) -> Option<TimedEvent> {
        match self.delays.work(|| self.watch.check(waited, wait_limits)) {
            Ok(reached) => reached.map(|reached| self.report(reached)),
            Err(error) => Some(unmeasured(&error)),
        }
    }

    /// The event of a limit, with what the bot is doing.
    fn report(&self, ReachedLimit { limit, snapshot, quiet }: ReachedLimit) -> TimedEvent {
        TimedEvent::now(Event::Limit(LimitReport {
            limit,
            used: snapshot.used,
            sleeping: snapshot.sleeping,
            stopped: snapshot.stopped,
            quiet,
            channel: snapshot.channel,
            unread: self.pipes.unread(),
            unfinished: Bytes(self.pipes.fragment().to_vec()),
        }))
    }

    /// Why to wait no longer, after a look at the pipes that found no line.
    fn check_wait(&mut self, waited: Duration, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        if interrupted() {
            return vec![TimedEvent::now(Event::Interrupted)];
        }
        let Some(reached) = self.check_limits(waited, wait_limits) else { return Vec::new() };
        let mut events = Vec::new();
        // The bot may have printed its line and fallen asleep while the judge did not run.
        if is_idle(&reached)
            && let Err(error) = self.await_line(Duration::ZERO, &mut events)
        {
            events.push(failed(&error));
        }
        if !has_news(&events) {
            events.push(reached);
        }
        events
    }

    /// Ends and reaps the bot and everything that it started; what they used.
    fn reap(&mut self) -> Usage {
        // The last that is known of its processes. If it cannot be read, nothing follows from that any more.
        let _ = self.watch.update();
        self.child.kill();
        if let Some(group) = self.watch.group() {
            group.kill();
        }
        let used = self.child.reap();
        descendants::end_all();
        self.watch.end(used)
    }
}

impl Bot for Process {
    fn begin_game(&mut self) {
        let begun = self.watch.begin_game();
        self.pending.extend(begun.err().map(|error| unmeasured(&error)));
        // Whether the game before was given these depends on the moment, and this one shall not.
        self.pending.extend(self.exited.map(|exit| TimedEvent::now(Event::Exited(exit))));
        if self.pipes.is_closed() {
            self.pending.push(TimedEvent::now(Event::Closed));
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.watch.restart_quiet_time();
        self.delays.restart();
        self.pipes.send(bytes);
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        let mut events = std::mem::take(&mut self.pending);
        if let Err(error) = self.pump(Duration::ZERO, &mut events) {
            events.push(failed(&error));
        }
        events
    }

    fn wait(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        let started = Instant::now();
        let mut events = Vec::new();
        // A bot that always answers at once is measured as well. Whether it is late is known after its line.
        let usage_limits = WaitLimits { wall: Duration::MAX, idle: Duration::MAX, ..*wait_limits };
        events.extend(self.check_limits(Duration::ZERO, &usage_limits));
        while events.is_empty() {
            // Known before the judge looks: a line is too late only if it is not there after the limit.
            let waited = started.elapsed();
            let is_spinning = waited < spin_time();
            let left = wait_limits.wall.saturating_sub(waited).min(POLL_INTERVAL);
            if let Err(error) = self.await_line(if is_spinning { Duration::ZERO } else { left }, &mut events)
            {
                events.push(failed(&error));
            }
            if has_news(&events) {
                return events;
            }
            if self.pipes.fragment().len() > LINE_LIMIT {
                let (snapshot, quiet) = Default::default();
                events.push(self.report(ReachedLimit { limit: Limit::Line, snapshot, quiet }));
            } else if is_spinning {
                // Not to yield: where programs outnumber the processors, that gives away tens of milliseconds.
                std::hint::spin_loop();
            } else {
                events.extend(self.check_wait(waited, wait_limits));
            }
        }
        events
    }

    fn used(&mut self) -> TimedEvent {
        match self.watch.used() {
            Ok(used) => TimedEvent::now(Event::Used(used)),
            Err(error) => unmeasured(&error),
        }
    }

    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        let deadline = Instant::now() + grace;
        let mut output = LateOutput::default();
        while self.exited.is_none() {
            // Once all is written nothing more is sent.
            self.pipes.finish_input();
            let left = deadline.saturating_duration_since(Instant::now());
            let is_interrupted = interrupted();
            let mut events = Vec::new();
            // However late the judge looks, a bot that has ended by then has ended in time.
            let pumped = self.pump(left.min(POLL_INTERVAL), &mut events);
            output.extend(events);
            self.pipes.shorten_fragment();
            let end = match pumped {
                Err(error) => failed(&error),
                Ok(()) if self.exited.is_some() => break,
                // That it had no time to end is nobody's fault.
                Ok(()) if is_interrupted => TimedEvent::now(Event::Interrupted),
                Ok(()) if left.is_zero() => TimedEvent::now(Event::Killed),
                Ok(()) => continue,
            };
            output.extend(vec![end]);
            break;
        }
        let used = self.reap();
        // What is left in the pipes was written before the end.
        let mut events = Vec::new();
        let _ = self.pipes.drain_stderr(&mut events);
        let _ = self.pipes.read_stdout(&mut events);
        output.extend(events);
        let mut events = output.into_events();
        events.push(TimedEvent::now(Event::Used(used)));
        events
    }
}

/// Whether there is more than what the bot wrote to stderr.
fn has_news(events: &[TimedEvent]) -> bool {
    events.iter().any(|timed| !matches!(timed.event, Event::Stderr(_)))
}

/// Whether it is the limit on the time without any sign of life.
fn is_idle(timed: &TimedEvent) -> bool {
    matches!(&timed.event, Event::Limit(LimitReport { limit: Limit::Idle, .. }))
}

/// Whether a bot has died of what was meant for the judge: until it has a process group of its own, a Ctrl-C
/// reaches it as well.
fn is_interruption(exit: Exit) -> bool {
    let signals = [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM];
    if !matches!(exit, Exit::Signal(number) if signals.iter().any(|signal| signal.as_raw() == number)) {
        return false;
    }
    if !interrupted() {
        // The judge's own signal may not be noted yet.
        thread::sleep(POLL_INTERVAL);
    }
    interrupted()
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.child.is_reaped() {
            self.reap();
        }
    }
}

/// Why a game cannot be played or not go on.
const UNMEASURED: &str = "the judge cannot see what the bot uses, and so cannot hold it to its limits";

fn unmeasured(error: &anyhow::Error) -> TimedEvent {
    TimedEvent::now(Event::Failed(Failure { why: format!("{UNMEASURED}: {error:#}") }))
}

/// The event of a stream of the bot's that cannot be read.
pub(super) fn failed(error: &io::Error) -> TimedEvent {
    TimedEvent::now(Event::Failed(Failure { why: format!("the judge cannot read from the bot: {error}") }))
}
