//! A bot as a process: the conversation with the bot, and an end that leaves no process running.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::Signal;

use crate::bot::{Bot, POLL_INTERVAL, TimedEvent, UNMEASURED, UNREADABLE, failed};
use crate::event::{Bytes, Event, Exit, Limit, LimitReport, StillRunning};
use crate::grace::GraceTime;
use crate::interrupt::interrupted;
use crate::limits::{HeldBy, LATE_LIMIT, LATE_STDERR_KEPT, LINE_LIMIT, Limits};
use crate::pipes::{MAX_CAPACITY, Pipes, READ_CHUNK, poll_one};
use crate::stderr_excerpt::StderrExcerpt;
use crate::usage::LimitWatch;
use crate::warden::Program;

pub struct Process {
    pipes: Pipes,
    watch: LimitWatch,
    /// Events from before the current game that this game must still receive.
    pending: Vec<TimedEvent>,
}

impl Process {
    pub(super) fn new(program: Program, pipes: Pipes) -> Self {
        Self { pipes, watch: LimitWatch::new(program), pending: Vec::new() }
    }

    pub fn held_by(&self) -> Option<HeldBy> {
        self.watch.program.held_by()
    }

    pub fn begin_game(&mut self) {
        let begun = self.watch.begin_game();
        self.pending.extend(begun.context(UNMEASURED).as_ref().err().map(failed));
        // Whether the previous game received these events depends on timing, so this game always receives them.
        self.pending.extend(self.watch.program.exited.map(|exit| TimedEvent::now(Event::Exited(exit))));
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
        let timeout = if self.watch.program.has_new_exit() { Duration::ZERO } else { timeout };
        let (known, was_open) = (events.len(), self.pipes.stdout.is_some());
        let watched = self.pipes.watched(self.watch.program.exit_fd(), true);
        let [exit, stdout, stderr, stdin] = poll_one(watched, timeout)?;
        if stdin {
            self.pipes.write();
        }
        if stdout {
            self.pipes.read_lines(READ_CHUNK, events)?;
        }
        if stderr && let Some(text) = self.pipes.read_stderr(READ_CHUNK)? {
            self.watch.restart_quiet_time_now();
            events.push(text);
        }
        // A killed warden ends its bot, whose last output then decides nothing.
        let is_closed = self.pipes.stdout.is_none();
        if (exit || was_open && is_closed || self.watch.program.has_new_exit())
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
        let Some(exit) = self.watch.program.new_exit().map_err(io::Error::other)? else { return Ok(()) };
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

    /// Returns the events that end a wait, if the bot has reached a limit.
    fn check(&mut self, waited: Duration, limits: &Limits) -> Vec<TimedEvent> {
        let report = match self.watch.check(waited, limits) {
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
        let snapshot = self.watch.snapshot_now().ok().filter(|_| cfg!(target_os = "linux"))?;
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
        self.watch.restart_quiet_time();
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
        let mut events =
            self.check(Duration::ZERO, &Limits { wall: Duration::MAX, idle: Duration::MAX, ..*limits });
        while events.is_empty() {
            // Measure the time before reading the pipes: a line is late only if it is missing after the limit.
            let waited = started.elapsed();
            self.pump(limits.wall.saturating_sub(waited).min(POLL_INTERVAL), &mut events);
            if has_news(&events) {
                return events;
            }
            if self.pipes.has_long_line() {
                events.push(self.report(LimitReport::new(Limit::Line)));
            } else if interrupted() {
                events.push(TimedEvent::now(Event::Interrupted));
            } else {
                events.extend(self.check(waited, limits));
            }
        }
        events
    }

    fn used(&mut self) -> TimedEvent {
        match self.watch.used() {
            Ok(used) => TimedEvent::now(Event::Used(used)),
            Err(error) => failed(&error.context(UNMEASURED)),
        }
    }

    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        let mut grace_time = GraceTime::new(grace, Instant::now());
        let mut output = LateOutput::new();
        self.pipes.end_input();
        while self.watch.program.is_running() {
            let is_late = grace_time.is_over(Instant::now(), || self.watch.work());
            let is_interrupted = interrupted();
            let mut events = Vec::new();
            // If `pump` finds that the bot has ended, the bot counts as having ended in time, however late this call
            // is.
            let timeout = if is_late { Duration::ZERO } else { POLL_INTERVAL.min(grace) };
            let pumped = self.try_pump(timeout, &mut events).context(UNREADABLE);
            output.extend(events);
            self.pipes.unfinished.truncate(LINE_LIMIT);
            match pumped {
                Err(error) => output.extend([failed(&error)]),
                Ok(()) if !self.watch.program.is_running() => {}
                // The interrupt left the bot no time to end, which is not the bot's fault.
                Ok(()) if is_interrupted => output.extend([TimedEvent::now(Event::Interrupted)]),
                Ok(()) if is_late => {
                    output.extend(self.still_running().filter(|_| !grace.is_zero()));
                    output.extend([TimedEvent::now(Event::Killed)]);
                }
                Ok(()) => continue,
            }
            break;
        }
        let used = self.watch.end();
        // The bytes left in the pipes were written before the end.
        let mut events = Vec::from_iter(self.pipes.read_stderr(MAX_CAPACITY).unwrap_or_default());
        let _ = self.pipes.read_lines(READ_CHUNK, &mut events);
        output.extend(events);
        let mut events = output.into_events();
        events.push(TimedEvent::now(Event::Used(used)));
        events
    }
}

/// The events of a bot's end. Of the output, only the first lines and the beginning and the end of stderr are kept.
struct LateOutput {
    events: Vec<TimedEvent>,
    lines: usize,
    stderr: StderrExcerpt,
}

impl LateOutput {
    fn new() -> Self {
        let stderr = StderrExcerpt::new(LATE_STDERR_KEPT, LATE_STDERR_KEPT);
        Self { events: Vec::new(), lines: 0, stderr }
    }

    fn extend(&mut self, events: impl IntoIterator<Item = TimedEvent>) {
        for timed in events {
            self.lines += usize::from(matches!(timed.event, Event::Received(_)));
            match timed.event {
                Event::Received(_) if self.lines > LATE_LIMIT => {}
                Event::Stderr(text) => self.stderr.extend(&text.0),
                _ => self.events.push(timed),
            }
        }
    }

    /// Returns all kept events, stderr last.
    fn into_events(mut self) -> Vec<TimedEvent> {
        let StderrExcerpt { head, tail, omitted, .. } = self.stderr;
        let text =
            |text: Vec<u8>| Some(text).filter(|text| !text.is_empty()).map(|text| Event::Stderr(Bytes(text)));
        let omitted = Some(omitted).filter(|omitted| omitted.bytes > 0).map(Event::StderrOmitted);
        let stderr = [text(head), omitted, text(tail.into())];
        self.events.extend(stderr.into_iter().flatten().map(TimedEvent::now));
        self.events
    }
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
    use super::*;

    #[test]
    fn late_output_is_limited() {
        let mut output = LateOutput::new();
        for _ in 0..10 {
            let line = || TimedEvent::now(Event::Received(Bytes(b"late\n".to_vec())));
            output.extend((0..LATE_LIMIT).map(|_| line()));
            output.extend(vec![TimedEvent::now(Event::Stderr(Bytes(vec![b'x'; LATE_STDERR_KEPT])))]);
        }
        output.extend(vec![
            TimedEvent::now(Event::Closed),
            TimedEvent::now(Event::Stderr(Bytes(b"last".to_vec()))),
        ]);
        let mut events = output.into_events();
        let mut last = || events.pop().map(|timed| timed.event);
        let [tail, omitted, head] = [last(), last(), last()];
        let (Some(Event::Stderr(Bytes(head))), Some(Event::Stderr(Bytes(tail)))) = (head, tail) else {
            panic!("stderr is the last")
        };
        assert_eq!((head.len(), tail.len()), (LATE_STDERR_KEPT, LATE_STDERR_KEPT));
        assert!(tail.ends_with(b"xlast"));
        assert!(
            matches!(omitted, Some(Event::StderrOmitted(omitted)) if omitted.bytes == 8 * LATE_STDERR_KEPT as u64 + 4)
        );
        assert!(matches!(events.pop().map(|timed| timed.event), Some(Event::Closed)));
        assert_eq!(events.len(), LATE_LIMIT);
    }
}
