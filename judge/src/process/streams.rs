//! A bot that somebody else has started, at the far end of the judge's own stdin and stdout.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Stdin, Stdout};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::bot_process::failed;
use super::delay::DelayMonitor;
use super::lines::{self, Lines};
use super::watch::GLANCE;
use super::{Bot, TimedEvent, WaitLimits};
use crate::process::interrupt::interrupted;
use crate::process::stop;
use crate::referee::event::{Bytes, Event, Limit, LimitReport, Usage};
use crate::referee::limits::{LATE_LIMIT, LINE_LIMIT};

/// The most that is read at once: a second read might wait.
const SIP: usize = 1;

/// What a pipe that is ready for output surely takes without waiting, on every system (POSIX:
/// `_POSIX_PIPE_BUF`).
const MORSEL: usize = 512;

/// The judge's own streams as the two ends of a conversation.
///
/// They are shared with whoever started the judge, so they stay in blocking mode, which would be theirs too:
/// nothing is read or written but what [`poll`] has found ready. Of the bot itself nothing is known but what
/// it says.
pub(crate) struct Streams {
    input: Option<File>,
    output: Option<File>,
    /// What the bot has yet to be sent.
    outgoing: VecDeque<u8>,
    lines: Lines,
    /// When something last went either way.
    latest: Instant,
    delays: DelayMonitor,
}

impl Streams {
    /// Takes over stdin and stdout. Whatever else the judge prints goes to stderr from now on.
    ///
    /// # Errors
    ///
    /// If the system refuses it.
    pub(crate) fn take(stdin: &Stdin, stdout: &Stdout) -> anyhow::Result<Self> {
        stop::watch()?;
        let own = |fd: rustix::fd::BorrowedFd<'_>| fd.try_clone_to_owned().map(File::from);
        let input = own(stdin.as_fd()).context("stdin cannot be taken over")?;
        let output = own(stdout.as_fd()).context("stdout cannot be taken over")?;
        rustix::stdio::dup2_stdout(io::stderr()).context("stdout cannot be taken over")?;
        Ok(Self {
            input: Some(input),
            output: Some(output),
            outgoing: VecDeque::new(),
            lines: Lines::default(),
            latest: Instant::now(),
            delays: DelayMonitor::new(),
        })
    }

    /// Waits until a stream is ready, `wait_limits` at most, and moves what can be moved.
    fn pump(&mut self, wait_limits: Duration, heard: &mut Vec<TimedEvent>) -> io::Result<()> {
        let input = self.input.as_ref().map(|input| PollFd::new(input, PollFlags::IN));
        let waiting = self.output.as_ref().filter(|_| !self.outgoing.is_empty());
        let output = waiting.map(|output| PollFd::new(output, PollFlags::OUT));
        let has_input = input.is_some();
        let mut fds: Vec<PollFd<'_>> = input.into_iter().chain(output).collect();
        let timeout = Timespec::try_from(wait_limits).map_err(io::Error::other)?;
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        let readable = has_input && fds.first().is_some_and(|fd| !fd.revents().is_empty());
        self.write();
        if readable {
            self.latest = Instant::now();
            self.lines.read(&mut self.input, SIP, heard)?;
        }
        Ok(())
    }

    fn write(&mut self) {
        lines::write(&mut self.output, &mut self.outgoing, MORSEL, is_writable);
    }

    /// Whether there is a reason to wait no longer, after a look at `looked` that found nothing.
    fn glance(&self, wait_limits: &WaitLimits, started: Instant, looked: Instant) -> Option<Event> {
        if interrupted() {
            Some(Event::Interrupted)
        } else if self.lines.unfinished().len() > LINE_LIMIT {
            Some(self.standing(Limit::Line))
        } else if looked.saturating_duration_since(started) >= wait_limits.wall {
            Some(self.standing(Limit::Wall))
        } else if looked.saturating_duration_since(self.latest) >= wait_limits.idle {
            Some(self.standing(Limit::Idle))
        } else {
            None
        }
    }

    fn standing(&self, limit: Limit) -> Event {
        Event::Limit(LimitReport {
            limit,
            used: Usage::default(),
            sleeping: false,
            stopped: false,
            quiet: self.latest.elapsed(),
            channel: None,
            unread: self.outgoing.len(),
            unfinished: Bytes(self.lines.unfinished().to_vec()),
        })
    }
}

/// Whether a write of [`MORSEL`] bytes would not wait.
fn is_writable(output: &File) -> bool {
    let mut fds = [PollFd::new(output, PollFlags::OUT)];
    poll(&mut fds, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
}

impl Bot for Streams {
    fn begin(&mut self) {}

    fn send(&mut self, bytes: &[u8]) {
        self.delays.restart();
        self.outgoing.extend(bytes);
        self.latest = Instant::now();
        self.write();
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        let mut heard = Vec::new();
        if let Err(error) = self.pump(Duration::ZERO, &mut heard) {
            heard.push(failed(&error));
        }
        heard
    }

    fn wait(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        let started = Instant::now();
        let mut heard = Vec::new();
        while heard.is_empty() {
            let looked = Instant::now();
            let waited = looked.saturating_duration_since(started);
            let left = wait_limits.wall.saturating_sub(waited).min(GLANCE);
            if let Err(error) = self.pump(left, &mut heard) {
                heard.push(failed(&error));
            }
            // A delay of the judge's own comes before what has come meanwhile.
            if let Some(delay) = self.delays.after(left) {
                self.latest = Instant::now();
                heard.insert(0, TimedEvent { at: looked, event: Event::Delayed(delay) });
            }
            if heard.is_empty() {
                heard.extend(self.glance(wait_limits, started, looked).map(TimedEvent::now));
            }
        }
        heard
    }

    fn used(&mut self) -> TimedEvent {
        TimedEvent::now(Event::Used(Usage::default()))
    }

    /// Waits for the end of the bot's output. Nobody can tell a bot that goes on from a runner that holds its
    /// pipe open: that none came in time is no event.
    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        let deadline = Instant::now() + grace;
        let mut heard = Vec::new();
        while self.input.is_some() && !interrupted() {
            if self.outgoing.is_empty() {
                // It has been told everything.
                self.output = None;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            // What has come by now counts even without grace.
            if self.pump(left.min(GLANCE), &mut heard).is_err() || left.is_zero() {
                break;
            }
            // A flood must not be kept.
            self.lines.truncate(LINE_LIMIT);
            heard.truncate(LATE_LIMIT);
        }
        self.lines.end(Instant::now(), &mut heard);
        heard
    }
}
