//! Connects a bot and an interactor: passes the output of each program on to the other one, and reports all bytes, closed
//! outputs and exits in order. The bot may have several processes. Each has a seat, and pipes of its own to the interactor.
//!
//! The relay decides nothing. When the output of one of two programs ends, the input of the other one stays open until
//! [`Relay::end_input`] is called, because a program whose input has ended may exit only because of that.

mod fifos;
mod party;
mod stand_in;

use std::io;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use crate::bot::{TimedEvent, UNMEASURED, UNREADABLE, failed};
use crate::bot_process::exit_events;
use crate::event::{Bytes, Event, Exit, Limit};
use crate::grace::Work;
use crate::limits::HeldBy;
use crate::pipes::{MAX_CAPACITY, Pipes, READ_CHUNK, poll_all};

pub use fifos::Fifos;
pub use party::Party;
pub use stand_in::{ROLE as STAND_IN_ROLE, StandIn, serve as serve_as_stand_in};

/// Maximum number of bytes that wait in the judge for a program that does not read. Together with the two small pipes
/// on their way this is the capacity of one pipe, 64 KiB, so that a program blocks when it would block without a judge
/// between the two.
pub const MAX_WAITING: usize = 56 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Bot,
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

    /// Waits until something happens, but not longer than `timeout`. If every program that still runs is idle, the
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
    looked_at: Instant,
}

/// How long a bot that has closed its output may take to exit before its partner is told.
const EXIT_TIME: Duration = Duration::from_millis(500);

/// Minimum time between two looks at the states of the processes. A program that waits for a line goes on waiting until
/// bytes pass between the programs, so a look is out of date only if the other program begins to wait, too.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

impl Relay {
    pub fn new(mut bots: Vec<Party>, interactor: Party) -> Self {
        let now = Instant::now();
        let looked_at = now.checked_sub(LOOK_INTERVAL).unwrap_or(now);
        for (seat, bot) in bots.iter_mut().enumerate() {
            (bot.side, bot.seat) = (Side::Bot, seat);
        }
        bots.push(interactor);
        Self { parties: bots, last_writer: None, has_ended_bots: false, counted_at: now, looked_at }
    }

    fn place(&self, side: Side, seat: usize) -> usize {
        if side == Side::Bot { seat } else { self.seats() }
    }

    /// Returns the pipes of a program to the partner that it has in a seat, or as the bot in that seat.
    fn pipes(&self, side: Side, seat: usize) -> &Pipes {
        &self.parties[self.place(side, seat)].pipes[if side == Side::Bot { 0 } else { seat }]
    }

    fn pipes_mut(&mut self, side: Side, seat: usize) -> &mut Pipes {
        let place = self.place(side, seat);
        &mut self.parties[place].pipes[if side == Side::Bot { 0 } else { seat }]
    }

    fn of_side(&self, side: Side) -> impl Iterator<Item = &Party> {
        self.parties.iter().filter(move |party| party.side == side)
    }

    fn running(&mut self) -> impl Iterator<Item = &mut Party> {
        self.parties.iter_mut().filter(|party| party.watch.program.is_running())
    }

    pub fn held_by(&self) -> Option<HeldBy> {
        self.parties[0].watch.program.held_by()
    }

    /// Waits at most `timeout` for a byte or an exit, passes bytes on, and checks the limits.
    fn wait_once(&mut self, timeout: Duration, events: &mut Vec<SideEvent>) -> anyhow::Result<()> {
        self.pump(timeout, events).context(UNREADABLE)?;
        self.pass_on_ends();
        if events.is_empty() {
            self.look_who_is_awaited().context(UNMEASURED)?;
        }
        self.count_time();
        for place in 0..self.parties.len() {
            let party = &mut self.parties[place];
            if !party.watch.program.is_running() {
                continue;
            }
            match party.check().context(UNMEASURED)? {
                None => {}
                Some(report) if report.limit == Limit::Idle => party.idle = Some(report),
                Some(report) => {
                    let was_quiet = events.is_empty();
                    // A program may have written something while the judge did not run.
                    if was_quiet && report.limit == Limit::Wall {
                        self.pump(Duration::ZERO, events).context(UNREADABLE)?;
                    }
                    if !was_quiet || events.is_empty() {
                        events.push(self.parties[place].event(Event::Limit(report)));
                    }
                }
            }
        }
        let is_any_idle = self.running().any(|party| party.idle.is_some());
        if !events.is_empty() || !is_any_idle || self.running().any(|party| party.idle.is_none()) {
            return Ok(());
        }
        // A program that was idle may compute again without having read or written a byte.
        for party in self.running() {
            if !party.watch.snapshot_now().context(UNMEASURED)?.sleeping {
                party.idle = None;
                return Ok(());
            }
        }
        // A program may have written something and fallen asleep while the judge did not run. This comes last: a program
        // that was still about to write would have been seen awake.
        self.pump(Duration::ZERO, events).context(UNREADABLE)?;
        if events.is_empty() {
            for party in self.running() {
                let idle = party.idle.take();
                events.extend(idle.map(|report| party.event(Event::Limit(report))));
            }
        }
        Ok(())
    }

    /// Adds the time since the last call to the waiting time of each awaited program.
    fn count_time(&mut self) {
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.counted_at);
        self.counted_at = now;
        for party in self.parties.iter_mut().filter(|party| party.is_awaited) {
            party.waited += passed;
        }
    }

    /// Finds out which program the others wait for, after a wait in which nothing has happened.
    fn look_who_is_awaited(&mut self) -> anyhow::Result<()> {
        if self.running().count() <= 1 {
            // No other one can be waited for.
            self.running().for_each(|party| party.is_awaited = true);
        } else if self.looked_at.elapsed() >= LOOK_INTERVAL
            && self.parties.iter().any(|party| party.watch.is_due())
        {
            self.looked_at = Instant::now();
            // Usually the program that wrote last waits for the other one, but it may also write more. Only the state of
            // the processes shows this, and reading it takes long.
            let mut waits = Vec::new();
            for party in self.running() {
                waits.push(party.awaits_input()?);
            }
            if waits.contains(&true) && waits.contains(&false) {
                self.running().zip(waits).for_each(|(party, waits)| party.is_awaited = !waits);
            } else {
                self.expect_reply();
            }
        }
        Ok(())
    }

    /// Assumes that the program that wrote last waits for the reply of its partner, if one has written.
    fn expect_reply(&mut self) {
        let awaited = self.last_writer.map(|(side, seat)| self.place(side.other(), seat));
        for (place, party) in self.parties.iter_mut().enumerate() {
            party.is_awaited = awaited.is_none_or(|awaited| awaited == place);
        }
    }

    /// Waits at most `timeout` until a pipe is ready or a program ends, and passes bytes on.
    fn pump(&mut self, timeout: Duration, events: &mut Vec<SideEvent>) -> io::Result<()> {
        let ends: Vec<(Side, usize)> =
            (0..self.seats()).flat_map(|seat| Side::BOTH.map(|side| (side, seat))).collect();
        let watched = ends.iter().map(|&(side, seat)| {
            let party = &self.parties[self.place(side, seat)];
            let exit = party.watch.program.exit_fd().filter(|_| side == Side::Bot || seat == 0);
            self.pipes(side, seat).watched(exit, self.room(side, seat) > 0)
        });
        let watched = watched.collect();
        let has_ended = self.parties.iter().any(|party| party.watch.program.has_new_exit());
        let ready = poll_all(watched, if has_ended { Duration::ZERO } else { timeout })?;
        let known = events.len();
        for ((side, seat), [exit, mut stdout, stderr, stdin]) in ends.into_iter().zip(ready) {
            let place = self.place(side, seat);
            let pipes = self.pipes_mut(side, seat);
            // What is ready are not stdin and stdout, but the first and the second of two named pipes. The one that has
            // bytes then is stdout.
            let is_undecided = pipes.undecided.is_some();
            if is_undecided {
                stdout = pipes.decide([stdin, stdout])? && (stdin || stdout);
            }
            if (stdin || is_undecided) && pipes.write() {
                self.restart_quiet_times();
            }
            // What a program wrote to stderr before its line would otherwise be recorded after it.
            let party = &mut self.parties[place];
            if stderr && let Some(text) = party.read_stderr(READ_CHUNK)? {
                party.watch.restart_quiet_time_now();
                party.idle = None;
                events.push(text);
            }
            let is_closed = stdout && self.pass_on(side, seat, false, events)?;
            // A killed warden ends its program, whose last output then decides nothing.
            if (exit || is_closed || self.parties[place].watch.program.has_new_exit())
                && let Err(error) = self.notice_exit(side, seat, events)
            {
                events.truncate(known);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Returns how many bytes may be read from a program: as many as its partner has room for, if that reads them.
    fn room(&self, side: Side, seat: usize) -> usize {
        let other = self.pipes(side.other(), seat);
        if other.stdin.is_some() { MAX_WAITING.saturating_sub(other.outgoing.len()) } else { READ_CHUNK }
    }

    /// Passes output on to the partner: all of it if `is_last`, and then closes the pipe. Returns whether the output has
    /// ended now.
    fn pass_on(
        &mut self,
        side: Side,
        seat: usize,
        is_last: bool,
        events: &mut Vec<SideEvent>,
    ) -> io::Result<bool> {
        let enough = if is_last { MAX_CAPACITY } else { self.room(side, seat) };
        let pipes = self.pipes_mut(side, seat);
        let was_open = pipes.stdout.is_some();
        let bytes = pipes.read_stdout(enough)?;
        if is_last {
            pipes.stdout = None;
        }
        let is_closed = was_open && pipes.stdout.is_none();
        if !bytes.is_empty() {
            let other = self.pipes_mut(side.other(), seat);
            if other.stdin.is_some() {
                other.outgoing.extend(&bytes);
                other.write();
            }
            self.restart_quiet_times();
            self.last_writer = Some((side, seat));
            self.expect_reply();
            events.push(event(side, seat, Event::Received(Bytes(bytes))));
        }
        if is_closed {
            self.pipes_mut(side, seat).closed_at = Some(Instant::now());
            events.push(event(side, seat, Event::Closed));
        }
        Ok(is_closed)
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
            let has_ended = !self.parties[seat].watch.program.is_running();
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

    /// If a program has exited, passes its last output on, and then reports its exit.
    fn notice_exit(&mut self, side: Side, seat: usize, events: &mut Vec<SideEvent>) -> io::Result<()> {
        let place = self.place(side, seat);
        let Some(exit) = self.parties[place].watch.program.new_exit().map_err(io::Error::other)? else {
            return Ok(());
        };
        let seats = if side == Side::Bot { seat..seat + 1 } else { 0..self.seats() };
        for seat in seats {
            self.pass_on(side, seat, true, events)?;
        }
        let text = self.parties[place].read_stderr(MAX_CAPACITY)?;
        // From now on the other program waits for something else: a decision, or nothing.
        self.restart_quiet_times();
        if side == Side::Bot {
            // Close the bot's input, because a process that the bot has left running may hold it open and read nothing.
            // Keep the interactor's input open, so that `unread` can count the bytes that the interactor has not read.
            let pipes = self.pipes_mut(side, seat);
            if pipes.stdin.take().is_some() {
                pipes.outgoing.clear();
            }
        }
        events.extend(text);
        events.extend(exit_events(exit).map(|timed| SideEvent { side, seat, timed }));
        Ok(())
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
        self.of_side(side).any(|party| party.watch.program.is_running())
    }

    fn unread(&self, side: Side) -> usize {
        let pipes = self.of_side(side).flat_map(|party| &party.pipes);
        pipes.map(|pipes| pipes.unread() + pipes.undelivered()).sum()
    }

    fn writes(&self, side: Side, seat: usize) -> Option<u64> {
        self.parties[self.place(side, seat)].watch.program.writes()
    }

    fn end_input(&mut self, side: Side) {
        self.has_ended_bots |= side == Side::Bot;
        let exit = self.parties[0].watch.program.exited.unwrap_or(Exit::Signal(Signal::KILL.as_raw()));
        for seat in 0..self.seats() {
            let place = self.place(side, seat);
            let party = &mut self.parties[place];
            party.pipes[0].watch_first_output();
            if let Some(mut stand_in) = party.stand_in.take() {
                // The tester may have ended it.
                let _ = stand_in.send(&exit, &[]);
            }
            party.restart_quiet_time();
            self.pipes_mut(side, seat).end_input();
        }
    }

    fn wrote_stderr_first(&self, seat: usize) -> bool {
        self.parties[seat].pipes[0].wrote_stderr_first
    }

    fn awaits_input(&mut self, side: Side) -> anyhow::Result<bool> {
        let place = self.place(side, 0);
        self.parties[place].awaits_input()
    }

    fn work_of_bot(&mut self) -> Option<Work> {
        let bots = self.running().filter(|party| party.side == Side::Bot);
        bots.map(|party| party.watch.work()).reduce(|all, bot| {
            let (all, bot) = (all?, bot?);
            Some(Work { cpu: all.cpu + bot.cpu, sleeping: all.sleeping && bot.sleeping })
        })?
    }

    fn wait(&mut self, timeout: Duration) -> Vec<SideEvent> {
        let deadline = Instant::now() + timeout;
        let mut events = Vec::new();
        while events.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if let Err(error) = self.wait_once(left, &mut events) {
                events.push(SideEvent { side: Side::Interactor, seat: 0, timed: failed(&error) });
            }
            if left.is_zero() {
                break;
            }
        }
        events
    }

    fn end(&mut self, side: Side) -> Vec<SideEvent> {
        self.parties.iter_mut().filter(|party| party.side == side).flat_map(Party::end).collect()
    }
}

fn event(side: Side, seat: usize, event: Event) -> SideEvent {
    SideEvent { side, seat, timed: TimedEvent::now(event) }
}
