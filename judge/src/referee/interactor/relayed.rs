//! One conversation of a bot with an interactor, from its start to the end of both programs.

mod probe;

use std::collections::BTreeSet;
use std::mem;
use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use itertools::Itertools;
use runner::activity::Activity;
use runner::event::{Event, Exit, Limit, LimitReport, Usage};
use runner::grace::GraceTime;
use runner::interrupt::interrupted;
use runner::relay::{Pair, Side, SideEvent};

use crate::conversation::facts::{
    BotFacts, End, Facts, InteractorFacts, OutputLimit, ProgramRecord, Stall, Terms,
};
use crate::conversation::interaction::Interaction;
use crate::conversation::last_lines::{LastLines, keep_start};
use crate::conversation::role::Role;
use crate::conversation::stall::activity;
use crate::conversation::verdict::{Class, Ruling};
use crate::referee::interactor::explain::by_decision;
use crate::referee::interactor::style::{Decision, SCORE, Style};

const MAX_WAIT: Duration = Duration::from_millis(20);

const REACTION_TIME: Duration = Duration::from_secs(1);

/// Number of consecutive checks that must find the interactor waiting for input before the judge closes its input. An
/// interactor that ends earlier has decided without receiving the end of the bot's output.
const MIN_WAITS: u32 = 2;

/// How the two programs of a run are judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    pub(crate) terms: Terms,
    pub(crate) style: Style,
    /// Whether the interactor is a tester whose program has the text of a line with a score.
    pub(crate) gives_scores: bool,
    /// The limits on what the bot writes, and on what the interactor writes to the bot or as the input of the next pass.
    pub(crate) output: [OutputLimit; 2],
    /// The score that is accepted. A smaller one, or without it any score, is partial.
    pub(crate) full_score: Option<f64>,
}

pub(crate) struct Conversation<'a> {
    programs: &'a mut dyn Pair,
    conditions: Conditions,
    folder: &'a Path,
    interactor: ProgramRecord,
    interaction: Interaction,
    seats: Vec<Seat>,
    /// Whether the bot of a tester has written the text of a line by which testers give scores.
    names_score: bool,
    /// The program that has written last.
    last_writer: Option<Side>,
    /// The seat in which, or to which, it has written.
    latest: usize,
    deciding: usize,
    /// Whether what the programs write now still belongs to the last lines of the conversation.
    adds_last_lines: bool,
    of_bot: BotFacts,
    of_interactor: InteractorFacts,
}

#[derive(Default)]
struct Seat {
    record: ProgramRecord,
    last_lines: LastLines,
    /// Number of bytes that the interactor wrote to it.
    sent: u64,
    /// Whether the interactor has closed its output to it.
    is_done: bool,
    idle: Option<LimitReport>,
}

pub(crate) struct Finished {
    pub(crate) style: Style,
    pub(crate) facts: Facts,
    pub(crate) bots: Vec<ProgramRecord>,
    pub(crate) interactor: ProgramRecord,
    pub(crate) interaction: Interaction,
    /// Whether the bot of a tester has written the text of a line by which testers give scores.
    pub(crate) names_score: bool,
}

impl Finished {
    /// Returns the end of a conversation whose tester has ended or reached a limit without starting the bot.
    pub(crate) fn without_bot(
        conditions: Conditions,
        interaction: Interaction,
        events: Vec<SideEvent>,
    ) -> Self {
        let mut interactor = ProgramRecord::default();
        let mut end = End::Decision;
        for SideEvent { timed, .. } in events {
            interactor.note(&timed.event);
            if let Event::Limit(report) = timed.event {
                end = End::Limit(Side::Interactor, Box::new(report));
            }
        }
        let (Conditions { terms, style, .. }, exit) = (conditions, interactor.exit);
        let message = style.message(&interactor.stderr_text(), Path::new(""));
        let decision = exit.map(|exit| {
            let what = format!("{exit} without starting the bot");
            let decision = Decision::Failed(Class::InteractorWrongStyle, what);
            by_decision(terms.role, &decision, &message, None)
        });
        let of_interactor = InteractorFacts { exit, decided_alone: true, message, ..Default::default() };
        let (bot, of_interactor) = (BotFacts::default(), Some(of_interactor));
        let facts = Facts { terms, end, decision, expected: None, bot, interactor: of_interactor };
        let bots = vec![ProgramRecord::default()];
        Self { style, facts, bots, interactor, interaction, names_score: false }
    }
}

impl<'a> Conversation<'a> {
    pub(crate) fn new(
        programs: &'a mut dyn Pair,
        conditions: Conditions,
        folder: &'a Path,
        interaction: Interaction,
    ) -> Self {
        let seats = (0..programs.seats()).map(|_| Seat::default()).collect();
        Self {
            programs,
            conditions,
            folder,
            interactor: ProgramRecord::default(),
            interaction,
            seats,
            names_score: false,
            last_writer: None,
            latest: 0,
            deciding: 0,
            adds_last_lines: true,
            of_bot: BotFacts::default(),
            of_interactor: InteractorFacts::default(),
        }
    }

    fn record(&mut self, side: Side, seat: usize) -> &mut ProgramRecord {
        match side {
            Side::Bot => &mut self.seats[seat].record,
            Side::Interactor => &mut self.interactor,
        }
    }

    /// Passes bytes on until the conversation ends, and ends both programs. Fails if the judge is interrupted, or cannot
    /// measure or read a program.
    pub(crate) fn run(mut self) -> anyhow::Result<Finished> {
        let mut end = self.converse()?;
        let Conditions { terms, style, .. } = self.conditions;
        // The output of a program that runs after the bot is closed as soon as the bot has received the whole input.
        self.of_interactor.has_closed = self.interactor.is_closed && terms.role == Role::Interactor;
        let bots_closed: Vec<bool> = self.seats.iter().map(|seat| seat.record.is_closed).collect();
        // The interactor may still answer the bot's last line after the bot ended.
        self.adds_last_lines = matches!(end, End::Bot);
        match &mut end {
            End::Bot => {
                // Processes that the bot has left running must not use resources while the interactor decides.
                self.end(Side::Bot)?;
                // With several processes, the interactor has received the end of the output of the one that ended, unless
                // it had ended their conversation itself.
                let has_received = self.has_several_seats() && !self.seats[self.deciding].is_done;
                self.of_interactor.decided_alone = self.await_decision()? && !has_received;
                self.adds_last_lines = false;
                self.of_interactor.received_end = self.is_deciding() || has_received;
                if self.is_deciding() {
                    self.end_input(Side::Interactor);
                }
                while self.is_deciding() {
                    self.wait_recording_limit()?;
                }
                if let Some(flood) = self.flood(Side::Interactor) {
                    end = flood;
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
                self.of_interactor.decided_alone = true;
                if self.programs.unread(Side::Interactor) > 0 {
                    self.seats[self.latest].last_lines.leave_out_unread();
                }
                self.await_bot()?;
            }
        }
        self.end(Side::Bot)?;
        self.end(Side::Interactor)?;
        // The kernel may have ended the interactor at a limit before the judge measured the usage.
        if let Some(report) = self.interactor.used.exceeded(&terms.interactor_limits) {
            match end {
                End::Decision => end = End::Limit(Side::Interactor, Box::new(report)),
                End::Bot => _ = self.of_interactor.late_limit.get_or_insert(report),
                _ => {}
            }
        }
        let (message, decision) = self.decision();
        if self.of_interactor.decided_alone && !self.has_late_limit() {
            let has_rejected = decision.as_ref().is_some_and(|ruling| ruling.class == Class::WrongAnswer);
            self.deciding = if has_rejected { self.latest } else { self.seat_that_ended_worst() };
        }
        let seat = self.has_several_seats().then_some(self.deciding);
        let last_lines = mem::take(&mut self.seats[self.deciding].last_lines);
        let exit = self.seats[self.deciding].record.exit;
        let bot = BotFacts {
            seat,
            used: self.seats.iter().map(|seat| seat.record.used).fold(Usage::default(), Usage::with_process),
            exit,
            is_killed: exit.is_none(),
            has_closed: bots_closed[self.deciding],
            has_written: !last_lines.is_empty(Side::Bot),
            ..self.of_bot
        };
        let Self { seats, interactor, of_interactor, mut interaction, names_score, .. } = self;
        interaction.end();
        let of_interactor = InteractorFacts { exit: interactor.exit, message, last_lines, ..of_interactor };
        let facts = Facts { terms, end, decision, expected: None, bot, interactor: Some(of_interactor) };
        let bots = seats.into_iter().map(|seat| seat.record).collect();
        Ok(Finished { style, facts, bots, interactor, interaction, names_score })
    }

    fn decision(&self) -> (String, Option<Ruling>) {
        let Conditions { terms, style, gives_scores, full_score, .. } = self.conditions;
        let stderr = match style {
            Style::Launcher => self.lines_of_tester(),
            _ => self.interactor.stderr_text(),
        };
        let message = style.message(&stderr, self.folder);
        let decision = self.interactor.exit.map(|exit| {
            let decision = style.decision(exit, &stderr, self.folder, gives_scores);
            by_decision(terms.role, &decision, &message, full_score)
        });
        (message, decision)
    }

    /// Returns the lines of a tester, without those that it may have from the bot: copies of the bot's last lines, and
    /// scores if the bot has named one.
    fn lines_of_tester(&self) -> String {
        let of_bot = String::from_utf8_lossy(&self.seats[0].record.tail);
        let of_bot: BTreeSet<&str> = of_bot.lines().collect();
        let is_of_bot = |line: &str| of_bot.contains(line) || self.names_score && line.contains(SCORE);
        self.interactor.stderr_text().lines().filter(|line| !is_of_bot(line)).join("\n")
    }

    fn has_several_seats(&self) -> bool {
        self.seats.len() > 1
    }

    /// Returns the first seat whose process failed, or else the first one whose process did not end by itself.
    fn seat_that_ended_worst(&self) -> usize {
        let exits = || self.seats.iter().map(|seat| seat.record.exit);
        let failed = exits().position(|exit| exit.is_some_and(|exit| exit != Exit::Code(0)));
        failed.or_else(|| exits().position(|exit| exit.is_none())).unwrap_or(0)
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
                    (side, Event::Limit(report)) if report.limit == Limit::Idle => match side {
                        Side::Bot => self.seats[seat].idle = Some(report),
                        Side::Interactor => idle_interactor = Some(report),
                    },
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
            ends.extend(Side::BOTH.into_iter().filter_map(|side| self.flood(side)));
            // The interactor's input is still open, so the interactor has ended by itself. What the bot did during the
            // same wait counts as done after the interactor's decision.
            if let Some(end) = ends.into_iter().min_by_key(|end| !matches!(end, End::Decision)) {
                return Ok(end);
            }
            let mut seats = [self.latest].into_iter().chain(0..self.seats.len());
            let waiting = seats.find_map(|seat| Some((seat, self.seats[seat].idle.clone()?)));
            if let (Some((waiting, bot)), Some(interactor)) = (waiting, idle_interactor) {
                self.deciding = waiting;
                let sent = self.seats[waiting].sent;
                // A program that sleeps for a set time will go on by itself. Only its wall limit ends that.
                let has_timer = self.seats.iter().filter_map(|seat| seat.idle.as_ref()).any(is_timer);
                let has_closed = self.seats.iter().all(|seat| seat.record.is_closed);
                let will_go_on = has_timer || (is_timer(&interactor) && !has_closed);
                let last_writer = self.last_writer;
                let stall = Stall { interactor: Some(interactor), last_writer, ..Stall::of_bot(bot, sent) };
                if !will_go_on {
                    return Ok(End::Stall(Box::new(stall)));
                }
                asleep = Some(stall);
            }
        }
    }

    fn wait_for_events(&mut self) -> anyhow::Result<Vec<SideEvent>> {
        let events = self.programs.wait(MAX_WAIT);
        self.note(&events)?;
        Ok(events)
    }

    pub(crate) fn note(&mut self, events: &[SideEvent]) -> anyhow::Result<()> {
        for event in events {
            self.interaction.add(event);
            let &SideEvent { side, seat, ref timed } = event;
            self.record(side, seat).note(&timed.event);
            match &timed.event {
                Event::Received(bytes) => {
                    (self.last_writer, self.latest) = (Some(side), seat);
                    let Seat { record, last_lines, sent, .. } = &mut self.seats[seat];
                    if self.adds_last_lines {
                        last_lines.add(side, &bytes.0);
                    }
                    if side == Side::Interactor {
                        *sent += bytes.0.len() as u64;
                    } else if self.conditions.style == Style::Launcher {
                        // The bytes may continue the text.
                        let begin = record.tail.len().saturating_sub(bytes.0.len() + SCORE.len());
                        let score = memchr::memmem::find(&record.tail[begin..], SCORE.as_bytes());
                        self.names_score |= score.is_some();
                    }
                }
                Event::Closed if side == Side::Interactor => self.seats[seat].is_done = true,
                Event::Interrupted => bail!("interrupted"),
                Event::Failed { why } => bail!("{why}"),
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

    fn end(&mut self, side: Side) -> anyhow::Result<()> {
        if self.record(side, 0).used != Usage::default() {
            return Ok(());
        }
        let events = self.programs.end(side);
        self.note(&events)
    }

    /// Waits for the bot to end, at most for its grace time, after the interactor has ended. Keeps the bot's output that
    /// nobody read: what the interactor had not read, and what the bot wrote during the wait.
    fn await_bot(&mut self) -> anyhow::Result<()> {
        let tail = &self.seats[self.latest].record.tail;
        let unread = self.programs.unread(Side::Interactor).min(tail.len());
        let mut extra = tail[tail.len() - unread..].to_vec();
        // This also ends processes that the interactor has left running.
        self.end(Side::Interactor)?;
        self.end_input(Side::Bot);
        let mut grace_time = GraceTime::new(self.conditions.terms.limits.grace, self.programs.now());
        while self.programs.is_running(Side::Bot) {
            let is_late = grace_time.is_over(self.programs.now(), || self.programs.work_of_bot());
            for SideEvent { side, seat, timed } in self.wait_for_events()? {
                match timed.event {
                    Event::Received(bytes) if side == Side::Bot => keep_start(&mut extra, &bytes.0),
                    Event::Limit(report) if side == Side::Bot && report.limit != Limit::Idle => {
                        self.deciding = seat;
                        self.of_bot.late_limit = Some(report);
                    }
                    _ => {}
                }
            }
            if is_late || self.has_late_limit() || self.flood(Side::Bot).is_some() {
                break;
            }
        }
        self.of_bot.extra = extra.trim_ascii().to_vec();
        Ok(())
    }

    /// Waits for the interactor after the bot has ended. Returns whether the interactor decided before it received the
    /// end of the bot's output.
    ///
    /// A bot may crash because the interactor's last line said "wrong". Therefore the interactor receives the end of
    /// the bot's output only when it waits for more of this output.
    fn await_decision(&mut self) -> anyhow::Result<bool> {
        let mut waits = 0;
        while waits < MIN_WAITS {
            let is_quiet = self.wait_recording_limit()?;
            let late_limit = &self.of_interactor.late_limit;
            let is_idle = late_limit.as_ref().is_some_and(|report| report.limit == Limit::Idle);
            if is_idle && self.programs.awaits_input(Side::Interactor)? {
                // The judge itself was late: the interactor has waited for the end that comes only now.
                self.of_interactor.late_limit = None;
                break;
            }
            if !self.is_deciding() {
                break;
            }
            waits = if is_quiet && self.programs.awaits_input(Side::Interactor)? { waits + 1 } else { 0 };
        }
        Ok(!self.programs.is_running(Side::Interactor))
    }

    fn is_deciding(&self) -> bool {
        self.programs.is_running(Side::Interactor)
            && !self.has_late_limit()
            && self.flood(Side::Interactor).is_none()
    }

    /// Returns the end of a conversation in which a program has written more than its limit, if it has.
    fn flood(&self, side: Side) -> Option<End> {
        let limit = self.conditions.output[side as usize];
        let exceeds = |record: &ProgramRecord| {
            let stderr = if limit.with_stderr { record.stderr_bytes } else { 0 };
            record.bytes.saturating_add(stderr) > limit.bytes
        };
        let has_flooded = match side {
            Side::Bot => self.seats.iter().any(|seat| exceeds(&seat.record)),
            // The output of a program that runs after the bot is only the test's input, which has no limit.
            Side::Interactor => self.conditions.terms.role == Role::Interactor && exceeds(&self.interactor),
        };
        has_flooded.then_some(End::Output(side, limit))
    }

    fn has_late_limit(&self) -> bool {
        self.of_bot.late_limit.is_some() || self.of_interactor.late_limit.is_some()
    }

    /// Waits, and records a limit that the interactor reached, even the idle limit. Returns whether nothing has happened.
    fn wait_recording_limit(&mut self) -> anyhow::Result<bool> {
        let events = self.wait_for_events()?;
        let is_quiet = events.is_empty();
        for SideEvent { side, timed, .. } in events {
            if let (Side::Interactor, Event::Limit(report)) = (side, timed.event) {
                self.of_interactor.late_limit = Some(report);
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
                match event.timed.event {
                    Event::Received(bytes) => {
                        if stdout.is_empty() {
                            deadline = deadline.min(self.programs.now() + REACTION_TIME);
                        }
                        keep_start(stdout, &bytes.0);
                    }
                    Event::Stderr(text) => keep_start(stderr, &text.0),
                    Event::Limit(_) => deadline = self.programs.now(),
                    _ => {}
                }
            }
        }
        Ok(outputs)
    }
}

fn is_timer(report: &LimitReport) -> bool {
    activity(report) == Activity::Timer
}
