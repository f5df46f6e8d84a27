//! A bot as a process: the conversation with the bot, and an end that leaves no process running. If another program has started
//! the bot, the judge has only the two streams of the conversation.

use std::io::{self, PipeReader, PipeWriter, Stdin, Stdout};
use std::os::fd::AsFd;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::Signal;

use crate::bot::{Bot, POLL_INTERVAL, TimedEvent, UNMEASURED, UNREADABLE, failed};
use crate::event::{Bytes, Event, Exit, Limit, LimitReport, StillRunning, Usage};
use crate::grace::GraceTime;
use crate::interrupt::{self, interrupted};
use crate::limits::{HeldBy, LATE_LIMIT, LATE_STDERR_KEPT, LINE_LIMIT, Limits};
use crate::pipes::{MAX_CAPACITY, Pipes, READ_CHUNK, poll_all};
use crate::stderr_excerpt::StderrExcerpt;
use crate::usage::LimitWatch;
use crate::warden::Program;

pub struct Process {
    pipes: Pipes,
    /// `None` if another program has started the bot. The judge then knows nothing about the bot except its output.
    watch: Option<LimitWatch>,
    /// When the judge last sent or received something.
    latest: Instant,
    /// Events from before the current game that this game must still receive.
    pending: Vec<TimedEvent>,
}

impl Process {
    pub(super) fn new(program: Program, pipes: Pipes) -> Self {
        Self { pipes, watch: Some(LimitWatch::new(program)), latest: Instant::now(), pending: Vec::new() }
    }

    /// Takes over the judge's own stdin and stdout, through which a bot that another program has started talks to the
    /// judge. From now on, all other output of the judge goes to stderr.
    pub fn on_stdio(stdin: &Stdin, stdout: &Stdout) -> anyhow::Result<Self> {
        // The bot is running, and its runner may end the judge as soon as the header is printed.
        interrupt::record_first();
        let from_bot = stdin.as_fd().try_clone_to_owned().context("stdin cannot be taken over")?;
        let to_bot = stdout.as_fd().try_clone_to_owned().context("stdout cannot be taken over")?;
        rustix::stdio::dup2_stdout(io::stderr()).context("stdout cannot be taken over")?;
        Ok(Self::started_by_another(to_bot.into(), from_bot.into()))
    }

    fn started_by_another(to_bot: PipeWriter, from_bot: PipeReader) -> Self {
        // The judge shares these streams with the program that started it. Making them non-blocking would also change
        // that program's streams.
        let mut pipes = Pipes::default();
        (pipes.stdin, pipes.stdout, pipes.is_blocking) = (Some(to_bot), Some(from_bot), true);
        Self { pipes, watch: None, latest: Instant::now(), pending: Vec::new() }
    }

    fn program(&self) -> Option<&Program> {
        self.watch.as_ref().map(|watch| &watch.program)
    }

    pub fn held_by(&self) -> Option<HeldBy> {
        self.program()?.held_by()
    }

    fn has_new_exit(&self) -> bool {
        self.program().is_some_and(Program::has_new_exit)
    }

    /// Checks whether the bot may still do something. Of a bot that another program has started, only the output shows
    /// that.
    fn is_running(&self) -> bool {
        self.program().map_or(self.pipes.stdout.is_some(), Program::is_running)
    }

    pub fn begin_game(&mut self) {
        let begun = self.watch.iter_mut().try_for_each(LimitWatch::begin_game);
        self.pending.extend(begun.context(UNMEASURED).as_ref().err().map(failed));
        // Whether the previous game received these events depends on timing, so this game always receives them.
        let exited = self.program().and_then(|program| program.exited);
        self.pending.extend(exited.map(|exit| TimedEvent::now(Event::Exited(exit))));
        if self.pipes.stdout.is_none() {
            self.pending.push(TimedEvent::now(Event::Closed));
        }
    }

    /// Waits at most `timeout` until a pipe is ready or the process ends, and reads and writes without blocking.
    fn pump(&mut self, timeout: Duration, events: &mut Vec<TimedEvent>) {
        let pumped = self.try_pump(timeout, events).context(UNREADABLE);
        events.extend(pumped.as_ref().err().map(failed));
    }

    fn try_pump(&mut self, timeout: Duration, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        let timeout = if self.has_new_exit() { Duration::ZERO } else { timeout };
        let (known, was_open) = (events.len(), self.pipes.stdout.is_some());
        let watched = self.pipes.watched(self.program().and_then(Program::exit_fd), true);
        let [exit, stdout, stderr, stdin] = poll_all(vec![watched], timeout)?[0];
        if stdin {
            self.pipes.write();
        }
        if stdout {
            self.latest = Instant::now();
            self.pipes.read_lines(READ_CHUNK, events)?;
        }
        if stderr && let Some(text) = self.pipes.read_stderr(READ_CHUNK)? {
            self.watch.iter_mut().for_each(LimitWatch::restart_quiet_time_now);
            events.push(text);
        }
        // A killed warden ends its bot, whose last output then decides nothing.
        let is_closed = self.pipes.stdout.is_none();
        if (exit || was_open && is_closed || self.has_new_exit())
            && let Err(error) = self.notice_exit(events)
        {
            events.truncate(known);
            return Err(error);
        }
        Ok(())
    }

    /// Records the end of the process, if it has ended, after the output from before the end. If another process holds the
    /// output open, what it writes later is not the bot's.
    fn notice_exit(&mut self, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        let Some(watch) = &mut self.watch else { return Ok(()) };
        let Some(exit) = watch.program.new_exit().map_err(io::Error::other)? else { return Ok(()) };
        self.pipes.read_lines(MAX_CAPACITY, events)?;
        self.pipes.end_line(Instant::now(), events);
        self.pipes.stdout = None;
        events.extend(exit_events(exit));
        Ok(())
    }

    fn report(&self, report: LimitReport) -> TimedEvent {
        let unread = self.pipes.unread() + self.pipes.undelivered();
        let unfinished = Bytes(self.pipes.unfinished.clone());
        TimedEvent::now(Event::Limit(LimitReport { unread, unfinished, ..report }))
    }

    /// Returns the events that end a wait since `started`, if the bot has reached a limit at the time `now`.
    fn check(&mut self, now: Instant, started: Instant, limits: &Limits) -> Vec<TimedEvent> {
        let waited = now.saturating_duration_since(started);
        let reached = if let Some(watch) = &mut self.watch {
            watch.check(waited, limits)
        } else {
            let quiet = now.saturating_duration_since(self.latest);
            let is_idle = (quiet >= limits.idle).then_some(Limit::Idle);
            let limit = (waited >= limits.wall).then_some(Limit::Wall).or(is_idle);
            Ok(limit.map(|limit| LimitReport { quiet, ..LimitReport::new(limit) }))
        };
        let report = match reached {
            Ok(Some(report)) => report,
            Ok(None) => return Vec::new(),
            Err(error) => return vec![failed(&error.context(UNMEASURED))],
        };
        let mut events = Vec::new();
        // The bot may have printed its line while the judge did not run.
        if matches!(report.limit, Limit::Idle | Limit::Wall) {
            self.pump(Duration::ZERO, &mut events);
        }
        let is_at_work = !events.is_empty() && report.limit == Limit::Idle;
        if !has_news(&events) && !is_at_work {
            events.push(self.report(report));
        }
        events
    }

    /// Returns an event with the state of a bot that has not ended in time; `None` if the state cannot be read.
    fn still_running(&mut self) -> Option<TimedEvent> {
        // On systems other than Linux the snapshot shows nothing.
        let snapshot = self.watch.as_mut()?.snapshot_now().ok().filter(|_| cfg!(target_os = "linux"))?;
        let running = StillRunning { sleeping: snapshot.sleeping, channel: snapshot.channel };
        Some(TimedEvent::now(Event::StillRunning(running)))
    }
}

/// Checks for an event other than output on stderr.
fn has_news(events: &[TimedEvent]) -> bool {
    events.iter().any(|timed| !matches!(timed.event, Event::Stderr(_)))
}

impl Bot for Process {
    fn send(&mut self, bytes: &[u8]) {
        self.watch.iter_mut().for_each(LimitWatch::restart_quiet_time);
        self.latest = Instant::now();
        self.pipes.outgoing.extend(bytes);
        self.pipes.write();
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        let mut events = std::mem::take(&mut self.pending);
        // `wait` reports that a line is too long.
        if !self.pipes.has_long_line() {
            self.pump(Duration::ZERO, &mut events);
        }
        events
    }

    fn wait(&mut self, limits: &Limits) -> Vec<TimedEvent> {
        let started = Instant::now();
        // Check the usage first, so that it is measured even if the bot always answers at once.
        let untimed = Limits { wall: Duration::MAX, idle: Duration::MAX, ..*limits };
        let mut events = self.check(started, started, &untimed);
        while events.is_empty() {
            // Measure the time before reading the pipes: a line is late only if it is missing after the limit.
            let now = Instant::now();
            let left = limits.wall.saturating_sub(now.saturating_duration_since(started));
            self.pump(left.min(POLL_INTERVAL), &mut events);
            if has_news(&events) {
                return events;
            }
            if self.pipes.has_long_line() {
                events.push(self.report(LimitReport::new(Limit::Line)));
            } else if interrupted() {
                events.push(TimedEvent::now(Event::Interrupted));
            } else {
                events.extend(self.check(now, started, limits));
            }
        }
        events
    }

    fn used(&mut self) -> TimedEvent {
        match self.watch.as_mut().map_or(Ok(Usage::default()), LimitWatch::used) {
            Ok(used) => TimedEvent::now(Event::Used(used)),
            Err(error) => failed(&error.context(UNMEASURED)),
        }
    }

    /// If another program has started the bot, waits for the end of its output. No event says that the output does not
    /// end, because the judge cannot distinguish a bot that continues from a runner that holds the bot's pipe open.
    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        let mut grace_time = GraceTime::new(grace, Instant::now());
        let mut events = Vec::new();
        let mut stderr = StderrExcerpt::new(LATE_STDERR_KEPT, LATE_STDERR_KEPT);
        self.pipes.end_input();
        while self.is_running() {
            let is_late = grace_time.is_over(Instant::now(), || self.watch.as_mut()?.work());
            let is_interrupted = interrupted();
            // If `pump` finds that the bot has ended, the bot counts as having ended in time, however late this call
            // is.
            let timeout = if is_late { Duration::ZERO } else { POLL_INTERVAL.min(grace) };
            let pumped = self.try_pump(timeout, &mut events).context(UNREADABLE);
            limit_late_output(&mut events, &mut stderr);
            self.pipes.unfinished.truncate(LINE_LIMIT);
            match pumped {
                Ok(()) if !is_late && !is_interrupted => continue,
                Ok(()) if !self.is_running() => {}
                _ if self.watch.is_none() => {}
                Err(error) => events.push(failed(&error)),
                // The interrupt left the bot no time to end, which is not the bot's fault.
                Ok(()) if is_interrupted => events.push(TimedEvent::now(Event::Interrupted)),
                Ok(()) => {
                    events.extend(self.still_running().filter(|_| !grace.is_zero()));
                    events.push(TimedEvent::now(Event::Killed));
                }
            }
            break;
        }
        let used = self.watch.as_mut().map(LimitWatch::end);
        if used.is_some() {
            // The bytes left in the pipes were written before the end.
            events.extend(self.pipes.read_stderr(MAX_CAPACITY).unwrap_or_default());
            let _ = self.pipes.read_lines(READ_CHUNK, &mut events);
        } else {
            self.pipes.end_line(Instant::now(), &mut events);
        }
        limit_late_output(&mut events, &mut stderr);
        events.extend(stderr.into_events().chain(used.map(Event::Used)).map(TimedEvent::now));
        events
    }
}

/// Leaves only the first lines of a bot's end in `events`, and moves its stderr to `stderr`.
fn limit_late_output(events: &mut Vec<TimedEvent>, stderr: &mut StderrExcerpt) {
    let mut lines = 0;
    events.retain(|timed| match &timed.event {
        Event::Stderr(text) => {
            stderr.extend(&text.0);
            false
        }
        Event::Received(_) => {
            lines += 1;
            lines <= LATE_LIMIT
        }
        _ => true,
    });
}

/// How long to wait for the judge's own signal after a signal ended its bot. A sender that signals both, such as a
/// batch system that ends all processes of a task, signals one process after the other.
const OWN_SIGNAL_TIMEOUT: Duration = Duration::from_secs(1);

/// Returns the events of a program that has ended by itself.
pub(super) fn exit_events(exit: Exit) -> impl Iterator<Item = TimedEvent> {
    let interruption = is_interruption(exit).then_some(Event::Interrupted);
    interruption.into_iter().chain([Event::Exited(exit)]).map(TimedEvent::now)
}

/// Checks whether a signal that was meant for the judge ended its bot. A program that catches the signal exits with 128
/// and the number of the signal, as a shell and a Java machine do.
fn is_interruption(exit: Exit) -> bool {
    let signals = [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM].map(Signal::as_raw);
    let (Exit::Signal(signal) | Exit::Code(signal)) = exit;
    let offset = if matches!(exit, Exit::Code(_)) { 128 } else { 0 };
    if !signals.contains(&(signal - offset)) {
        return false;
    }
    let deadline = Instant::now() + OWN_SIGNAL_TIMEOUT;
    while !interrupted() && Instant::now() < deadline {
        thread::sleep(POLL_INTERVAL);
    }
    interrupted()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::stderr_excerpt::Omitted;

    /// Checks that the judge stops reading a line that is too long.
    #[test]
    fn a_line_without_end_stays_in_the_pipe() {
        let (from_bot, mut bot) = io::pipe().unwrap();
        let mut process = Process::started_by_another(io::pipe().unwrap().1, from_bot);
        for _ in 0..100 {
            bot.write_all(&[b'x'; LINE_LIMIT / 2]).unwrap();
            assert!(process.drain().is_empty());
            if process.pipes.has_long_line() {
                break;
            }
        }
        let length = process.pipes.unfinished.len();
        bot.write_all(b"x\n").unwrap();
        assert!(process.drain().is_empty());
        assert_eq!(process.pipes.unfinished.len(), length);
    }

    #[test]
    fn late_output_is_limited() {
        let (mut events, mut stderr) = (Vec::new(), StderrExcerpt::new(3, 3));
        for _ in 0..2 {
            let line = || TimedEvent::now(Event::Received(Bytes(b"late\n".to_vec())));
            events.extend((0..LATE_LIMIT).map(|_| line()));
            events.push(TimedEvent::now(Event::Stderr(Bytes(b"12345678".to_vec()))));
            limit_late_output(&mut events, &mut stderr);
        }
        events.push(TimedEvent::now(Event::Closed));
        limit_late_output(&mut events, &mut stderr);
        assert_eq!(events.len(), LATE_LIMIT + 1);
        assert!(matches!(events.last(), Some(TimedEvent { event: Event::Closed, .. })));
        let text = |text: &str| Event::Stderr(Bytes(text.into()));
        let omitted = Event::StderrOmitted(Omitted { bytes: 10, lines: 0 });
        assert_eq!(stderr.into_events().collect::<Vec<_>>(), [text("123"), omitted, text("678")]);
    }
}
