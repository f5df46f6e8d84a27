//! The checks of `judge lint`: they show whether a bot follows the protocol, and how to fix a bot that does not.

mod bot_under_test;
mod checks;
mod games;
mod growth;

pub(crate) use bot_under_test::BotUnderTest;
pub(crate) use checks::CHECKS;
