//! Impartial subtraction games: their rules, their Grundy values, and a bot that wins whenever theory allows.
//!
//! A [`GameSpec`] specifies a game or a sum of games. A [`Position`] is a game in play, with its legal moves. A
//! [`Solver`] finds the winner of a position and a winning move. [`nimbers`] returns the values of heaps. [`wire`] is
//! the contest protocol.
//!
//! ```
//! use zeroxor::{GameSpec, Outcome, Position, Solver};
//!
//! let spec: GameSpec = "segment 20 3 5 + nim 3 5".parse()?;
//! let mut position = Position::new(&spec)?;
//! let mut solver = Solver::new();
//! assert_eq!(solver.outcome(&position)?, Outcome::N);
//! let mv = solver.winning_move(&position)?.unwrap();
//! position.play(mv)?;
//! assert_eq!(solver.outcome(&position)?, Outcome::P);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To add a game, implement [`rules::Rules`].

pub mod core;
pub mod grundy;
mod integers;
pub mod misere;
mod moves;
pub mod position;
pub mod rules;
#[cfg(feature = "serde")]
mod serial;
mod spec;
mod strategy;
pub mod wire;
mod words;

pub use grundy::{Nimber, mex, nimbers};
pub use moves::{IllegalMove, Move, Outcome, Side};
pub use position::Position;
pub use rules::{GameKind, MAX_SIZE, OctalCode};
pub use spec::{GameSpec, SpecError};
pub use strategy::{Analysis, Player, Solver, symmetric_move};
