//! One program of a relay: its limits, and its pipes to each of its partners.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};

use super::event;
use super::fifos::Fifos;
use crate::activity::Activity;
use crate::event::{Bytes, Event, Exit, LimitReport};
use crate::limits::{LINE_LIMIT, Limits};
use crate::pipes::{MAX_CAPACITY, Pipes, Watched};
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
    pub(super) connections: Vec<Connection>,
    /// How the process ended by itself; `None` while it runs.
    pub(super) exited: Option<Exit>,
    is_ended: bool,
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

/// The pipes between a program and one partner, and the bytes in them.
#[derive(Default)]
pub(super) struct Connection {
    pub(super) pipes: Pipes,
    /// Named pipes whose directions are not known yet, and the process ID of the program's warden. Until then nothing is
    /// written.
    pub(super) undecided: Option<(Fifos, u32)>,
    /// Number of bytes for this program that could not be written, because the program had closed its input or
    /// ended.
    undelivered: usize,
    /// Whether stdin is closed once all bytes are written.
    input_ends: bool,
    pub(super) closed_at: Option<Instant>,
    /// The output since the program's last line end, at most the first `LINE_LIMIT` bytes.
    unfinished: Vec<u8>,
}

impl Connection {
    pub(super) fn end_input(&mut self) {
        self.input_ends = true;
        self.write();
    }

    /// Returns what [`poll_all`](crate::pipes::poll_all) has to watch. The arguments are as for
    /// [`Pipes::watched`].
    pub(super) fn watched<'a>(&'a self, exit: Option<BorrowedFd<'a>>, reads_stdout: bool) -> Watched<'a> {
        let [exit, stdout, stderr, stdin] = self.pipes.watched(exit, reads_stdout);
        if self.undecided.is_none() {
            return [exit, stdout, stderr, stdin];
        }
        let first = self.pipes.stdin.as_ref().map(|first| PollFd::new(first, PollFlags::IN));
        let second = self.pipes.stdout.as_ref().map(|second| PollFd::new(second, PollFlags::IN));
        [exit, second, stderr, first]
    }

    /// Finds out which of two named pipes the program reads, if that is not known yet. `is_written` says which one has
    /// bytes of the program. Returns whether it is known.
    pub(super) fn decide(&mut self, is_written: [bool; 2]) -> io::Result<bool> {
        let Some((fifos, warden)) = &self.undecided else { return Ok(true) };
        let read = match is_written {
            [true, _] => Some(1),
            [_, true] => Some(0),
            // Without bytes for the program, the direction does not matter yet.
            _ if self.pipes.outgoing.is_empty() && !self.input_ends => None,
            _ => fifos.read_by_program(*warden),
        };
        let Some(read) = read else { return Ok(false) };
        if let Some(second) = self.pipes.stdout.take()
            && let Some(first) = self.pipes.stdin.take()
        {
            let (stdin, stdout) = fifos.decide(read, first, second)?;
            (self.pipes.stdin, self.pipes.stdout) = (Some(stdin), Some(stdout));
        }
        self.undecided = None;
        Ok(true)
    }

    /// Writes the waiting bytes to the program. Returns whether its pipe took some of them.
    pub(super) fn write(&mut self) -> bool {
        if self.undecided.is_some() {
            return false;
        }
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

    pub(super) fn read_stdout(&mut self, enough: usize) -> io::Result<Vec<u8>> {
        let bytes = self.pipes.read_stdout(enough)?;
        let start = memchr::memrchr(b'\n', &bytes).map(|end| end + 1);
        if start.is_some() {
            self.unfinished.clear();
        }
        let room = LINE_LIMIT.saturating_sub(self.unfinished.len());
        self.unfinished.extend(bytes[start.unwrap_or(0)..].iter().take(room));
        Ok(bytes)
    }

    /// Returns whether the program may still read what is written to it.
    pub(super) fn has_reader(&self) -> bool {
        self.pipes.stdin.is_some()
    }
}

impl Party {
    /// Makes the party of an interactor. [`Relay::new`](super::Relay::new) gives bots their seats.
    pub(crate) fn new(program: Program, pipes: Pipes, limits: Limits) -> Self {
        Self {
            side: Side::Interactor,
            seat: 0,
            watch: LimitWatch::new(program),
            limits,
            connections: vec![Connection { pipes, ..Connection::default() }],
            exited: None,
            is_ended: false,
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
            let (stdin, stdout) = fifos.open()?;
            if seat > 0 {
                self.connections.push(Connection::default());
            }
            let Connection { pipes, undecided, .. } = &mut self.connections[seat];
            (pipes.stdin, pipes.stdout) = (Some(stdin), Some(stdout));
            *undecided = Some((fifos.clone(), warden));
        }
        Ok(())
    }

    pub(super) fn is_running(&self) -> bool {
        self.exited.is_none() && !self.is_ended
    }

    /// Returns the pipes with stderr.
    pub(super) fn main_pipes(&mut self) -> &mut Pipes {
        &mut self.connections[0].pipes
    }

    pub(super) fn event(&self, event: Event) -> SideEvent {
        super::event(self.side, self.seat, event)
    }

    pub(super) fn read_stderr(&mut self, enough: usize) -> io::Result<Option<SideEvent>> {
        let text = self.main_pipes().read_stderr(enough)?;
        Ok((!text.is_empty()).then(|| self.event(Event::Stderr(Bytes(text)))))
    }

    pub(super) fn exit_fd(&self) -> Option<BorrowedFd<'_>> {
        self.is_running().then(|| self.watch.program.exit_fd())
    }

    pub(super) fn unread(&self) -> usize {
        self.connections.iter().map(|connection| connection.pipes.unread() + connection.undelivered).sum()
    }

    pub(super) fn restart_quiet_time(&mut self) {
        self.watch.restart_quiet_time();
        self.limits.wall = self.limits.wall.saturating_sub(std::mem::take(&mut self.waited));
        self.idle = None;
    }

    pub(super) fn awaits_input(&mut self) -> anyhow::Result<bool> {
        // A tester may also wait for the exit of the bot, and leave its last output unread.
        let starts_bot = self.stand_in.is_some();
        if self.connections.iter().any(|connection| connection.pipes.unread() > 0) && !starts_bot {
            return Ok(false);
        }
        let snapshot = self.watch.snapshot_now()?;
        let activity = Activity::of(snapshot.channel.as_deref());
        let is_input = matches!(activity, Activity::Input | Activity::Event | Activity::Unknown);
        Ok(snapshot.sleeping && (is_input || starts_bot))
    }

    pub fn end(&mut self) -> Vec<SideEvent> {
        let killed = self.is_running().then(|| self.event(Event::Killed));
        let used = self.watch.end();
        self.is_ended = true;
        let mut events: Vec<SideEvent> = killed.into_iter().collect();
        events.extend(self.read_stderr(MAX_CAPACITY).unwrap_or_default());
        for (other, connection) in self.connections.iter_mut().enumerate() {
            let output = connection.read_stdout(MAX_CAPACITY).unwrap_or_default();
            let seat = self.seat.max(other);
            events
                .extend((!output.is_empty()).then(|| event(self.side, seat, Event::Received(Bytes(output)))));
            (connection.pipes.stdin, connection.pipes.stdout) = (None, None);
        }
        events.push(self.event(Event::Used(used)));
        events
    }

    pub(super) fn check(&mut self) -> anyhow::Result<Option<LimitReport>> {
        let Some(report) = self.watch.check(self.waited, &self.limits)? else { return Ok(None) };
        let mut lines = self.connections.iter().map(|connection| &connection.unfinished);
        let unfinished = Bytes(lines.find(|line| !line.is_empty()).cloned().unwrap_or_default());
        let unread = self.connections.iter().map(|connection| connection.pipes.unread()).sum();
        Ok(Some(LimitReport { unread, unfinished, ..report }))
    }
}
