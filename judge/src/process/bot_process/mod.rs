//! A bot as a process: conversation with it, and an end that leaves nothing running.

mod child;
mod end;
mod late_output;
mod wait;

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use rustix::process::Signal;

use self::child::BotChild;
use super::bot::{Bot, POLL_INTERVAL, TimedEvent, WaitLimits};
use super::cgroup::GroupSource;
use super::delay::DelayMonitor;
use super::failure::{UNMEASURED, unmeasured, unreadable};
use super::interrupt::interrupted;
use super::pipes::Pipes;
use super::start::Start;
use super::usage::limit_watch::LimitWatch;
use super::usage::meter::Meter;
use super::{descendants, stop};
use crate::referee::event::{Event, Exit};
use crate::referee::limits::HeldBy;

/// A running bot.
pub(crate) struct Process {
    child: BotChild,
    pipes: Pipes,
    watch: LimitWatch,
    /// Where its control group comes from, and is given back to.
    groups: Option<Rc<GroupSource>>,
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
        let groups = start.groups();
        let group = groups.as_ref().map(|groups| groups.take()).transpose();
        let group = group.context("the bot's control group cannot be made")?;
        let mut command = start.command(group.as_ref())?;
        // From here on its processes are counted.
        let meter = Meter::new(group, start.limits());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = BotChild::spawn(&mut command)?
            .with_context(|| format!("the bot {} could not be started", start.program().display()))?;
        let mut process = Self {
            pipes: Pipes::of(child.child_mut()),
            child,
            watch: LimitWatch::new(meter),
            groups,
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
        if self.pipes.is_line_too_long() {
            // The wait for the line will say so.
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
