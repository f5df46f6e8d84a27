//! The state of one game: a pure function of its events, both during play and in a replay.

use std::collections::VecDeque;
use std::time::Duration;

use runner::relay;
use zeroxor::SpecError;
use zeroxor::wire::protocol::{self, JudgeTurn, Opening};

use crate::conversation::facts::{End, OutputLimit};
use crate::conversation::verdict::Verdict;
use crate::referee::game::answer_times::AnswerTimes;
use crate::referee::game::exchange::{EndCause, Exchange, ExpectedLine, Turn};
use crate::referee::game::setup::GameHeader;
use runner::config::Profile;
use runner::event::{Bytes, Event, Exit, Limit, LimitReport, RecordedEvent, StillRunning, Usage};
use runner::limits::{LINE_LIMIT, Limits, OUTPUT_LIMIT, STDERR_SHOWN};
use runner::stderr_excerpt::StderrExcerpt;

/// The state of one game after the events so far. Only [`apply`](Self::apply) changes it.
///
/// The bot's lines are read in the order in which they were received. A line that was received before it is expected
/// waits in `early_lines`. The first event that can end the game ends it.
pub(crate) struct GameState {
    pub(crate) exchange: Exchange,
    pub(crate) limits: Limits,
    pub(crate) profile: Profile,
    /// When the judge began to wait for the bot's line; `None` before the header is sent.
    waiting_since: Option<Duration>,
    /// Lines that were received before they were expected.
    pub(crate) early_lines: VecDeque<Vec<u8>>,
    is_stdout_closed: bool,
    /// How the bot's process ended by itself.
    pub(crate) exit: Option<Exit>,
    /// Whether the judge ended the bot's process.
    pub(crate) is_killed: bool,
    pub(crate) was_interrupted: bool,
    /// The state of the bot when the judge killed it at the end of its grace time.
    pub(crate) still_running: Option<StillRunning>,
    /// The verdict of the opponent, if the opponent is another bot and has ended its game.
    pub(crate) forfeit: Option<Verdict>,
    /// The cause that ended the game, and the line that was expected then; `None` before the end.
    pub(crate) end: Option<(EndCause, Turn)>,
    /// The beginning of the bot's line that ended the game; empty if no line did.
    pub(crate) refused_line: Vec<u8>,
    /// The first bytes that the bot printed after the end of the game.
    pub(crate) extra: Vec<u8>,
    /// When the judge closed the input of a bot that waits for input.
    input_ended: Option<Duration>,
    /// Whether the bot's first reaction to the end of the game, a line or its exit, came after the judge closed the
    /// bot's input; `None` if there was no reaction.
    pub(crate) reacted_at_end_of_input: Option<bool>,
    /// The beginning and the end of the bot's stderr.
    pub(crate) stderr: StderrExcerpt,
    pub(crate) io: IoStats,
    pub(crate) timing: Timing,
    /// How long the judge waited for each answer of the bot, its side or a move.
    pub(crate) answer_times: AnswerTimes,
    pub(crate) used: Usage,
    /// The usage of the bot when it won.
    used_when_won: Option<Usage>,
}

/// The number of bytes that the judge has sent and received in a game, and the last line in each direction.
#[derive(Clone, Debug, Default)]
pub(crate) struct IoStats {
    /// Number of bytes that the judge has sent.
    pub(crate) sent: usize,
    pub(crate) last_sent: Vec<u8>,
    /// Number of bytes that the judge has received.
    pub(crate) received: usize,
    pub(crate) last_received: Vec<u8>,
    pub(crate) received_lines: u64,
}

/// How long the judge has waited for the bot's lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timing {
    pub(crate) waited: Duration,
    /// The number of the move for which the judge waited longest, 0 for First or Second, and the length of the wait.
    pub(crate) slowest: Option<(u64, Duration)>,
}

impl GameState {
    /// Makes the state before the first event. Fails like [`Exchange::new`].
    pub(crate) fn new(
        header: &GameHeader,
        limits: Limits,
        profile: Option<Profile>,
    ) -> Result<Self, SpecError> {
        Ok(Self {
            exchange: Exchange::new(header)?,
            limits,
            profile: profile.unwrap_or(Profile::Strict),
            waiting_since: None,
            early_lines: VecDeque::new(),
            is_stdout_closed: false,
            exit: None,
            is_killed: false,
            was_interrupted: false,
            still_running: None,
            forfeit: None,
            end: None,
            refused_line: Vec::new(),
            extra: Vec::new(),
            input_ended: None,
            reacted_at_end_of_input: None,
            stderr: StderrExcerpt::new(STDERR_SHOWN, STDERR_SHOWN),
            io: IoStats::default(),
            timing: Timing::default(),
            answer_times: AnswerTimes::default(),
            used: Usage::default(),
            used_when_won: None,
        })
    }

    pub(crate) fn turn(&self) -> Turn {
        self.exchange.turn()
    }

    /// Returns the cause that ended the game; `None` before the end.
    pub(crate) fn end_cause(&self) -> Option<&EndCause> {
        self.end.as_ref().map(|(cause, _)| cause)
    }

    /// Returns the usage of the bot at the end of the game. Usage after a win does not count.
    pub(crate) fn used_at_end(&self) -> Usage {
        self.used_when_won.unwrap_or(self.used)
    }

    /// Returns how long the judge still waits for the expected line. `now` is the time since the game began.
    pub(crate) fn wall_left(&self, now: Duration) -> Duration {
        let current = self.waiting_since.map_or(Duration::ZERO, |since| now.saturating_sub(since));
        self.limits.wall.saturating_sub(self.timing.waited + current)
    }

    pub(crate) fn apply(&mut self, RecordedEvent { at, event }: &RecordedEvent) {
        let is_reaction = match event {
            Event::Received(_) => true,
            // A bot may exit with code 0 when its input ends, and whether it does so before may depend on time, so such an
            // exit is no reaction. Any other exit shows that the bot did not read line by line.
            Event::Exited(exit) => *exit != Exit::Code(0),
            _ => false,
        };
        if self.end.is_some() && is_reaction {
            self.reacted_at_end_of_input.get_or_insert(self.input_ended.is_some());
        }
        match event {
            Event::Sent(line) => self.apply_sent(*at, &line.0),
            Event::Received(line) => self.apply_received(&line.0),
            Event::Stderr(text) => self.stderr.extend(&text.0),
            Event::StderrOmitted(omitted) => self.stderr.omit(*omitted),
            Event::Closed => self.is_stdout_closed = true,
            Event::Exited(exit) => self.exit = Some(*exit),
            Event::Limit(report) => self.miss(End::Limit(relay::Side::Bot, Box::new(report.clone()))),
            Event::InputEnded => self.input_ended = Some(*at),
            Event::StillRunning(running) => self.still_running = Some(running.clone()),
            Event::Killed => self.is_killed = true,
            Event::Used(usage) => {
                self.used = self.used.max(*usage);
                // After a bot wins by its own `0 0`, its usage is the next event.
                if matches!(self.end_cause(), Some(EndCause::Won)) {
                    self.used_when_won.get_or_insert(self.used);
                }
            }
            Event::Forfeited(forfeit) => match Verdict::from_name(&forfeit.verdict) {
                Ok(verdict) => self.forfeit = Some(verdict),
                Err(error) => self.miss(End::Failed(format!("the opponent's verdict: {error}"))),
            },
            Event::Interrupted => {
                self.was_interrupted = true;
                self.miss(End::Interrupted);
            }
            Event::Failed(failure) => self.miss(End::Failed(failure.why.clone())),
        }
        self.read_expected_lines(*at);
    }

    /// Ends the game, unless it has already ended. Early lines become extra output.
    fn end_by(&mut self, cause: EndCause) {
        let turn = self.turn();
        self.end.get_or_insert((cause, turn));
        for line in std::mem::take(&mut self.early_lines) {
            self.keep_extra(&line);
        }
    }

    /// Ends the game, unless it has already ended, because the expected line did not come.
    fn miss(&mut self, end: End) {
        self.end_by(EndCause::Missing(end));
    }

    fn keep_extra(&mut self, line: &[u8]) {
        let room = LINE_LIMIT.saturating_sub(self.extra.len()).min(line.len());
        self.extra.extend(&line[..room]);
    }

    fn apply_sent(&mut self, at: Duration, line: &[u8]) {
        if self.end.is_some() {
            // This line tells the bot that the game is over.
            return;
        }
        self.io.sent += line.len();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.clone_into(&mut self.io.last_sent);
        let Turn { expected, ply } = self.turn();
        if self.waiting_since.is_none() {
            if matches!(protocol::parse_opening(line), Ok(Opening::Games(_))) {
                // The line is `games T`: the header follows.
                return;
            }
        } else if expected == ExpectedLine::OpponentMove {
            self.apply_opponent_turn(ply, line);
        } else {
            let why = format!("move {ply}: the judge sent a line while a line from the bot was expected");
            self.miss(End::Failed(why));
        }
        self.waiting_since = Some(at);
    }

    /// Plays the opponent's move, or ends the game if the opponent has none.
    fn apply_opponent_turn(&mut self, ply: u64, line: &[u8]) {
        let failed = |why: String| EndCause::Missing(End::Failed(why));
        let no_move =
            || failed(format!("move {ply}: the opponent made no move, although it had a legal one"));
        let position = &self.exchange.position;
        let cause = match protocol::parse_judge_turn(line) {
            Ok(JudgeTurn::Move(mv)) => match self.exchange.play(mv) {
                Ok(()) => return,
                Err(error) => failed(format!("the opponent's move {ply}: {error}")),
            },
            Ok(JudgeTurn::NoMove) if self.forfeit.is_none() && !position.is_over() => no_move(),
            Ok(JudgeTurn::NoMove) if self.forfeit.is_none() && position.is_misere() => EndCause::Lost,
            Ok(JudgeTurn::NoMove) => {
                self.used_when_won = Some(self.used);
                EndCause::Won
            }
            Ok(_) => no_move(),
            Err(error) => failed(format!("the opponent's move {ply}: {error}")),
        };
        self.end_by(cause);
    }

    fn apply_received(&mut self, line: &[u8]) {
        if self.end.is_some() {
            return self.keep_extra(line);
        }
        self.io.received += line.len();
        self.io.received_lines += 1;
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        text.clone_into(&mut self.io.last_received);
        self.early_lines.push_back(line.to_vec());
    }

    /// Reads the received lines that are expected by now, and ends the game if no more lines can be received.
    fn read_expected_lines(&mut self, at: Duration) {
        while self.end.is_none()
            && self.waiting_since.is_some()
            && self.turn().expected != ExpectedLine::OpponentMove
        {
            if self.io.received > OUTPUT_LIMIT {
                let limit = OutputLimit { bytes: OUTPUT_LIMIT as u64, with_stderr: false };
                self.miss(End::Output(relay::Side::Bot, limit));
            } else if let Some(line) = self.early_lines.pop_front() {
                self.count_wait(at);
                let waited = self.timing.waited;
                if waited <= self.limits.wall {
                    self.read_line(&line);
                } else {
                    self.miss(End::Late { waited });
                }
            } else if self.is_stdout_closed || self.exit.is_some() || self.is_killed {
                self.miss(End::Bot);
            } else {
                break;
            }
        }
    }

    /// Adds the wait for a line that is read at the time `at`.
    fn count_wait(&mut self, at: Duration) {
        let wait = at.saturating_sub(self.waiting_since.replace(at).unwrap_or(at));
        self.timing.waited += wait;
        self.answer_times.add(wait);
        if self.timing.slowest.is_none_or(|(_, slowest)| wait > slowest) {
            let Turn { expected, ply } = self.turn();
            self.timing.slowest = Some((if expected == ExpectedLine::Side { 0 } else { ply }, wait));
        }
    }

    fn read_line(&mut self, line: &[u8]) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let beginning = &line[..line.len().min(LINE_LIMIT)];
        let result = match self.turn().expected {
            _ if line.len() > LINE_LIMIT => {
                let unfinished = Bytes(beginning.to_vec());
                let report = LimitReport { unfinished, ..LimitReport::new(Limit::Line) };
                Err(EndCause::Missing(End::Limit(relay::Side::Bot, Box::new(report))))
            }
            ExpectedLine::Side => self.exchange.receive_side(line),
            _ => self.exchange.receive_move(line),
        };
        if let Err(cause) = result {
            beginning.clone_into(&mut self.refused_line);
            self.end_by(cause);
        }
    }
}

#[cfg(test)]
mod tests;
