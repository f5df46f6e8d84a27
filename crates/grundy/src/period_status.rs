//! What is known about the period of a game (proven, published or open), in words.

use std::fmt;

use zeroxor::grundy::segment::Period;

use crate::results::{self, Solved};
use crate::row_game::RowGame;

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

/// What the values of a game show about its period.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeriodReport {
    pub game: RowGame,
    /// The largest heap of the table.
    pub to: u64,
    /// The period that the values prove.
    pub period: Option<Period>,
}

impl PeriodReport {
    pub(crate) fn status(&self) -> PeriodStatus {
        match self.period {
            Some(_) => PeriodStatus::ProvenByRun,
            None => PeriodStatus::unproven(self.game, self.to),
        }
    }

    /// Describes the period, or says why there is none.
    pub(crate) fn period(&self) -> String {
        match self.period {
            Some(period) => self.game.proof(period),
            None if self.game.never_repeats() => {
                "none: a move that takes an even number may leave three heaps, so the values never repeat"
                    .to_owned()
            }
            None => format!("none up to {}", self.to),
        }
    }

    /// The lines of a summary, each with its name.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![("period", self.period())];
        if let status @ PeriodStatus::Recorded(_) = self.status() {
            lines.push(("status", status.to_string()));
        }
        lines
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
