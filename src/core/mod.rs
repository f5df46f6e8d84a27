//! The contest: AtCoder Beginner Contest 278 G, "Generalized Subtraction Game".
//!
//! N cards lie in a row. A move takes y consecutive cards that are all still there, L <= y <= R. A player who cannot
//! move has lost. The bot chooses its side, and wins.
//!
//! - [`nimbers`]: the nimbers of rows, and the splits that moves make
//! - [`row`]: the cards that are still there, and the legal moves
//! - [`strategy`]: the side and the moves that win
//! - [`protocol`]: one game against the contest's judge
//!
//! The modules use nothing else of this crate. `submission/abc278_g.rs` is their files, one after the other.

pub mod nimbers;
pub mod protocol;
pub mod row;
pub mod strategy;

/// The contest's largest N, up to which the library uses the core. Longer rows are worth a faster algorithm.
pub const MAX_CARDS: usize = 2000;
