//! The state of one game: a pure function of its events, both during play and in a replay; and the facts that it gives.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::Duration;

use runner::event::{Bytes, Event, Exit, Limit, LimitReport, StillRunning, Usage};
use runner::limits::{LINE_LIMIT, Limits};
use runner::relay::Side;
use runner::stderr_excerpt::TRACEBACK;
use zeroxor::SpecError;
use zeroxor::wire::protocol::{self, JudgeTurn, Opening};

use crate::config::{MatchConfig, Profile};
use crate::conversation::decide::Referee;
use crate::conversation::facts::{
    BotFacts, DEFAULT_OUTPUT, End, Excused, Facts, Flushing, MissingLine, Notice, ProgramRecord, Reaction,
    Stall, Terms,
};
use crate::conversation::interaction::Step;
use crate::conversation::language::CommandLanguage;
use crate::conversation::last_lines::{LastLines, keep_start};
use crate::conversation::stall::{may_wait_for_input, was_idle};
use crate::conversation::verdict::{Class, Ruling, Verdict};
use crate::referee::game::answer_times::AnswerTimes;
use crate::referee::game::exchange::{EndCause, Exchange, ExpectedLine, Turn};
use crate::referee::game::explain::explain;
use crate::report::transcript::SetupLine;

/// Says why a player wins in misère play; follows the player's name in a reason.
const NO_MOVE_WINS: &str = "has no move left, which wins in misère play";

/// The state of one game after the events so far. Only [`apply`](Self::apply) changes it.
///
/// The bot's lines are read in the order in which they were received. A line that was received before it is expected
/// waits in `early_lines`. The first event that can end the game ends it.
pub(crate) struct GameState {
    pub(crate) setup: SetupLine,
    pub(crate) exchange: Exchange,
    /// When the judge began to wait for the bot's line; `None` before the header is sent.
    waiting_since: Option<Duration>,
    pub(crate) early_lines: VecDeque<Vec<u8>>,
    /// What the bot did. Its output counts only up to the end of the game.
    pub(crate) bot: ProgramRecord,
    pub(crate) is_killed: bool,
    pub(crate) was_interrupted: bool,
    /// The state of the bot when the judge killed it at the end of its grace time.
    pub(crate) still_running: Option<StillRunning>,
    /// The verdict of the opponent, if the opponent is another bot and has ended its game.
    pub(crate) forfeit: Option<Verdict>,
    /// The cause that ended the game; `None` before the end. After that, the exchange does not change.
    pub(crate) end: Option<EndCause>,
    /// The beginning of the bot's line that ended the game; empty if no line did.
    pub(crate) refused_line: Vec<u8>,
    /// The first bytes that the bot printed after the end of the game.
    pub(crate) extra: Vec<u8>,
    /// Whether the judge has closed the input of a bot that waits for input.
    has_input_ended: bool,
    /// Whether the bot's first reaction to the end of the game, a line or its exit, came after the judge closed the
    /// bot's input; `None` if there was no reaction.
    pub(crate) reacted_at_end_of_input: Option<bool>,
    /// Number of bytes that the judge has sent.
    pub(crate) sent: u64,
    /// The last lines up to the end of the game. Those of the interactor are the judge's.
    pub(crate) last_lines: LastLines,
    pub(crate) timing: Timing,
    used_when_won: Option<Usage>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Timing {
    pub(crate) waited: Duration,
    /// The number of the move for which the judge waited longest, 0 for First or Second, and the length of the wait.
    pub(crate) slowest: Option<(u64, Duration)>,
    /// The wait for each answer of the bot, its side or a move.
    pub(crate) answers: AnswerTimes,
}

impl GameState {
    pub(crate) fn new(setup: SetupLine) -> Result<Self, SpecError> {
        Ok(Self {
            exchange: Exchange::new(&setup.game.header)?,
            setup,
            waiting_since: None,
            early_lines: VecDeque::new(),
            bot: ProgramRecord::default(),
            is_killed: false,
            was_interrupted: false,
            still_running: None,
            forfeit: None,
            end: None,
            refused_line: Vec::new(),
            extra: Vec::new(),
            has_input_ended: false,
            reacted_at_end_of_input: None,
            sent: 0,
            last_lines: LastLines::default(),
            timing: Timing::default(),
            used_when_won: None,
        })
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.setup.config.limits
    }

    pub(crate) fn turn(&self) -> Turn {
        self.exchange.turn()
    }

    /// Checks whether the game ended with [`EndCause::Won`], whatever the bot did afterwards.
    pub(crate) fn has_won(&self) -> bool {
        matches!(self.end, Some(EndCause::Won))
    }

    /// Returns the usage of the bot at the end of the game. Usage after a win does not count.
    pub(crate) fn used_at_end(&self) -> Usage {
        self.used_when_won.unwrap_or(self.bot.used)
    }

    /// Returns how long the judge still waits for the expected line. `now` is the time since the game began.
    pub(crate) fn wall_left(&self, now: Duration) -> Duration {
        let current = self.waiting_since.map_or(Duration::ZERO, |since| now.saturating_sub(since));
        self.limits().wall.saturating_sub(self.timing.waited + current)
    }

    pub(crate) fn apply(&mut self, Step { at, event, .. }: &Step) {
        let is_reaction = match event {
            Event::Received(_) => true,
            // A bot may exit with code 0 when its input ends, and whether it does so before may depend on time, so such an
            // exit is no reaction. Any other exit shows that the bot did not read line by line.
            Event::Exited(exit) => *exit != Exit::Code(0),
            _ => false,
        };
        if self.end.is_some() && is_reaction {
            self.reacted_at_end_of_input.get_or_insert(self.has_input_ended);
        }
        match event {
            Event::Sent(line) => self.apply_sent(*at, &line.0),
            Event::Received(line) if self.end.is_some() => keep_start(&mut self.extra, &line.0),
            Event::Received(line) => {
                self.bot.note(event);
                self.last_lines.add(Side::Bot, &line.0);
                self.early_lines.push_back(line.0.clone());
            }
            Event::Stderr(_) | Event::StderrOmitted(_) | Event::Closed | Event::Exited(_) => {
                self.bot.note(event);
            }
            Event::Limit(report) => self.miss(End::Limit(Side::Bot, Box::new(report.clone()))),
            Event::InputEnded => self.has_input_ended = true,
            Event::StillRunning(running) => self.still_running = Some(running.clone()),
            Event::Killed => self.is_killed = true,
            Event::Used(_) => {
                self.bot.note(event);
                // After a bot wins by its own `0 0`, its usage is the next event.
                if self.has_won() {
                    self.used_when_won.get_or_insert(self.bot.used);
                }
            }
            // The reader of transcripts refuses other names.
            Event::Forfeited { verdict } => self.forfeit = Verdict::from_name(verdict).ok(),
            Event::Interrupted => {
                self.was_interrupted = true;
                self.miss(End::Interrupted);
            }
            Event::Failed { why } => self.miss(End::Failed(why.clone())),
        }
        self.read_expected_lines(*at);
    }

    /// Ends the game, unless it has already ended. Early lines become extra output.
    fn end_by(&mut self, cause: EndCause) {
        self.end.get_or_insert(cause);
        for line in self.early_lines.drain(..) {
            keep_start(&mut self.extra, &line);
        }
    }

    fn miss(&mut self, end: End) {
        self.end_by(EndCause::Missing(end));
    }

    fn apply_sent(&mut self, at: Duration, line: &[u8]) {
        if self.end.is_some() {
            // This line tells the bot that the game is over.
            return;
        }
        self.sent += line.len() as u64;
        self.last_lines.add(Side::Interactor, line);
        let line = line.strip_suffix(b"\n").unwrap_or(line);
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

    fn apply_opponent_turn(&mut self, ply: u64, line: &[u8]) {
        let failed = |why| EndCause::Missing(End::Failed(format!("the opponent's move {ply}: {why}")));
        let position = &self.exchange.position;
        let cause = match protocol::parse_judge_turn(line) {
            Ok(JudgeTurn::Move(mv)) => match self.exchange.play(mv) {
                Ok(()) => return,
                Err(error) => failed(error.to_string()),
            },
            Ok(JudgeTurn::NoMove) if self.forfeit.is_some() || position.is_over() => {
                if self.forfeit.is_none() && position.is_misere() {
                    EndCause::Lost
                } else {
                    self.used_when_won = Some(self.bot.used);
                    EndCause::Won
                }
            }
            Ok(_) => failed("expected a move, because there is one".to_owned()),
            Err(error) => failed(error.to_string()),
        };
        self.end_by(cause);
    }

    /// Reads the received lines that are expected by now, and ends the game if no more lines can be received.
    fn read_expected_lines(&mut self, at: Duration) {
        while self.end.is_none()
            && self.waiting_since.is_some()
            && self.turn().expected != ExpectedLine::OpponentMove
        {
            if self.bot.bytes > DEFAULT_OUTPUT.bytes {
                self.miss(End::Output(Side::Bot, DEFAULT_OUTPUT));
            } else if let Some(line) = self.early_lines.pop_front() {
                self.count_wait(at);
                let waited = self.timing.waited;
                if waited <= self.limits().wall {
                    self.read_line(&line);
                } else {
                    self.miss(End::Late { waited });
                }
            } else if self.bot.is_closed || self.bot.exit.is_some() || self.is_killed {
                self.miss(End::Bot);
            } else {
                break;
            }
        }
    }

    fn count_wait(&mut self, at: Duration) {
        let wait = at.saturating_sub(self.waiting_since.replace(at).unwrap_or(at));
        self.timing.waited += wait;
        self.timing.answers.add(wait);
        if self.timing.slowest.is_none_or(|(_, slowest)| wait > slowest) {
            let Turn { expected, ply } = self.turn();
            self.timing.slowest = Some((if expected == ExpectedLine::Side { 0 } else { ply }, wait));
        }
    }

    fn read_line(&mut self, line: &[u8]) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let beginning = &line[..line.len().min(LINE_LIMIT)];
        let result = if line.len() > LINE_LIMIT {
            let unfinished = Bytes(beginning.to_vec());
            let report = LimitReport { unfinished, ..LimitReport::new(Limit::Line) };
            Err(EndCause::Missing(End::Limit(Side::Bot, Box::new(report))))
        } else {
            self.exchange.receive(line)
        };
        if let Err(cause) = result {
            beginning.clone_into(&mut self.refused_line);
            self.end_by(cause);
        }
    }
}

impl Referee for GameState {
    fn facts(&self) -> Cow<'_, Facts> {
        let (end, decision) = match &self.end {
            None => (End::Failed("the game has not ended".to_owned()), None),
            Some(cause) => (self.fact_of(cause), self.decision(cause)),
        };
        let name = self.turn().to_string();
        let missing = match self.turn().expected {
            ExpectedLine::Side => "no First or Second was received".to_owned(),
            ExpectedLine::BotMove | ExpectedLine::OpponentMove => format!("{name} was not received"),
        };
        let expected = Some(MissingLine { name, missing });
        let bot = BotFacts {
            used: self.used_at_end(),
            exit: self.bot.exit,
            // If the bot ended by itself at the same moment, its own exit counts.
            is_killed: self.is_killed && self.bot.exit.is_none(),
            has_written: self.bot.bytes > 0,
            extra: self.extra.clone(),
            ..BotFacts::default()
        };
        let MatchConfig { bot: command, limits, profile, .. } = &self.setup.config;
        let excused = match profile {
            None | Some(Profile::Strict) => Excused::Nothing,
            Some(Profile::Contest) => Excused::OutputAndNoExit,
        };
        let languages = [CommandLanguage::of_command(command), CommandLanguage::default()];
        let terms = Terms { limits: *limits, languages, excused, ..Terms::default() };
        Cow::Owned(Facts { terms, end, decision, expected, bot, interactor: None })
    }

    fn explain(&self, _facts: &Facts, ruling: Ruling) -> Ruling {
        explain(ruling, self)
    }
}

impl GameState {
    fn fact_of(&self, cause: &EndCause) -> End {
        match cause {
            // The signal that interrupts the judge may also end the bot. The judge may see the end of the bot's output
            // before it sees the interrupt.
            EndCause::Won | EndCause::Missing(End::Bot)
                if self.was_interrupted && self.bot.exit.is_some_and(|exit| exit != Exit::Code(0)) =>
            {
                End::Interrupted
            }
            // How the bot would have ended is unknown.
            EndCause::Missing(End::Bot) if self.was_interrupted && self.bot.exit.is_none() => {
                End::Interrupted
            }
            EndCause::Missing(End::Limit(_, report)) if self.is_stall(report) => {
                End::Stall(Box::new(self.stall(report)))
            }
            EndCause::Missing(end) => end.clone(),
            _ => End::Decision,
        }
    }

    /// Checks whether the bot did not compute when it reached this limit, but waited.
    fn is_stall(&self, report: &LimitReport) -> bool {
        match report.limit {
            Limit::Idle => true,
            Limit::Wall => {
                let used = self.used_at_end().exceeded(self.limits());
                used.is_none_or(|used| used.limit != Limit::Cpu) && was_idle(report, self.limits().wall)
            }
            _ => false,
        }
    }

    fn stall(&self, report: &LimitReport) -> Stall {
        let line = Some(&self.extra).filter(|extra| !extra.is_empty());
        let reaction = self.reacted_at_end_of_input.map(|at_end_of_input| Reaction {
            line: line.cloned(),
            to: if at_end_of_input { Notice::EndOfInput } else { Notice::LastLine },
            flushing: if line.is_none() && self.bot.stderr.beginning_has(TRACEBACK) {
                Flushing::EveryLine
            } else {
                Flushing::Unknown
            },
        });
        Stall { reaction, ..Stall::of_bot(report.clone(), self.sent) }
    }

    fn decision(&self, cause: &EndCause) -> Option<Ruling> {
        let turn = self.turn();
        let position = &self.exchange.position;
        let is_misere = position.is_misere();
        Some(match cause {
            EndCause::Won => {
                let reason = match self.forfeit {
                    Some(verdict) if !position.is_over() || is_misere => {
                        format!("the opponent ended the game with {verdict}")
                    }
                    _ if is_misere => format!("the bot {NO_MOVE_WINS}"),
                    _ => "the opponent has no move left".to_owned(),
                };
                Ruling { verdict: Verdict::Won, ..Ruling::new(Class::Accepted, reason) }
            }
            EndCause::Lost if is_misere => Ruling::new(Class::Lost, format!("the opponent {NO_MOVE_WINS}")),
            EndCause::Lost => Ruling::new(Class::Lost, "the bot has no move left"),
            EndCause::Resigned(mv) => {
                let reason = format!("{turn}: the bot printed \"0 0\", but it could play \"{mv}\"");
                Ruling::new(Class::Resigned, reason)
            }
            EndCause::Illegal(illegal) => Ruling::new(Class::IllegalMove, format!("{turn}: {illegal}")),
            EndCause::Malformed(error) => Ruling::new(Class::MalformedLine, format!("{turn}: {error}")),
            EndCause::Missing(_) => return None,
        })
    }

    /// Checks whether the bot may be waiting for input that the judge will not send. If so, the judge closes the bot's
    /// input, and the bot's reaction shows why it waits.
    pub(crate) fn is_bot_waiting(&self) -> bool {
        matches!(&self.end, Some(EndCause::Missing(End::Limit(Side::Bot, report)))
            if matches!(report.limit, Limit::Wall | Limit::Idle) && may_wait_for_input(report))
    }
}

#[cfg(test)]
mod tests;
