//! A bot as a process: conversation with it, and an end that leaves nothing running.

mod end;
pub(super) mod own_tree;
pub mod wait;

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::Signal;

use self::own_tree::OwnTree;
use super::bot::{Bot, POLL_INTERVAL, TimedEvent, WaitLimits};
use super::bot_tree::BotTree;
use super::delay::{DelayMonitor, watch_stops};
use super::pipes::{PipeEnds, Pipes};
use super::start::Start;
use crate::bot::{unmeasured, unreadable};
use crate::event::{Event, Exit};
use crate::limits::HeldBy;
use crate::usage::LimitWatch;
use common::interrupt::{self, interrupted};

/// A running bot.
pub struct Process {
    pipes: Pipes,
    watch: LimitWatch,
    delays: DelayMonitor,
    /// How it has ended by itself.
    exited: Option<Exit>,
    /// Events from before the present game that are still to be given to it.
    pending: Vec<TimedEvent>,
}

impl Process {
    /// Starts the program.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or its limits could not be held.
    pub fn spawn(start: &Start) -> anyhow::Result<Self> {
        // Before there is a bot that could stop the judge.
        watch_stops()?;
        let (tree, pipes) = OwnTree::spawn(start)?;
        Self::new(Box::new(tree), pipes)
    }

    /// A bot that has just been started.
    ///
    /// # Errors
    ///
    /// If its pipes cannot be used.
    pub(super) fn new(tree: Box<dyn BotTree>, pipes: PipeEnds) -> anyhow::Result<Self> {
        Ok(Self {
            pipes: Pipes::new(pipes).context("the bot's pipes cannot be made non-blocking")?,
            watch: LimitWatch::new(tree),
            delays: DelayMonitor::new(),
            exited: None,
            pending: Vec::new(),
        })
    }

    /// How the bot is held to its limits; `None` if it is not.
    pub fn held_by(&self) -> Option<HeldBy> {
        let by = if self.watch.tree().has_group() { HeldBy::Cgroup } else { HeldBy::Proc };
        cfg!(target_os = "linux").then_some(by)
    }

    /// Waits until a pipe is ready or the process ends, `timeout` at most, and reads and writes what it can.
    fn pump(&mut self, timeout: Duration, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        let exit = self.watch.tree().exit_fd().filter(|_| self.exited.is_none());
        let has_exited = self.pipes.pump(exit, timeout, events)?;
        if has_exited || self.watch.tree().exit_fd().is_none() {
            self.notice_exit(events)?;
        }
        if self.exited.is_some() || self.pipes.is_closed() {
            // A judge that is being ended at once ends its bots first. Such an end must not decide a game.
            interrupt::await_end();
        }
        Ok(())
    }

    /// Records that the process has ended, if it has. What it printed before counts as before.
    fn notice_exit(&mut self, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        if self.exited.is_some() {
            return Ok(());
        }
        let Some(exit) = self.watch.tree_mut().exit()? else { return Ok(()) };
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
        // Whether the last game was given these events depends on the moment; this game must not depend on it.
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
        if self.pipes.is_line_too_long() {
            // The wait for the line reports it.
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

/// How long to wait for the judge's own signal after its bot was ended by one: what ends both, as a batch system does with
/// all processes of a task, sends one after the other.
const OWN_SIGNAL_TIMEOUT: Duration = Duration::from_secs(1);

/// Whether a bot was ended by a signal that was meant for the judge: until it has a process group of its own, a Ctrl-C
/// reaches it as well.
fn is_interruption(exit: Exit) -> bool {
    let signals = [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM];
    if !matches!(exit, Exit::Signal(number) if signals.iter().any(|signal| signal.as_raw() == number)) {
        return false;
    }
    let deadline = Instant::now() + OWN_SIGNAL_TIMEOUT;
    while !interrupted() && Instant::now() < deadline {
        thread::sleep(POLL_INTERVAL);
    }
    interrupted()
}
