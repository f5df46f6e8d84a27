//! A check of `judge lint`.

use super::bot_under_test::BotUnderTest;
use super::finding::{CheckStatus, Finding};

/// One check.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) stage: Stage,
    pub(super) run: fn(&BotUnderTest) -> anyhow::Result<Finding>,
}

/// What a check is about. A failure explains others behind it, which are then not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// How a small game is played. Without that all other checks fail, too.
    Game,
    /// What the bot does when the game is over. Each end may be handled in its own way.
    End,
    /// How the bot reads its input.
    Input,
    /// How large games are played. A bot that is too slow for one is so for others.
    LargeGame,
    /// What a bot for the contest does not need.
    Extra,
}

impl Stage {
    /// Whether a check of this stage would only show again what a check of the other stage has shown that failed.
    pub(crate) fn is_explained_by(self, failed: Self) -> bool {
        match failed {
            Self::Game => true,
            Self::LargeGame => self == failed,
            Self::End | Self::Input | Self::Extra => false,
        }
    }
}

impl Check {
    /// Runs the check, which has this number, on a bot.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started.
    pub(crate) fn run(&self, number: u64, bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
        let mut finding = (self.run)(bot_under_test)?;
        let step = bot_under_test.last_step();
        if finding.status != CheckStatus::Pass {
            finding.again = step.again.or_else(|| bot_under_test.lint_command(number));
        }
        if finding.status == CheckStatus::Fail {
            finding.stderr = step.stderr;
        }
        Ok(finding)
    }
}
