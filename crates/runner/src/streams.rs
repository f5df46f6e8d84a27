//! A bot that another program has started. It talks to the judge through the judge's own stdin and stdout.

use std::io::{self, PipeReader, PipeWriter, Stdin, Stdout};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::bot::{Bot, POLL_INTERVAL, TimedEvent, UNREADABLE, failed};
use crate::event::{Bytes, Event, Limit, LimitReport};
use crate::interrupt::{self, interrupted};
use crate::limits::{LATE_LIMIT, LINE_LIMIT, Limits};
use crate::pipes::{BUFFER_SIZE, Pipes, poll_one};

/// The judge's own stdin and stdout as the two directions of a conversation.
///
/// The judge shares these streams with the program that started it. Making them non-blocking would also change that
/// program's streams, so they stay blocking. The judge knows nothing about the bot except its output.
pub struct Streams {
    pipes: Pipes,
    /// When the judge last sent or received something.
    latest: Instant,
}

impl Streams {
    /// Takes over the judge's stdin and stdout. From now on, all other output of the judge goes to stderr.
    pub fn take(stdin: &Stdin, stdout: &Stdout) -> anyhow::Result<Self> {
        // The bot is running, and its runner may end the judge as soon as the header is printed.
        interrupt::record_first();
        let from_bot = stdin.as_fd().try_clone_to_owned().context("stdin cannot be taken over")?;
        let to_bot = stdout.as_fd().try_clone_to_owned().context("stdout cannot be taken over")?;
        rustix::stdio::dup2_stdout(io::stderr()).context("stdout cannot be taken over")?;
        Ok(Self::new(to_bot.into(), from_bot.into()))
    }

    fn new(to_bot: PipeWriter, from_bot: PipeReader) -> Self {
        let mut pipes = Pipes::without_stderr(to_bot, from_bot);
        pipes.is_blocking = true;
        Self { pipes, latest: Instant::now() }
    }

    /// Waits at most `timeout` until a stream is ready, and reads and writes without blocking.
    fn pump(&mut self, timeout: Duration, events: &mut Vec<TimedEvent>) {
        let pumped = self.try_pump(timeout, events).context(UNREADABLE);
        events.extend(pumped.as_ref().err().map(failed));
    }

    fn try_pump(&mut self, timeout: Duration, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        let [_, is_readable, _, _] = poll_one(self.pipes.watched(None, true), timeout)?;
        self.pipes.write();
        if is_readable {
            self.latest = Instant::now();
            // Only one read, because a second one might block.
            self.pipes.read_lines(BUFFER_SIZE, events)?;
        }
        Ok(())
    }
}

impl Bot for Streams {
    fn send(&mut self, bytes: &[u8]) {
        self.pipes.outgoing.extend(bytes);
        self.latest = Instant::now();
        self.pipes.write();
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        let mut events = Vec::new();
        // `wait` reports that a line is too long.
        if !self.pipes.has_long_line() {
            self.pump(Duration::ZERO, &mut events);
        }
        events
    }

    fn wait(&mut self, limits: &Limits) -> Vec<TimedEvent> {
        let started = Instant::now();
        let mut events = Vec::new();
        while events.is_empty() {
            let polled = Instant::now();
            let waited = polled.saturating_duration_since(started);
            self.pump(limits.wall.saturating_sub(waited).min(POLL_INTERVAL), &mut events);
            if !events.is_empty() {
                break;
            }
            let reached = [
                (self.pipes.has_long_line(), Limit::Line),
                (waited >= limits.wall, Limit::Wall),
                (polled.saturating_duration_since(self.latest) >= limits.idle, Limit::Idle),
            ];
            let reached = reached.into_iter().find_map(|(is_reached, limit)| is_reached.then_some(limit));
            let report = reached.map(|limit| LimitReport {
                quiet: self.latest.elapsed(),
                unread: self.pipes.outgoing.len(),
                unfinished: Bytes(self.pipes.unfinished.clone()),
                ..LimitReport::new(limit)
            });
            let end = if interrupted() { Some(Event::Interrupted) } else { report.map(Event::Limit) };
            events.extend(end.map(TimedEvent::now));
        }
        events
    }

    /// Waits for the end of the bot's output. If the output does not end, no event says so, because the judge cannot
    /// distinguish a bot that continues from a runner that holds the bot's pipe open.
    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        let deadline = Instant::now() + grace;
        let mut events = Vec::new();
        self.pipes.end_input();
        while self.pipes.stdout.is_some() && !interrupted() {
            let left = deadline.saturating_duration_since(Instant::now());
            // Lines that have arrived by now count even without grace time.
            if self.try_pump(left.min(POLL_INTERVAL), &mut events).is_err() || left.is_zero() {
                break;
            }
            // Keep only the first lines.
            self.pipes.unfinished.truncate(LINE_LIMIT);
            events.truncate(LATE_LIMIT);
        }
        self.pipes.end_line(Instant::now(), &mut events);
        events
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Checks that the judge stops reading a line that is too long.
    #[test]
    fn a_line_without_end_stays_in_the_pipe() {
        let (from_bot, mut bot) = io::pipe().unwrap();
        let mut streams = Streams::new(io::pipe().unwrap().1, from_bot);
        for _ in 0..100 {
            bot.write_all(&[b'x'; LINE_LIMIT / 2]).unwrap();
            assert!(streams.drain().is_empty());
            if streams.pipes.has_long_line() {
                break;
            }
        }
        let length = streams.pipes.unfinished.len();
        bot.write_all(b"x\n").unwrap();
        assert!(streams.drain().is_empty());
        assert_eq!(streams.pipes.unfinished.len(), length);
    }
}
