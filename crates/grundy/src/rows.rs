//! The nimbers of rows, and what is known about their period (proven, published or open), in words.

use zeroxor::grundy::segment::{Period, Sequence, SparseSpace, known_period};

use crate::results::{self, Solved};
use crate::row_game::RowGame;

/// The nimbers of rows up to a length.
pub(crate) struct Rows {
    game: RowGame,
    to: u64,
    pub(crate) values: Sequence,
    /// The least period that the values prove, if it is requested and they prove one.
    pub(crate) period: Option<Period>,
}

impl Rows {
    /// Computes the nimbers of the rows of 0 to `to` cards, and the period that they prove if it is requested. If the
    /// period is known, computes only the values that prove it, or only those up to the end of the first period if it
    /// is not requested.
    pub(crate) fn compute(game: RowGame, to: u64, with_period: bool) -> Self {
        let known = game.window().and_then(known_period);
        let needed = known.and_then(|known| {
            let first_period = u128::from(known.start + known.length);
            let needed = if with_period { known.values_needed(game.move_bounds()) } else { first_period };
            u64::try_from(needed).ok()
        });
        let values = game.values(needed.map_or(to, |needed| to.min(needed)));
        let period = if with_period { values.proven_period() } else { None };
        Self { game, to, values, period }
    }

    /// The computed values, from heap 0 on.
    pub(crate) fn values(&self) -> &[u32] {
        self.values.values()
    }

    /// Says what is known about the period.
    pub(crate) fn status(&self) -> String {
        let (to, open) = (self.to, "open: no period is known, and the values");
        if self.period.is_some() {
            "proven by this run".to_owned()
        } else if self.game.never_repeats() {
            "no period exists".to_owned()
        } else {
            self.recorded().unwrap_or_else(|| format!("{open} up to n = {to} show none"))
        }
    }

    /// The period that `docs/results` has, if these values do not prove it.
    pub(crate) fn recorded(&self) -> Option<String> {
        let found = if self.period.is_none() { results::find(self.game) } else { None };
        let Solved { period: Period { start, length }, file, is_proven, .. } = found?;
        let source = if is_proven { "proven earlier" } else { "published, not checked" };
        Some(format!("{source}: period {length} from n = {start} on ({file})"))
    }

    /// Describes the period, or says why there is none.
    pub(crate) fn period_in_words(&self) -> String {
        match self.period {
            Some(period) => self.game.proof(period),
            None if self.game.never_repeats() => {
                "none: a move that takes an even number may leave three heaps, so the values never repeat"
                    .to_owned()
            }
            None => format!("none up to {}", self.to),
        }
    }

    /// Describes the rare values of the sparse space, if the values were found by one: their number, the last heap
    /// with a rare value, and the rule that makes a value rare.
    pub(crate) fn rare_values(&self) -> Option<String> {
        let SparseSpace { mask, exchanged, rares, last } = self.values.space()?;
        let last = if rares == 0 { String::new() } else { format!(", the last at n = {last}") };
        let by_place = if exchanged.is_some() { ", and by the place" } else { "" };
        Some(format!("{rares}{last} (mask {mask:#b}{by_place})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_status() {
        for (game, status) in [
            (
                "octal 0.1777",
                "proven earlier: period 60620715 from n = 160949018 on (docs/results/octal.tsv)",
            ),
            (
                "octal 0.106",
                "published, not checked: period 328226140474 from n = 465384263797 on (docs/results/octal.tsv)",
            ),
            ("segment 1 3", "open: no period is known, and the values up to n = 100 show none"),
            ("octal 0.98", "no period exists"),
        ] {
            assert_eq!(Rows::compute(RowGame::read(game).unwrap(), 100, true).status(), status);
        }
    }
}
