//! One program that the judge talks to: its pipes, its limits, and its end. A bot in a game has one partner, the judge itself;
//! in a [relay](crate::relay) the partners are other programs.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::process::Signal;

use crate::activity::Activity;
use crate::event::{Bytes, Event, Exit, Limit, LimitReport, StillRunning, TimedEvent};
use crate::interrupt::interrupted;
use crate::limits::{LINE_LIMIT, Limits};
use crate::pipes::{BUFFER_SIZE, MAX_CAPACITY, Pipes, READ_CHUNK, Watched, limit_capacity, read};
#[cfg(target_os = "linux")]
use crate::pipes::{is_stderr_first, watch_outputs};
use crate::relay::{Fifos, POLL_INTERVAL, Side, SideEvent};
use crate::warden::{Detail, Program, Snapshot};

/// The default is an interactor. [`Relay::new`](crate::relay::Relay::new) gives bots their seats.
#[derive(Default)]
pub struct Party {
    pub(super) side: Side,
    pub(super) seat: usize,
    /// `None` if another program has started this one. The judge then knows nothing about it except its output.
    pub(super) program: Option<Program>,
    /// The wall limit is what earlier quiet times have left of it.
    pub(super) limits: Limits,
    /// The pipes to each partner: one for a bot, and one for each seat for an interactor.
    pub(super) pipes: Vec<Pipes>,
    pub(super) stderr: Option<PipeReader>,
    /// Shows which output the program writes to first, until one is read.
    #[cfg(target_os = "linux")]
    pub(super) first_output: Option<OwnedFd>,
    /// Whether the program is known to have written to stderr first since [`Self::end_input`]. Only Linux shows it.
    pub(super) wrote_stderr_first: bool,
    /// Whether it is known that neither the judge nor another program waits for this one, so that its time does not count.
    pub(super) waits: bool,
    /// How long the other programs or the judge have waited for this one in the current quiet time. A quiet time begins
    /// when bytes pass between the programs, or when the judge closes this program's input.
    pub(super) waited: Duration,
    /// The state of the program, if it has reached its idle limit and nothing has happened since.
    pub(super) idle: Option<LimitReport>,
    /// Of a tester that has started the bot itself: what it has started in the bot's place, until that is told the end
    /// of the bot.
    pub(super) stand_in: Option<UnixStream>,
}

impl Party {
    /// Makes the party of a program that is about to start. Returns also the program's own ends of the pipes: stdin, stdout
    /// and stderr.
    pub(super) fn make() -> io::Result<(Self, [OwnedFd; 3])> {
        let ((stdin, to_program), (from_program, stdout), (from_stderr, stderr)) =
            (io::pipe()?, io::pipe()?, io::pipe()?);
        limit_capacity(&stdin);
        limit_capacity(&stdout);
        for pipe in [to_program.as_fd(), from_program.as_fd(), from_stderr.as_fd()] {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        let pipes = Pipes { stdin: Some(to_program), stdout: Some(from_program), ..Pipes::default() };
        let party = Self { pipes: vec![pipes], stderr: Some(from_stderr), ..Self::default() };
        Ok((party, [stdin.into(), stdout.into(), stderr.into()]))
    }

    /// Makes the party of a program that another program has started. The judge shares the program's stdin and stdout with
    /// that program, so they may block: making them non-blocking would also change that program's streams.
    pub fn started_by_another(stdin: PipeWriter, stdout: PipeReader) -> Self {
        let (stdin, stdout) = (Some(stdin), Some(stdout));
        let pipes = vec![Pipes { stdin, stdout, is_blocking: true, ..Pipes::default() }];
        Self { pipes, ..Self::default() }
    }

    /// Connects the program with each of its partners by named pipes, in place of its stdin and stdout. The program may
    /// read either of the two pipes, and writes the other one.
    pub fn use_fifos(&mut self, partners: &[Fifos]) -> io::Result<()> {
        let warden = self.program.as_ref().map_or(0, Program::warden_id);
        self.pipes =
            partners.iter().map(|fifos| Pipes::of_fifos(fifos, warden)).collect::<io::Result<_>>()?;
        Ok(())
    }

    /// Checks whether the program may still do something. Of one that another program has started, only the output shows
    /// that.
    pub(super) fn is_running(&self) -> bool {
        self.program.as_ref().map_or(self.pipes[0].stdout.is_some(), Program::is_running)
    }

    pub(super) fn has_new_exit(&self) -> bool {
        self.program.as_ref().is_some_and(Program::has_new_exit)
    }

    pub(super) fn event(&self, event: Event) -> SideEvent {
        SideEvent { side: self.side, seat: self.seat, timed: TimedEvent::now(event) }
    }

    /// Returns what [`poll_all`](crate::pipes::poll_all) has to watch at the pipes to a partner. `reads_stdout` says whether
    /// the judge has room for output.
    pub(super) fn watched(&self, partner: usize, reads_stdout: bool) -> Watched<'_> {
        let pipes = &self.pipes[partner];
        // In place of stdin and stdout there may be two named pipes, either of which the program may write.
        let is_undecided = pipes.undecided.is_some();
        let stdin = pipes.stdin.as_ref().filter(|_| is_undecided || !pipes.outgoing.is_empty());
        let stdout = pipes.stdout.as_ref().filter(|_| is_undecided || reads_stdout);
        let to_stdin = if is_undecided { PollFlags::IN } else { PollFlags::OUT };
        // The end of the output comes before the exit. Until then only the end of the warden counts, which poll always
        // reports.
        let news = if pipes.stdout.is_some() { PollFlags::empty() } else { PollFlags::IN };
        let exit = self.program.as_ref().and_then(Program::exit_fd).filter(|_| partner == 0);
        let stderr = self.stderr.as_ref().filter(|_| partner == 0);
        [
            exit.map(|exit| PollFd::from_borrowed_fd(exit, news)),
            stdout.map(|stdout| PollFd::new(stdout, PollFlags::IN)),
            stderr.map(|stderr| PollFd::new(stderr, PollFlags::IN)),
            stdin.map(|stdin| PollFd::new(stdin, to_stdin)),
        ]
    }

    /// Writes and reads what is ready at the pipes to a partner: of the output at most `room` bytes. Records the end of the
    /// program, if it has ended. Returns whether its quiet time ends: bytes have moved, or it waits for something else.
    pub(super) fn exchange(
        &mut self,
        partner: usize,
        [exit, mut stdout, stderr, stdin]: [bool; 4],
        room: usize,
        events: &mut Vec<SideEvent>,
    ) -> io::Result<bool> {
        let known = events.len();
        let pipes = &mut self.pipes[partner];
        // What is ready are not stdin and stdout, but the first and the second of two named pipes. The one that has
        // bytes then is stdout.
        let is_undecided = pipes.undecided.is_some();
        if is_undecided {
            stdout = pipes.decide([stdin, stdout])? && (stdin || stdout);
        }
        let mut has_moved = (stdin || is_undecided) && pipes.write();
        #[cfg(target_os = "linux")]
        if let Some(watch) = self.first_output.take_if(|_| stdout || stderr || exit) {
            self.wrote_stderr_first = is_stderr_first(&watch);
        }
        // What a program wrote to stderr before its line would otherwise be recorded after it.
        if stderr && self.read_stderr(READ_CHUNK, events)? {
            self.program.iter_mut().for_each(Program::restart_quiet_time_now);
            self.idle = None;
        }
        let is_closed = stdout && self.read_stdout(partner, room, false, events)?;
        if exit || is_closed || self.has_new_exit() {
            // A killed warden ends its program, whose last output then decides nothing.
            has_moved |= self.notice_exit(events).inspect_err(|_| events.truncate(known))?;
        }
        let is_output = |event: &SideEvent| matches!(event.timed.event, Event::Received(_));
        Ok(has_moved || events[known..].iter().any(is_output))
    }

    /// Reads output to a partner: at most `enough` bytes, and if it is the last output, closes the pipe. Returns whether the
    /// output has ended now.
    fn read_stdout(
        &mut self,
        partner: usize,
        enough: usize,
        is_last: bool,
        events: &mut Vec<SideEvent>,
    ) -> io::Result<bool> {
        let pipes = &mut self.pipes[partner];
        let was_open = pipes.stdout.is_some();
        // A second read might block.
        let bytes =
            read(&mut pipes.stdout, if pipes.is_blocking { enough.min(BUFFER_SIZE) } else { enough })?;
        let start = memchr::memrchr(b'\n', &bytes).map(|end| end + 1);
        if start.is_some() {
            pipes.unfinished.clear();
        }
        let room = LINE_LIMIT.saturating_sub(pipes.unfinished.len());
        pipes.unfinished.extend(bytes[start.unwrap_or(0)..].iter().take(room));
        if is_last {
            pipes.stdout = None;
        }
        let is_closed = was_open && pipes.stdout.is_none();
        if is_closed {
            pipes.closed_at = Some(Instant::now());
        }
        let output = (!bytes.is_empty()).then_some(Event::Received(Bytes(bytes)));
        let seat = self.seat.max(partner);
        let new = output.into_iter().chain(is_closed.then_some(Event::Closed));
        events.extend(new.map(|event| SideEvent { seat, ..self.event(event) }));
        Ok(is_closed)
    }

    /// Reads at most `enough` bytes of stderr. Returns whether there were any.
    fn read_stderr(&mut self, enough: usize, events: &mut Vec<SideEvent>) -> io::Result<bool> {
        let text = read(&mut self.stderr, enough)?;
        let has_text = !text.is_empty();
        events.extend(has_text.then(|| self.event(Event::Stderr(Bytes(text)))));
        Ok(has_text)
    }

    /// Reads the last output.
    fn read_rest(&mut self, events: &mut Vec<SideEvent>) -> io::Result<()> {
        self.read_stderr(MAX_CAPACITY, events)?;
        (0..self.pipes.len())
            .try_for_each(|partner| self.read_stdout(partner, MAX_CAPACITY, true, events).map(drop))
    }

    /// Records the end of the program, if it has ended, after the output from before the end. If another process holds the
    /// output open, what it writes later is not the program's. Returns whether the program has ended.
    fn notice_exit(&mut self, events: &mut Vec<SideEvent>) -> io::Result<bool> {
        let Some(program) = &mut self.program else { return Ok(false) };
        let Some(exit) = program.new_exit().map_err(io::Error::other)? else { return Ok(false) };
        self.read_rest(events)?;
        // Close a bot's input, because a process that the bot has left running may hold it open and read nothing. Keep the
        // interactor's input open, so that `unread` can count the bytes that the interactor has not read.
        if self.side == Side::Bot && self.pipes[0].stdin.take().is_some() {
            self.pipes[0].outgoing.clear();
        }
        events.extend(is_interruption(exit).then(|| self.event(Event::Interrupted)));
        events.push(self.event(Event::Exited(exit)));
        Ok(true)
    }

    /// Closes the program's stdin as soon as all waiting bytes are written to it.
    pub(super) fn end_input(&mut self) {
        #[cfg(target_os = "linux")]
        {
            self.first_output = watch_outputs(self.pipes[0].stdout.as_ref(), self.stderr.as_ref());
        }
        self.wrote_stderr_first = false;
        self.restart_quiet_time();
        self.pipes.iter_mut().for_each(Pipes::end_input);
    }

    pub(super) fn restart_quiet_time(&mut self) {
        self.program.iter_mut().for_each(Program::restart_quiet_time);
        self.limits.wall = self.limits.wall.saturating_sub(std::mem::take(&mut self.waited));
        self.idle = None;
    }

    pub(super) fn awaits_input(&mut self) -> anyhow::Result<bool> {
        // A tester may also wait for the exit of the bot, and leave its last output unread.
        let starts_bot = self.stand_in.is_some();
        if !starts_bot && self.pipes.iter().any(|pipes| pipes.stdin.is_some() && pipes.unread() > 0) {
            return Ok(false);
        }
        let Some(snapshot) = self.snapshot()? else { return Ok(false) };
        let activity = Activity::of(snapshot.channel.as_deref());
        let is_input = matches!(activity, Activity::Input | Activity::Event | Activity::Unknown);
        Ok(snapshot.sleeping && (is_input || starts_bot))
    }

    /// Returns the present state of the program; `None` if another program has started it.
    pub(super) fn snapshot(&mut self) -> anyhow::Result<Option<Snapshot>> {
        self.program.as_mut().map(|program| program.measure(Detail::Threads)).transpose()
    }

    /// Returns an event with the state of a bot that has not ended in time; `None` if the state cannot be read.
    pub(super) fn still_running(&mut self) -> Option<SideEvent> {
        // On systems other than Linux the snapshot shows nothing.
        let snapshot = self.snapshot().ok().flatten().filter(|_| cfg!(target_os = "linux"))?;
        let running = StillRunning { sleeping: snapshot.sleeping, channel: snapshot.channel };
        Some(self.event(Event::StillRunning(running)))
    }

    /// Returns the limit that the program has reached, and its state.
    pub(super) fn check(&mut self) -> anyhow::Result<Option<LimitReport>> {
        let waited = self.waited;
        let of_another = |limit| Some(LimitReport { quiet: waited, ..LimitReport::new(limit) });
        let reached = match &mut self.program {
            Some(program) => program.check(waited, &self.limits)?,
            None if waited >= self.limits.wall => of_another(Limit::Wall),
            None if waited >= self.limits.idle => of_another(Limit::Idle),
            None => None,
        };
        Ok(reached.map(|report| self.report(report)))
    }

    /// Adds to a report what the pipes show.
    pub(super) fn report(&self, report: LimitReport) -> LimitReport {
        let mut lines = self.pipes.iter().map(|pipes| &pipes.unfinished);
        let unfinished = Bytes(lines.find(|line| !line.is_empty()).cloned().unwrap_or_default());
        let unread = self.pipes.iter().map(Pipes::unread).sum();
        LimitReport { unread, unfinished, ..report }
    }

    /// Ends the program and everything that it has started. Returns its last output, and its usage as the last event; nothing
    /// if another program has started it.
    pub fn end(&mut self) -> Vec<SideEvent> {
        let Some(used) = self.program.as_mut().map(Program::end) else { return Vec::new() };
        let mut events = Vec::new();
        // The bytes left in the pipes were written before the end.
        let _ = self.read_rest(&mut events);
        self.pipes.iter_mut().for_each(|pipes| pipes.stdin = None);
        events.push(self.event(Event::Used(used)));
        events
    }
}

/// How long to wait for the judge's own signal after a signal ended its bot. A sender that signals both, such as a
/// batch system that ends all processes of a task, signals one process after the other.
const OWN_SIGNAL_TIMEOUT: Duration = Duration::from_secs(1);

/// Checks whether a signal that was meant for the judge ended its bot. A program that catches the signal exits with 128
/// and the number of the signal, as a shell and a Java machine do.
fn is_interruption(exit: Exit) -> bool {
    let signals = [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM].map(Signal::as_raw);
    let is_interrupt = match exit {
        Exit::Signal(signal) => signals.contains(&signal),
        Exit::Code(code) => signals.contains(&(code - 128)),
    };
    let deadline = Instant::now() + OWN_SIGNAL_TIMEOUT;
    while is_interrupt && !interrupted() && Instant::now() < deadline {
        thread::sleep(POLL_INTERVAL);
    }
    is_interrupt && interrupted()
}
