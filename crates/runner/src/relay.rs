//! Connects two programs: passes the output of each program on to the other one, and reports all bytes, closed outputs
//! and exits in order.
//!
//! The relay decides nothing. When the output of one program ends, the input of the other one stays open until
//! [`Relay::end_input`] is called, because a program whose input has ended may exit only because of that.

mod stand_in;

use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use crate::activity::Activity;
use crate::bot::{POLL_INTERVAL, TimedEvent, WaitLimits, unmeasured, unreadable};
use crate::bot_process::is_interruption;
use crate::event::{Bytes, Event, Exit, Limit, LimitReport};
use crate::interrupt::{self, interrupted};
use crate::limits::{HeldBy, LINE_LIMIT, Limits};
use crate::pipes::{MAX_CAPACITY, OpenPipes, PipeEnds, READ_CHUNK, poll_all};
use crate::usage::LimitWatch;
use crate::warden::{Link, Program};

pub use stand_in::{ROLE as STAND_IN_ROLE, StandIn, serve as serve_as_stand_in};

/// Maximum number of bytes that wait in the judge for a program that does not read. Together with the two small pipes
/// on their way this is the capacity of one pipe, 64 KiB, so that a program blocks when it would block without a judge
/// between the two.
pub const MAX_WAITING: usize = 56 << 10;

/// One of the two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// Two programs and the bytes between them. [`Relay`] connects two processes; a test may put scripted programs and a
/// scripted clock in their place.
pub trait Pair {
    /// Returns the current time.
    fn now(&self) -> Instant;

    /// Waits until something happens, but not longer than `timeout`. If every program that still runs is idle, the
    /// events contain the report of the idle limit of each such program.
    fn wait(&mut self, timeout: Duration) -> Vec<SideEvent>;

    /// Returns the program that has written last; `None` if neither has written.
    fn last_writer(&self) -> Option<Side>;

    /// Returns how a program has ended by itself; `None` if it runs, or if the judge has ended it.
    fn exited(&self, side: Side) -> Option<Exit>;

    /// Checks whether a program still runs.
    fn is_running(&self, side: Side) -> bool;

    /// Returns how many bytes the program has not read, including those that it can no longer read.
    fn unread(&self, side: Side) -> usize;

    /// Returns how often the program has called write(2), up to the last look at its state or its end; `None` if it is
    /// not known. Both stdout and stderr count.
    fn writes(&self, side: Side) -> Option<u64>;

    /// Closes the program's stdin as soon as all waiting bytes are written to it.
    fn end_input(&mut self, side: Side);

    /// Checks whether the program is known to have written to stderr before it wrote to stdout, since its input was
    /// ended.
    fn wrote_stderr_first(&self, side: Side) -> bool;

    /// Checks whether the program has read all of its input so far and now sleeps, waiting for more.
    ///
    /// # Errors
    ///
    /// If the state of the program cannot be read.
    fn awaits_input(&mut self, side: Side) -> anyhow::Result<bool>;

    /// Ends a program and everything that it has started. Returns its last output, and its usage as the last event.
    fn end(&mut self, side: Side) -> Vec<SideEvent>;
}

/// An event of one program. [`Event::Received`] has the bytes of one read, which are not always whole lines.
#[derive(Debug)]
pub struct SideEvent {
    pub side: Side,
    pub timed: TimedEvent,
}

/// A running program of a relay.
pub struct Party {
    watch: LimitWatch,
    limits: Limits,
    pipes: OpenPipes,
    /// Number of bytes for this program that could not be written, because the program had closed its input or
    /// ended.
    undelivered: usize,
    /// Whether stdin is closed once all bytes are written.
    input_ends: bool,
    /// The output since the program's last line end, at most the first `LINE_LIMIT` bytes.
    unfinished: Vec<u8>,
    /// How the process ended by itself; `None` while it runs.
    exited: Option<Exit>,
    /// Whether the judge has ended the program.
    is_ended: bool,
    /// Total time that the other program or the judge waited for this one before the current quiet time. A quiet time
    /// begins when bytes pass between the programs, or when the relay is asked to close this program's input.
    waited_before: Duration,
    /// How long the other program or the judge has waited for this one in the current quiet time.
    waited: Duration,
    /// The state of the program, if it has reached its idle limit and nothing has happened since.
    idle: Option<LimitReport>,
    /// Of a tester that has started the bot itself: what it has started in the bot's place, until that is told the end
    /// of the bot.
    stand_in: Option<Link>,
}

impl Party {
    /// Takes over a program that has just been started.
    ///
    /// # Errors
    ///
    /// If its pipes cannot be used.
    pub(crate) fn new(program: Program, pipes: PipeEnds, limits: Limits) -> anyhow::Result<Self> {
        Ok(Self {
            watch: LimitWatch::new(program),
            limits,
            pipes: OpenPipes::new(pipes).context("the pipes cannot be made non-blocking")?,
            undelivered: 0,
            input_ends: false,
            unfinished: Vec::new(),
            exited: None,
            is_ended: false,
            waited_before: Duration::ZERO,
            waited: Duration::ZERO,
            idle: None,
            stand_in: None,
        })
    }

    fn is_running(&self) -> bool {
        self.exited.is_none() && !self.is_ended
    }

    /// Returns the descriptor to wait for the exit.
    fn exit_fd(&self) -> Option<BorrowedFd<'_>> {
        self.is_running().then(|| self.watch.program().exit_fd())
    }

    /// Writes the waiting bytes to this program. Returns whether its pipe took some of them.
    fn write(&mut self) -> bool {
        let before = self.pipes.outgoing.len();
        self.pipes.write();
        if self.pipes.stdin.is_none() {
            // Nobody reads these bytes any more.
            self.undelivered += self.pipes.outgoing.len();
            self.pipes.outgoing.clear();
        }
        if self.input_ends && self.pipes.outgoing.is_empty() {
            self.pipes.stdin = None;
        }
        self.pipes.outgoing.len() < before
    }

    /// Reads at most `enough` bytes of the output.
    fn read_stdout(&mut self, enough: usize) -> io::Result<Vec<u8>> {
        let bytes = self.pipes.read_stdout(enough)?;
        let start = memchr::memrchr(b'\n', &bytes).map(|end| end + 1);
        if start.is_some() {
            self.unfinished.clear();
        }
        let room = LINE_LIMIT.saturating_sub(self.unfinished.len());
        self.unfinished.extend(bytes[start.unwrap_or(0)..].iter().take(room));
        Ok(bytes)
    }

    /// Restarts the quiet time, and keeps the time waited so far for the wall limit.
    fn restart_quiet_time(&mut self) {
        self.watch.restart_quiet_time();
        self.waited_before += std::mem::take(&mut self.waited);
        self.idle = None;
    }

    /// Checks whether the program has read all of its input so far and now sleeps, waiting for more.
    fn awaits_input(&mut self) -> anyhow::Result<bool> {
        // A tester may also wait for the exit of the bot, and leave its last output unread.
        let starts_bot = self.stand_in.is_some();
        if self.pipes.unread() > 0 && !starts_bot {
            return Ok(false);
        }
        let snapshot = self.watch.snapshot_now()?;
        let activity = Activity::of(snapshot.channel.as_deref());
        let is_input = matches!(activity, Activity::Input | Activity::Event | Activity::Unknown);
        Ok(snapshot.sleeping && (is_input || starts_bot))
    }

    /// Ends the program and everything that it has started. Returns its last output, and its usage as the last event.
    pub fn end(&mut self, side: Side) -> Vec<SideEvent> {
        let mut events = Vec::new();
        if self.is_running() {
            events.push(event(side, Event::Killed));
        }
        let used = self.watch.end();
        self.is_ended = true;
        let text = self.pipes.read_stderr(MAX_CAPACITY).unwrap_or_default();
        events.extend((!text.is_empty()).then(|| event(side, Event::Stderr(Bytes(text)))));
        let output = self.read_stdout(MAX_CAPACITY).unwrap_or_default();
        events.extend((!output.is_empty()).then(|| event(side, Event::Received(Bytes(output)))));
        (self.pipes.stdin, self.pipes.stdout) = (None, None);
        events.push(event(side, Event::Used(used)));
        events
    }

    /// Checks the limits, if a check is due.
    fn check(&mut self) -> anyhow::Result<Option<LimitReport>> {
        let Limits { wall, idle, cpu, memory, processes, .. } = self.limits;
        // `waited` covers only the current quiet time, but the wall limit is for all waits together.
        let wall = wall.saturating_sub(self.waited_before);
        let limits = WaitLimits { wall, idle, cpu, memory, processes };
        let Some(reached) = self.watch.check(self.waited, &limits)? else { return Ok(None) };
        Ok(Some(LimitReport {
            limit: reached.limit,
            used: reached.snapshot.used,
            sleeping: reached.snapshot.sleeping,
            stopped: reached.snapshot.stopped,
            quiet: reached.quiet,
            channel: reached.snapshot.channel,
            unread: self.pipes.unread(),
            unfinished: Bytes(self.unfinished.clone()),
        }))
    }
}

/// Two running programs and the bytes between them.
pub struct Relay {
    bot: Party,
    interactor: Party,
    /// The program that has written last.
    last_writer: Option<Side>,
    /// The program that the other one waits for, as far as it is known; `None` if either may have to write next.
    awaited: Option<Side>,
    /// When [`count_time`](Self::count_time) last ran.
    counted_at: Instant,
    /// When the states of the processes were last read to find out which program is awaited.
    looked_at: Instant,
}

/// Minimum time between two looks at the states of the processes. A program that waits for a line goes on waiting until
/// bytes pass between the programs, so a look is out of date only if the other program begins to wait, too.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

impl Relay {
    pub fn new(bot: Party, interactor: Party) -> Self {
        let now = Instant::now();
        let looked_at = now.checked_sub(LOOK_INTERVAL).unwrap_or(now);
        Self { bot, interactor, last_writer: None, awaited: None, counted_at: now, looked_at }
    }

    fn party(&self, side: Side) -> &Party {
        match side {
            Side::Bot => &self.bot,
            Side::Interactor => &self.interactor,
        }
    }

    fn party_mut(&mut self, side: Side) -> &mut Party {
        match side {
            Side::Bot => &mut self.bot,
            Side::Interactor => &mut self.interactor,
        }
    }

    /// Returns how a program's limits are enforced; `None` if they are not.
    pub fn held_by(&self, side: Side) -> Option<HeldBy> {
        cfg!(target_os = "linux").then(|| self.party(side).watch.program().held_by())
    }

    /// Waits at most `timeout` for a byte or an exit, passes bytes on, and checks the limits.
    fn wait_once(&mut self, timeout: Duration, events: &mut Vec<SideEvent>) {
        if let Err(error) = self.pump(timeout, events) {
            events.push(SideEvent { side: Side::Interactor, timed: unreadable(&error) });
            return;
        }
        if events.is_empty()
            && let Err(error) = self.look_who_is_awaited()
        {
            events.push(SideEvent { side: Side::Interactor, timed: unmeasured(&error) });
            return;
        }
        self.count_time();
        for side in Side::BOTH {
            if !self.party(side).is_running() {
                continue;
            }
            match self.party_mut(side).check() {
                Ok(None) => {}
                Ok(Some(report)) if report.limit == Limit::Idle => self.party_mut(side).idle = Some(report),
                Ok(Some(report)) => {
                    let was_quiet = events.is_empty();
                    // A program may have written something while the judge did not run.
                    if was_quiet
                        && report.limit == Limit::Wall
                        && let Err(error) = self.pump(Duration::ZERO, events)
                    {
                        events.push(SideEvent { side: Side::Interactor, timed: unreadable(&error) });
                    }
                    if !was_quiet || events.is_empty() {
                        events.push(event(side, Event::Limit(report)));
                    }
                }
                Err(error) => events.push(SideEvent { side, timed: unmeasured(&error) }),
            }
        }
        let is_idle = |party: &Party| !party.is_running() || party.idle.is_some();
        let runs = Side::BOTH.iter().any(|&side| self.party(side).is_running());
        if !events.is_empty() || !runs || !is_idle(&self.bot) || !is_idle(&self.interactor) {
            return;
        }
        // A program may have written something and fallen asleep while the judge did not run.
        if let Err(error) = self.pump(Duration::ZERO, events) {
            events.push(SideEvent { side: Side::Interactor, timed: unreadable(&error) });
        }
        // A program that was idle may compute again without having read or written a byte.
        for side in Side::BOTH {
            let party = self.party_mut(side);
            if !party.is_running() {
                continue;
            }
            match party.watch.snapshot_now() {
                Ok(snapshot) if snapshot.sleeping => {}
                Ok(_) => {
                    party.idle = None;
                    return;
                }
                Err(error) => events.push(SideEvent { side, timed: unmeasured(&error) }),
            }
        }
        if events.is_empty() {
            for side in Side::BOTH {
                let idle = self.party_mut(side).idle.take();
                events.extend(idle.map(|report| event(side, Event::Limit(report))));
            }
        }
    }

    /// Adds the time since the last call to the waiting time of the [`awaited`](Self::awaited) program, or of both
    /// programs.
    fn count_time(&mut self) {
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.counted_at);
        self.counted_at = now;
        for side in Side::BOTH {
            if self.awaited.is_none_or(|awaited| awaited == side) {
                self.party_mut(side).waited += passed;
            }
        }
    }

    /// Finds out which program the other one waits for, after a wait in which nothing has happened.
    fn look_who_is_awaited(&mut self) -> anyhow::Result<()> {
        // If one program has ended, only the other one can be waited for.
        if let Some(side) = Side::BOTH.into_iter().find(|&side| !self.party(side.other()).is_running()) {
            self.awaited = Some(side);
        } else if self.looked_at.elapsed() >= LOOK_INTERVAL
            && (self.bot.watch.is_due() || self.interactor.watch.is_due())
        {
            self.looked_at = Instant::now();
            // Usually the program that wrote last waits for the other one, but it may also write more. Only the state of
            // the processes shows this, and reading it takes long.
            self.awaited = match [self.bot.awaits_input()?, self.interactor.awaits_input()?] {
                [true, false] => Some(Side::Interactor),
                [false, true] => Some(Side::Bot),
                _ => self.last_writer.map(Side::other),
            };
        }
        Ok(())
    }

    /// Waits at most `timeout` until a pipe is ready or a program ends, and passes bytes on.
    fn pump(&mut self, timeout: Duration, events: &mut Vec<SideEvent>) -> io::Result<()> {
        let watched = Side::BOTH.map(|side| {
            let party = self.party(side);
            party.pipes.watched(party.exit_fd(), self.room(side) > 0)
        });
        let is_known = |party: &Party| party.is_running() && party.watch.program().has_ended();
        let has_ended = is_known(&self.bot) || is_known(&self.interactor);
        let ready = poll_all(watched, if has_ended { Duration::ZERO } else { timeout })?;
        let known = events.len();
        for (side, [exit, stdout, stderr, stdin]) in Side::BOTH.into_iter().zip(ready) {
            let was_open = self.party(side).pipes.stdout.is_some();
            if stdin && self.party_mut(side).write() {
                self.restart_quiet_times();
            }
            // What a program wrote to stderr before its line would otherwise be recorded after it.
            if stderr {
                let text = self.party_mut(side).pipes.read_stderr(READ_CHUNK)?;
                if !text.is_empty() {
                    let party = self.party_mut(side);
                    party.watch.restart_quiet_time_now();
                    party.idle = None;
                    events.push(event(side, Event::Stderr(Bytes(text))));
                }
            }
            if stdout {
                self.pass_on(side, self.room(side), events)?;
            }
            let is_closed = was_open && self.party(side).pipes.stdout.is_none();
            // A killed warden ends its program, whose last output then decides nothing.
            if (exit || is_closed || self.party(side).watch.program().has_ended())
                && let Err(error) = self.notice_exit(side, events)
            {
                events.truncate(known);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Returns how many bytes may be read from a program: as many as there is room for, if the other one reads them.
    fn room(&self, side: Side) -> usize {
        let other = self.party(side.other());
        if other.pipes.stdin.is_none() {
            READ_CHUNK
        } else {
            MAX_WAITING.saturating_sub(other.pipes.outgoing.len())
        }
    }

    /// Passes output of a program on to the other one.
    fn pass_on(&mut self, side: Side, enough: usize, events: &mut Vec<SideEvent>) -> io::Result<()> {
        let party = self.party_mut(side);
        let was_open = party.pipes.stdout.is_some();
        let bytes = party.read_stdout(enough)?;
        let is_closed = was_open && party.pipes.stdout.is_none();
        if !bytes.is_empty() {
            let other = self.party_mut(side.other());
            if other.pipes.stdin.is_some() {
                other.pipes.outgoing.extend(&bytes);
                other.write();
            }
            self.restart_quiet_times();
            self.last_writer = Some(side);
            self.awaited = Some(side.other());
            events.push(event(side, Event::Received(Bytes(bytes))));
        }
        if is_closed {
            events.push(event(side, Event::Closed));
        }
        Ok(())
    }

    /// Restarts the quiet time of both programs, because bytes have moved. The time until now was spent on the program
    /// that was expected to write.
    fn restart_quiet_times(&mut self) {
        self.count_time();
        for side in Side::BOTH {
            self.party_mut(side).restart_quiet_time();
        }
    }

    /// If a program has exited, passes its last output on, and then reports its exit.
    fn notice_exit(&mut self, side: Side, events: &mut Vec<SideEvent>) -> io::Result<()> {
        if !self.party(side).is_running() {
            return Ok(());
        }
        let Some(exit) = self.party(side).watch.program().exit().map_err(io::Error::other)? else {
            return Ok(());
        };
        self.pass_on(side, MAX_CAPACITY, events)?;
        let party = self.party_mut(side);
        let is_closed = party.pipes.stdout.take().is_none();
        let text = party.pipes.read_stderr(MAX_CAPACITY)?;
        party.exited = Some(exit);
        // From now on the other program waits for something else: a decision, or nothing.
        self.restart_quiet_times();
        let party = self.party_mut(side);
        if side == Side::Bot {
            // Close the bot's input, because a process that the bot has left running may hold it open and read nothing.
            // Keep the interactor's input open, so that `unread` can count the bytes that the interactor has not read.
            party.pipes.stdin = None;
            party.pipes.outgoing.clear();
        }
        // A judge that is being terminated ends its programs first. Wait for the end of the judge here, so that the
        // exits of its programs decide nothing.
        interrupt::await_end();
        events.extend((!is_closed).then(|| event(side, Event::Closed)));
        events.extend((!text.is_empty()).then(|| event(side, Event::Stderr(Bytes(text)))));
        events.extend(is_interruption(exit).then(|| event(side, Event::Interrupted)));
        events.push(event(side, Event::Exited(exit)));
        Ok(())
    }
}

impl Pair for Relay {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn last_writer(&self) -> Option<Side> {
        self.last_writer
    }

    fn exited(&self, side: Side) -> Option<Exit> {
        self.party(side).exited
    }

    fn is_running(&self, side: Side) -> bool {
        self.party(side).is_running()
    }

    fn unread(&self, side: Side) -> usize {
        let party = self.party(side);
        party.pipes.unread() + party.undelivered
    }

    fn writes(&self, side: Side) -> Option<u64> {
        self.party(side).watch.program().writes()
    }

    fn end_input(&mut self, side: Side) {
        let exit = self.bot.exited.unwrap_or(Exit::Signal(Signal::KILL.as_raw()));
        let party = self.party_mut(side);
        party.pipes.watch_first_output();
        if let Some(mut stand_in) = party.stand_in.take() {
            // The tester may have ended it.
            let _ = stand_in.send(&exit, &[]);
        }
        party.input_ends = true;
        party.restart_quiet_time();
        party.write();
    }

    fn wrote_stderr_first(&self, side: Side) -> bool {
        self.party(side).pipes.is_stderr_first()
    }

    fn awaits_input(&mut self, side: Side) -> anyhow::Result<bool> {
        self.party_mut(side).awaits_input()
    }

    fn wait(&mut self, timeout: Duration) -> Vec<SideEvent> {
        let deadline = Instant::now() + timeout;
        let mut events = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            self.wait_once(left.min(POLL_INTERVAL), &mut events);
            if !events.is_empty() || left.is_zero() {
                return events;
            }
            if interrupted() {
                events.push(event(Side::Interactor, Event::Interrupted));
                return events;
            }
        }
    }

    fn end(&mut self, side: Side) -> Vec<SideEvent> {
        self.party_mut(side).end(side)
    }
}

fn event(side: Side, event: Event) -> SideEvent {
    SideEvent { side, timed: TimedEvent::now(event) }
}
