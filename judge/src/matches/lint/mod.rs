//! The checks of `judge lint`: they show whether a bot follows the protocol, and how to fix a bot that does not.

mod bot_under_test;
mod checks;
mod finding;
mod games;
mod growth;

pub(crate) use bot_under_test::BotUnderTest;
pub(crate) use checks::CHECKS;
pub(crate) use checks::Stage;
pub(crate) use finding::{CheckStatus, Finding};

/// A program that `judge lint` checks.
pub(crate) trait UnderTest {
    fn name(&self) -> String;

    /// Returns the names and the stages of the checks, in the order in which they run.
    fn checks(&self) -> Vec<(&'static str, Stage)>;

    /// Runs the check with this number. The numbers begin at 1.
    ///
    /// # Errors
    ///
    /// If there is no such check, or a program cannot be started.
    fn run(&self, number: u64) -> anyhow::Result<Finding>;
}
