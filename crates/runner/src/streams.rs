//! A bot that another program has started. It talks to the judge through the judge's own stdin and stdout.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Stdin, Stdout};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::bot::{Bot, POLL_INTERVAL, TimedEvent, WaitLimits};
use super::lines::{self, Lines};
use crate::bot::unreadable;
use crate::event::{Bytes, Event, Limit, LimitReport, Usage};
use crate::interrupt::{self, interrupted};
use crate::limits::LATE_LIMIT;
use crate::pipes::poll_one;

/// A limit for [`Lines::read`] that stops it after one read, because a second read might block.
const READ_ONCE: usize = lines::BUFFER_SIZE;

/// Number of bytes that a pipe ready for output accepts without blocking on every system: `_POSIX_PIPE_BUF` of POSIX.
const WRITE_CHUNK: usize = 512;

/// The judge's own stdin and stdout as the two directions of a conversation.
///
/// The judge shares these streams with the program that started it. Making them non-blocking would also change that
/// program's streams, so they stay blocking, and the judge reads and writes only after [`poll`] has found a stream
/// ready. The judge knows nothing about the bot except its output.
pub struct Streams {
    input: Option<File>,
    output: Option<File>,
    outgoing: VecDeque<u8>,
    lines: Lines,
    /// When the judge last sent or received something.
    latest: Instant,
}

impl Streams {
    /// Takes over the judge's stdin and stdout. From now on, all other output of the judge goes to stderr.
    pub fn take(stdin: &Stdin, stdout: &Stdout) -> anyhow::Result<Self> {
        // The bot is running, and its runner may end the judge as soon as the header is printed.
        interrupt::record_first();
        let own = |fd: rustix::fd::BorrowedFd<'_>| fd.try_clone_to_owned().map(File::from);
        let input = own(stdin.as_fd()).context("stdin cannot be taken over")?;
        let output = own(stdout.as_fd()).context("stdout cannot be taken over")?;
        rustix::stdio::dup2_stdout(io::stderr()).context("stdout cannot be taken over")?;
        Ok(Self::new(input, Some(output)))
    }

    fn new(input: File, output: Option<File>) -> Self {
        let (outgoing, lines) = Default::default();
        Self { input: Some(input), output, outgoing, lines, latest: Instant::now() }
    }

    /// Waits at most `timeout` until a stream is ready, and reads and writes without blocking.
    fn pump(&mut self, timeout: Duration, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        let input = self.input.as_ref().map(|input| PollFd::new(input, PollFlags::IN));
        let waiting = self.output.as_ref().filter(|_| !self.outgoing.is_empty());
        let output = waiting.map(|output| PollFd::new(output, PollFlags::OUT));
        let [_, is_readable, _, _] = poll_one([None, input, None, output], timeout)?;
        self.write();
        if is_readable {
            self.latest = Instant::now();
            self.lines.read(&mut self.input, READ_ONCE, events)?;
        }
        Ok(())
    }

    fn write(&mut self) {
        lines::write(&mut self.output, &mut self.outgoing, WRITE_CHUNK, is_writable);
    }

    /// Returns the event that ends the wait, if there is one. The last poll of the streams, at `polled`, found nothing.
    fn check_wait(&self, wait_limits: &WaitLimits, started: Instant, polled: Instant) -> Option<Event> {
        if interrupted() {
            Some(Event::Interrupted)
        } else if self.lines.is_too_long() {
            Some(self.report(Limit::Line))
        } else if polled.saturating_duration_since(started) >= wait_limits.wall {
            Some(self.report(Limit::Wall))
        } else if polled.saturating_duration_since(self.latest) >= wait_limits.idle {
            Some(self.report(Limit::Idle))
        } else {
            None
        }
    }

    fn report(&self, limit: Limit) -> Event {
        Event::Limit(LimitReport {
            quiet: self.latest.elapsed(),
            unread: self.outgoing.len(),
            unfinished: Bytes(self.lines.unfinished().to_vec()),
            ..LimitReport::new(limit)
        })
    }
}

/// Checks whether a write of [`WRITE_CHUNK`] bytes would not block.
fn is_writable(output: &File) -> bool {
    let mut fds = [PollFd::new(output, PollFlags::OUT)];
    poll(&mut fds, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
}

impl Bot for Streams {
    fn begin_game(&mut self) {}

    fn send(&mut self, bytes: &[u8]) {
        self.outgoing.extend(bytes);
        self.latest = Instant::now();
        self.write();
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        let mut events = Vec::new();
        // `wait` reports that a line is too long.
        if !self.lines.is_too_long()
            && let Err(error) = self.pump(Duration::ZERO, &mut events)
        {
            events.push(unreadable(&error).into());
        }
        events
    }

    fn wait(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        let started = Instant::now();
        let mut events = Vec::new();
        while events.is_empty() {
            let polled = Instant::now();
            let waited = polled.saturating_duration_since(started);
            let left = wait_limits.wall.saturating_sub(waited).min(POLL_INTERVAL);
            if let Err(error) = self.pump(left, &mut events) {
                events.push(unreadable(&error).into());
            }
            if events.is_empty() {
                events.extend(self.check_wait(wait_limits, started, polled).map(TimedEvent::now));
            }
        }
        events
    }

    fn used(&mut self) -> TimedEvent {
        TimedEvent::now(Event::Used(Usage::default()))
    }

    /// Waits for the end of the bot's output. If the output does not end, no event says so, because the judge cannot
    /// distinguish a bot that continues from a runner that holds the bot's pipe open.
    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        let deadline = Instant::now() + grace;
        let mut events = Vec::new();
        while self.input.is_some() && !interrupted() {
            if self.outgoing.is_empty() {
                // Everything is sent.
                self.output = None;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            // Lines that have arrived by now count even without grace time.
            if self.pump(left.min(POLL_INTERVAL), &mut events).is_err() || left.is_zero() {
                break;
            }
            // Keep only the first lines.
            self.lines.shorten();
            events.truncate(LATE_LIMIT);
        }
        self.lines.end(Instant::now(), &mut events);
        events
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::limits::LINE_LIMIT;

    /// Checks that the judge stops reading a line that is too long.
    #[test]
    fn a_line_without_end_stays_in_the_pipe() {
        let (input, mut bot) = io::pipe().unwrap();
        let mut streams = Streams::new(File::from(std::os::fd::OwnedFd::from(input)), None);
        for _ in 0..100 {
            bot.write_all(&[b'x'; LINE_LIMIT / 2]).unwrap();
            assert!(streams.drain().is_empty());
            if streams.lines.is_too_long() {
                break;
            }
        }
        let length = streams.lines.unfinished().len();
        bot.write_all(b"x\n").unwrap();
        assert!(streams.drain().is_empty());
        assert_eq!(streams.lines.unfinished().len(), length);
    }
}
