//! One conversation: its facts, and the verdict that follows from them.

pub(crate) mod decide;
pub(crate) mod facts;
pub(crate) mod interaction;
pub(crate) mod last_lines;
pub(crate) mod relayed;
pub(crate) mod ruling;
pub(crate) mod stall;
pub(crate) mod verdict;
