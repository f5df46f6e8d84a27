//! The facts about a game for the decision on it.

use std::time::Duration;

use runner::config::Profile;
use runner::event::{Bytes, Exit, Limit, LimitReport};
use runner::limits::OUTPUT_LIMIT;
use runner::relay::Side;
use runner::stderr_excerpt::TRACEBACK;

use crate::conversation::facts::{
    BotFacts, End, Excused, ExpectedLine, Facts, Flushing, Notice, OutputLimit, Reaction, Stall, exceeded,
};
use crate::conversation::ruling::Ruling;
use crate::conversation::stall::{may_wait_for_input, was_idle, was_quiet};
use crate::conversation::verdict::Class;
use crate::referee::game::end_cause::{BotEnd, EndCause};
use crate::referee::game::exchange::{ExpectedLine as Expected, Turn};
use crate::referee::game::game_state::GameState;

/// Says why a player wins in misère play; follows the player's name in a reason.
const NO_MOVE_WINS: &str = "has no move left, which wins in misère play";

impl GameState {
    pub(crate) fn facts(&self) -> Facts {
        let (end, decision, expected) = match self.end() {
            None => (End::Failed("the game has not ended".to_owned()), None, None),
            Some((cause, turn)) => {
                (self.fact_of(cause), self.decision(cause, *turn), Some(expected_line(*turn)))
            }
        };
        let bot = BotFacts {
            seat: None,
            limits: *self.limits(),
            used: self.used_at_end(),
            exit: match self.bot_end() {
                BotEnd::Exited(exit) => Some(exit),
                BotEnd::Killed | BotEnd::PlaysOn => None,
            },
            is_killed: self.bot_end() == BotEnd::Killed,
            has_closed: false,
            has_written: self.io().received > 0,
            late_limit: None,
            extra: self.extra().to_vec(),
        };
        let excused = match self.profile() {
            Profile::Strict => Excused::Nothing,
            Profile::Contest => Excused::OutputAndNoExit,
        };
        // The caller knows the command of the bot.
        let languages = Default::default();
        Facts { end, decision, expected, bot, interactor: None, languages, excused }
    }

    fn fact_of(&self, cause: &EndCause) -> End {
        match cause {
            // The signal that interrupts the judge may also end the bot. The judge may see the end of the bot's output
            // before it sees the interrupt.
            EndCause::Won | EndCause::NoMoreOutput if self.did_interrupt_end_bot() => End::Interrupted,
            // How the bot would have ended is unknown.
            EndCause::NoMoreOutput if self.did_interrupt_forestall_exit() => End::Interrupted,
            EndCause::Won
            | EndCause::Lost
            | EndCause::Resigned(_)
            | EndCause::Illegal(_)
            | EndCause::Malformed(_) => End::Decision,
            EndCause::NoMoreOutput => End::Bot,
            EndCause::Limit(report) if self.is_stall(report) => End::Stall(Box::new(self.stall(report))),
            EndCause::Limit(report) => End::Limit(Side::Bot, report.clone()),
            EndCause::Late { waited } => End::Late { waited: *waited },
            EndCause::LongLine => {
                let unfinished = Bytes(self.refused_line().to_vec());
                End::Limit(Side::Bot, Box::new(LimitReport { unfinished, ..LimitReport::new(Limit::Line) }))
            }
            EndCause::TooMuchOutput => {
                End::Output(Side::Bot, OutputLimit { bytes: OUTPUT_LIMIT as u64, with_stderr: false })
            }
            EndCause::Interrupted => End::Interrupted,
            EndCause::JudgeError(reason) => End::Failed(reason.clone()),
        }
    }

    /// Checks whether the bot did not compute when it reached this limit, but waited.
    fn is_stall(&self, report: &LimitReport) -> bool {
        let wall = self.limits().wall;
        match report.limit {
            Limit::Idle => true,
            Limit::Wall => {
                let used = exceeded(self.used_at_end(), self.limits());
                used.is_none_or(|used| used.limit != Limit::Cpu) && was_idle(report, wall)
            }
            _ => false,
        }
    }

    fn stall(&self, report: &LimitReport) -> Stall {
        let line = self.extra().split(|&byte| byte == b'\n').next().filter(|_| self.has_extra());
        let reaction = self.reacted_at_end_of_input().map(|at_end_of_input| Reaction {
            line: line.map(<[u8]>::to_vec),
            to: if at_end_of_input { Notice::EndOfInput } else { Notice::LastLine },
            flushing: if line.is_none() && self.stderr().beginning_has(TRACEBACK) {
                Flushing::EveryLine
            } else {
                Flushing::Unknown
            },
        });
        Stall {
            bot: report.clone(),
            interactor: None,
            last_writer: None,
            sent: self.io().sent as u64,
            reaction,
            late_interactor: Vec::new(),
            loses_output: false,
        }
    }

    /// Returns the ruling by the rules of the game, if the rules decide.
    fn decision(&self, cause: &EndCause, turn: Turn) -> Option<Ruling> {
        let is_misere = self.position().is_misere();
        Some(match cause {
            EndCause::Won => Ruling::won(match self.forfeit() {
                Some(verdict) if !self.position().is_over() || is_misere => {
                    format!("the opponent ended the game with {verdict}")
                }
                _ if is_misere => format!("the bot {NO_MOVE_WINS}"),
                _ => "the opponent has no move left".to_owned(),
            }),
            EndCause::Lost if is_misere => Ruling::new(Class::Lost, format!("the opponent {NO_MOVE_WINS}")),
            EndCause::Lost => Ruling::new(Class::Lost, "the bot has no move left"),
            EndCause::Resigned(mv) => {
                let reason = format!("{turn}: the bot printed \"0 0\", but it could play \"{mv}\"");
                Ruling::new(Class::Resigned, reason)
            }
            EndCause::Illegal(illegal) => Ruling::new(Class::IllegalMove, format!("{turn}: {illegal}")),
            EndCause::Malformed(error) => Ruling::new(Class::MalformedLine, format!("{turn}: {error}")),
            _ => return None,
        })
    }

    /// Checks whether the bot may be waiting for input that the judge will not send. If so, the judge closes the bot's
    /// input, and the bot's reaction shows why it waits.
    pub(crate) fn is_bot_waiting(&self) -> bool {
        matches!(self.end_cause(), Some(EndCause::Limit(report))
            if matches!(report.limit, Limit::Wall | Limit::Idle) && may_wait_for_input(report))
    }

    /// Checks whether the time of a game is in doubt because the machine may have been too busy: the bot
    /// exceeded its wall time although it used little CPU time and did not sleep for long.
    pub(crate) fn is_doubtful(&self) -> bool {
        let wall = self.limits().wall;
        let used_little = |cpu: Option<Duration>| cpu.is_some_and(|cpu| cpu < wall / 2);
        match self.end_cause() {
            Some(EndCause::Limit(report)) if report.limit == Limit::Wall => {
                !was_quiet(report, wall) && used_little(report.used.cpu)
            }
            Some(EndCause::Late { .. }) => used_little(self.used().cpu),
            _ => false,
        }
    }

    /// Checks whether a signal that interrupted the judge also ended the bot.
    fn did_interrupt_end_bot(&self) -> bool {
        self.was_interrupted() && matches!(self.bot_end(), BotEnd::Exited(exit) if exit != Exit::Code(0))
    }

    /// Checks whether the judge was interrupted and ended the bot before the bot could exit by itself.
    fn did_interrupt_forestall_exit(&self) -> bool {
        self.was_interrupted() && !matches!(self.bot_end(), BotEnd::Exited(_))
    }
}

fn expected_line(turn: Turn) -> ExpectedLine {
    let name = turn.to_string();
    let missing = match turn.expected {
        Expected::Side => "no First or Second was received".to_owned(),
        Expected::BotMove | Expected::OpponentMove => format!("{name} was not received"),
    };
    ExpectedLine { name, missing }
}
