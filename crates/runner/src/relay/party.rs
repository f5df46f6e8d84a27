//! One program of a relay: its limits, and its pipes to each of its partners.

use std::io;
use std::time::Duration;

use super::event;
use super::fifos::Fifos;
use crate::activity::Activity;
use crate::event::{Bytes, Event, LimitReport};
use crate::limits::Limits;
use crate::pipes::{MAX_CAPACITY, Pipes};
use crate::relay::{Side, SideEvent};
use crate::usage::LimitWatch;
use crate::warden::{Link, Program};

pub struct Party {
    pub(super) side: Side,
    pub(super) seat: usize,
    pub(super) watch: LimitWatch,
    /// The wall limit is what earlier quiet times have left of it.
    limits: Limits,
    /// The pipes to each partner: one for a bot, and one for each seat for an interactor. The first has stderr.
    pub(super) pipes: Vec<Pipes>,
    /// Whether the other programs or the judge may be waiting for this one, so that its time counts.
    pub(super) is_awaited: bool,
    /// How long the other programs or the judge have waited for this one in the current quiet time. A quiet time begins
    /// when bytes pass between the programs, or when the relay is asked to close this program's input.
    pub(super) waited: Duration,
    /// The state of the program, if it has reached its idle limit and nothing has happened since.
    pub(super) idle: Option<LimitReport>,
    /// Of a tester that has started the bot itself: what it has started in the bot's place, until that is told the end
    /// of the bot.
    pub(super) stand_in: Option<Link>,
}

impl Party {
    /// Makes the party of an interactor. [`Relay::new`](super::Relay::new) gives bots their seats.
    pub(crate) fn new(program: Program, pipes: Pipes, limits: Limits) -> Self {
        Self {
            side: Side::Interactor,
            seat: 0,
            watch: LimitWatch::new(program),
            limits,
            pipes: vec![pipes],
            is_awaited: true,
            waited: Duration::ZERO,
            idle: None,
            stand_in: None,
        }
    }

    /// Connects the program with each of its partners by named pipes, in place of its stdin and stdout. The program may
    /// read either of the two pipes, and writes the other one.
    pub fn use_fifos(&mut self, partners: &[Fifos]) -> io::Result<()> {
        let warden = self.watch.program.warden_id();
        for (seat, fifos) in partners.iter().enumerate() {
            if seat > 0 {
                self.pipes.push(Pipes::default());
            }
            self.pipes[seat].use_fifos(fifos, warden)?;
        }
        Ok(())
    }

    pub(super) fn event(&self, event: Event) -> SideEvent {
        super::event(self.side, self.seat, event)
    }

    pub(super) fn read_stderr(&mut self, enough: usize) -> io::Result<Option<SideEvent>> {
        let text = self.pipes[0].read_stderr(enough)?;
        Ok(text.map(|timed| SideEvent { side: self.side, seat: self.seat, timed }))
    }

    pub(super) fn restart_quiet_time(&mut self) {
        self.watch.restart_quiet_time();
        self.limits.wall = self.limits.wall.saturating_sub(std::mem::take(&mut self.waited));
        self.idle = None;
    }

    pub(super) fn awaits_input(&mut self) -> anyhow::Result<bool> {
        // A tester may also wait for the exit of the bot, and leave its last output unread.
        let starts_bot = self.stand_in.is_some();
        if !starts_bot && self.pipes.iter().any(|pipes| pipes.unread() > 0) {
            return Ok(false);
        }
        let snapshot = self.watch.snapshot_now()?;
        let activity = Activity::of(snapshot.channel.as_deref());
        let is_input = matches!(activity, Activity::Input | Activity::Event | Activity::Unknown);
        Ok(snapshot.sleeping && (is_input || starts_bot))
    }

    pub fn end(&mut self) -> Vec<SideEvent> {
        let killed = self.watch.program.is_running().then(|| self.event(Event::Killed));
        let used = self.watch.end();
        let mut events: Vec<SideEvent> = killed.into_iter().collect();
        events.extend(self.read_stderr(MAX_CAPACITY).unwrap_or_default());
        for (other, pipes) in self.pipes.iter_mut().enumerate() {
            let output = pipes.read_stdout(MAX_CAPACITY).unwrap_or_default();
            let seat = self.seat.max(other);
            events
                .extend((!output.is_empty()).then(|| event(self.side, seat, Event::Received(Bytes(output)))));
            (pipes.stdin, pipes.stdout) = (None, None);
        }
        events.push(self.event(Event::Used(used)));
        events
    }

    pub(super) fn check(&mut self) -> anyhow::Result<Option<LimitReport>> {
        let Some(report) = self.watch.check(self.waited, &self.limits)? else { return Ok(None) };
        let mut lines = self.pipes.iter().map(|pipes| &pipes.unfinished);
        let unfinished = Bytes(lines.find(|line| !line.is_empty()).cloned().unwrap_or_default());
        let unread = self.pipes.iter().map(Pipes::unread).sum();
        Ok(Some(LimitReport { unread, unfinished, ..report }))
    }
}
