//! A game specification in the words of a header.

use std::fmt;

use super::GameSpec;
use crate::compat::Itertools;

impl GameSpec {
    /// The form of its words.
    pub(super) fn form(&self) -> &'static str {
        match self {
            Self::Segment { .. } => "segment N L R",
            Self::Square { .. } => "square n1 n2 ... [ban s1 s2 ...]",
            Self::Divisor { .. } => "divisor n1 n2 ... [ban d1 d2 ...]",
            Self::Subtract { .. } => "subtract n1 n2 ... take s1 s2 ...",
            Self::Nim { .. } => "nim n1 n2 ...",
            Self::Euclid { .. } => "euclid A B",
            Self::Octal { .. } => "octal CODE n1 n2 ...",
            Self::Grundy { .. } => "grundy n1 n2 ...",
            Self::Sum(_) => "GAME + GAME ...",
        }
    }

    /// Writes a game of piles, and a list behind a keyword unless it is empty.
    fn write_piles(
        &self,
        f: &mut fmt::Formatter<'_>,
        piles: &[u64],
        keyword: &str,
        list: &[u64],
    ) -> fmt::Result {
        write!(f, "{} {}", self.name(), piles.iter().format(" "))?;
        if list.is_empty() { Ok(()) } else { write!(f, " {keyword} {}", list.iter().format(" ")) }
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Self::Segment { n, l, r } => write!(f, "{name} {n} {l} {r}"),
            Self::Square { piles, banned } | Self::Divisor { piles, banned } => {
                self.write_piles(f, piles, "ban", banned)
            }
            Self::Subtract { piles, takes } => self.write_piles(f, piles, "take", takes),
            Self::Nim { piles } => self.write_piles(f, piles, "", &[]),
            Self::Euclid { a, b } => write!(f, "{name} {a} {b}"),
            Self::Octal { code, heaps } => write!(f, "{name} {code} {}", heaps.iter().format(" ")),
            Self::Grundy { heaps } => write!(f, "{name} {}", heaps.iter().format(" ")),
            Self::Sum(games) => write!(f, "{}", games.iter().format(" + ")),
        }
    }
}
