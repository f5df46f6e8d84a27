//! How a bot and an interactor are run and judged.

use runner::limits::{Limits, OUTPUT_LIMIT};

use crate::conversation::facts::{BotFacts, End, Excused, Facts, InteractorFacts, OutputLimit};
use crate::conversation::language::Language;
use crate::conversation::last_lines::LastLines;
use crate::conversation::role::Role;
use crate::conversation::ruling::Ruling;
use crate::referee::interactor::style::Style;

/// The output limit for a problem that sets none.
pub(crate) const DEFAULT_OUTPUT: OutputLimit = OutputLimit { bytes: OUTPUT_LIMIT as u64, with_stderr: false };

/// How the two programs of a run are judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    pub(crate) style: Style,
    /// Whether the interactor is a tester whose program has the text of a line with a score.
    pub(crate) gives_scores: bool,
    pub(crate) role: Role,
    pub(crate) limits: Limits,
    pub(crate) output: OutputLimit,
    pub(crate) interactor_limits: Limits,
    /// The limit on what the interactor writes to the bot, and on the size of the next pass's input.
    pub(crate) interactor_output: OutputLimit,
    /// The score that is accepted. A smaller one, or without it any score, is partial.
    pub(crate) full_score: Option<f64>,
    /// The languages of the bot and of the interactor.
    pub(crate) languages: [Language; 2],
    pub(crate) excused: Excused,
    pub(crate) is_bot_confined: bool,
}

impl Conditions {
    /// Returns the facts about an interactor that has done nothing.
    pub(crate) fn interactor(&self) -> InteractorFacts {
        InteractorFacts {
            role: self.role,
            limits: self.interactor_limits,
            exit: None,
            decided_alone: false,
            received_end: false,
            has_closed: false,
            late_limit: None,
            message: String::new(),
            last_lines: LastLines::default(),
        }
    }

    pub(crate) fn facts(
        &self,
        end: End,
        decision: Option<Ruling>,
        bot: BotFacts,
        interactor: InteractorFacts,
    ) -> Facts {
        Facts {
            end,
            decision,
            expected: None,
            bot,
            interactor: Some(interactor),
            languages: self.languages,
            excused: self.excused,
            starts_bot: self.style == Style::Launcher,
            is_bot_confined: self.is_bot_confined,
        }
    }
}
