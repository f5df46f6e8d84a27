//! The state of one game: a pure function of its events, live and in a replay.

use std::collections::VecDeque;
use std::time::Duration;

use zeroxor::wire::protocol::{self, JudgeTurn, Opening};
use zeroxor::{Move, Position, Side, SpecError};

use super::conversation::{Conversation, Expected, Turn};
use super::end_cause::EndCause;
use super::event::{Event, Exit, Limit, RecordedEvent, Usage};
use super::limits::{LINE_LIMIT, Limits, OUTPUT_LIMIT, STDERR_KEPT};
use super::setup::GameHeader;
use super::verdict::Profile;

/// A game as far as it has come.
///
/// Lines of the bot's are taken in the order they came, each when it is expected: one that came early waits.
/// The first event that can end the game does.
pub(crate) struct GameState {
    conversation: Conversation,
    limits: Limits,
    profile: Profile,
    /// Since when the judge waits for the bot's line; `None` before the header is sent.
    waiting_since: Option<Duration>,
    /// Lines that have come before they were expected.
    early_lines: VecDeque<Vec<u8>>,
    /// For how long the judge itself did not run, or could not look, while it waited.
    delayed: Duration,
    /// Whether a signal stopped the judge.
    was_judge_stopped: bool,
    is_stdout_closed: bool,
    exit: Option<Exit>,
    was_killed: bool,
    end: Option<(EndCause, Turn)>,
    /// The first of what the bot has printed beyond the end.
    extra: Vec<u8>,
    stderr: VecDeque<u8>,
    io: IoStats,
    timing: Timing,
    used: Usage,
    /// What had been used when the game was won.
    used_to_win: Usage,
}

/// What judge and bot have sent each other.
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
pub(crate) enum BotEnd {
    /// By itself.
    Exited(Exit),
    /// The judge ended it.
    Killed,
    /// It has not, and plays the next game.
    PlaysOn,
}

impl GameState {
    /// # Errors
    ///
    /// If the header sets up no game, or one whose rules the judge does not know.
    pub(crate) fn new(header: &GameHeader, limits: Limits, profile: Profile) -> Result<Self, SpecError> {
        Ok(Self {
            conversation: Conversation::new(header)?,
            limits,
            profile,
            waiting_since: None,
            early_lines: VecDeque::new(),
            delayed: Duration::ZERO,
            was_judge_stopped: false,
            is_stdout_closed: false,
            exit: None,
            was_killed: false,
            end: None,
            extra: Vec::new(),
            stderr: VecDeque::new(),
            io: IoStats::default(),
            timing: Timing::default(),
            used: Usage::default(),
            used_to_win: Usage::default(),
        })
    }

    /// The line that is expected next.
    pub(crate) fn turn(&self) -> Turn {
        self.conversation.turn()
    }

    pub(crate) fn position(&self) -> &Position {
        self.conversation.position()
    }

    pub(crate) fn side(&self) -> Option<Side> {
        self.conversation.side()
    }

    pub(crate) fn moves(&self) -> &[Move] {
        self.conversation.moves()
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(super) fn profile(&self) -> Profile {
        self.profile
    }

    /// What ended the game, and the line that was expected then.
    pub(super) fn end(&self) -> Option<&(EndCause, Turn)> {
        self.end.as_ref()
    }

    /// What ended the game, once it has ended.
    pub(crate) fn end_cause(&self) -> Option<&EndCause> {
        self.end.as_ref().map(|(cause, _)| cause)
    }

    pub(super) fn bot_end(&self) -> BotEnd {
        match self.exit {
            Some(exit) => BotEnd::Exited(exit),
            None if self.was_killed => BotEnd::Killed,
            None => BotEnd::PlaysOn,
        }
    }

    pub(super) fn io(&self) -> &IoStats {
        &self.io
    }

    pub(crate) fn timing(&self) -> Timing {
        self.timing
    }

    /// What the bot has used in all.
    pub(crate) fn used(&self) -> Usage {
        self.used
    }

    /// What counts for its limits: a bot that has won may use what it likes.
    pub(super) fn used_at_end(&self) -> Usage {
        if matches!(self.end_cause(), Some(EndCause::Won)) { self.used_to_win } else { self.used }
    }

    /// How many lines have come before they were expected.
    pub(crate) fn early_lines(&self) -> usize {
        self.early_lines.len()
    }

    /// Whether the bot has printed more than the game asked for.
    pub(crate) fn has_extra(&self) -> bool {
        !self.extra.is_empty()
    }

    pub(super) fn extra(&self) -> &[u8] {
        &self.extra
    }

    pub(super) fn was_judge_stopped(&self) -> bool {
        self.was_judge_stopped
    }

    /// The last of what the bot wrote to stderr.
    pub(crate) fn stderr(&self) -> Vec<u8> {
        self.stderr.iter().copied().collect()
    }

    /// How long the judge is to wait for the line that is expected, at that time from the game's start: what is
    /// left of the wall time, and the time for which the judge itself was delayed, as much again at most.
    pub(crate) fn wall_left(&self, now: Duration) -> Duration {
        (self.limits.wall + self.delayed.min(self.limits.wall)).saturating_sub(self.waited(now))
    }

    /// How long the judge has waited for the bot's lines.
    fn waited(&self, now: Duration) -> Duration {
        self.timing.waited + self.waiting_since.map_or(Duration::ZERO, |since| now.saturating_sub(since))
    }

    /// Whether the judge was delayed so long that the bot may have kept within the wall time after all.
    fn is_unknown(&self, waited: Duration) -> bool {
        !self.delayed.is_zero() && waited.saturating_sub(self.delayed) <= self.limits.wall
    }

    /// Takes what has happened next.
    pub(crate) fn apply(&mut self, RecordedEvent { at, event }: &RecordedEvent) {
        match event {
            Event::Sent(line) => self.sent(*at, &line.0),
            Event::Received(line) => self.received(&line.0),
            Event::Stderr(text) => {
                self.stderr.extend(&text.0);
                let excess = self.stderr.len().saturating_sub(STDERR_KEPT);
                self.stderr.drain(..excess);
            }
            Event::Closed => self.is_stdout_closed = true,
            Event::Exited(exit) => self.exit = Some(*exit),
            Event::Limit(report) => {
                let waited = self.waited(*at);
                if report.limit == Limit::Wall && self.is_unknown(waited) {
                    self.end_by(EndCause::Unknown { waited, delayed: self.delayed });
                } else {
                    self.end_by(EndCause::Limit(Box::new(report.clone())));
                }
            }
            Event::Delayed(delay) => self.delayed = self.delayed.saturating_add(delay.by),
            Event::Stopped => self.was_judge_stopped = true,
            Event::Killed => self.was_killed = true,
            Event::Used(usage) => self.used = self.used.max(*usage),
            Event::Interrupted => self.end_by(EndCause::Interrupted),
            Event::Failed(failure) => self.end_by(EndCause::JudgeError(failure.why.clone())),
        }
        self.take_lines(*at);
    }

    /// Ends the game, if it has not ended before. What the bot has printed beyond the end is extra.
    fn end_by(&mut self, cause: EndCause) {
        let turn = self.turn();
        self.end.get_or_insert((cause, turn));
        for line in std::mem::take(&mut self.early_lines) {
            self.keep_extra(&line);
        }
    }

    fn keep_extra(&mut self, line: &[u8]) {
        let room = LINE_LIMIT.saturating_sub(self.extra.len()).min(line.len());
        self.extra.extend(&line[..room]);
    }

    fn sent(&mut self, at: Duration, line: &[u8]) {
        if self.end.is_some() {
            // The line that tells the bot how it ended.
            return;
        }
        self.io.sent += line.len();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.clone_into(&mut self.io.last_sent);
        let Turn { expected, ply } = self.turn();
        if self.waiting_since.is_none() {
            if matches!(protocol::parse_opening(line), Ok(Opening::Games(_))) {
                // The header is still to come.
                return;
            }
        } else if expected == Expected::OpponentMove {
            self.sent_turn(ply, line);
        } else {
            let why = format!("move {ply}: the judge sent a line when the bot's was expected");
            self.end_by(EndCause::JudgeError(why));
        }
        self.waiting_since = Some(at);
    }

    /// Makes the opponent's move, or ends the game where it has none.
    fn sent_turn(&mut self, ply: u64, line: &[u8]) {
        let cause = match protocol::parse_judge_turn(line) {
            Ok(JudgeTurn::Move(mv)) => match self.conversation.play(mv) {
                Ok(()) => return,
                Err(EndCause::Illegal(error)) => {
                    EndCause::JudgeError(format!("the opponent's move {ply}: {error}"))
                }
                Err(cause) => cause,
            },
            Ok(JudgeTurn::NoMove) if self.position().is_over() => {
                self.used_to_win = self.used;
                EndCause::Won
            }
            Ok(_) => EndCause::JudgeError(format!("move {ply}: the opponent has a move and made none")),
            Err(error) => EndCause::JudgeError(format!("the opponent's move {ply}: {error}")),
        };
        self.end_by(cause);
    }

    fn received(&mut self, line: &[u8]) {
        if self.end.is_some() {
            return self.keep_extra(line);
        }
        self.io.received += line.len();
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        bare.clone_into(&mut self.io.last_received);
        self.early_lines.push_back(line.to_vec());
    }

    /// Takes the lines that have come, as far as they are expected, and sees whether more can come.
    fn take_lines(&mut self, at: Duration) {
        while self.end.is_none()
            && self.waiting_since.is_some()
            && self.turn().expected != Expected::OpponentMove
        {
            if self.io.received > OUTPUT_LIMIT {
                self.end_by(EndCause::TooMuchOutput);
            } else if let Some(line) = self.early_lines.pop_front() {
                self.count_wait(at);
                self.take_in_time(&line);
            } else if self.is_stdout_closed || self.exit.is_some() || self.was_killed {
                self.end_by(EndCause::NoMoreOutput);
            } else {
                break;
            }
        }
    }

    /// Counts the wait for a line that is taken at that time.
    fn count_wait(&mut self, at: Duration) {
        let wait = at.saturating_sub(self.waiting_since.replace(at).unwrap_or(at));
        self.timing.waited += wait;
        if self.timing.slowest.is_none_or(|(_, slowest)| wait > slowest) {
            let Turn { expected, ply } = self.turn();
            self.timing.slowest = Some((if expected == Expected::Side { 0 } else { ply }, wait));
        }
    }

    /// Takes a line that is expected, unless its wait was too long.
    fn take_in_time(&mut self, line: &[u8]) {
        let waited = self.timing.waited;
        if waited <= self.limits.wall {
            self.take(line);
        } else if self.is_unknown(waited) {
            self.end_by(EndCause::Unknown { waited, delayed: self.delayed });
        } else {
            self.end_by(EndCause::Late { waited });
        }
    }

    /// Takes a line that is expected.
    fn take(&mut self, line: &[u8]) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if line.len() > LINE_LIMIT {
            return self.end_by(EndCause::LongLine);
        }
        let taken = match self.turn().expected {
            Expected::Side => self.conversation.receive_side(line),
            _ => self.conversation.receive_move(line),
        };
        if let Err(cause) = taken {
            self.end_by(cause);
        }
    }
}

#[cfg(test)]
mod tests;
