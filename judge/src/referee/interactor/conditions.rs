//! How a bot and an interactor are run and judged.

use runner::limits::Limits;

use crate::conversation::facts::{BotFacts, Excused, InteractorFacts, OutputLimit};
use crate::conversation::language::Language;
use crate::conversation::role::Role;
use crate::referee::interactor::style::Style;

/// How the two programs of a run are judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    pub(crate) style: Style,
    /// Whether the interactor is a tester whose program has the text of a line with a score.
    pub(crate) gives_scores: bool,
    pub(crate) role: Role,
    pub(crate) limits: Limits,
    pub(crate) interactor_limits: Limits,
    /// The limits on what the bot writes, and on what the interactor writes to the bot or as the input of the next pass.
    pub(crate) output: [OutputLimit; 2],
    /// The score that is accepted. A smaller one, or without it any score, is partial.
    pub(crate) full_score: Option<f64>,
    /// The languages of the bot and of the interactor.
    pub(crate) languages: [Language; 2],
    pub(crate) excused: Excused,
    pub(crate) is_bot_confined: bool,
}

impl Conditions {
    /// Returns the facts about a bot that has done nothing.
    pub(crate) fn bot(&self) -> BotFacts {
        let ([language, _], is_confined) = (self.languages, self.is_bot_confined);
        BotFacts { limits: self.limits, language, is_confined, ..BotFacts::default() }
    }

    /// Returns the facts about an interactor that has done nothing.
    pub(crate) fn interactor(&self) -> InteractorFacts {
        let ([_, language], starts_bot) = (self.languages, self.style == Style::Launcher);
        let (role, limits) = (self.role, self.interactor_limits);
        InteractorFacts { role, limits, language, starts_bot, ..InteractorFacts::default() }
    }
}
