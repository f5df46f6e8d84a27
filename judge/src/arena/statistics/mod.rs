//! The statistics of games between bots: which bot is stronger, and how certain the answer is. All functions are
//! pure.
//!
//! The model: the logit of the probability that A wins is `theta + delta` in one seat and `theta - delta` in the other.
//! `delta` depends on the start. Each start is played as a pair of games with the seats swapped. If A wins both
//! games with probability `p`, and B wins both with probability `q`, then `p / q` is `e^(2 theta)` for every `delta`. A
//! pair in which each bot wins one game shows nothing about `theta`. So Elo is computed only from decided pairs.

pub(crate) mod elo;
pub(crate) mod proportion;
pub(crate) mod sprt;
