//! Conversations of scripted programs with a scripted clock, and the class of each.

use std::collections::VecDeque;
use std::mem;
use std::path::Path;
use std::time::{Duration, Instant};

use runner::event::{Bytes, Event, Exit, Limit, LimitReport, TimedEvent, Usage};
use runner::grace::Work;
use runner::limits::{DEFAULT_LIMITS, Limits, STDERR_KEPT};
use runner::relay::{Pair, Side, SideEvent};

use crate::conversation::decide::Referee;
use crate::conversation::facts::{DEFAULT_OUTPUT, Excused, Terms};
use crate::conversation::interaction::Interaction;
use crate::conversation::verdict::{Class, Ruling};
use crate::referee::interactor::relayed::{Conditions, Conversation, Finished};
use crate::referee::interactor::style::Style;

/// What a scripted program does. At the end of its steps it exits with code 0.
#[derive(Clone, Debug)]
enum ScriptStep {
    /// Writes a text, which the other program can read at once.
    Write(&'static str),
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
    CloseOutput,
    Exit(i32),
    Signal(i32),
    /// Does not end, whatever happens, and uses no time.
    Hang,
}

use ScriptStep::{
    Buffer, CloseOutput, Compute, Exit as ExitWith, Hang, HeldUp, Read, ReadOrRaise, ReadToTheEnd, Signal,
    Sleep, Stderr, Write,
};

#[derive(Default)]
struct ScriptedProgram {
    steps: VecDeque<ScriptStep>,
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
    lasting: Option<ScriptStep>,
    /// Since when the program has slept.
    quiet_since: Duration,
    used: Usage,
    is_ended: bool,
}

impl ScriptedProgram {
    fn new(steps: &[ScriptStep]) -> Self {
        let used = Usage { cpu: Some(Duration::ZERO), memory: Some(1 << 20), processes: Some(1) };
        Self { steps: steps.iter().cloned().collect(), used, ..Self::default() }
    }

    fn exit(&mut self, exit: Exit) -> Vec<Event> {
        let last = if matches!(exit, Exit::Code(_)) { mem::take(&mut self.buffer) } else { Vec::new() };
        self.is_ended = true;
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

    /// Makes the next step at the time `now`, if the program can.
    fn step(&mut self, now: Duration) -> Option<Vec<Event>> {
        if self.is_ended || self.ready > now {
            return None;
        }
        if self.lasting.take().is_some() {
            self.quiet_since = now;
            return Some(Vec::new());
        }
        let Some(step) = self.steps.front().cloned() else { return Some(self.exit(Exit::Code(0))) };
        let line = self.input.iter().position(|&byte| byte == b'\n');
        let mut events = Vec::new();
        match step {
            Write(text) => events.push(self.write(text.into())),
            Buffer(text) => self.buffer.extend(text.as_bytes()),
            Stderr(text) => events.push(Event::Stderr(Bytes(text.into()))),
            Read | ReadOrRaise(_) => match (line, step) {
                (Some(end), _) => drop(self.input.drain(..=end)),
                (None, _) if !self.has_input_ended => return None,
                (None, ReadOrRaise(text)) => {
                    self.steps = [Stderr(text), ExitWith(1)].into();
                    return Some(events);
                }
                (None, _) => return Some(self.exit(Exit::Code(1))),
            },
            ReadToTheEnd if self.has_input_ended => self.input.clear(),
            ReadToTheEnd if !self.input.is_empty() => {
                self.input.clear();
                return Some(events);
            }
            Hang | ReadToTheEnd => return None,
            Sleep(ms) | Compute(ms) | HeldUp(ms) => {
                self.ready = now + Duration::from_millis(ms);
                if matches!(step, Compute(_)) {
                    self.used.cpu = self.used.cpu.map(|cpu| cpu + Duration::from_millis(ms));
                }
                self.lasting = self.steps.pop_front();
                return Some(events);
            }
            CloseOutput => {
                self.is_closed = true;
                events.push(Event::Closed);
            }
            ExitWith(code) => return Some(self.exit(Exit::Code(code))),
            Signal(signal) => return Some(self.exit(Exit::Signal(signal))),
        }
        self.steps.pop_front();
        self.quiet_since = now;
        Some(events)
    }

    fn reads(&self) -> bool {
        self.lasting.is_none() && matches!(self.steps.front(), Some(Read | ReadOrRaise(_) | ReadToTheEnd))
    }

    fn report(&self, limit: Limit, now: Duration) -> LimitReport {
        let channel = match self.steps.front() {
            _ if self.lasting.is_some() => "hrtimer_nanosleep",
            Some(Hang) => "futex_do_wait",
            _ => "anon_pipe_read",
        };
        LimitReport {
            used: self.used,
            sleeping: limit != Limit::Cpu,
            quiet: now.saturating_sub(self.quiet_since),
            channel: Some(channel.to_owned()),
            // A program that reads has taken the beginning of a line out of its pipe.
            unread: if self.reads() { 0 } else { self.input.len() },
            unfinished: Bytes(self.unfinished.clone()),
            ..LimitReport::new(limit)
        }
    }
}

/// Two scripted programs, the output of each is the input of the other.
struct Scripts {
    programs: [ScriptedProgram; 2],
    start: Instant,
    now: Duration,
}

impl Scripts {
    fn event(&self, side: Side, event: Event) -> SideEvent {
        SideEvent { side, seat: 0, timed: TimedEvent { at: self.now(), event } }
    }

    /// Lets both programs go on as far as they can at this time.
    fn advance(&mut self) -> Vec<SideEvent> {
        let mut all = Vec::new();
        loop {
            let mut has_moved = false;
            for side in Side::BOTH {
                let (this, other) = (side as usize, side.other() as usize);
                let Some(events) = self.programs[this].step(self.now) else { continue };
                has_moved = true;
                for event in events {
                    let is_stderr = matches!(event, Event::Stderr(_));
                    if is_stderr || matches!(event, Event::Received(_)) {
                        self.programs[this].is_stderr_first.get_or_insert(is_stderr);
                    }
                    if let Event::Received(bytes) = &event {
                        self.programs[this].writes += 1;
                        self.programs[other].input.extend(&bytes.0);
                        self.programs.iter_mut().for_each(|program| program.quiet_since = self.now);
                    }
                    all.push(self.event(side, event));
                }
            }
            if !has_moved || !all.is_empty() {
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
                let uses_too_much = program.used.cpu > Some(LIMITS.cpu);
                if !program.is_ended && program.ready > self.now && (uses_too_much || self.now > LIMITS.wall)
                {
                    let limit = if uses_too_much { Limit::Cpu } else { Limit::Wall };
                    events.push(self.event(side, Event::Limit(program.report(limit, self.now))));
                }
            }
            let is_quiet = |since: Duration| self.now.saturating_sub(since) >= LIMITS.idle;
            let idle = |program: &ScriptedProgram| program.is_ended || is_quiet(program.quiet_since);
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

    fn is_running(&self, side: Side) -> bool {
        !self.programs[side as usize].is_ended
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
        Ok(program.reads() && !program.is_ended && program.input.is_empty())
    }

    fn work_of_bot(&mut self) -> Option<Work> {
        let bot = &self.programs[Side::Bot as usize];
        let is_computing = matches!(bot.lasting, Some(Compute(_)));
        let left = if is_computing { bot.ready.saturating_sub(self.now) } else { Duration::ZERO };
        let sleeping = !matches!(bot.lasting, Some(Compute(_) | HeldUp(_)));
        Some(Work { cpu: bot.used.cpu?.saturating_sub(left), sleeping })
    }

    fn end(&mut self, side: Side) -> Vec<SideEvent> {
        let is_running = !self.programs[side as usize].is_ended;
        self.programs[side as usize].is_ended = true;
        let used = Event::Used(self.programs[side as usize].used);
        let killed = is_running.then_some(Event::Killed);
        killed.into_iter().chain([used]).map(|event| self.event(side, event)).collect()
    }
}

const LIMITS: Limits = Limits { idle: Duration::from_secs(1), ..DEFAULT_LIMITS };

/// Returns the end of a conversation of two scripts, in the style icpc.
fn finished(bot: &[ScriptStep], interactor: &[ScriptStep], excused: Excused) -> Finished {
    let terms = Terms { limits: LIMITS, interactor_limits: LIMITS, excused, ..Terms::default() };
    let output = [DEFAULT_OUTPUT; 2];
    let conditions = Conditions { terms, style: Style::Icpc, gives_scores: false, output, full_score: None };
    let programs = [ScriptedProgram::new(bot), ScriptedProgram::new(interactor)];
    let start = Instant::now();
    let mut scripts = Scripts { programs, start, now: Duration::ZERO };
    // No script writes files, and so the folder for files need not exist.
    let folder = Path::new("/dev/null/files");
    let record = Interaction::new(start, Some(usize::MAX));
    Conversation::new(&mut scripts, conditions, folder, record).run().unwrap()
}

fn ruling(bot: &[ScriptStep], interactor: &[ScriptStep], excused: Excused) -> Ruling {
    finished(bot, interactor, excused).ruling()
}

/// An interactor that says a line, reads an answer, and accepts.
const ASKS: &[ScriptStep] = &[Write("5\n"), Read, ExitWith(42)];

const ASKS_TWICE: &[ScriptStep] = &[Write("5\n"), Read, Write("6\n"), Read, ExitWith(42)];

/// An interactor that says a line, reads an answer, and rejects it.
const REJECTS: &[ScriptStep] = &[Write("5\n"), Read, ExitWith(43)];

/// Checks rows of a class, a bot and an interactor.
fn check(rows: &[(Class, &[ScriptStep], &[ScriptStep])]) {
    for (class, bot, interactor) in rows {
        let ruling = ruling(bot, interactor, Excused::Output);
        assert_eq!(ruling.class, *class, "{bot:?} and {interactor:?}: {ruling:?}");
    }
}

#[test]
fn the_interactor_decides() {
    check(&[
        (Class::Accepted, &[Read, Write("5\n")], ASKS),
        (Class::Accepted, &[Write("5\n")], &[Read, ExitWith(42)]),
        (Class::Accepted, &[Read, Write("5")], &[Write("5\n"), ReadToTheEnd, ExitWith(42)]),
        // The interactor has slept for longer than the idle limit when the bot ends.
        (Class::Accepted, &[Write("5\n"), Compute(1500)], &[Read, ReadToTheEnd, ExitWith(42)]),
        (Class::WrongAnswer, &[Read, Write("6\n"), Read], REJECTS),
        // Whatever the bot does after "wrong" is a consequence: it crashes, is ended by SIGPIPE, loops, or hangs.
        (Class::WrongAnswer, &[Read, Write("6\n"), Read, ExitWith(1)], REJECTS),
        (Class::WrongAnswer, &[Write("6\n"), Signal(13)], &[Read, Sleep(5), ExitWith(43)]),
        (Class::WrongAnswer, &[Write("6\n"), Sleep(10), Signal(13)], &[Read, ExitWith(43)]),
        (Class::WrongAnswer, &[Write("6\n"), Compute(60_000)], &[Read, ExitWith(43)]),
        (Class::WrongAnswer, &[Write("6\n"), Hang], &[Read, ExitWith(43)]),
    ]);
}

#[test]
fn the_bot_ends_too_early_crashes_or_reaches_a_limit() {
    const REJECTS_SILENCE: &[ScriptStep] = &[Write("5\n"), ReadToTheEnd, ExitWith(43)];
    check(&[
        (Class::WrongAnswer, &[Read], REJECTS_SILENCE),
        (Class::Crash, &[Read, ExitWith(3)], REJECTS_SILENCE),
        (Class::Crash, &[Read, Signal(11)], REJECTS_SILENCE),
        (Class::Crash, &[Read, Write("5\n"), ExitWith(1)], ASKS),
        (Class::Crash, &[Read, Write("5\n"), Sleep(20), ExitWith(1)], ASKS),
        (Class::EarlyExit, &[Read, CloseOutput, Hang], ASKS),
        (Class::TimeCpu, &[Read, Compute(9000)], ASKS),
    ]);
}

#[test]
fn the_end_of_a_long_stderr_is_recorded() {
    let noise: &str = "e".repeat(STDERR_KEPT).leak();
    let bot = [Read, Stderr(noise), Stderr("the cause"), Write("5\n")];
    let record = finished(&bot, ASKS, Excused::Output).interaction;
    assert_eq!(record.steps().last().unwrap().event, Event::Stderr(Bytes("the cause".into())));
}

#[test]
fn output_after_acceptance_is_a_note() {
    const TALKS: &[ScriptStep] = &[Read, Write("5\n"), Sleep(10), Write("done\n")];
    const AT_ONCE: &[ScriptStep] = &[Read, Write("5\ndone\n")];
    for bot in [TALKS, AT_ONCE] {
        let noted = ruling(bot, ASKS, Excused::Output);
        assert_eq!((noted.class, noted.notes[0].class), (Class::Accepted, Class::ExtraOutput), "{noted:?}");
        let strict = ruling(bot, ASKS, Excused::Nothing);
        assert_eq!(strict.class, Class::ExtraOutput, "{strict:?}");
    }
    check(&[
        (Class::NoExit, &[Read, Write("5\n"), Hang], ASKS),
        (Class::NoExit, &[Read, Write("5\n"), Sleep(9000)], ASKS),
        (Class::TimeCpu, &[Read, Write("5\n"), Compute(9000)], ASKS),
        // The grace time is CPU time for a bot that the machine lets wait.
        (Class::NoExit, &[Read, Write("5\n"), Compute(1500)], ASKS),
        (Class::Accepted, &[Read, Write("5\n"), HeldUp(2500), Compute(500)], ASKS),
        (Class::NoExit, &[Read, Write("5\n"), HeldUp(2500), Compute(1500)], ASKS),
        (Class::NoExit, &[Read, Write("5\n"), HeldUp(2500), Sleep(500)], ASKS),
        (Class::NoExit, &[Read, Write("5\n"), HeldUp(9000)], ASKS),
    ]);
    let excused = ruling(&[Read, Write("5\n"), Hang], ASKS, Excused::Everything);
    assert_eq!(excused.class, Class::Accepted, "{excused:?}");
}

#[test]
fn both_wait() {
    const RAISES: ScriptStep = ReadOrRaise("thread 'main' panicked at bot.rs:7\n");
    check(&[
        (Class::NoFlushOrReadsTooMuch, &[Read, Buffer("5\n"), Read], ASKS),
        (Class::NoFlushOrReadsTooMuch, &[ReadToTheEnd, Write("5\n")], ASKS),
        // The order of the line and the exception shows where the line was.
        (Class::NoFlush, &[Read, Buffer("5\n"), RAISES], ASKS),
        (Class::NoFlushOrReadsTooMuch, &[ReadToTheEnd, Write("5\n"), RAISES], ASKS),
        (Class::NoFlushOrReadsTooMuch, &[ReadToTheEnd, Stderr("1 line\n"), Write("5\n"), RAISES], ASKS),
        (Class::NoFlush, &[Read, Write("4\n"), Read, Buffer("5\n"), Read], ASKS_TWICE),
        (Class::NoFlush, &[Read, Write("5"), Read], ASKS),
        (Class::ReadsTooMuch, &[Read, Read], ASKS),
        (Class::ReadsTooMuch, &[Read, Write("4\n"), Read, Read, Write("5\n"), Write("6\n")], ASKS_TWICE),
        (Class::NoFlush, &[Read, Write("4\n"), Read, Buffer("5\n6\n"), Read], ASKS_TWICE),
        // A program that sleeps is not idle.
        (Class::Accepted, &[Read, Sleep(3500), Write("5\n")], ASKS),
        (Class::Sleeps, &[Read, Sleep(90_000), Write("5\n")], ASKS),
        (Class::Waits, &[Read, Hang], ASKS),
        (Class::Waits, &[Read], &[Read]),
        (Class::Waits, &[Write("5\n"), Read], &[Read, Read]),
    ]);
}

#[test]
fn the_interactor_fails() {
    const ANSWERS: &[ScriptStep] = &[Read, Write("5\n"), Read];
    check(&[
        (Class::InteractorWrongStyle, ANSWERS, &[Write("5\n"), Read, ExitWith(0)]),
        (Class::InteractorCrash, ANSWERS, &[Write("5\n"), Read, Signal(11)]),
        (
            Class::InteractorCrash,
            ANSWERS,
            &[Stderr("Traceback (most recent call last):\nIndexError: 5\n"), ExitWith(1)],
        ),
        (Class::InteractorLimit, ANSWERS, &[Write("5\n"), Read, Compute(9000)]),
        (Class::InteractorLimit, ANSWERS, &[Write("5\n"), Read, Sleep(9000)]),
        // The bot writes at the end of its input, but the interactor did not wait for a line.
        (
            Class::InteractorLimit,
            &[Read, Write("5\n"), ReadToTheEnd, Write("6\n")],
            &[Write("5\n"), Read, Sleep(9000)],
        ),
        (Class::InteractorNoFlush, ANSWERS, &[Buffer("5\n"), Read, ExitWith(42)]),
        (Class::InteractorNoFlush, ANSWERS, &[Write("5"), Read, ExitWith(42)]),
        (
            Class::InteractorNoFlush,
            &[Write("5\n"), Read, Write("6\n")],
            &[Read, Buffer("5\n"), Read, ExitWith(42)],
        ),
    ]);
}
