//! The search for a game or an input with which a bot fails, and for the smallest one.

pub(crate) mod games;
pub(crate) mod inputs;
pub(crate) mod shrink_input;
