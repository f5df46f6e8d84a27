//! A bot as a process: the conversation with the bot, and an end that leaves no process running.

mod end;
pub mod wait;

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::Signal;

use super::bot::{Bot, POLL_INTERVAL, TimedEvent, WaitLimits};
use super::pipes::{PipeEnds, Pipes};
use crate::bot::{unmeasured, unreadable};
use crate::event::{Event, Exit};
use crate::interrupt::{self, interrupted};
use crate::limits::HeldBy;
use crate::usage::LimitWatch;
use crate::warden::Program;

/// A running bot.
pub struct Process {
    pipes: Pipes,
    watch: LimitWatch,
    /// How the bot's process ended by itself; `None` while it runs.
    exited: Option<Exit>,
    /// Events from before the current game that this game must still receive.
    pending: Vec<TimedEvent>,
}

impl Process {
    /// Makes a `Process` of a bot that has just been started.
    pub(super) fn new(program: Program, pipes: PipeEnds) -> anyhow::Result<Self> {
        Ok(Self {
            pipes: Pipes::new(pipes).context("the bot's pipes cannot be made non-blocking")?,
            watch: LimitWatch::new(program),
            exited: None,
            pending: Vec::new(),
        })
    }

    /// Returns how the bot's limits are enforced; `None` if they are not.
    pub fn held_by(&self) -> Option<HeldBy> {
        cfg!(target_os = "linux").then(|| self.watch.program().held_by())
    }

    /// Waits at most `timeout` until a pipe is ready or the process ends, and reads and writes without blocking.
    fn pump(&mut self, timeout: Duration, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        let exit = self.exited.is_none().then(|| self.watch.program().exit_fd());
        let is_known = self.exited.is_none() && self.watch.program().has_ended();
        let timeout = if is_known { Duration::ZERO } else { timeout };
        let (known, was_open) = (events.len(), !self.pipes.is_closed());
        let has_exited = self.pipes.pump(exit, timeout, events)?;
        // A killed warden ends its bot, whose last output then decides nothing.
        if (has_exited || was_open && self.pipes.is_closed() || self.watch.program().has_ended())
            && let Err(error) = self.notice_exit(events)
        {
            events.truncate(known);
            return Err(error);
        }
        if self.exited.is_some() || self.pipes.is_closed() {
            // A judge that is being terminated ends its bots first. Wait for the end of the judge here, so that the end
            // of such a bot decides no game.
            interrupt::await_end();
        }
        Ok(())
    }

    /// Records the end of the process, if it has ended, after the output from before the end.
    fn notice_exit(&mut self, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        if self.exited.is_some() {
            return Ok(());
        }
        let Some(exit) = self.watch.program().exit().map_err(io::Error::other)? else { return Ok(()) };
        self.exited = Some(exit);
        self.pipes.drain_stdout(events)?;
        if is_interruption(exit) {
            events.push(TimedEvent::now(Event::Interrupted));
        }
        events.push(TimedEvent::now(Event::Exited(exit)));
        Ok(())
    }
}

impl Bot for Process {
    fn begin_game(&mut self) {
        let begun = self.watch.begin_game();
        self.pending.extend(begun.err().map(|error| unmeasured(&error)));
        // Whether the previous game received these events depends on timing, so this game always receives them.
        self.pending.extend(self.exited.map(|exit| TimedEvent::now(Event::Exited(exit))));
        if self.pipes.is_closed() {
            self.pending.push(TimedEvent::now(Event::Closed));
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.watch.restart_quiet_time();
        self.pipes.send(bytes);
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        let mut events = std::mem::take(&mut self.pending);
        if self.pipes.is_line_too_long() {
            // `wait` reports that the line is too long.
            return events;
        }
        if let Err(error) = self.pump(Duration::ZERO, &mut events) {
            events.push(unreadable(&error));
        }
        events
    }

    fn wait(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        self.await_event(wait_limits)
    }

    fn used(&mut self) -> TimedEvent {
        match self.watch.used() {
            Ok(used) => TimedEvent::now(Event::Used(used)),
            Err(error) => unmeasured(&error),
        }
    }

    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        self.await_end(grace)
    }
}

/// How long to wait for the judge's own signal after a signal ended its bot. A sender that signals both, such as a
/// batch system that ends all processes of a task, signals one process after the other.
const OWN_SIGNAL_TIMEOUT: Duration = Duration::from_secs(1);

/// Checks whether a signal that was meant for the judge ended its bot: until the bot has its own process group, a
/// Ctrl-C also reaches the bot. A program that catches the signal exits with 128 and the number of the signal, as a
/// shell and a Java machine do.
pub(super) fn is_interruption(exit: Exit) -> bool {
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
