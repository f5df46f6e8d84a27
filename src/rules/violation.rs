//! The rules that a well-formed move can break, and their messages.

use std::error::Error;
use std::fmt;

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// The position has no such place.
    NoSuchPlace {
        /// The number of places in the position.
        places: u64,
    },
    /// The move takes nothing.
    Nothing,
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
        /// The number of free cards from the move's place on.
        free: u64,
    },
    /// The pile has fewer stones than the move takes.
    LargerThanPile {
        /// The pile's size.
        size: u64,
    },
    /// The number is not a perfect square.
    NotASquare,
    /// The number is not prime.
    NotAPrime,
    /// The number does not divide the pile's size.
    NotADivisor {
        /// The pile's size.
        of: u64,
    },
    /// The number is not one of those that the header lists.
    NotListed,
    /// The number is on the ban list.
    Banned,
    /// The move takes the whole pile, but only proper divisors may be taken.
    WholePile,
    /// The number is more than the allowed part of the pile.
    AboveShare {
        /// The largest number that may be taken.
        most: u64,
    },
    /// The code's digit for the number taken is missing or 0.
    NotInCode,
    /// The code's digit for the number taken does not allow leaving this number of heaps.
    DigitForbids {
        /// The digit.
        digit: u8,
        /// The number of heaps that the move would leave.
        heaps: u8,
    },
    /// The move takes cards, but all moves only split a row.
    OnlySplits,
    /// The move takes nothing at the first card of a row, so it does not split the row.
    SplitBeforeFirst,
    /// The move splits a row into equal parts.
    EqualParts {
        /// The number of cards of each part.
        size: u64,
    },
    /// The numbers of the pair are equal, so nothing can be subtracted.
    Equal,
    /// The number at the move's place is the smaller of the pair.
    SmallerOfPair,
    /// The number subtracted is not a multiple of the other number.
    NotAMultiple {
        /// The other number.
        of: u64,
    },
    /// The larger number of the pair would become less than 1.
    WouldReachZero {
        /// The larger number before the move.
        size: u64,
    },
    /// Another rule of a game. The text completes the message "taking y at place x is not legal: ...".
    Other(&'static str),
}

impl Violation {
    /// Returns the advice for a bot that breaks the rule.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Nothing => "take at least 1; print \"0 0\" only when the bot has no legal move left",
            Self::Taken => "mark the cards that the bot itself has taken",
            Self::OnlySplits => "print \"x 0\": the row is split before card x",
            Self::SplitBeforeFirst => "choose a later card: \"x 0\" splits a row before card x",
            Self::EqualParts { .. } => "leave two rows of different length",
            Self::OutsideWindow { l, r } if l == r => "L = R here: every move takes the same number of cards",
            Self::OutsideWindow { .. } => "take L to R cards, as the header \"N L R\" says",
            Self::NotASquare => "take a perfect square that is not banned: 1, 4, 9, 16 and so on",
            Self::NotAPrime => "take a prime number that is not banned: 2, 3, 5, 7 and so on",
            Self::NotADivisor { .. } => {
                "take a divisor of the pile's size that is not banned; the size changes with every move"
            }
            Self::NotListed => "take one of the numbers that follow \"take\" in the header",
            Self::Banned => "take none of the numbers that follow \"ban\" in the header",
            Self::WholePile => "take a divisor that is less than the pile's size; a pile of 1 has no move",
            Self::AboveShare { .. } => {
                "divide the pile's current size by the K of \"take 1..n/K\" in the header, and round down"
            }
            Self::NotInCode => "take a number whose digit in the code is not 0",
            Self::DigitForbids { .. } => "leave only as many heaps as the code's digit for the take allows",
            Self::NotAMultiple { .. } | Self::SmallerOfPair => {
                "subtract a multiple of the smaller number of a pair from the larger one"
            }
            Self::WouldReachZero { .. } => "leave at least 1 of the larger number of a pair",
            Self::Equal => "choose another pair: a pair of equal numbers has no move",
            Self::NoSuchPlace { .. }
            | Self::RunTooShort { .. }
            | Self::LargerThanPile { .. }
            | Self::Other(_) => "take only what is left: check each move before the bot prints it",
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchPlace { places } => {
                write!(f, "there is no such place; places are numbered from 1 to {places}")
            }
            Self::Nothing => f.write_str("a move takes at least 1"),
            Self::Taken => f.write_str("the card at that place is already taken"),
            Self::OutsideWindow { l: 1, r: 1 } => f.write_str("a move takes exactly 1 card"),
            Self::OutsideWindow { l, r } if l == r => write!(f, "a move takes exactly {l} consecutive cards"),
            Self::OutsideWindow { l, r } => write!(f, "a move takes {l} to {r} consecutive cards"),
            Self::RunTooShort { free } => {
                write!(f, "the run of free cards from that place on has length {free}")
            }
            Self::LargerThanPile { size } => write!(f, "the pile has only {size}"),
            Self::NotASquare => f.write_str("that is not a perfect square"),
            Self::NotAPrime => f.write_str("that is not a prime number"),
            Self::NotADivisor { of } => write!(f, "that does not divide the pile's size, {of}"),
            Self::NotListed => f.write_str("that number is not on the list of allowed numbers"),
            Self::Banned => f.write_str("that number is banned"),
            Self::WholePile => {
                f.write_str("that is the whole pile; a proper divisor is less than the pile's size")
            }
            Self::AboveShare { most } => write!(f, "a move takes at most {most} from a pile of this size"),
            Self::NotInCode => f.write_str("the code does not allow taking this number"),
            Self::DigitForbids { digit, heaps } => {
                let heaps = match heaps {
                    0 => "nothing",
                    1 => "one heap",
                    _ => "two heaps",
                };
                write!(f, "the code's digit for this number, {digit:x}, does not allow leaving {heaps}")
            }
            Self::OnlySplits => f.write_str("a move of this game takes no card and only splits a row"),
            Self::SplitBeforeFirst => {
                f.write_str("that card is the first of its row, so the row cannot be split before it")
            }
            Self::EqualParts { size } => {
                write!(f, "that splits the row into equal parts of {size}; they must be different")
            }
            Self::Equal => f.write_str("both numbers are equal, so the pair has no move"),
            Self::SmallerOfPair => {
                f.write_str("that is the smaller number of the pair; only the larger number can be reduced")
            }
            Self::NotAMultiple { of } => write!(f, "that is not a multiple of the other number, {of}"),
            Self::Other(rule) => f.write_str(rule),
            Self::WouldReachZero { size } => write!(f, "the number is {size} and must stay at least 1"),
        }
    }
}

impl Error for Violation {}
