//! Connects a bot and an interactor: passes the output of each program on to the other one, and reports all bytes, closed
//! outputs and exits in order. The bot may have several processes. Each has a seat, and pipes of its own to the interactor.
//! In place of the interactor there may be the judge itself.
//!
//! The relay decides nothing. When the output of one of two programs ends, the input of the other one stays open until
//! [`Relay::end_input`] is called, because a program whose input has ended may exit only because of that.

mod fifos;
mod stand_in;

use std::time::{Duration, Instant};

use anyhow::Context;
use itertools::{Itertools, chain};
use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use crate::event::{Event, Exit, Limit, LimitReport, TimedEvent, Usage};
use crate::grace::{GraceTime, Work};
use crate::interrupt::interrupted;
use crate::limits::{HeldBy, LATE_STDERR_KEPT, Limits};
use crate::party::Party;
use crate::pipes::{Pipes, READ_CHUNK, Watched, poll_all};
use crate::stderr_excerpt::StderrExcerpt;
use crate::warden::{Program, link};

pub use fifos::Fifos;
pub use stand_in::{ROLE as STAND_IN_ROLE, StandIn, serve as serve_as_stand_in};

/// How often a wait for a program checks for an interrupt, for its usage, and for an end that no descriptor reports.
pub const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Maximum number of bytes that wait in the judge for a program that does not read. Together with the two small pipes
/// on their way this is the capacity of one pipe, 64 KiB, so that a program blocks when it would block without a judge
/// between the two.
pub const MAX_WAITING: usize = 56 << 10;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Bot,
    #[default]
    Interactor,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Bot, Self::Interactor];

    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Bot => Self::Interactor,
            Self::Interactor => Self::Bot,
        }
    }
}

/// A bot, an interactor, and the bytes between them. [`Relay`] connects processes; a test may put scripted programs and a
/// scripted clock in their place. What is said of the bot is said of all its seats.
pub trait Pair {
    fn now(&self) -> Instant;

    /// Waits until an event or a passed byte, but not longer than `timeout`. If every program that still runs is idle, the
    /// events contain the report of the idle limit of each such program.
    fn wait(&mut self, timeout: Duration) -> Vec<SideEvent>;

    /// Returns the number of processes of the bot.
    fn seats(&self) -> usize;

    fn is_running(&self, side: Side) -> bool;

    /// Returns how many bytes the program has not read, including those that it can no longer read.
    fn unread(&self, side: Side) -> usize;

    /// Returns how often the interactor, or the bot in a seat, has called write(2), up to the last look at its state or its
    /// end; `None` if it is not known. Both stdout and stderr count.
    fn writes(&self, side: Side, seat: usize) -> Option<u64>;

    /// Closes the program's stdin as soon as all waiting bytes are written to it.
    fn end_input(&mut self, side: Side);

    /// Checks whether the bot in a seat is known to have written to stderr before it wrote to stdout, since its input was
    /// ended.
    fn wrote_stderr_first(&self, seat: usize) -> bool;

    /// Checks whether the program has read all of its input so far and now sleeps, waiting for more.
    fn awaits_input(&mut self, side: Side) -> anyhow::Result<bool>;

    /// Returns what the processes of the bot do; `None` if that cannot be measured.
    fn work_of_bot(&mut self) -> Option<Work>;

    /// Ends a program and everything that it has started. Returns its last output, and its usage as the last event.
    fn end(&mut self, side: Side) -> Vec<SideEvent>;
}

/// An event of one program. [`Event::Received`] has the bytes of one read, which are not always whole lines.
#[derive(Debug)]
pub struct SideEvent {
    pub side: Side,
    /// The seat of the bot, or of the bot that gets these bytes of the interactor, counted from 0.
    pub seat: usize,
    pub timed: TimedEvent,
}

pub struct Relay {
    /// The bot in each seat, and then the interactor.
    parties: Vec<Party>,
    /// The program that has written last, with its seat.
    last_writer: Option<(Side, usize)>,
    /// Whether the judge has ended the input of the bots, whose ends then say nothing to the interactor.
    has_ended_bots: bool,
    counted_at: Instant,
    /// When the states of the processes were last read to find out which program is awaited.
    looked_at: Option<Instant>,
}

/// How long a bot that has closed its output may take to exit before its partner is told.
const EXIT_TIME: Duration = Duration::from_millis(500);

/// Minimum time between two looks at the states of the processes. A program that waits for a line goes on waiting until
/// bytes pass between the programs, so a look is out of date only if the other program begins to wait, too.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

impl Relay {
    pub fn new(mut bots: Vec<Party>, interactor: Party) -> Self {
        for (seat, bot) in bots.iter_mut().enumerate() {
            (bot.side, bot.seat) = (Side::Bot, seat);
        }
        bots.push(interactor);
        let (last_writer, has_ended_bots, looked_at) = Default::default();
        Self { parties: bots, last_writer, has_ended_bots, counted_at: Instant::now(), looked_at }
    }

    /// Connects a bot with the judge itself, which has no process.
    pub fn with_judge(bot: Party) -> Self {
        Self::new(vec![bot], Party { pipes: vec![Pipes::default()], ..Party::default() })
    }

    /// Writes bytes of the judge to the bot without blocking.
    pub fn write(&mut self, bytes: &[u8]) {
        self.restart_quiet_times();
        // The bot has not read what was sent after it had closed its stdin.
        let pipes = self.pipes_mut(Side::Bot, 0);
        pipes.outgoing.extend(bytes);
        pipes.write();
    }

    /// Lets the limits on time of the bot count from now on.
    pub fn restart_limits(&mut self, limits: Limits) {
        let bot = &mut self.parties[0];
        (bot.limits, bot.waited) = (limits, Duration::ZERO);
        self.counted_at = Instant::now();
    }

    /// Lets the usage of the bot count from now on. Returns the events after which the bot does nothing more.
    pub fn restart_usage(&mut self) -> Vec<SideEvent> {
        let bot = &mut self.parties[0];
        let restarted = bot.program.iter_mut().try_for_each(Program::begin_game).context(UNMEASURED);
        let exit = bot.program.as_ref().and_then(Program::exit).map(Event::Exited);
        let closed = bot.pipes[0].stdout.is_none().then_some(Event::Closed);
        let events = chain!(restarted.as_ref().err().map(failed), exit, closed);
        events.map(|event| bot.event(event)).collect()
    }

    /// Returns an event with the usage of the bot so far; that of a bot that another program has started is not known.
    pub fn used(&mut self) -> Event {
        let used = self.parties[0].program.as_mut().map_or(Ok(Usage::default()), Program::used);
        used.context(UNMEASURED).map_or_else(|error| failed(&error), Event::Used)
    }

    /// Returns the report of a limit that only the judge knows, with the state of the bot's pipes.
    pub fn report(&self, limit: Limit) -> LimitReport {
        self.parties[0].report(LimitReport::new(limit))
    }

    /// Waits at most `timeout` until something happens, without a look at the limits.
    pub fn exchange(&mut self, timeout: Duration) -> Vec<SideEvent> {
        self.events(|relay, events| relay.pump(timeout, events))
    }

    /// Returns the events of a step, with its failure as the last one.
    fn events(
        &mut self,
        step: impl FnOnce(&mut Self, &mut Vec<SideEvent>) -> anyhow::Result<()>,
    ) -> Vec<SideEvent> {
        let mut events = Vec::new();
        let failure = step(self, &mut events).err();
        events.extend(failure.map(|error| self.parties[0].event(failed(&error))));
        events
    }

    /// Closes the bot's input, waits at most `grace` for its end, and then ends the bot and everything that it has started.
    /// Returns what has happened since, of the output at most `room` bytes, and the usage as the last event. A bot that
    /// prints more than `max_output` bytes is ended at once.
    ///
    /// If another program has started the bot, waits for the end of its output. No event says that the output does not
    /// end, because the judge cannot distinguish a bot that continues from a runner that holds the bot's pipe open.
    pub fn end_bot(&mut self, grace: Duration, mut room: usize, max_output: usize) -> Vec<SideEvent> {
        let mut grace_time = GraceTime::new(grace, Instant::now());
        let (mut events, mut printed) = (Vec::new(), 0);
        let mut stderr = StderrExcerpt::new(LATE_STDERR_KEPT, LATE_STDERR_KEPT);
        let mut keep = |new: Vec<SideEvent>| {
            for mut new in new {
                match &mut new.timed.event {
                    Event::Stderr(text) => stderr.extend(&text.0),
                    Event::Received(_) if room == 0 => {}
                    Event::Received(bytes) => {
                        bytes.0.truncate(room);
                        room -= bytes.0.len();
                        events.push(new);
                    }
                    _ => events.push(new),
                }
            }
        };
        self.end_input(Side::Bot);
        let mut is_over = false;
        while !is_over && self.is_running(Side::Bot) {
            let is_late = grace_time.is_over(Instant::now(), || self.work_of_bot());
            let is_interrupted = interrupted();
            // A bot that has ended by now counts as having ended in time, however late this call is.
            let mut new = self.exchange(if is_late { Duration::ZERO } else { POLL_INTERVAL.min(grace) });
            let has_failed = new.iter().any(|new| matches!(new.timed.event, Event::Failed { .. }));
            let sizes = new.iter().map(|new| match &new.timed.event {
                Event::Received(bytes) => bytes.0.len(),
                _ => 0,
            });
            printed += sizes.sum::<usize>();
            is_over = is_late || is_interrupted || has_failed || printed > max_output;
            let bot = &mut self.parties[0];
            if is_over && !has_failed && bot.program.as_ref().is_some_and(Program::is_running) {
                // An interrupt leaves the bot no time to end, which is not the bot's fault.
                let is_slow = !is_interrupted && !grace.is_zero();
                new.extend(if is_slow { bot.still_running() } else { None });
                new.push(bot.event(if is_interrupted { Event::Interrupted } else { Event::Killed }));
            }
            keep(new);
        }
        let mut last = self.parties[0].end();
        let used = last.pop();
        keep(last);
        events.extend(stderr.into_events().map(|event| self.parties[0].event(event)).chain(used));
        events
    }

    /// Returns the place of the bot in a seat, or of the interactor, and which of its partners it talks to in this seat.
    fn place(&self, side: Side, seat: usize) -> (usize, usize) {
        if side == Side::Bot { (seat, 0) } else { (self.seats(), seat) }
    }

    fn pipes(&self, side: Side, seat: usize) -> &Pipes {
        let (place, partner) = self.place(side, seat);
        &self.parties[place].pipes[partner]
    }

    fn pipes_mut(&mut self, side: Side, seat: usize) -> &mut Pipes {
        let (place, partner) = self.place(side, seat);
        &mut self.parties[place].pipes[partner]
    }

    fn running(&mut self) -> impl Iterator<Item = &mut Party> {
        self.parties.iter_mut().filter(|party| party.is_running())
    }

    pub fn held_by(&self) -> Option<HeldBy> {
        self.parties[0].program.as_ref()?.held_by()
    }

    /// Waits at most `timeout` for a byte or an exit, passes bytes on, and checks the limits.
    fn wait_once(&mut self, timeout: Duration, events: &mut Vec<SideEvent>) -> anyhow::Result<()> {
        self.pump(timeout, events)?;
        self.pass_on_ends();
        let was_quiet = events.is_empty();
        if was_quiet {
            self.look_who_is_awaited().context(UNMEASURED)?;
        }
        self.count_time();
        let mut reached = Vec::new();
        for party in self.running() {
            match party.check().context(UNMEASURED)? {
                Some(report) if report.limit == Limit::Idle => party.idle = Some(report),
                report => reached.extend(report.map(|report| party.event(Event::Limit(report)))),
            }
        }
        if was_quiet && reached.is_empty() && self.running().all(|party| party.idle.is_some()) {
            // A program that was idle may compute again without having read or written a byte.
            for party in self.running() {
                if party.snapshot().context(UNMEASURED)?.is_some_and(|snapshot| !snapshot.sleeping) {
                    party.idle = None;
                    return Ok(());
                }
            }
            for party in self.running() {
                let idle = party.idle.take();
                reached.extend(idle.map(|report| party.event(Event::Limit(report))));
            }
        }
        let is_of_time = |event: &SideEvent| {
            matches!(&event.timed.event, Event::Limit(LimitReport { limit: Limit::Wall | Limit::Idle, .. }))
        };
        if was_quiet && reached.iter().any(is_of_time) {
            // A program may have written something and fallen asleep while the judge did not run. This comes last: a
            // program that was still about to write would have been seen awake.
            self.pump(Duration::ZERO, events)?;
            if !events.is_empty() {
                reached.retain(|event| !is_of_time(event));
            }
        }
        events.extend(reached);
        Ok(())
    }

    /// Adds the time since the last call to the waiting time of each awaited program.
    fn count_time(&mut self) {
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.counted_at);
        self.counted_at = now;
        for party in self.parties.iter_mut().filter(|party| !party.waits) {
            party.waited += passed;
        }
    }

    /// Finds out which program the others wait for, after a wait in which nothing has happened.
    fn look_who_is_awaited(&mut self) -> anyhow::Result<()> {
        if self.running().count() <= 1 {
            self.expect_reply();
        } else if self.looked_at.is_none_or(|at| at.elapsed() >= LOOK_INTERVAL)
            && self.parties.iter().filter_map(|party| party.program.as_ref()).any(Program::is_due)
        {
            self.looked_at = Some(Instant::now());
            // Usually the program that wrote last waits for the other one, but it may also write more. Only the state of
            // the processes shows this, and reading it takes long.
            let mut waits = Vec::new();
            for party in self.running() {
                waits.push(party.awaits_input()?);
            }
            if waits.contains(&true) && waits.contains(&false) {
                self.running().zip(waits).for_each(|(party, waits)| party.waits = waits);
            } else {
                self.expect_reply();
            }
        }
        Ok(())
    }

    /// Assumes that the program that wrote last waits for the reply of its partner, if one has written.
    fn expect_reply(&mut self) {
        let awaited = self.last_writer.map(|(side, seat)| self.place(side.other(), seat).0);
        // If only one program runs, no other one can be waited for.
        let awaited = awaited.filter(|_| self.running().count() > 1);
        for (place, party) in self.parties.iter_mut().enumerate() {
            party.waits = awaited.is_some_and(|awaited| awaited != place);
        }
    }

    /// Waits at most `timeout` until a pipe is ready or a program ends, and passes bytes on.
    fn pump(&mut self, timeout: Duration, events: &mut Vec<SideEvent>) -> anyhow::Result<()> {
        let ends = (0..self.seats()).cartesian_product(Side::BOTH);
        let watched = ends.clone().map(|(seat, side)| {
            let (place, partner) = self.place(side, seat);
            self.parties[place].watched(partner, self.room(side, seat) > 0)
        });
        let watched: Vec<Watched<'_>> = watched.collect();
        let has_ended = self.parties.iter().any(Party::has_new_exit);
        let ready =
            poll_all(&watched, if has_ended { Duration::ZERO } else { timeout }).context(UNREADABLE)?;
        for ((seat, side), ready) in ends.zip(ready) {
            let ((place, partner), room, known) =
                (self.place(side, seat), self.room(side, seat), events.len());
            if self.parties[place].exchange(partner, ready, room, events).context(UNREADABLE)? {
                self.restart_quiet_times();
            }
            for SideEvent { side, seat, timed } in &events[known..] {
                if let Event::Received(bytes) = &timed.event {
                    self.pass_on(*side, *seat, &bytes.0);
                }
            }
        }
        Ok(())
    }

    /// Returns how many bytes may be read from a program: as many as its partner has room for, if that reads them.
    fn room(&self, side: Side, seat: usize) -> usize {
        let other = self.pipes(side.other(), seat);
        if other.stdin.is_some() { MAX_WAITING.saturating_sub(other.outgoing.len()) } else { READ_CHUNK }
    }

    /// Passes output on to the partner.
    fn pass_on(&mut self, side: Side, seat: usize, bytes: &[u8]) {
        let other = self.pipes_mut(side.other(), seat);
        if other.stdin.is_some() {
            other.outgoing.extend(bytes);
            other.write();
        }
        self.last_writer = Some((side, seat));
        self.expect_reply();
    }

    /// With several bots, ends the input of each program whose partner has closed its output: the end of one conversation
    /// decides nothing about the others. A bot that is about to exit is waited for, so that the interactor does not react
    /// to its end before the exit is known.
    fn pass_on_ends(&mut self) {
        if self.seats() == 1 {
            return;
        }
        for seat in 0..self.seats() {
            if self.pipes(Side::Interactor, seat).closed_at.is_some() {
                self.pipes_mut(Side::Bot, seat).end_input();
            }
            let closed_at = self.pipes(Side::Bot, seat).closed_at.filter(|_| !self.has_ended_bots);
            let has_ended = !self.parties[seat].is_running();
            if closed_at.is_some_and(|at| has_ended || at.elapsed() >= EXIT_TIME) {
                self.pipes_mut(Side::Interactor, seat).end_input();
            }
        }
    }

    /// Restarts the quiet time of all programs, because bytes have moved. The time until now was spent on the programs
    /// that were expected to write.
    fn restart_quiet_times(&mut self) {
        self.count_time();
        self.parties.iter_mut().for_each(Party::restart_quiet_time);
    }
}

impl Pair for Relay {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn seats(&self) -> usize {
        self.parties.len() - 1
    }

    fn is_running(&self, side: Side) -> bool {
        self.parties.iter().any(|party| party.side == side && party.is_running())
    }

    fn unread(&self, side: Side) -> usize {
        let parties = self.parties.iter().filter(|party| party.side == side);
        parties.flat_map(|party| &party.pipes).map(Pipes::unread).sum()
    }

    fn writes(&self, side: Side, seat: usize) -> Option<u64> {
        self.parties[self.place(side, seat).0].program.as_ref()?.writes()
    }

    fn end_input(&mut self, side: Side) {
        self.has_ended_bots |= side == Side::Bot;
        let exit = self.parties[0].program.as_ref().and_then(Program::exit);
        let exit = exit.unwrap_or(Exit::Signal(Signal::KILL.as_raw()));
        for party in self.parties.iter_mut().filter(|party| party.side == side) {
            if let Some(stand_in) = party.stand_in.take() {
                // The tester may have ended it.
                let _ = link::send(&stand_in, &exit, &[]);
            }
            party.end_input();
        }
    }

    fn wrote_stderr_first(&self, seat: usize) -> bool {
        self.parties[seat].wrote_stderr_first
    }

    fn awaits_input(&mut self, side: Side) -> anyhow::Result<bool> {
        let (place, _) = self.place(side, 0);
        self.parties[place].awaits_input()
    }

    fn work_of_bot(&mut self) -> Option<Work> {
        let bots = self.running().filter(|party| party.side == Side::Bot);
        bots.map(|party| party.program.as_mut()?.work()).reduce(|all, bot| {
            let (all, bot) = (all?, bot?);
            Some(Work { cpu: all.cpu + bot.cpu, sleeping: all.sleeping && bot.sleeping })
        })?
    }

    fn wait(&mut self, timeout: Duration) -> Vec<SideEvent> {
        self.events(|relay, events| relay.wait_once(timeout, events))
    }

    fn end(&mut self, side: Side) -> Vec<SideEvent> {
        let parties = self.parties.iter_mut().filter(|party| party.side == side);
        let ends = parties.flat_map(|party| {
            let killed = party.is_running().then(|| party.event(Event::Killed));
            killed.into_iter().chain(party.end())
        });
        // That the output ends now is no act of the program.
        ends.filter(|end| !matches!(end.timed.event, Event::Closed)).collect()
    }
}

/// The contexts of an error of a pipe, and of a measurement.
const UNREADABLE: &str = "the judge cannot read from the bot";
const UNMEASURED: &str = "the judge cannot measure what the bot uses, and so cannot enforce its limits";

/// Returns the event of a program with which the judge cannot go on.
fn failed(error: &anyhow::Error) -> Event {
    Event::Failed { why: format!("{error:#}") }
}
