//! The statistics of games between bots: which bot is stronger, and how certain that is. Pure functions of counts.
//!
//! The model: the logit of the probability that A wins is `theta + delta` from one seat and `theta - delta` from the
//! other, where `delta` depends on the start. Each start is played as a pair of games with the seats swapped. Then
//! the odds that A wins both games, against B wins both, are `e^(2 theta)` whatever `delta` is, and a pair of
//! which each bot wins one game shows nothing of `theta`. So ratings are computed from decided pairs alone.

mod beta;
pub(crate) mod bootstrap;
pub(crate) mod bradley_terry;
pub(crate) mod elo;
pub(crate) mod proportion;
pub(crate) mod sprt;
