//! Scripted programs with a scripted clock.

use std::collections::VecDeque;
use std::mem;
use std::path::Path;
use std::time::{Duration, Instant};

use runner::config::MatchConfig;
use runner::event::{Bytes, Event, Exit, Limit, LimitReport, StillRunning, Usage};
use runner::grace::{GraceTime, Work};
use runner::limits::{DEFAULT_LIMITS, Limits};
use runner::relay::{Pair, Side, SideEvent};
use runner::{Bot, TimedEvent};

use crate::conversation::interaction::Interaction;
use crate::conversation::verdict::Ruling;
use crate::referee::game::game_runner::{GameRunner, GameStart};
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::referee::interactor::conditions::Conditions;
use crate::referee::interactor::relayed::Conversation;
use crate::report::transcript::SetupLine;

/// What a scripted program does. At the end of its steps it exits with code 0.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Writes a text, which the other program can read at once.
    Write(&'static str),
    Flood(usize),
    /// Writes a text into a buffer, which is written when the program ends by itself.
    Buffer(&'static str),
    Stderr(&'static str),
    /// Reads a line. At the end of its input, the program exits with code 1.
    Read,
    /// The same, but writes a text to stderr before it exits.
    ReadOrRaise(&'static str),
    ReadToTheEnd,
    Sleep(u64),
    Compute(u64),
    /// Waits for a processor.
    HeldUp(u64),
    Allocate(u64),
    CloseOutput,
    Exit(i32),
    Signal(i32),
    /// Does not end, whatever happens, and uses no time.
    Hang,
}

use Step::{
    Allocate, Buffer, CloseOutput, Compute, Exit as ExitWith, Flood, Hang, HeldUp, Read, ReadOrRaise,
    ReadToTheEnd, Signal, Sleep, Stderr, Write,
};

/// The capacity of a pipe, in bytes.
const PIPE: usize = 64 << 10;

#[derive(Default)]
struct Program {
    steps: VecDeque<Step>,
    input: Vec<u8>,
    has_input_ended: bool,
    buffer: Vec<u8>,
    writes: u64,
    /// Whether it wrote to stderr first since its input ended.
    is_stderr_first: Option<bool>,
    /// The output since the last line end.
    unfinished: Vec<u8>,
    is_closed: bool,
    ready: Duration,
    /// The step that lasts until then.
    lasting: Option<Step>,
    /// Since when the program has slept.
    quiet_since: Duration,
    used: Usage,
    exited: Option<Exit>,
    is_ended: bool,
}

impl Program {
    fn new(steps: &[Step]) -> Self {
        let used = Usage { cpu: Some(Duration::ZERO), memory: Some(1 << 20), processes: Some(1) };
        Self { steps: steps.iter().cloned().collect(), used, ..Self::default() }
    }

    fn is_running(&self) -> bool {
        self.exited.is_none() && !self.is_ended
    }

    fn exit(&mut self, exit: Exit) -> Vec<Event> {
        let last = if matches!(exit, Exit::Code(_)) { mem::take(&mut self.buffer) } else { Vec::new() };
        self.exited = Some(exit);
        let written = (!last.is_empty()).then(|| self.write(last));
        let closed = (!mem::replace(&mut self.is_closed, true)).then_some(Event::Closed);
        written.into_iter().chain(closed).chain([Event::Exited(exit)]).collect()
    }

    fn write(&mut self, bytes: Vec<u8>) -> Event {
        match bytes.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => self.unfinished = bytes[end + 1..].to_vec(),
            None => self.unfinished.extend(&bytes),
        }
        Event::Received(Bytes(bytes))
    }

    /// Makes the next step at the time `now`, if the program can. `room` is that in the pipe of its output.
    fn step(&mut self, now: Duration, room: usize) -> Option<Vec<Event>> {
        if !self.is_running() || self.ready > now {
            return None;
        }
        let Some(step) = self.steps.front().cloned() else { return Some(self.exit(Exit::Code(0))) };
        let line = self.input.iter().position(|&byte| byte == b'\n');
        let events = match step {
            Write(text) => vec![self.write(text.into())],
            Flood(size) if size > room && room > 0 => {
                self.steps[0] = Flood(size - room);
                return Some(vec![self.write(vec![b'\n'; room])]);
            }
            Flood(size) if room > 0 => vec![self.write(vec![b'\n'; size])],
            Buffer(text) => {
                self.buffer.extend(text.as_bytes());
                Vec::new()
            }
            Stderr("") => Vec::new(),
            Stderr(text) => vec![Event::Stderr(Bytes(text.into()))],
            Read | ReadOrRaise(_) => match line {
                Some(end) => {
                    self.input.drain(..=end);
                    Vec::new()
                }
                None if self.has_input_ended => {
                    if let ReadOrRaise(text) = step {
                        self.steps = [Stderr(text), ExitWith(1)].into();
                        return Some(Vec::new());
                    }
                    return Some(self.exit(Exit::Code(1)));
                }
                None => return None,
            },
            ReadToTheEnd if self.has_input_ended => {
                self.input.clear();
                Vec::new()
            }
            ReadToTheEnd if !self.input.is_empty() => {
                self.input.clear();
                return Some(Vec::new());
            }
            Flood(_) | Hang | ReadToTheEnd => return None,
            Sleep(ms) | Compute(ms) | HeldUp(ms) => {
                self.ready = now + Duration::from_millis(ms);
                if matches!(step, Compute(_)) {
                    self.used.cpu = self.used.cpu.map(|cpu| cpu + Duration::from_millis(ms));
                }
                // The step is over when the program continues.
                self.lasting = Some(step);
                self.steps[0] = Stderr("");
                return Some(Vec::new());
            }
            Allocate(mib) => {
                self.used.memory = Some(mib << 20);
                Vec::new()
            }
            CloseOutput => {
                self.is_closed = true;
                vec![Event::Closed]
            }
            ExitWith(code) => return Some(self.exit(Exit::Code(code))),
            Signal(signal) => return Some(self.exit(Exit::Signal(signal))),
        };
        self.steps.pop_front();
        self.quiet_since = now;
        Some(events)
    }

    fn work(&self, now: Duration) -> Option<Work> {
        let lasting = self.lasting.as_ref().filter(|_| matches!(self.steps.front(), Some(Stderr(""))));
        let left =
            if matches!(lasting, Some(Compute(_))) { self.ready.saturating_sub(now) } else { Duration::ZERO };
        let sleeping = !matches!(lasting, Some(Compute(_) | HeldUp(_)));
        Some(Work { cpu: self.used.cpu?.saturating_sub(left), sleeping })
    }

    fn reached(&self, now: Duration) -> Option<Limit> {
        let Limits { cpu, memory, wall, .. } = LIMITS;
        if !self.is_running() {
            None
        } else if self.used.cpu > Some(cpu) && self.ready > now {
            Some(Limit::Cpu)
        } else if self.used.memory > Some(memory) {
            Some(Limit::Memory)
        } else {
            (now > wall && self.ready > now).then_some(Limit::Wall)
        }
    }

    fn is_idle(&self, now: Duration) -> bool {
        now.saturating_sub(self.quiet_since) >= LIMITS.idle && !matches!(self.steps.front(), Some(Compute(_)))
    }

    fn report(&self, limit: Limit, now: Duration) -> LimitReport {
        let channel = match self.steps.front() {
            Some(Stderr(_)) => "hrtimer_nanosleep",
            Some(Hang) => "futex_do_wait",
            _ => "anon_pipe_read",
        };
        LimitReport {
            used: self.used,
            sleeping: limit != Limit::Cpu,
            quiet: now.saturating_sub(self.quiet_since),
            channel: Some(channel.to_owned()),
            // A program that reads has taken the beginning of a line out of its pipe.
            unread: if matches!(self.steps.front(), Some(Read | ReadOrRaise(_) | ReadToTheEnd)) {
                0
            } else {
                self.input.len()
            },
            unfinished: Bytes(self.unfinished.clone()),
            ..LimitReport::new(limit)
        }
    }
}

/// Two scripted programs, the output of each is the input of the other.
struct Scripts {
    programs: [Program; 2],
    start: Instant,
    now: Duration,
    last_writer: Option<Side>,
}

impl Scripts {
    fn event(&self, side: Side, event: Event) -> SideEvent {
        SideEvent { side, seat: 0, timed: TimedEvent { at: self.now(), event } }
    }

    /// Lets both programs go on as far as they can at this time.
    fn advance(&mut self) -> Vec<SideEvent> {
        let mut all = Vec::new();
        loop {
            let before = all.len();
            let mut has_moved = false;
            for side in Side::BOTH {
                let (this, other) = (side as usize, side.other() as usize);
                let room = if self.programs[other].is_running() {
                    (2 * PIPE).saturating_sub(self.programs[other].input.len())
                } else {
                    usize::MAX
                };
                let Some(events) = self.programs[this].step(self.now, room) else { continue };
                has_moved = true;
                for event in events {
                    let is_stderr = matches!(event, Event::Stderr(_));
                    if is_stderr || matches!(event, Event::Received(_)) {
                        self.programs[this].is_stderr_first.get_or_insert(is_stderr);
                    }
                    if let Event::Received(bytes) = &event {
                        self.programs[this].writes += 1;
                        self.last_writer = Some(side);
                        self.programs[other].input.extend(&bytes.0);
                        self.programs.iter_mut().for_each(|program| program.quiet_since = self.now);
                    }
                    all.push(self.event(side, event));
                }
            }
            if !has_moved || all.len() > before {
                return all;
            }
        }
    }
}

impl Pair for Scripts {
    fn now(&self) -> Instant {
        self.start + self.now
    }

    fn wait(&mut self, timeout: Duration) -> Vec<SideEvent> {
        let deadline = self.now + timeout;
        loop {
            let events = self.advance();
            if !events.is_empty() {
                return events;
            }
            let mut events = Vec::new();
            for side in Side::BOTH {
                let program = &self.programs[side as usize];
                let limit = program.reached(self.now).map(|limit| program.report(limit, self.now));
                events.extend(limit.map(|report| self.event(side, Event::Limit(report))));
            }
            let idle = |program: &Program| !program.is_running() || program.is_idle(self.now);
            if events.is_empty() && self.programs.iter().all(idle) {
                for side in Side::BOTH.into_iter().filter(|&side| self.is_running(side)) {
                    let report = self.programs[side as usize].report(Limit::Idle, self.now);
                    events.push(self.event(side, Event::Limit(report)));
                }
            }
            // Time goes on after the report of a limit too.
            self.now += Duration::from_millis(1);
            if !events.is_empty() || self.now > deadline {
                return events;
            }
        }
    }

    fn seats(&self) -> usize {
        1
    }

    fn last_writer(&self) -> Option<Side> {
        self.last_writer
    }

    fn is_running(&self, side: Side) -> bool {
        self.programs[side as usize].is_running()
    }

    fn unread(&self, side: Side) -> usize {
        self.programs[side as usize].input.len()
    }

    fn writes(&self, side: Side, _seat: usize) -> Option<u64> {
        Some(self.programs[side as usize].writes)
    }

    fn end_input(&mut self, side: Side) {
        let program = &mut self.programs[side as usize];
        (program.has_input_ended, program.is_stderr_first) = (true, None);
    }

    fn wrote_stderr_first(&self, _seat: usize) -> bool {
        self.programs[Side::Bot as usize].is_stderr_first == Some(true)
    }

    fn awaits_input(&mut self, side: Side) -> anyhow::Result<bool> {
        let program = &self.programs[side as usize];
        let reads = matches!(program.steps.front(), Some(Read | ReadOrRaise(_) | ReadToTheEnd));
        Ok(reads && program.is_running() && program.input.is_empty())
    }

    fn work_of_bot(&mut self) -> Option<Work> {
        self.programs[Side::Bot as usize].work(self.now)
    }

    fn end(&mut self, side: Side) -> Vec<SideEvent> {
        let is_running = self.programs[side as usize].is_running();
        self.programs[side as usize].is_ended = true;
        let used = Event::Used(self.programs[side as usize].used);
        let killed = is_running.then_some(Event::Killed);
        killed.into_iter().chain([used]).map(|event| self.event(side, event)).collect()
    }
}

pub(super) const LIMITS: Limits = Limits { idle: Duration::from_secs(1), ..DEFAULT_LIMITS };

pub(super) fn ruling(bot: &[Step], interactor: &[Step], conditions: Conditions) -> Ruling {
    let programs = [Program::new(bot), Program::new(interactor)];
    let start = Instant::now();
    let mut scripts = Scripts { programs, start, now: Duration::ZERO, last_writer: None };
    // No script writes files, and so the folder for files need not exist.
    let folder = Path::new("/dev/null/files");
    let record = Interaction::new(start, None);
    Conversation::new(&mut scripts, conditions, folder, record).run().unwrap().ruling()
}

struct ScriptedBot {
    program: Program,
    start: Instant,
    now: Duration,
    /// The output since the last line end, and the lines that were not returned yet.
    line: Vec<u8>,
}

impl ScriptedBot {
    fn timed(&self, event: Event) -> TimedEvent {
        TimedEvent { at: self.start + self.now, event }
    }

    /// Lets the bot go on as far as it can at this time, and splits its output into lines.
    fn advance(&mut self) -> Vec<TimedEvent> {
        let mut all = Vec::new();
        while all.is_empty()
            && let Some(events) = self.program.step(self.now, usize::MAX)
        {
            for event in events {
                if let Event::Received(bytes) = &event {
                    self.line.extend(&bytes.0);
                }
                let is_newline = |&byte: &u8| byte == b'\n';
                let ended = self.line.iter().rposition(is_newline).map_or(0, |at| at + 1);
                let ended = if matches!(event, Event::Closed) { self.line.len() } else { ended };
                let lines: Vec<u8> = self.line.drain(..ended).collect();
                let lines =
                    lines.split_inclusive(is_newline).map(|line| Event::Received(Bytes(line.to_vec())));
                let other = Some(event).filter(|event| !matches!(event, Event::Received(_)));
                all.extend(lines.chain(other).map(|event| self.timed(event)));
            }
        }
        all
    }
}

impl Bot for ScriptedBot {
    fn send(&mut self, bytes: &[u8]) {
        self.program.input.extend(bytes);
        self.program.quiet_since = self.now;
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        self.advance()
    }

    fn wait(&mut self, limits: &Limits) -> Vec<TimedEvent> {
        let deadline = self.now.saturating_add(limits.wall);
        loop {
            let events = self.advance();
            if !events.is_empty() {
                return events;
            }
            let is_idle = limits.idle < Duration::MAX && self.program.is_idle(self.now);
            let limit = self.program.reached(self.now);
            let limit = limit.or_else(|| (self.now >= deadline).then_some(Limit::Wall));
            if let Some(limit) = limit.or_else(|| is_idle.then_some(Limit::Idle)) {
                let report = self.program.report(limit, self.now);
                return vec![self.timed(Event::Limit(report))];
            }
            self.now += Duration::from_millis(1);
        }
    }

    fn used(&mut self) -> TimedEvent {
        self.timed(Event::Used(self.program.used))
    }

    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        self.program.has_input_ended = true;
        let mut grace_time = GraceTime::new(grace, self.start + self.now);
        let mut events = Vec::new();
        while self.program.is_running() {
            if grace_time.is_over(self.start + self.now, || self.program.work(self.now)) {
                break;
            }
            events.extend(self.advance());
            self.now += Duration::from_millis(1);
        }
        if self.program.is_running() {
            let running = StillRunning { sleeping: true, channel: None };
            events.push(self.timed(Event::StillRunning(running)));
            events.push(self.timed(Event::Killed));
        }
        events.push(self.used());
        events
    }
}

/// Plays a game on 6 1 2, which First wins. Returns the ruling, and whether the bot can play another game if it may.
pub(super) fn game(bot: &[Step], may_play_on: bool) -> (Ruling, bool) {
    let program = Program::new(bot);
    let mut bot = ScriptedBot { program, start: Instant::now(), now: Duration::ZERO, line: Vec::new() };
    let setup = GameSetup::new("6 1 2".parse().unwrap(), OpponentKind::Slow, 1);
    let config = MatchConfig { limits: LIMITS, ..Default::default() };
    let setup = SetupLine::new(setup, config, None);
    let (mut spectator, mut log) = ((), ());
    let game = GameRunner::new(setup, &mut bot, &mut spectator, &mut log).unwrap();
    let (game, plays_on) = game.run(GameStart { games: None, may_play_on }).unwrap();
    (game.result.ruling, plays_on)
}
