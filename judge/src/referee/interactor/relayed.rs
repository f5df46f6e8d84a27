//! One conversation of a bot with an interactor, from its start to the end of both programs.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use itertools::Itertools;
use runner::activity::Activity;
use runner::event::{Event, Exit, Limit, LimitReport, Usage};
use runner::interrupt::interrupted;
use runner::limits::{LINE_LIMIT, STDERR_SHOWN};
use runner::relay::{Pair, Side, SideEvent};
use runner::stderr_excerpt::{StderrExcerpt, begins_with_exception};

use crate::conversation::facts::{
    BotFacts, End, Facts, Flushing, InteractorFacts, Notice, OutputLimit, Reaction, Stall, Starter, Turn,
    exceeded,
};
use crate::conversation::interaction::Interaction;
use crate::conversation::last_lines::LastLines;
use crate::conversation::ruling::Ruling;
use crate::conversation::stall::activity;
use crate::conversation::verdict::Class;
use crate::referee::interactor::conditions::Conditions;
use crate::referee::interactor::explain::by_decision;
use crate::referee::interactor::style::{SCORE, Style};

/// Maximum duration of a wait for the next events.
const MAX_WAIT: Duration = Duration::from_millis(20);

/// How long a program may take to react to the end of its input, after a stall or after the other program exceeded a
/// limit.
const REACTION_TIME: Duration = Duration::from_secs(1);

/// The same after a stall, for a program that has written nothing yet and neither sleeps nor reaches a limit: on a busy
/// machine, a crash alone may take longer than [`REACTION_TIME`].
const SLOW_REACTION_TIME: Duration = Duration::from_secs(10);

/// Number of consecutive checks that must find the interactor waiting for input before the judge closes its input. An
/// interactor that ends earlier has decided without receiving the end of the bot's output.
const MIN_WAITS: u32 = 2;

/// The output of one program so far, and its resource usage.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) lines: u64,
    pub(crate) bytes: u64,
    stderr_bytes: u64,
    /// The last part of stdout.
    tail: Vec<u8>,
    pub(crate) stderr: StderrExcerpt,
    pub(crate) used: Usage,
    is_closed: bool,
    /// Whether stdout has the text of a line with a score, by which a tester gives scores.
    pub(crate) names_score: bool,
}

impl Record {
    fn new() -> Self {
        Self {
            lines: 0,
            bytes: 0,
            stderr_bytes: 0,
            tail: Vec::new(),
            stderr: StderrExcerpt::new(STDERR_SHOWN, STDERR_SHOWN),
            used: Usage::default(),
            is_closed: false,
            names_score: false,
        }
    }

    /// Looks for the text of a score in the last `length` bytes and the word that they may continue.
    fn look_for_score(&mut self, length: usize) {
        let tail = &self.tail[self.tail.len().saturating_sub(length + SCORE.len())..];
        self.names_score |= memchr::memmem::find(tail, SCORE.as_bytes()).is_some();
    }

    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.lines += memchr::memchr_iter(b'\n', bytes).count() as u64;
        self.tail.extend(bytes);
        // Remove bytes only now and then, because each removal moves the bytes that remain.
        if self.tail.len() > 8 * LINE_LIMIT {
            self.tail.drain(..self.tail.len() - 2 * LINE_LIMIT);
        }
    }

    fn exceeds(&self, limit: OutputLimit) -> bool {
        let stderr = if limit.with_stderr { self.stderr_bytes } else { 0 };
        self.bytes.saturating_add(stderr) > limit.bytes
    }

    /// Returns the lines of a tester, without those that it may have from the bot: copies of the bot's last lines, and
    /// scores if the bot has named one.
    fn lines_without_those_of(&self, bot: &Self) -> String {
        let of_bot = String::from_utf8_lossy(&bot.tail);
        let of_bot: BTreeSet<&str> = of_bot.lines().collect();
        let is_of_bot = |line: &str| of_bot.contains(line) || bot.names_score && line.contains(SCORE);
        self.stderr_text().lines().filter(|line| !is_of_bot(line)).join("\n")
    }

    /// Returns stderr as text, or only its last part if stderr is too long to be kept.
    pub(crate) fn stderr_text(&self) -> String {
        let tail: Vec<u8> = self.stderr.tail.iter().copied().collect();
        let bytes = self.stderr.whole().unwrap_or(tail);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A running conversation.
pub(crate) struct Conversation<'a> {
    programs: &'a mut dyn Pair,
    conditions: Conditions,
    /// The folder for the interactor's files.
    folder: &'a Path,
    interactor: Record,
    interaction: Interaction,
    seats: Vec<Seat>,
    /// The seat in which, or to which, a line was written last.
    latest: usize,
    /// The seat whose process decides on the result.
    deciding: usize,
    /// The last limit that a program reached after the conversation, with that program.
    late_limit: Option<(Side, LimitReport)>,
}

/// What is known about one process of the bot.
#[derive(Debug)]
struct Seat {
    record: Record,
    last_lines: LastLines,
    /// Number of bytes that the interactor wrote to it.
    sent: u64,
    /// Whether the interactor has closed its output to it.
    is_done: bool,
    /// Its state when it was found idle last.
    idle: Option<LimitReport>,
}

impl Seat {
    fn new() -> Self {
        let last_lines = LastLines::default();
        Self { record: Record::new(), last_lines, sent: 0, is_done: false, idle: None }
    }
}

/// A conversation that has ended.
pub(crate) struct Finished {
    pub(crate) style: Style,
    pub(crate) facts: Facts,
    /// The record of each process of the bot, and how it ended; `None` if it did not end by itself.
    pub(crate) bots: Vec<(Record, Option<Exit>)>,
    pub(crate) interactor: Record,
    pub(crate) interaction: Interaction,
}

impl Finished {
    /// Returns the end of a conversation that a tester has not begun: it has ended or reached a limit, as `events` say,
    /// without starting the bot.
    pub(crate) fn without_bot(
        conditions: Conditions,
        interaction: Interaction,
        events: Vec<SideEvent>,
    ) -> Self {
        let Conditions { style, turn, limits, interactor_limits, languages, excused, confinement, .. } =
            conditions;
        let mut interactor = Record::new();
        let (mut end, mut exit) = (End::Decision, None);
        for SideEvent { timed, .. } in events {
            match timed.event {
                Event::Stderr(text) => interactor.stderr.extend(&text.0),
                Event::Used(used) => interactor.used = used,
                Event::Exited(ended) => exit = Some(ended),
                Event::Limit(report) => end = End::Limit(Side::Interactor, Box::new(report)),
                _ => {}
            }
        }
        let message = style.message(&interactor.stderr_text(), Path::new(""));
        let decision = exit.map(|exit| {
            let why = (!message.is_empty()).then(|| format!("its message: {message}"));
            let reason = format!("{} {exit} without starting the bot", turn.interactor());
            Ruling::new(Class::InteractorWrongStyle, reason).why_if_any(why)
        });
        let bot = BotFacts {
            seat: None,
            limits,
            used: Usage::default(),
            exit: None,
            is_killed: false,
            has_closed: false,
            has_written: false,
            late_limit: None,
            extra: Vec::new(),
        };
        let of_interactor = InteractorFacts {
            turn,
            starter: Starter::Interactor,
            confinement,
            limits: interactor_limits,
            exit,
            decided_alone: true,
            received_end: false,
            has_closed: false,
            late_limit: None,
            message,
            last_lines: LastLines::default(),
        };
        let interactor_facts = Some(of_interactor);
        let facts =
            Facts { end, decision, expected: None, bot, interactor: interactor_facts, languages, excused };
        Self { style, facts, bots: vec![(Record::new(), None)], interactor, interaction }
    }
}

impl<'a> Conversation<'a> {
    /// Returns a conversation of two programs, which is recorded in `interaction`.
    pub(crate) fn new(
        programs: &'a mut dyn Pair,
        conditions: Conditions,
        folder: &'a Path,
        interaction: Interaction,
    ) -> Self {
        let interactor = Record::new();
        let seats = (0..programs.seats()).map(|_| Seat::new()).collect();
        let (latest, deciding, late_limit) = (0, 0, None);
        Self { programs, conditions, folder, interactor, interaction, seats, latest, deciding, late_limit }
    }

    fn record(&mut self, side: Side, seat: usize) -> &mut Record {
        match side {
            Side::Bot => &mut self.seats[seat].record,
            Side::Interactor => &mut self.interactor,
        }
    }

    /// Passes bytes on until the conversation ends, and ends both programs.
    ///
    /// # Errors
    ///
    /// If the judge is interrupted, or cannot measure or read a program.
    pub(crate) fn run(mut self) -> anyhow::Result<Finished> {
        let mut end = self.converse()?;
        let interactor_closed = self.interactor.is_closed;
        let at_end = |seat: &Seat| (seat.last_lines.clone(), seat.record.is_closed);
        let mut at_end: Vec<(LastLines, bool)> = self.seats.iter().map(at_end).collect();
        let mut extra = Vec::new();
        let (mut decided_alone, mut received_end) = (false, false);
        match &mut end {
            End::Bot => {
                // Processes that the bot has left running must not use resources while the interactor decides.
                self.end(Side::Bot)?;
                // With several processes, the interactor has received the end of the output of the one that ended, unless
                // it had ended their conversation itself.
                let has_received = self.has_several_seats() && !self.seats[self.deciding].is_done;
                decided_alone = self.await_decision()? && !has_received;
                // The interactor may have answered the bot's last line after the bot ended.
                for ((last_lines, _), seat) in at_end.iter_mut().zip(&self.seats) {
                    last_lines.clone_from(&seat.last_lines);
                }
                received_end = self.is_deciding() || has_received;
                self.end_conversation()?;
                if self.has_flooded(Side::Interactor) {
                    end = End::Output(Side::Interactor, self.conditions.interactor_output);
                }
            }
            End::Limit(Side::Bot, _) | End::Output(Side::Bot, _) => {
                self.end(Side::Bot)?;
                self.end_input(Side::Interactor);
                self.await_exit(Side::Interactor, REACTION_TIME)?;
            }
            End::Limit(Side::Interactor, _) | End::Output(Side::Interactor, _) => {}
            End::Stall(stall) => self.probe(stall)?,
            _ => {
                decided_alone = true;
                if self.programs.unread(Side::Interactor) > 0 {
                    at_end[self.latest].0.leave_out_unread();
                }
                extra = self.await_bot()?;
            }
        }
        self.end(Side::Bot)?;
        self.end(Side::Interactor)?;
        self.apply_final_usage(&mut end);
        let interactor_exit = self.programs.exited(Side::Interactor, 0);
        let (message, decision) = self.decision(interactor_exit);
        if decided_alone && self.late_limit.is_none() {
            let has_rejected = decision.as_ref().is_some_and(|ruling| ruling.class == Class::WrongAnswer);
            self.deciding = if has_rejected { self.latest } else { self.seat_that_ended_worst() };
        }
        let (last_lines, bot_closed) = at_end.swap_remove(self.deciding);
        let bot_exit = self.programs.exited(Side::Bot, self.deciding);
        let late_limit = |side| self.late_limit.clone().filter(|late| late.0 == side).map(|late| late.1);
        let Conditions { style, turn, limits, interactor_limits, languages, excused, confinement, .. } =
            self.conditions;
        let bot = BotFacts {
            seat: self.has_several_seats().then_some(self.deciding),
            limits,
            used: self.seats.iter().map(|seat| seat.record.used).fold(Usage::default(), Usage::with_process),
            exit: bot_exit,
            is_killed: bot_exit.is_none(),
            has_closed: bot_closed,
            has_written: !last_lines.is_empty(Side::Bot),
            late_limit: late_limit(Side::Bot),
            extra,
        };
        let interactor = InteractorFacts {
            turn,
            starter: if style == Style::Launcher { Starter::Interactor } else { Starter::Judge },
            confinement,
            limits: interactor_limits,
            exit: interactor_exit,
            decided_alone,
            received_end,
            // With `Turn::AfterBot`, the validator's output is closed as soon as the bot has received the whole input.
            // This is no fault of the validator.
            has_closed: interactor_closed && turn == Turn::WithBot,
            late_limit: late_limit(Side::Interactor),
            message,
            last_lines,
        };
        let interactor = Some(interactor);
        let facts = Facts { end, decision, expected: None, bot, interactor, languages, excused };
        let Self { programs, seats, interactor, interaction, .. } = self;
        let bots = seats.into_iter().enumerate();
        let bots = bots.map(|(seat, known)| (known.record, programs.exited(Side::Bot, seat))).collect();
        Ok(Finished { style, facts, bots, interactor, interaction })
    }

    /// Returns the interactor's message, and what it decided if it has ended.
    fn decision(&self, exit: Option<Exit>) -> (String, Option<Ruling>) {
        let Conditions { style, gives_scores, turn, full_score, .. } = self.conditions;
        let stderr = match style {
            Style::Launcher => self.interactor.lines_without_those_of(&self.seats[0].record),
            _ => self.interactor.stderr_text(),
        };
        let message = style.message(&stderr, self.folder);
        let decision = exit.map(|exit| {
            let decision = style.decision(exit, &stderr, self.folder, gives_scores);
            by_decision(turn.interactor(), &decision, &message, full_score)
        });
        (message, decision)
    }

    /// Compares the final usage of both programs with their limits. The kernel may have ended a program at a limit
    /// before the judge measured the usage.
    fn apply_final_usage(&mut self, end: &mut End) {
        let interactor = exceeded(self.interactor.used, &self.conditions.interactor_limits);
        match (&*end, interactor) {
            (End::Decision, Some(report)) => *end = End::Limit(Side::Interactor, Box::new(report)),
            (End::Bot, Some(report)) if self.late_limit.is_none() => {
                self.late_limit = Some((Side::Interactor, report));
            }
            _ => {}
        }
    }

    fn has_several_seats(&self) -> bool {
        self.seats.len() > 1
    }

    /// Returns the first seat whose process failed, or else the first one whose process did not end by itself.
    fn seat_that_ended_worst(&self) -> usize {
        let exits: Vec<Option<Exit>> =
            (0..self.seats.len()).map(|seat| self.programs.exited(Side::Bot, seat)).collect();
        let failed = exits.iter().position(|exit| exit.is_some_and(|exit| exit != Exit::Code(0)));
        failed.or_else(|| exits.iter().position(Option::is_none)).unwrap_or(0)
    }

    /// Waits until the interactor ends, the bot ends or one of its processes fails, a program reaches a limit, or all wait
    /// for input. Returns what ended the conversation.
    fn converse(&mut self) -> anyhow::Result<End> {
        // The last time when both programs were idle, but one of them slept for a set time.
        let mut asleep: Option<Stall> = None;
        loop {
            let mut ends = Vec::new();
            let mut idle_interactor = None;
            self.seats.iter_mut().for_each(|seat| seat.idle = None);
            for SideEvent { side, seat, timed } in self.wait_for_events()? {
                match (side, timed.event) {
                    (Side::Interactor, Event::Exited(_)) => ends.push(End::Decision),
                    (Side::Bot, Event::Exited(exit)) => {
                        let has_failed = exit != Exit::Code(0);
                        if has_failed || !self.programs.is_running(Side::Bot) {
                            self.deciding = if has_failed { seat } else { self.latest };
                            ends.push(End::Bot);
                        }
                    }
                    (Side::Bot, Event::Limit(report)) if report.limit == Limit::Idle => {
                        self.seats[seat].idle = Some(report);
                    }
                    (Side::Interactor, Event::Limit(report)) if report.limit == Limit::Idle => {
                        idle_interactor = Some(report);
                    }
                    (Side::Bot, Event::Limit(report)) if report.sleeping && is_timer(&report) => {
                        self.deciding = seat;
                        ends.push(match asleep.take() {
                            Some(stall) => End::Stall(Box::new(Stall { bot: report, ..stall })),
                            None => End::Limit(Side::Bot, Box::new(report)),
                        });
                    }
                    (side, Event::Limit(report)) => {
                        self.deciding = seat;
                        ends.push(End::Limit(side, Box::new(report)));
                    }
                    // With several processes, the relay ends the input of the one for which the output was.
                    (Side::Interactor, Event::Closed) if !self.has_several_seats() => {
                        self.end_input(Side::Bot);
                    }
                    _ => {}
                }
            }
            for side in Side::BOTH {
                if self.has_flooded(side) {
                    ends.push(End::Output(side, self.output_limit(side)));
                }
            }
            // The interactor's input is still open, so the interactor has ended by itself. What the bot did during the
            // same wait counts as done after the interactor's decision.
            if let Some(at) = ends.iter().position(|end| matches!(end, End::Decision)) {
                return Ok(ends.swap_remove(at));
            }
            if let Some(end) = ends.into_iter().next() {
                return Ok(end);
            }
            let idle = |seat: &Seat| seat.idle.is_some();
            let latest = Some(self.latest).filter(|&latest| idle(&self.seats[latest]));
            let waiting = latest.or_else(|| self.seats.iter().position(idle));
            if let (Some(waiting), Some(interactor)) = (waiting, idle_interactor) {
                self.deciding = waiting;
                let Some(bot) = self.seats[waiting].idle.clone() else { continue };
                let sent = self.seats[waiting].sent;
                // A program that sleeps for a set time will go on by itself. Only its wall limit ends that.
                let has_timer = self.seats.iter().filter_map(|seat| seat.idle.as_ref()).any(is_timer);
                let has_closed = self.seats.iter().all(|seat| seat.record.is_closed);
                let will_go_on = has_timer || (is_timer(&interactor) && !has_closed);
                let stall = Stall {
                    bot,
                    interactor: Some(interactor),
                    last_writer: self.programs.last_writer(),
                    sent,
                    reaction: None,
                    late_interactor: Vec::new(),
                    loses_output: false,
                };
                if !will_go_on {
                    return Ok(End::Stall(Box::new(stall)));
                }
                asleep = Some(stall);
            }
        }
    }

    /// Waits for the next events, and records them.
    fn wait_for_events(&mut self) -> anyhow::Result<Vec<SideEvent>> {
        let events = self.programs.wait(MAX_WAIT);
        self.note(&events)?;
        Ok(events)
    }

    /// Records events, and checks for an interrupt.
    ///
    /// # Errors
    ///
    /// If the judge is interrupted, or cannot measure or read a program.
    pub(crate) fn note(&mut self, events: &[SideEvent]) -> anyhow::Result<()> {
        for event in events {
            self.interaction.add(event);
            let SideEvent { side, seat, timed } = event;
            let (side, seat) = (*side, *seat);
            match &timed.event {
                Event::Received(bytes) => {
                    self.latest = seat;
                    self.seats[seat].last_lines.add(side, &bytes.0);
                    if side == Side::Interactor {
                        self.seats[seat].sent += bytes.0.len() as u64;
                    }
                }
                Event::Closed if side == Side::Interactor => self.seats[seat].is_done = true,
                _ => {}
            }
            let is_of_launched = self.conditions.style == Style::Launcher && side == Side::Bot;
            let record = self.record(side, seat);
            match &timed.event {
                Event::Received(bytes) => {
                    record.add(&bytes.0);
                    if is_of_launched {
                        record.look_for_score(bytes.0.len());
                    }
                }
                Event::Stderr(text) => {
                    record.stderr_bytes += text.0.len() as u64;
                    record.stderr.extend(&text.0);
                }
                Event::Used(used) => record.used = *used,
                Event::Closed => record.is_closed = true,
                Event::Interrupted => bail!("interrupted"),
                Event::Failed(failure) => bail!("{}", failure.why),
                _ => {}
            }
        }
        if interrupted() {
            bail!("interrupted");
        }
        Ok(())
    }

    /// Closes the input of a program as soon as all waiting bytes are written to it, and records the end of the input.
    fn end_input(&mut self, side: Side) {
        self.interaction.add_end_of_input(self.programs.now(), side);
        self.programs.end_input(side);
    }

    /// Ends a program, and records its last output and its usage.
    fn end(&mut self, side: Side) -> anyhow::Result<()> {
        if self.record(side, 0).used != Usage::default() {
            return Ok(());
        }
        let events = self.programs.end(side);
        self.note(&events)
    }

    /// Waits for the bot to end, at most for its grace time, after the interactor has ended. Returns the bot's output
    /// that nobody read: what the interactor had not read, and what the bot wrote during the wait.
    fn await_bot(&mut self) -> anyhow::Result<Vec<u8>> {
        let tail = &self.seats[self.latest].record.tail;
        let unread = self.programs.unread(Side::Interactor).min(tail.len());
        let mut extra = tail[tail.len() - unread..].to_vec();
        // This also ends processes that the interactor has left running.
        self.end(Side::Interactor)?;
        self.end_input(Side::Bot);
        let deadline = self.programs.now() + self.conditions.limits.grace;
        while self.programs.is_running(Side::Bot) {
            let is_late = self.programs.now() >= deadline;
            for SideEvent { side, seat, timed } in self.wait_for_events()? {
                match timed.event {
                    Event::Received(bytes) if side == Side::Bot => {
                        let room = LINE_LIMIT.saturating_sub(extra.len());
                        extra.extend(bytes.0.iter().take(room));
                    }
                    Event::Limit(report) if side == Side::Bot && report.limit != Limit::Idle => {
                        self.deciding = seat;
                        self.late_limit = Some((side, report));
                    }
                    _ => {}
                }
            }
            if is_late || self.late_limit.is_some() || self.has_flooded(Side::Bot) {
                break;
            }
        }
        Ok(extra.trim_ascii().to_vec())
    }

    /// Waits for the interactor after the bot has ended. Returns whether the interactor decided before it received the
    /// end of the bot's output.
    ///
    /// A bot may crash because the interactor's last line said "wrong". Therefore the interactor receives the end of
    /// the bot's output only when it waits for more of this output.
    fn await_decision(&mut self) -> anyhow::Result<bool> {
        let mut waits = 0;
        while waits < MIN_WAITS {
            let is_quiet = self.wait_recording_limit(Side::Interactor)?;
            let is_idle = self.late_limit.as_ref().is_some_and(|(_, report)| report.limit == Limit::Idle);
            if is_idle && self.programs.awaits_input(Side::Interactor)? {
                // The judge itself was late: the interactor has waited for the end that comes only now.
                self.late_limit = None;
                break;
            }
            if !self.is_deciding() {
                break;
            }
            waits = if is_quiet && self.programs.awaits_input(Side::Interactor)? { waits + 1 } else { 0 };
        }
        Ok(!self.programs.is_running(Side::Interactor))
    }

    /// Closes the interactor's input and waits for its decision. Does nothing if the interactor has already ended or
    /// reached a limit.
    fn end_conversation(&mut self) -> anyhow::Result<()> {
        if self.is_deciding() {
            self.end_input(Side::Interactor);
        }
        while self.is_deciding() {
            self.wait_recording_limit(Side::Interactor)?;
        }
        Ok(())
    }

    /// Returns whether the interactor is running within its limits.
    fn is_deciding(&self) -> bool {
        self.programs.is_running(Side::Interactor)
            && self.late_limit.is_none()
            && !self.has_flooded(Side::Interactor)
    }

    /// Checks whether a program has written more than its output limit.
    fn has_flooded(&self, side: Side) -> bool {
        match side {
            Side::Bot => self.seats.iter().any(|seat| seat.record.exceeds(self.output_limit(side))),
            // With `Turn::AfterBot`, this output is only the test's input, which has no limit.
            Side::Interactor => {
                self.conditions.turn == Turn::WithBot && self.interactor.exceeds(self.output_limit(side))
            }
        }
    }

    fn output_limit(&self, side: Side) -> OutputLimit {
        match side {
            Side::Bot => self.conditions.output,
            Side::Interactor => self.conditions.interactor_output,
        }
    }

    /// Waits for the next events. If the program `side` reached a limit, even the idle limit, stores the limit in
    /// `late_limit`. Returns whether nothing has happened.
    fn wait_recording_limit(&mut self, side: Side) -> anyhow::Result<bool> {
        let events = self.wait_for_events()?;
        let is_quiet = events.is_empty();
        for event in events {
            if let Event::Limit(report) = event.timed.event
                && event.side == side
            {
                self.late_limit = Some((side, report));
            }
        }
        Ok(is_quiet)
    }

    /// Waits for the end of a program or a limit: at most for `silent`, and after its first output to stdout at most for
    /// [`REACTION_TIME`]. Returns the beginning of what it wrote to stdout and stderr during the wait, for each seat.
    fn await_exit(&mut self, side: Side, silent: Duration) -> anyhow::Result<Vec<[Vec<u8>; 2]>> {
        let mut deadline = self.programs.now() + silent;
        let mut outputs = vec![[Vec::new(), Vec::new()]; self.seats.len()];
        while self.programs.is_running(side) && self.programs.now() < deadline {
            for event in self.wait_for_events()?.into_iter().filter(|event| event.side == side) {
                let [stdout, stderr] = &mut outputs[event.seat];
                let (output, bytes) = match event.timed.event {
                    Event::Received(bytes) => {
                        if stdout.is_empty() {
                            deadline = deadline.min(self.programs.now() + REACTION_TIME);
                        }
                        (stdout, bytes)
                    }
                    Event::Stderr(text) => (stderr, text),
                    Event::Limit(_) => {
                        deadline = self.programs.now();
                        continue;
                    }
                    _ => continue,
                };
                let room = LINE_LIMIT.saturating_sub(output.len());
                output.extend(bytes.0.iter().take(room));
            }
        }
        Ok(outputs)
    }

    /// Finds out which of two programs that wait for each other has output in a buffer. Closes the input of the bot.
    /// If the bot writes nothing more, or if it flushes every line and its last one was not answered, also closes the input
    /// of an interactor that is still running.
    fn probe(&mut self, stall: &mut Stall) -> anyhow::Result<()> {
        let of_interactor = (self.programs.writes(Side::Interactor, 0), self.interactor.bytes);
        let before: Vec<(Option<u64>, u64)> = self
            .seats
            .iter()
            .enumerate()
            .map(|(seat, known)| (self.programs.writes(Side::Bot, seat), known.record.lines))
            .collect();
        self.end_input(Side::Bot);
        let mut outputs = self.await_exit(Side::Bot, SLOW_REACTION_TIME)?;
        self.end(Side::Bot)?;
        let has_reacted = |seat: &usize| !outputs[*seat][0].is_empty() && self.seats[*seat].idle.is_some();
        if let Some(seat) = [self.deciding].into_iter().chain(0..outputs.len()).find(has_reacted)
            && let Some(idle) = self.seats[seat].idle.clone()
        {
            self.deciding = seat;
            (stall.bot, stall.sent) = (idle, self.seats[seat].sent);
        }
        let [line, stderr] = outputs.swap_remove(self.deciding);
        if !line.is_empty() {
            let flushing = self.flushing(&line, &stderr, before[self.deciding]);
            stall.reaction = Some(Reaction { line: Some(line), to: Notice::EndOfInput, flushing });
        }
        let record = &self.seats[self.deciding].record;
        stall.loses_output = stall.reaction.is_none() && record.stderr.shows_lost_output();
        let flushes = stall.reaction.as_ref().map(|reaction| reaction.flushing == Flushing::EveryLine);
        if flushes == Some(false) || flushes == Some(true) && stall.last_writer != Some(Side::Bot) {
            return Ok(());
        }
        let mut late = Vec::new();
        if self.programs.is_running(Side::Interactor) {
            self.end_input(Side::Interactor);
            let outputs = self.await_exit(Side::Interactor, SLOW_REACTION_TIME)?;
            late = outputs.into_iter().map(|[stdout, _]| stdout).concat();
        }
        stall.late_interactor = if flushes.is_none() { late } else { self.buffered_since(of_interactor) };
        Ok(())
    }

    /// Returns what the interactor has written since it had called write(2) and written bytes so often, if it wrote several
    /// lines in fewer calls, so that they were in a buffer. Otherwise returns nothing.
    fn buffered_since(&self, (writes_before, bytes_before): (Option<u64>, u64)) -> Vec<u8> {
        let bytes = usize::try_from(self.interactor.bytes - bytes_before).unwrap_or(usize::MAX);
        let late = &self.interactor.tail[self.interactor.tail.len().saturating_sub(bytes)..];
        let lines = memchr::memchr_iter(b'\n', late).count() as u64;
        let writes = self.programs.writes(Side::Interactor, 0).zip(writes_before);
        let is_buffered =
            lines > 1 && writes.is_some_and(|(writes, before)| writes.saturating_sub(before) < lines);
        if is_buffered { late[..late.len().min(LINE_LIMIT)].to_vec() } else { Vec::new() }
    }

    /// Returns what the output of the bot after the end of its input shows about its flushing. `before` has the numbers of
    /// its writes and of its lines before that.
    fn flushing(&self, stdout: &[u8], stderr: &[u8], before: (Option<u64>, u64)) -> Flushing {
        if self.programs.wrote_stderr_first(self.deciding) && begins_with_exception(stderr) {
            return Flushing::AfterException;
        }
        // A single line in a single write says nothing: it may have been in a buffer, too.
        let Record { lines, stderr_bytes, .. } = self.seats[self.deciding].record;
        let has_several = memchr::memchr_iter(b'\n', stdout).count() > 1 && stderr_bytes == 0;
        match (self.programs.writes(Side::Bot, self.deciding).filter(|_| has_several), before) {
            (Some(writes), (Some(writes_before), lines_before)) => {
                // A script that starts the bot may have written before it, and the writes of a child that the bot waits
                // for count only at the end.
                let since = (writes.saturating_sub(writes_before), lines - lines_before);
                let is_flushed = writes >= lines && since.0 >= since.1;
                if is_flushed { Flushing::EveryLine } else { Flushing::FewerWrites }
            }
            _ => Flushing::Unknown,
        }
    }
}

/// Returns whether a program sleeps for a set time.
fn is_timer(report: &LimitReport) -> bool {
    activity(report) == Activity::Timer
}
