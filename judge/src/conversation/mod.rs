//! One conversation of a bot with its referee: the facts, and the ruling that follows from them.
//!
//! There are two kinds of referees: a [game](crate::referee::game) of the judge, and an
//! [interactor](crate::referee::interactor). Each collects the facts about its conversation, lets [`decide`](decide::decide)
//! decide, and adds the evidence and the advice that only it can give.

pub(crate) mod decide;
pub(crate) mod facts;
pub(crate) mod interaction;
pub(crate) mod language;
pub(crate) mod last_lines;
pub(crate) mod role;
pub(crate) mod stall;
pub(crate) mod verdict;

#[cfg(test)]
mod tests;
