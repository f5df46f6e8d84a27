//! One conversation of a bot with its referee: the facts, and the ruling that follows from them.
//!
//! There are two kinds of referees: a [game](crate::referee::game) of the judge, and an
//! [interactor](crate::referee::interactor). Each collects the facts about its conversation; [`rule`] decides.

pub(crate) mod decide;
pub(crate) mod facts;
pub(crate) mod interaction;
pub(crate) mod language;
pub(crate) mod last_lines;
pub(crate) mod role;
pub(crate) mod ruling;
pub(crate) mod stall;
pub(crate) mod verdict;

#[cfg(test)]
mod tests;

use self::decide::decide;
use self::facts::Facts;
use self::ruling::Ruling;

/// Who decides in a conversation that has ended: a game of the judge, or an interactor.
pub(crate) trait Referee {
    fn facts(&self) -> Facts;

    /// Adds the evidence and the advice that only this referee can give.
    fn explain(&self, facts: &Facts, ruling: Ruling) -> Ruling;
}

pub(crate) fn rule(referee: &impl Referee) -> Ruling {
    let facts = referee.facts();
    let ruling = decide(&facts);
    referee.explain(&facts, ruling)
}
