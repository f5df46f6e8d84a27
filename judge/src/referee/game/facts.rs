//! The facts about a game for the decision on it.

use runner::config::Profile;
use runner::event::{Exit, Limit, LimitReport};
use runner::relay::Side;
use runner::stderr_excerpt::TRACEBACK;

use crate::conversation::facts::{
    BotFacts, End, Excused, Facts, Flushing, MissingLine, Notice, Reaction, Stall, exceeded,
};
use crate::conversation::language::Language;
use crate::conversation::ruling::Ruling;
use crate::conversation::stall::{may_wait_for_input, was_idle};
use crate::conversation::verdict::Class;
use crate::referee::game::exchange::{EndCause, ExpectedLine, Turn};
use crate::referee::game::game_state::GameState;

/// Says why a player wins in misère play; follows the player's name in a reason.
const NO_MOVE_WINS: &str = "has no move left, which wins in misère play";

impl GameState {
    pub(crate) fn facts(&self, of_bot: Language) -> Facts {
        let (end, decision, expected) = match &self.end {
            None => (End::Failed("the game has not ended".to_owned()), None, None),
            Some((cause, turn)) => {
                (self.fact_of(cause), self.decision(cause, *turn), Some(missing_line(*turn)))
            }
        };
        let bot = BotFacts {
            used: self.used_at_end(),
            exit: self.exit,
            // If the bot ended by itself at the same moment, its own exit counts.
            is_killed: self.is_killed && self.exit.is_none(),
            has_written: self.io.received > 0,
            extra: self.extra.clone(),
            ..BotFacts::new(self.limits)
        };
        let excused = match self.profile {
            Profile::Strict => Excused::Nothing,
            Profile::Contest => Excused::OutputAndNoExit,
        };
        Facts {
            end,
            decision,
            expected,
            bot,
            interactor: None,
            languages: [of_bot, Language::default()],
            excused,
            starts_bot: false,
            is_bot_confined: false,
        }
    }

    fn fact_of(&self, cause: &EndCause) -> End {
        match cause {
            // The signal that interrupts the judge may also end the bot. The judge may see the end of the bot's output
            // before it sees the interrupt.
            EndCause::Won | EndCause::Missing(End::Bot)
                if self.was_interrupted && self.exit.is_some_and(|exit| exit != Exit::Code(0)) =>
            {
                End::Interrupted
            }
            // How the bot would have ended is unknown.
            EndCause::Missing(End::Bot) if self.was_interrupted && self.exit.is_none() => End::Interrupted,
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
                let used = exceeded(self.used_at_end(), &self.limits);
                used.is_none_or(|used| used.limit != Limit::Cpu) && was_idle(report, self.limits.wall)
            }
            _ => false,
        }
    }

    fn stall(&self, report: &LimitReport) -> Stall {
        let line = self.extra.split(|&byte| byte == b'\n').next().filter(|_| !self.extra.is_empty());
        let reaction = self.reacted_at_end_of_input.map(|at_end_of_input| Reaction {
            line: line.map(<[u8]>::to_vec),
            to: if at_end_of_input { Notice::EndOfInput } else { Notice::LastLine },
            flushing: if line.is_none() && self.stderr.beginning_has(TRACEBACK) {
                Flushing::EveryLine
            } else {
                Flushing::Unknown
            },
        });
        Stall { reaction, ..Stall::of_bot(report.clone(), self.io.sent as u64) }
    }

    /// Returns the ruling by the rules of the game, if the rules decide.
    fn decision(&self, cause: &EndCause, turn: Turn) -> Option<Ruling> {
        let position = &self.exchange.position;
        let is_misere = position.is_misere();
        Some(match cause {
            EndCause::Won => Ruling::won(match self.forfeit {
                Some(verdict) if !position.is_over() || is_misere => {
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
            EndCause::Missing(_) => return None,
        })
    }

    /// Checks whether the bot may be waiting for input that the judge will not send. If so, the judge closes the bot's
    /// input, and the bot's reaction shows why it waits.
    pub(crate) fn is_bot_waiting(&self) -> bool {
        matches!(self.end_cause(), Some(EndCause::Missing(End::Limit(Side::Bot, report)))
            if matches!(report.limit, Limit::Wall | Limit::Idle) && may_wait_for_input(report))
    }
}

fn missing_line(turn: Turn) -> MissingLine {
    let name = turn.to_string();
    let missing = match turn.expected {
        ExpectedLine::Side => "no First or Second was received".to_owned(),
        ExpectedLine::BotMove | ExpectedLine::OpponentMove => format!("{name} was not received"),
    };
    MissingLine { name, missing }
}
