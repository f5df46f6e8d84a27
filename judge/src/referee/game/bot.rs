//! A bot as the referee of a game sees it: the referee sends it lines and receives lines from it.

use std::collections::VecDeque;
use std::io::{self, Stdin, Stdout};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use anyhow::Context;
use runner::event::{Bytes, Event, Exit, Limit, StillRunning, TimedEvent, Usage};
use runner::interrupt::{self, interrupted};
use runner::limits::{HeldBy, LINE_LIMIT, Limits};
use runner::party::Party;
use runner::relay::{POLL_INTERVAL, Pair, Relay, Side, SideEvent};
use runner::stderr_excerpt::StderrExcerpt;

/// The program that plays against the judge.
pub(crate) trait Bot {
    /// Sends bytes without blocking. That the bot has closed its stdin shows only when its answer is due.
    fn send(&mut self, bytes: &[u8]);

    /// Returns the events that have already happened, without waiting.
    fn drain(&mut self) -> Vec<TimedEvent> {
        Vec::new()
    }

    /// Waits for at least one event: an action of the bot, or a limit. The wall limit is for this wait alone. Returns no event
    /// if the bot has ended.
    fn wait(&mut self, limits: &Limits) -> Vec<TimedEvent>;

    /// Returns an event with the usage of the bot so far, or with the reason why it is unknown.
    fn used(&mut self) -> TimedEvent {
        TimedEvent::now(Event::Used(Usage::default()))
    }

    /// Waits at most `grace` for the bot to end, and then ends the bot and everything that it started.
    fn end(&mut self, grace: Duration) -> Vec<TimedEvent>;
}

/// A bot that is a process, of whose output the events have one line each.
pub(crate) struct Process {
    relay: Relay,
    /// The output since the last line end.
    line: Vec<u8>,
    /// Events from before the current game that this game must still receive.
    pending: Vec<TimedEvent>,
    /// A limit that was reached together with a line. It counts when the next line is expected.
    limit: Option<TimedEvent>,
}

impl Process {
    pub(crate) fn new(bot: Party) -> Self {
        Self { relay: Relay::with_judge(bot), line: Vec::new(), pending: Vec::new(), limit: None }
    }

    /// Takes over the judge's own stdin and stdout, through which a bot that another program has started talks to the
    /// judge. From now on, all other output of the judge goes to stderr.
    pub(crate) fn on_stdio(stdin: &Stdin, stdout: &Stdout) -> anyhow::Result<Self> {
        // The bot is running, and its runner may end the judge as soon as the header is printed.
        interrupt::record_first();
        let from_bot = stdin.as_fd().try_clone_to_owned().context("stdin cannot be taken over")?;
        let to_bot = stdout.as_fd().try_clone_to_owned().context("stdout cannot be taken over")?;
        rustix::stdio::dup2_stdout(io::stderr()).context("stdout cannot be taken over")?;
        Ok(Self::new(Party::started_by_another(to_bot.into(), from_bot.into())))
    }

    pub(crate) fn held_by(&self) -> Option<HeldBy> {
        self.relay.held_by()
    }

    pub(crate) fn begin_game(&mut self) {
        // Whether the previous game received these events depends on timing, so this game always receives them.
        let earlier = self.relay.restart_usage();
        self.pending = self.in_lines(earlier);
        self.limit = None;
    }

    /// Returns the events with an event for each line of the output. A part of a line waits for its end.
    fn in_lines(&mut self, events: Vec<SideEvent>) -> Vec<TimedEvent> {
        let mut in_lines = Vec::with_capacity(events.len());
        for SideEvent { timed, .. } in events {
            if let Event::Received(bytes) = &timed.event {
                for part in bytes.0.split_inclusive(|&byte| byte == b'\n') {
                    self.line.extend(part);
                    if part.ends_with(b"\n") {
                        in_lines.extend(self.end_line(timed.at));
                    }
                }
            } else {
                in_lines.extend((timed.event == Event::Closed).then(|| self.end_line(timed.at)).flatten());
                in_lines.push(timed);
            }
        }
        in_lines
    }

    fn end_line(&mut self, at: Instant) -> Option<TimedEvent> {
        let line = Bytes(std::mem::take(&mut self.line));
        (!line.0.is_empty()).then_some(TimedEvent { at, event: Event::Received(line) })
    }

    fn hold_limit_after_a_line(&mut self, events: &mut Vec<TimedEvent>) {
        let is_usage = |event: &Event| match event {
            Event::Limit(report) => matches!(report.limit, Limit::Cpu | Limit::Memory | Limit::Processes),
            _ => false,
        };
        let has_line = events.iter().any(|timed| matches!(timed.event, Event::Received(_)));
        if has_line && events.last().is_some_and(|last| is_usage(&last.event)) {
            self.limit = events.pop();
        }
    }

    /// Checks whether the line exceeds the line limit. Its rest stays in the pipe.
    fn has_long_line(&self) -> bool {
        self.line.len() > LINE_LIMIT
    }
}

impl Bot for Process {
    fn send(&mut self, bytes: &[u8]) {
        self.relay.write(bytes);
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        let mut events = std::mem::take(&mut self.pending);
        // `wait` reports that a line is too long.
        if !self.has_long_line() {
            let new = self.relay.exchange(Duration::ZERO);
            events.extend(self.in_lines(new));
        }
        events
    }

    fn wait(&mut self, limits: &Limits) -> Vec<TimedEvent> {
        self.relay.restart_limits(*limits);
        let mut events = Vec::from_iter(self.limit.take());
        while events.is_empty() && self.relay.is_running(Side::Bot) {
            let new = self.relay.wait(limits.wall.min(POLL_INTERVAL));
            events = self.in_lines(new);
            self.hold_limit_after_a_line(&mut events);
            if events.iter().any(|timed| !matches!(timed.event, Event::Stderr(_))) {
                return events;
            }
            if self.has_long_line() {
                events.push(TimedEvent::now(Event::Limit(self.relay.report(Limit::Line))));
            } else if interrupted() {
                events.push(TimedEvent::now(Event::Interrupted));
            }
        }
        events
    }

    fn used(&mut self) -> TimedEvent {
        TimedEvent::now(self.relay.used())
    }

    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        self.line.truncate(LINE_LIMIT);
        let end = self.relay.end_bot(grace, LINE_LIMIT, usize::MAX);
        let mut events = self.in_lines(end);
        events.extend(self.end_line(Instant::now()));
        events
    }
}

/// A bot outside a game: its lines are read one by one and not judged.
pub(crate) struct Listener {
    process: Process,
    limits: Limits,
    started: Instant,
    /// The lines that [`Self::line`] has not returned.
    pub(crate) lines: VecDeque<Vec<u8>>,
    /// The events other than output. Without an event, more lines may come.
    pub(crate) events: Vec<Event>,
    pub(crate) stderr: StderrExcerpt,
}

impl Listener {
    pub(crate) fn new(process: Process, limits: Limits) -> Self {
        let (lines, events, stderr) = Default::default();
        Self { process, limits, started: Instant::now(), lines, events, stderr }
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.process.send(format!("{line}\n").as_bytes());
    }

    /// Returns the next line without its line end; `None` if no more lines come.
    pub(crate) fn line(&mut self) -> Option<Vec<u8>> {
        while self.lines.is_empty() && self.events.is_empty() {
            let wall = self.limits.wall.saturating_sub(self.started.elapsed());
            let new = self.process.wait(&Limits { wall, ..self.limits });
            self.note(new);
        }
        self.lines.pop_front()
    }

    /// Closes the bot's input and waits at most its grace time for the bot to end. Returns how it exited; if it was killed,
    /// what it was doing, if that is known.
    pub(crate) fn end(&mut self) -> Result<Exit, Option<StillRunning>> {
        let last = self.process.end(self.limits.grace);
        self.note(last);
        let ending = self.events.iter().rev().find_map(|event| match event {
            Event::Exited(exit) => Some(Ok(*exit)),
            Event::StillRunning(running) => Some(Err(Some(running.clone()))),
            _ => None,
        });
        ending.unwrap_or(Err(None))
    }

    fn note(&mut self, events: Vec<TimedEvent>) {
        for timed in events {
            match timed.event {
                Event::Received(line) => self.lines.push_back(trim_line_end(&line.0).to_vec()),
                Event::Stderr(text) => self.stderr.extend(&text.0),
                Event::StderrOmitted(omitted) => self.stderr.omit(omitted),
                Event::Used(_) => {}
                other => self.events.push(other),
            }
        }
    }
}

/// Returns a line without its line end, which is LF or CRLF.
pub(crate) fn trim_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Checks that the judge stops reading a line that is too long.
    #[test]
    fn a_line_without_end_stays_in_the_pipe() {
        let (from_bot, mut bot) = io::pipe().unwrap();
        let mut process = Process::new(Party::started_by_another(io::pipe().unwrap().1, from_bot));
        for _ in 0..100 {
            bot.write_all(&[b'x'; LINE_LIMIT / 2]).unwrap();
            assert!(process.drain().is_empty());
            if process.has_long_line() {
                break;
            }
        }
        let length = process.line.len();
        bot.write_all(b"x\n").unwrap();
        assert!(process.drain().is_empty());
        assert_eq!(process.line.len(), length);
    }

    #[test]
    fn late_output_is_limited() {
        let (from_bot, mut bot) = io::pipe().unwrap();
        let mut process = Process::new(Party::started_by_another(io::pipe().unwrap().1, from_bot));
        bot.write_all("late\n".repeat(LINE_LIMIT).as_bytes()).unwrap();
        drop(bot);
        let events = process.end(Duration::from_secs(10));
        let sizes = events.iter().map(|timed| match &timed.event {
            Event::Received(line) => line.0.len(),
            _ => 0,
        });
        assert_eq!(sizes.sum::<usize>(), LINE_LIMIT);
        assert!(events.iter().any(|timed| timed.event == Event::Closed));
    }
}
