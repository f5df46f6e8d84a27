//! The state of one game: a pure function of its events, live and in a replay. No clock, no process, no I/O.

use std::collections::VecDeque;
use std::time::Duration;

use zeroxor::SpecError;
use zeroxor::wire::protocol::{self, Header, JudgeTurn, Opening};
use zeroxor::{Move, Position, Side};

use crate::referee::conversation::{Due, Referee, Refusal};
use crate::referee::event::{Event, Exit, Limit, RecordedEvent, Usage};
use crate::referee::limits::{LINE_LIMIT, Limits, OUTPUT_LIMIT, STDERR_KEPT};
use crate::referee::verdict::{self, Ending, Profile, Turn, Verdict};

/// A game as far as it has come.
///
/// Lines of the bot's are taken in the order they came, each when it is due: one that came early waits. The
/// end is settled by the first event that settles it.
pub(crate) struct GameState {
    referee: Referee,
    limits: Limits,
    profile: Profile,
    /// Since when the bot's line is due; nothing is before the header is told.
    since: Option<Duration>,
    /// Lines that have come and are not yet due.
    early: VecDeque<Vec<u8>>,
    /// For how long the judge itself did not run, or could not look, while the bot's line was due.
    delayed: Duration,
    /// Whether a signal stopped the judge.
    stopped: bool,
    closed: bool,
    exit: Option<Exit>,
    killed: bool,
    ending: Option<Ending>,
    /// The first of what the bot has said beyond the end.
    extra: Vec<u8>,
    stderr: VecDeque<u8>,
    io: IoStats,
    timing: Timing,
    used: Usage,
    /// What had been used when the game was won.
    used_to_win: Usage,
}

/// What has gone either way.
#[derive(Clone, Debug, Default)]
pub(crate) struct IoStats {
    /// How many bytes the judge has sent, and the last line of them.
    pub(crate) sent: usize,
    pub(crate) last_sent: Vec<u8>,
    /// How many bytes have come, and the last line of them.
    pub(crate) received: usize,
    pub(crate) last_received: Vec<u8>,
}

/// How long the judge has waited for the bot's lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timing {
    pub(crate) waited: Duration,
    /// The longest wait, and for which move; 0 is the side.
    pub(crate) slowest: Option<(u64, Duration)>,
}

/// How the bot's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself.
    Exited(Exit),
    /// The judge ended it.
    Killed,
    /// It has not, and goes on with the next game.
    Open,
}

impl GameState {
    pub(crate) fn new(header: &Header, limits: Limits, profile: Profile) -> Result<Self, SpecError> {
        Ok(Self {
            referee: Referee::new(header)?,
            limits,
            profile,
            since: None,
            early: VecDeque::new(),
            delayed: Duration::ZERO,
            stopped: false,
            closed: false,
            exit: None,
            killed: false,
            ending: None,
            extra: Vec::new(),
            stderr: VecDeque::new(),
            io: IoStats::default(),
            timing: Timing::default(),
            used: Usage::default(),
            used_to_win: Usage::default(),
        })
    }

    pub(crate) fn referee(&self) -> &Referee {
        &self.referee
    }

    pub(crate) fn table(&self) -> &Position {
        self.referee.table()
    }

    pub(crate) fn side(&self) -> Option<Side> {
        self.referee.side()
    }

    pub(crate) fn moves(&self) -> &[Move] {
        self.referee.moves()
    }

    /// How the game ended, once it has.
    pub(crate) fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    pub(crate) fn timing(&self) -> Timing {
        self.timing
    }

    pub(crate) fn used(&self) -> Usage {
        self.used
    }

    /// How many lines have come that are not yet due.
    pub(crate) fn early(&self) -> usize {
        self.early.len()
    }

    /// Whether the bot has said more than the game asked for.
    pub(crate) fn has_extra(&self) -> bool {
        !self.extra.is_empty()
    }

    /// The last of what the bot wrote to stderr.
    pub(crate) fn stderr(&self) -> Vec<u8> {
        self.stderr.iter().copied().collect()
    }

    /// How long the judge is to wait for the line that is due, at that time from the game's start: what is
    /// left of the wall time, and the time for which the judge itself was delayed, as much again at most.
    pub(crate) fn wall_left(&self, now: Duration) -> Duration {
        (self.limits.wall + self.delayed.min(self.limits.wall)).saturating_sub(self.waited(now))
    }

    /// How long the judge has waited for the bot's lines.
    fn waited(&self, now: Duration) -> Duration {
        self.timing.waited + self.since.map_or(Duration::ZERO, |since| now.saturating_sub(since))
    }

    /// Whether the judge was delayed so long that the bot may have kept within the wall time after all.
    fn is_unknown(&self, waited: Duration) -> bool {
        !self.delayed.is_zero() && waited.saturating_sub(self.delayed) <= self.limits.wall
    }

    /// What became of the game, and why in plain words.
    pub(crate) fn verdict(&self) -> (Verdict, String) {
        let end = match self.exit {
            Some(exit) => End::Exited(exit),
            None if self.killed => End::Killed,
            None => End::Open,
        };
        verdict::judge(&verdict::Case {
            ending: self.ending.as_ref(),
            end,
            extra: &self.extra,
            io: &self.io,
            used: if matches!(self.ending, Some(Ending::Won)) { self.used_to_win } else { self.used },
            limits: self.limits,
            profile: self.profile,
            stopped: self.stopped,
        })
    }

    pub(crate) fn apply(&mut self, RecordedEvent { at, event }: &RecordedEvent) {
        match event {
            Event::Sent(line) => self.told(*at, &line.0),
            Event::Received(line) => self.said(&line.0),
            Event::Stderr(text) => {
                self.stderr.extend(&text.0);
                let excess = self.stderr.len().saturating_sub(STDERR_KEPT);
                self.stderr.drain(..excess);
            }
            Event::Closed => self.closed = true,
            Event::Exited(exit) => self.exit = Some(*exit),
            Event::Limit(report) => {
                if report.limit == Limit::Wall && self.is_unknown(self.waited(*at)) {
                    self.close(Ending::Unknown { waited: self.waited(*at), delayed: self.delayed });
                } else {
                    let report = report.clone();
                    self.close(Ending::Limit { report, turn: self.turn() });
                }
            }
            Event::Delayed(delay) => self.delayed = self.delayed.saturating_add(delay.by),
            Event::Stopped => self.stopped = true,
            Event::Killed => self.killed = true,
            Event::Used(usage) => self.used = self.used.max(*usage),
            Event::Interrupted => self.close(Ending::Interrupted),
            Event::Failed(failure) => self.close(Ending::JudgeError(failure.why.clone())),
        }
        self.settle(*at);
    }

    fn turn(&self) -> Turn {
        Turn { due: self.referee.due(), ply: self.referee.plies() + 1 }
    }

    /// The first ending stands; what the bot has said beyond it is extra.
    fn close(&mut self, ending: Ending) {
        self.ending.get_or_insert(ending);
        for line in std::mem::take(&mut self.early) {
            self.keep_extra(&line);
        }
    }

    fn keep_extra(&mut self, line: &[u8]) {
        let room = LINE_LIMIT.saturating_sub(self.extra.len()).min(line.len());
        self.extra.extend(&line[..room]);
    }

    fn told(&mut self, at: Duration, line: &[u8]) {
        if self.ending.is_some() {
            // The last word.
            return;
        }
        self.io.sent += line.len();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.clone_into(&mut self.io.last_sent);
        let ply = self.referee.plies() + 1;
        if self.since.is_some() && self.referee.due() == Due::OpponentMove {
            match protocol::parse_judge_turn(line) {
                Ok(JudgeTurn::Move(mv)) => match self.referee.play(mv) {
                    Ok(()) => {}
                    Err(Refusal::Illegal(error)) => {
                        self.close(Ending::JudgeError(format!("the opponent's move {ply}: {error}")));
                    }
                    Err(Refusal::Disputed(mv)) => self.close(Ending::JudgeError(verdict::disputed(mv))),
                },
                Ok(JudgeTurn::NoMove) if self.table().is_over() => {
                    self.used_to_win = self.used;
                    self.close(Ending::Won);
                }
                Ok(_) => {
                    self.close(Ending::JudgeError(format!(
                        "move {ply}: the opponent has a move and made none"
                    )));
                }
                Err(error) => self.close(Ending::JudgeError(format!("the opponent's move {ply}: {error}"))),
            }
        } else if self.since.is_some() {
            self.close(Ending::JudgeError(format!("move {ply}: the judge spoke out of turn")));
        } else if matches!(protocol::parse_opening(line), Ok(Opening::Games(_))) {
            // The header is still to come.
            return;
        }
        self.since = Some(at);
    }

    fn said(&mut self, line: &[u8]) {
        if self.ending.is_some() {
            return self.keep_extra(line);
        }
        self.io.received += line.len();
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        bare.clone_into(&mut self.io.last_received);
        self.early.push_back(line.to_vec());
    }

    /// Takes the lines that have come, as far as they are due, and sees whether more can come.
    fn settle(&mut self, at: Duration) {
        while self.ending.is_none() && self.since.is_some() && self.referee.due() != Due::OpponentMove {
            if self.io.received > OUTPUT_LIMIT {
                self.close(Ending::TooMuch { turn: self.turn() });
            } else if let Some(line) = self.early.pop_front() {
                self.clock(at);
                self.take_in_time(&line);
            } else if self.closed || self.exit.is_some() || self.killed {
                self.close(Ending::Gone { turn: self.turn() });
            } else {
                break;
            }
        }
    }

    /// Books the wait for a line that is taken at that time.
    fn clock(&mut self, at: Duration) {
        let wait = at.saturating_sub(self.since.replace(at).unwrap_or(at));
        self.timing.waited += wait;
        if self.timing.slowest.is_none_or(|(_, slowest)| wait > slowest) {
            let ply = if self.referee.due() == Due::Side { 0 } else { self.referee.plies() + 1 };
            self.timing.slowest = Some((ply, wait));
        }
    }

    /// Takes a line that is due, unless its wait was too long.
    fn take_in_time(&mut self, line: &[u8]) {
        let waited = self.timing.waited;
        if waited <= self.limits.wall {
            self.take(line);
        } else if self.is_unknown(waited) {
            self.close(Ending::Unknown { waited, delayed: self.delayed });
        } else {
            self.close(Ending::Late { waited, turn: self.turn() });
        }
    }

    /// Takes a line that is due.
    fn take(&mut self, line: &[u8]) {
        let turn = self.turn();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if line.len() > LINE_LIMIT {
            return self.close(Ending::TooLong { turn });
        }
        let heard = match turn.due {
            Due::Side => self.referee.receive_side(line).map(drop),
            _ => self.referee.receive_move(line).map(drop),
        };
        if let Err(foul) = heard {
            self.close(Ending::Foul { foul, turn });
        }
    }
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;
    use zeroxor::wire::protocol::parse_header;

    use super::*;
    use crate::referee::config::Terms;
    use crate::referee::event::{Bytes, Delay, Failure, LimitReport};

    fn told(line: &str) -> Event {
        Event::Sent(Bytes(format!("{line}\n").into_bytes()))
    }

    fn said(line: &str) -> Event {
        Event::Received(Bytes(format!("{line}\n").into_bytes()))
    }

    fn limit(limit: Limit, cpu_ms: u64, sleeping: bool) -> Event {
        Event::Limit(LimitReport {
            limit,
            used: Usage { cpu: Some(Duration::from_millis(cpu_ms)), ..Usage::default() },
            sleeping,
            stopped: false,
            quiet: Duration::ZERO,
            channel: None,
            unread: 0,
            unfinished: Bytes::default(),
        })
    }

    fn used(cpu_ms: u64, mib: u64) -> Event {
        Event::Used(Usage {
            cpu: Some(Duration::from_millis(cpu_ms)),
            memory: Some(mib << 20),
            processes: None,
        })
    }

    /// The state of a game on 6 1 2, a millisecond between its events.
    fn state(profile: Profile, events: &[Event]) -> GameState {
        let header = parse_header(b"6 1 2").unwrap();
        let mut state = GameState::new(&header, Terms::default().limits, profile).unwrap();
        for (ms, event) in (1..).zip(events) {
            state.apply(&RecordedEvent { at: Duration::from_millis(ms), event: event.clone() });
        }
        state
    }

    fn verdict(events: &[Event]) -> Verdict {
        state(Profile::Strict, events).verdict().0
    }

    /// Up to the bot's winning move.
    fn winning() -> Vec<Event> {
        ["6 1 2", "First", "3 2", "1 1", "5 1", "2 1", "6 1"]
            .iter()
            .zip([true, false, false, true, false, true, false])
            .map(|(line, judge)| if judge { told(line) } else { said(line) })
            .collect()
    }

    /// A game that is won after that was used.
    fn won_with(used: Event) -> Verdict {
        verdict(&[winning(), vec![used, told("0 0"), Event::Exited(Exit::Code(0))]].concat())
    }

    fn won(last: &[Event]) -> Verdict {
        verdict(&[winning(), vec![told("0 0")], last.to_vec()].concat())
    }

    /// What is observed at an end in any order gives one verdict.
    #[test]
    fn the_order_of_the_last_observations_does_not_matter() {
        let ends: [(&[Event], Verdict, Verdict); 5] = [
            (&[Event::Closed, Event::Exited(Exit::Code(0))], Verdict::Won, Verdict::ExitedEarly),
            (&[Event::Closed, Event::Exited(Exit::Code(3))], Verdict::Crashed, Verdict::Crashed),
            (
                &[Event::Closed, Event::Exited(Exit::Signal(11)), used(1, 2)],
                Verdict::Crashed,
                Verdict::Crashed,
            ),
            (&[Event::Closed, Event::Killed, used(1, 2)], Verdict::NoExit, Verdict::ExitedEarly),
            (&[Event::Exited(Exit::Code(0)), used(2500, 1)], Verdict::Won, Verdict::TimeCpu),
        ];
        for (end, after_the_win, in_the_middle) in ends {
            for end in end.iter().cloned().permutations(end.len()) {
                assert_eq!(won(&end), after_the_win, "{end:?}");
                let middle = [vec![told("6 1 2"), said("First")], end.clone()].concat();
                assert_eq!(verdict(&middle), in_the_middle, "{end:?}");
            }
        }
    }

    /// Lines that came early are taken in their order, each when it is due, and cost no time.
    #[test]
    fn early_lines() {
        let early = [
            told("6 1 2"),
            said("First"),
            said("3 2"),
            said("5 1"),
            said("6 1"),
            Event::Closed,
            Event::Exited(Exit::Code(0)),
            told("1 1"),
            told("2 1"),
            told("0 0"),
        ];
        let state = state(Profile::Strict, &early);
        assert_eq!(state.verdict().0, Verdict::Won, "it had said all it had to");
        assert_eq!(
            state.timing(),
            Timing { waited: Duration::from_millis(2), slowest: Some((0, Duration::from_millis(1))) }
        );
        let mut one_short = early.to_vec();
        one_short.remove(4);
        assert_eq!(verdict(&one_short), Verdict::ExitedEarly);
        let mut one_more = early.to_vec();
        one_more.insert(5, said("4 1"));
        assert_eq!(verdict(&one_more), Verdict::ExtraOutput);
    }

    #[test]
    fn the_first_ending_stands() {
        let silent =
            [told("6 1 2"), limit(Limit::Wall, 2000, false), said("First"), Event::Exited(Exit::Code(3))];
        assert_eq!(verdict(&silent), Verdict::TimeWall);
        let foul = [told("6 1 2"), said("first"), limit(Limit::Memory, 0, false), Event::Interrupted];
        assert_eq!(verdict(&foul), Verdict::Malformed);
        assert_eq!(
            verdict(&[told("6 1 2"), Event::Interrupted, said("First"), Event::Killed]),
            Verdict::Interrupted
        );
        let failed = Event::Failed(Failure { why: "no more memory".to_owned() });
        assert_eq!(verdict(&[told("6 1 2"), said("Second"), failed]), Verdict::JudgeError);
        assert_eq!(
            verdict(&[told("6 1 2"), said("First")]),
            Verdict::JudgeError,
            "it has not come to an end"
        );
    }

    #[test]
    fn limits_by_their_evidence() {
        let late = |event| verdict(&[told("6 1 2"), event, Event::Killed]);
        assert_eq!(late(limit(Limit::Wall, 100, true)), Verdict::Idle);
        assert_eq!(late(limit(Limit::Wall, 100, false)), Verdict::TimeWall);
        assert_eq!(late(limit(Limit::Wall, 1900, true)), Verdict::TimeWall);
        assert_eq!(late(limit(Limit::Idle, 1900, true)), Verdict::Idle);
        assert_eq!(late(limit(Limit::Cpu, 2100, false)), Verdict::TimeCpu);
        assert_eq!(late(limit(Limit::Memory, 0, false)), Verdict::Memory);
        assert_eq!(late(limit(Limit::Line, 0, false)), Verdict::OutputLimit);
        assert_eq!(won_with(used(1, 2000)), Verdict::Memory);
        assert_eq!(won_with(used(2001, 2)), Verdict::TimeCpu);
        assert_eq!(won_with(used(2000, 1024)), Verdict::Won, "a limit may be reached");
        assert_eq!(
            won(&[used(9000, 9000), Event::Exited(Exit::Code(0))]),
            Verdict::Won,
            "used after the end"
        );
    }

    /// A game on 6 1 2 in which the bot moves at that many milliseconds; its wall limit is 2 s.
    fn moved_at(ms: u64, delays: &[u64], last: &[Event]) -> (Verdict, GameState) {
        let mut state = state(Profile::Contest, &[told("6 1 2"), said("First")]);
        let delays = delays.iter().map(|&by| Event::Delayed(Delay { by: Duration::from_millis(by) }));
        let moves = ["3 2", "1 1", "5 1", "2 1", "6 1", "0 0"].iter().zip(0..);
        let moves = moves.map(|(line, ply)| if ply % 2 == 0 { said(line) } else { told(line) });
        for event in delays.chain(moves).chain(last.iter().cloned()) {
            state.apply(&RecordedEvent { at: Duration::from_millis(ms), event });
        }
        (state.verdict().0, state)
    }

    /// The time a line came decides, and where the judge was delayed it does not know that time.
    #[test]
    fn late_lines() {
        let at = |ms, delays: &[u64]| moved_at(ms, delays, &[]).0;
        assert_eq!(at(2001, &[]), Verdict::Won, "2000 ms after the header: a limit may be reached");
        assert_eq!(at(2002, &[]), Verdict::TimeWall);
        assert_eq!(at(2002, &[10]), Verdict::JudgeError);
        assert_eq!(at(2001, &[1999]), Verdict::Won, "late or not, it was in time");
        assert_eq!(at(9000, &[3000, 3999]), Verdict::JudgeError);
        assert_eq!(at(9000, &[3000, 3000]), Verdict::TimeWall, "without the delays as well");
    }

    /// For a delay of its own the judge waits longer, twice as long at most. Then nobody knows.
    #[test]
    fn a_delayed_judge_waits_longer() {
        let mut state = state(Profile::Contest, &[told("6 1 2")]);
        let ms = Duration::from_millis;
        assert_eq!(state.wall_left(ms(501)), ms(1500));
        for (by, left) in [(600, 2100), (9000, 3500)] {
            state.apply(&RecordedEvent { at: ms(501), event: Event::Delayed(Delay { by: ms(by) }) });
            assert_eq!(state.wall_left(ms(501)), ms(left), "{by}");
        }
        state.apply(&RecordedEvent { at: ms(4001), event: limit(Limit::Wall, 0, true) });
        assert_eq!(state.verdict().0, Verdict::JudgeError);
    }

    /// What is lost is lost whoever stopped the judge, but a win may not have been one.
    #[test]
    fn a_stopped_judge() {
        let ends = |end: &[Event]| moved_at(9, &[], &[&[Event::Stopped], end].concat()).0;
        assert_eq!(ends(&[Event::Exited(Exit::Code(0))]), Verdict::JudgeError);
        assert_eq!(ends(&[Event::Killed]), Verdict::JudgeError);
        assert_eq!(ends(&[Event::Exited(Exit::Code(3))]), Verdict::Crashed);
        assert_eq!(verdict(&[told("6 1 2"), Event::Stopped, said("first")]), Verdict::Malformed);
    }

    /// What is made of conduct after the end depends on the profile alone.
    #[test]
    fn profiles() {
        let ends: [(&[Event], Verdict); 2] = [
            (&[said("bye"), Event::Exited(Exit::Code(0))], Verdict::ExtraOutput),
            (&[Event::Killed], Verdict::NoExit),
        ];
        for (end, strict) in ends {
            let events = [winning(), vec![told("0 0")], end.to_vec()].concat();
            assert_eq!(state(Profile::Strict, &events).verdict().0, strict);
            assert_eq!(state(Profile::Contest, &events).verdict().0, Verdict::Won);
        }
    }

    /// A judge's line that the rules forbid is never the bot's fault.
    #[test]
    fn the_judges_own_faults() {
        let judged = |line| verdict(&[told("6 1 2"), said("Second"), told(line)]);
        for line in ["9 1", "1 3", "0 0", "-1 -1", "hello"] {
            assert_eq!(judged(line), Verdict::JudgeError, "{line}");
        }
        assert_eq!(verdict(&[told("6 1 2"), told("1 1")]), Verdict::JudgeError, "out of turn");
    }
}
