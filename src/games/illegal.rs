//! Every way in which a well-formed move can break the rules, and the words for it.

use std::error::Error;
use std::fmt;

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The table has no such place.
    NoSuchPlace {
        /// How many places it has.
        places: u64,
    },
    /// The card at the move's place has been taken.
    Taken,
    /// The move takes fewer or more cards than the window allows.
    OutsideWindow {
        /// The least number of cards.
        l: u64,
        /// The largest number of cards.
        r: u64,
    },
    /// The run of free cards from the move's place on is too short.
    RunTooShort {
        /// How many cards from there on are free.
        free: u64,
    },
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchPlace { places } => {
                write!(f, "there is no such place, they are numbered 1 to {places}")
            }
            Self::Taken => f.write_str("the card there has been taken already"),
            Self::OutsideWindow { l, r } if l == r => write!(f, "a move takes exactly {l} in a row"),
            Self::OutsideWindow { l, r } => write!(f, "a move takes {l} to {r} in a row"),
            Self::RunTooShort { free } => write!(f, "only {free} in a row are free from there on"),
        }
    }
}

impl Error for Illegal {}
