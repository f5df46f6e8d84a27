//! The nimbers of rows, and what is known about their period (proven, published or open), in words.

use std::fmt;

use zeroxor::grundy::GrundyTable;
use zeroxor::grundy::segment::{Period, Sequence, SparseSpace, known_period};

use crate::results::{self, Solved};
use crate::row_game::RowGame;

/// The nimbers of rows up to a length.
pub(crate) struct Rows {
    game: RowGame,
    to: u64,
    values: Sequence,
    /// The least period that the values prove, if it is requested and they prove one.
    pub(crate) period: Option<Period>,
}

impl Rows {
    /// Computes the nimbers of the rows of 0 to `to` cards, and the period that they prove if it is requested. If the
    /// period is known, computes only the values that prove it, or only those up to the end of the first period if it
    /// is not requested.
    pub(crate) fn compute(game: RowGame, to: u64, with_period: bool) -> Self {
        let computed = match game.window().and_then(known_period) {
            Some(period) if with_period => {
                to.min(u64::try_from(period.values_needed(game.move_bounds())).unwrap_or(u64::MAX))
            }
            None if with_period => to,
            _ => game.window().map_or(to, |window| Sequence::computed(window, to)),
        };
        let values = match (game, game.window()) {
            (_, Some(window)) | (RowGame::Window(window), None) => {
                Sequence::up_to(window, computed).repeating()
            }
            (RowGame::Code(code), None) => Sequence::of_code(code, computed),
        };
        let period = if with_period { values.proven_period() } else { None };
        Self { game, to, values, period }
    }

    /// The computed values, from heap 0 on.
    pub(crate) fn values(&self) -> &[u32] {
        self.values.values()
    }

    pub(crate) fn status(&self) -> PeriodStatus {
        match self.period {
            Some(_) => PeriodStatus::ProvenByRun,
            None => PeriodStatus::unproven(self.game, self.to),
        }
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

    pub(crate) fn into_table(self) -> Box<dyn GrundyTable> {
        self.values.into_table()
    }
}

/// What is known about the period of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PeriodStatus {
    /// The values of this run prove the period.
    ProvenByRun,
    /// `docs/results` has the period.
    Recorded(Solved),
    /// No period is known, and the values up to the heap `to` show none.
    Open { to: u64 },
    /// The absence of a period is proven.
    None,
}

impl fmt::Display for PeriodStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProvenByRun => f.write_str("proven by this run"),
            Self::Recorded(Solved { period: Period { start, length }, file, is_proven, .. }) => {
                let source = if *is_proven { "proven earlier" } else { "published, not checked" };
                write!(f, "{source}: period {length} from n = {start} on ({file})")
            }
            Self::Open { to } => {
                write!(f, "open: no period is known, and the values up to n = {to} show none")
            }
            Self::None => f.write_str("no period exists"),
        }
    }
}

impl PeriodStatus {
    /// The status of a game whose values up to `to` prove no period.
    fn unproven(game: RowGame, to: u64) -> Self {
        if game.never_repeats() {
            return Self::None;
        }
        results::find(game).map_or(Self::Open { to }, Self::Recorded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_status() {
        let status = |game| PeriodStatus::unproven(RowGame::read(game).unwrap(), 100).to_string();
        assert_eq!(
            status("octal 0.1777"),
            "proven earlier: period 60620715 from n = 160949018 on (docs/results/octal.tsv)"
        );
        assert_eq!(
            status("octal 0.106"),
            "published, not checked: period 328226140474 from n = 465384263797 on (docs/results/octal.tsv)"
        );
        assert_eq!(status("octal 0.6"), "open: no period is known, and the values up to n = 100 show none");
        assert_eq!(status("segment 1 3"), "open: no period is known, and the values up to n = 100 show none");
        assert_eq!(status("octal 0.98"), "no period exists");
    }
}
