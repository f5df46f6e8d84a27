//! What is known about the period of a game (proven, published or open), in words.

use std::fmt;

use zeroxor::grundy::octal::ArithmeticPeriod;
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
    /// The values up to the heap `to` have an arithmetic period, which is not proven.
    OpenArithmetic { to: u64 },
    /// The absence of a period is proven, and no arithmetic period is proven.
    OpenGrowth,
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
            Self::OpenArithmetic { to } => {
                write!(f, "open: the values up to n = {to} have an arithmetic period, which is not proven")
            }
            Self::OpenGrowth => f.write_str("open: no period exists, and no arithmetic period is proven"),
        }
    }
}

impl PeriodStatus {
    /// The status of a game whose values up to `to` prove no period.
    fn unproven(game: RowGame, to: u64) -> Self {
        if game.never_repeats() {
            return Self::OpenGrowth;
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
    /// Number of computed values, which may be less than `to` + 1.
    pub computed: u64,
    /// The period that the values prove.
    pub period: Option<Period>,
    /// The arithmetic period of the values, proven or not.
    pub growth: Option<ArithmeticPeriod>,
}

impl PeriodReport {
    /// The length and the start of the proven period, and its saltus: the difference of values one period apart.
    pub(crate) fn proven(&self) -> Option<(Period, u64)> {
        let growth = || {
            let growth = self.growth.filter(|growth| growth.is_proven)?;
            Some((Period { start: growth.start, length: growth.length }, growth.saltus))
        };
        self.period.map(|period| (period, 0)).or_else(growth)
    }

    pub(crate) fn status(&self) -> PeriodStatus {
        match self.proven() {
            Some(_) => PeriodStatus::ProvenByRun,
            None if self.growth.is_some() && !self.game.never_repeats() => {
                PeriodStatus::OpenArithmetic { to: self.to }
            }
            None => PeriodStatus::unproven(self.game, self.to),
        }
    }

    /// Describes the period, or says why there is none.
    pub(crate) fn period(&self) -> String {
        match self.period {
            Some(period) => self.game.proof(period),
            None if self.growth.is_some_and(|growth| growth.is_proven) => {
                "none: the values grow for ever".to_owned()
            }
            None if self.game.never_repeats() => {
                "none: a move that takes an even number may leave three heaps, so the values never repeat"
                    .to_owned()
            }
            None => format!("none up to {}", self.to),
        }
    }

    /// Describes the arithmetic period, if there is one.
    pub(crate) fn arithmetic_period(&self) -> Option<String> {
        let ArithmeticPeriod { start, length, saltus, is_proven } = self.growth?;
        let (proven, last) = if is_proven {
            ("proven", format!("all n >= {start}"))
        } else {
            let last = self.computed.saturating_sub(length + 1);
            ("not proven", format!("n = {start} to {last}"))
        };
        Some(format!("{length} from n = {start} on, {proven}: g(n+{length}) = g(n) + {saltus} for {last}"))
    }

    /// The lines of a summary, each with its name.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![("period", self.period())];
        lines.extend(self.arithmetic_period().map(|text| ("arithmetic period", text)));
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
        assert_eq!(status("octal 0.98"), "open: no period exists, and no arithmetic period is proven");
    }
}
