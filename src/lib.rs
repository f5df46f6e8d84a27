//! Impartial subtraction games: their rules, their theory, and a bot that wins whenever theory allows.
//!
//! A [`Table`] is a sum of games. It knows the rules and nothing else: which moves are legal and what they
//! leave. A [`Strategy`] adds the theory: who wins, and by which move. [`session`] speaks the wire protocol
//! with both.
//!
//! ```
//! use zeroxor::{Move, Outcome, Strategy, Table, protocol};
//!
//! // A row of six cards, one or two neighbouring cards a move: Kayles.
//! let header = protocol::parse_header(b"6 1 2")?;
//! let mut table = Table::open(&header.parts)?;
//! let mut strategy = Strategy::default();
//!
//! assert_eq!(strategy.outcome(&table)?, Outcome::N);
//! // Take the two in the middle, and mirror from then on.
//! assert_eq!(strategy.reply(&table)?, Some(Move { place: 3, take: 2 }));
//! table.play(Move { place: 3, take: 2 })?;
//! assert_eq!(strategy.outcome(&table)?, Outcome::P);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "analysis")]
mod analysis;
pub mod bot;
mod crates;
mod fight;
pub mod games;
mod nimber;
pub mod protocol;
mod quote;
pub mod session;
mod strategy;
mod symmetry;
mod table;
mod theories;

#[cfg(feature = "analysis")]
pub use analysis::Analysis;
pub use nimber::{Nimber, mex};
pub use protocol::{Move, Side};
pub use quote::quote;
pub use strategy::{Outcome, Strategy};
pub use symmetry::{Symmetry, symmetry};
pub use table::{IllegalMove, Kind, Part, Seat, Table};
