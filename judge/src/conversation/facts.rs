//! The facts about a conversation on which the verdict depends.

use runner::event::{Exit, LimitReport};
use runner::limits::{Limits, OUTPUT_LIMIT};
use runner::relay::Side;

use crate::conversation::last_lines::LastLines;
use crate::referee::interactor::style::{Decision, Style};

/// Whether a bot can still fail after the interactor has accepted, for example because it does not exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BotEnd {
    /// Such a failure decides the verdict.
    Counts,
    /// Such a failure is ignored, as in a contest whose judge considers only the interactor's decision.
    IsExcused,
}

/// When the interactor runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// At the same time as the bot.
    WithBot,
    /// After the bot has ended. The bot receives the unchanged input, and the interactor, a validator, then reads what
    /// the bot printed.
    AfterBot,
}

impl Turn {
    /// Returns the name of the interactor in messages.
    pub(crate) fn interactor(self) -> &'static str {
        match self {
            Self::WithBot => "the interactor",
            Self::AfterBot => "the validator",
        }
    }
}

/// How much a program may write in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutputLimit {
    pub(crate) bytes: u64,
    /// Whether stderr counts too.
    pub(crate) with_stderr: bool,
}

/// The output limit for a problem that sets none.
pub(crate) const DEFAULT_OUTPUT: OutputLimit = OutputLimit { bytes: OUTPUT_LIMIT as u64, with_stderr: false };

/// How the two programs of a run are judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    pub(crate) style: Style,
    pub(crate) turn: Turn,
    pub(crate) limits: Limits,
    pub(crate) output: OutputLimit,
    pub(crate) interactor_limits: Limits,
    /// The limit on what the interactor writes to the bot, and on the size of the next pass's input.
    pub(crate) interactor_output: OutputLimit,
    pub(crate) bot_end: BotEnd,
    pub(crate) confinement: Confinement,
}

/// The program that decided. If there is a checker, it decides after the interactor has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecidedBy {
    Interactor,
    Checker,
}

/// Whether the bot can do only what the sandbox allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Confinement {
    Sandbox,
    None,
}

/// What ended the conversation.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// The interactor ended by itself, while its input was open.
    Interactor,
    /// The bot ended by itself, before the interactor.
    Bot(Exit),
    /// One of the programs reached a limit other than the idle limit.
    Limit(Side, LimitReport),
    /// One of the programs wrote more than the output limit.
    Output(Side),
    /// Both programs wait.
    Stall(Box<Stall>),
}

/// Two programs that wait for each other, and what each printed when its input was closed. The bot's input was closed
/// first.
#[derive(Clone, Debug)]
pub(crate) struct Stall {
    pub(crate) bot: LimitReport,
    pub(crate) interactor: LimitReport,
    /// The program that had written last; `None` if neither program had written anything.
    pub(crate) last_writer: Option<Side>,
    /// What the bot printed when its input was closed.
    pub(crate) late_bot: Vec<u8>,
    /// What the interactor printed when its input was closed.
    pub(crate) late_interactor: Vec<u8>,
}

/// The facts on which the verdict depends.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) end: End,
    /// What the interactor decided; `None` if it did not end by itself.
    pub(crate) decision: Option<Decision>,
    pub(crate) decided_by: DecidedBy,
    /// How the interactor ended; `None` if it did not end by itself.
    pub(crate) interactor_exit: Option<Exit>,
    /// The message about the decision.
    pub(crate) message: String,
    /// Whether the interactor decided before it received the end of the bot's output.
    pub(crate) decided_before_end_of_input: bool,
    /// Whether the interactor had closed its output when the conversation ended.
    pub(crate) interactor_closed: bool,
    /// Whether the bot had closed its output when the conversation ended.
    pub(crate) bot_closed: bool,
    /// How the bot ended; `None` if it did not end by itself.
    pub(crate) bot_exit: Option<Exit>,
    /// The limit that a program reached after the conversation.
    pub(crate) late_limit: Option<(Side, LimitReport)>,
    /// The bot's output that nobody read: what the interactor had not read when it ended, and what the bot wrote later.
    pub(crate) extra: Vec<u8>,
    /// The last lines up to the end of the conversation.
    pub(crate) last_lines: LastLines,
    pub(crate) conditions: Conditions,
}

impl Facts {
    /// Returns the name of the interactor in messages.
    pub(crate) fn interactor(&self) -> &'static str {
        self.conditions.turn.interactor()
    }
}

impl Facts {
    /// Checks whether a program reached a limit. An idle limit that ended the conversation does not count, because then
    /// both programs waited.
    pub(crate) fn has_reached_limit(&self, side: Side) -> bool {
        let reached = match &self.end {
            End::Limit(side, _) | End::Output(side) => Some(*side),
            End::Interactor | End::Bot(_) | End::Stall(_) => None,
        };
        let late = self.late_limit.as_ref().map(|(side, _)| *side);
        reached == Some(side) || late == Some(side)
    }
}
