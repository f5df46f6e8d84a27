//! The status of the period of a game (proven here, published or open), and the text that reports it.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::LazyLock;

use serde::Deserialize;
use zeroxor::grundy::octal::ArithmeticPeriod;
use zeroxor::grundy::segment::Period;

use super::code_form::CodeForm;
use super::published_codes::{self, PublishedCode};
use super::row_game::RowGame;

/// What is known about the period of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeriodStatus {
    /// The values of this run prove the period.
    ProvenByRun,
    /// A certificate in the repository proves the period.
    ProvenByCertificate {
        period: Period,
        /// The file of the certificate in the repository.
        file: &'static str,
    },
    /// The period is published, and no certificate in the repository proves it.
    Published(PublishedCode),
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
            Self::ProvenByRun => f.write_str("proven here by this run"),
            Self::ProvenByCertificate { file, .. } => {
                write!(f, "proven here by a certificate, which grundy table --verify {file} checks")
            }
            Self::Published(published) => write!(f, "published, not checked here: {published}"),
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
    /// Returns the period that a certificate proves or that is published.
    pub fn period(&self) -> Option<Period> {
        match self {
            Self::ProvenByCertificate { period, .. } | Self::Published(PublishedCode { period, .. }) => {
                Some(*period)
            }
            Self::ProvenByRun | Self::Open { .. } | Self::OpenArithmetic { .. } | Self::OpenGrowth => None,
        }
    }

    /// Returns the status of a game whose values up to `to` prove no period.
    pub(crate) fn unproven(game: RowGame, to: u64) -> Self {
        if game.never_repeats() { Self::OpenGrowth } else { Self::known(game).unwrap_or(Self::Open { to }) }
    }

    /// Returns the status of a game whose period is proven by a certificate, or else published; `None` if neither is
    /// true.
    pub fn known(game: RowGame) -> Option<Self> {
        let values = EqualValues::of(game);
        let certified = certificates().iter().find_map(|certified| {
            let more = values.more_than(&certified.values)?;
            Some(Self::ProvenByCertificate { period: shifted(certified.period, more), file: certified.file })
        });
        certified.or_else(|| published(game).map(Self::Published))
    }
}

/// A proven period. After one period each value is larger by the saltus, or the same without a saltus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenPeriod {
    pub period: Period,
    pub(crate) saltus: Option<NonZeroU64>,
}

impl ProvenPeriod {
    /// Describes this period of a game, with the proof.
    pub(super) fn proof(self, game: RowGame) -> String {
        match self.saltus {
            Some(saltus) => format!("arithmetic period {}", growth_proof(self.period, saltus.get())),
            None => format!("period {}", game.proof(self.period)),
        }
    }
}

/// Describes a proven arithmetic period.
fn growth_proof(Period { start, length }: Period, saltus: u64) -> String {
    format!("{length} from n = {start} on, proven: g(n+{length}) = g(n) + {saltus} for all n >= {start}")
}

/// What the values of a game show about its period.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeriodReport {
    pub(super) game: RowGame,
    /// The largest heap of the table.
    pub(super) to: u64,
    /// Number of computed values, which may be less than `to` + 1.
    pub(super) computed: u64,
    /// The period that the values prove.
    pub(super) period: Option<Period>,
    /// The arithmetic period of the values, proven or not.
    pub(super) growth: Option<ArithmeticPeriod>,
}

impl PeriodReport {
    /// Returns the proven period, arithmetic or not.
    pub(super) fn proven(&self) -> Option<ProvenPeriod> {
        let of_growth = |growth: ArithmeticPeriod| ProvenPeriod {
            period: Period { start: growth.start, length: growth.length },
            saltus: NonZeroU64::new(growth.saltus),
        };
        let growth = || self.growth.filter(|growth| growth.is_proven).map(of_growth);
        self.period.map(|period| ProvenPeriod { period, saltus: None }).or_else(growth)
    }

    /// Returns the status of the period, from the values or from another source.
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
            None if self.grows_for_ever() => "none: the values grow for ever".to_owned(),
            None if self.game.never_repeats() => {
                "none: a move that takes an even number may leave three heaps, so the values never repeat"
                    .to_owned()
            }
            None => format!("none up to {}", self.to),
        }
    }

    /// Returns additional lines, each with its name: the arithmetic period, and the least number that the values do not
    /// exclude as a period, if they apply.
    pub(crate) fn other_lines(
        &self,
        least_not_excluded: impl FnOnce() -> usize,
    ) -> Vec<(&'static str, String)> {
        let growth = self.growth.map(|growth| ("arithmetic period", self.growth_in_words(growth)));
        let is_open = self.period.is_none() && self.growth.is_none() && !self.game.never_repeats();
        let least = is_open.then(|| ("least period not excluded", least_not_excluded().to_string()));
        growth.into_iter().chain(least).collect()
    }

    /// Returns the lines of a summary, each with its name.
    pub(super) fn lines(&self, least_not_excluded: impl FnOnce() -> usize) -> Vec<(&'static str, String)> {
        let mut lines = vec![("period", self.period())];
        lines.extend(self.other_lines(least_not_excluded));
        let status = self.status();
        if status.period().is_some() {
            lines.push(("status", status.to_string()));
        }
        lines
    }

    fn grows_for_ever(&self) -> bool {
        self.growth.is_some_and(|growth| growth.is_proven)
    }

    fn growth_in_words(&self, growth: ArithmeticPeriod) -> String {
        let ArithmeticPeriod { start, length, saltus, is_proven } = growth;
        if is_proven {
            return growth_proof(Period { start, length }, saltus);
        }
        let last = self.computed.saturating_sub(length + 1);
        format!(
            "{length} from n = {start} on, not proven: g(n+{length}) = g(n) + {saltus} for n = {start} to {last}"
        )
    }
}

/// Returns the published period of a game, if there is one.
pub fn published(game: RowGame) -> Option<PublishedCode> {
    let values = EqualValues::of(game);
    published_codes::long_periods().find_map(|published| {
        let more = values.more_than(&EqualValues::of(RowGame::Code(published.code)))?;
        Some(PublishedCode { period: shifted(published.period, more), ..published })
    })
}

/// A game with its form, to find games with the same values.
struct EqualValues {
    game: RowGame,
    /// The form, if the game is a code.
    form: Option<CodeForm>,
}

impl EqualValues {
    fn of(game: RowGame) -> Self {
        let form = match game {
            RowGame::Code(code) => CodeForm::of(code),
            RowGame::Window(_) => None,
        };
        Self { game, form }
    }

    /// Returns by how many cards a heap is larger than the heap of another game with the same value; `None` if the
    /// games are not known to have the same values.
    fn more_than(&self, other: &Self) -> Option<i64> {
        if self.game == other.game || self.game.window().is_some_and(|own| other.game.window() == Some(own)) {
            return Some(0);
        }
        self.form?.more_than(&other.form?)
    }
}

/// Returns `period` with a pre-period that is `more` cards longer.
fn shifted(period: Period, more: i64) -> Period {
    Period { start: period.start.saturating_add_signed(more), ..period }
}

/// The certificate files in the repository. The tests verify them.
const FILES: [(&str, &str); 3] = [
    ("docs/certificates/octal.jsonl", include_str!("../../../docs/certificates/octal.jsonl")),
    ("docs/certificates/long.jsonl", include_str!("../../../docs/certificates/long.jsonl")),
    ("docs/certificates/segment.jsonl", include_str!("../../../docs/certificates/segment.jsonl")),
];

/// A period that a certificate proves.
pub struct CertifiedPeriod {
    values: EqualValues,
    pub period: Period,
    file: &'static str,
}

impl CertifiedPeriod {
    pub fn game(&self) -> RowGame {
        self.values.game
    }
}

/// Returns the periods that the certificates in `FILES` prove.
pub fn certificates() -> &'static [CertifiedPeriod] {
    #[derive(Deserialize)]
    struct Line {
        game: String,
        period: Option<u64>,
        pre_period: Option<u64>,
    }

    static CERTIFIED: LazyLock<Vec<CertifiedPeriod>> = LazyLock::new(|| {
        let certified = FILES.into_iter().flat_map(|(file, text)| {
            let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
            lines.filter_map(move |Line { game, period, pre_period }| {
                let period = Period { start: pre_period?, length: period? };
                Some(CertifiedPeriod { values: EqualValues::of(RowGame::read(&game)?), period, file })
            })
        });
        certified.collect()
    });
    &CERTIFIED
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(game: &str) -> String {
        PeriodStatus::unproven(RowGame::read(game).unwrap(), 100).to_string()
    }

    #[test]
    fn texts_of_the_status() {
        // The games include a window, its code, and a code whose cousin has heaps of one card less.
        for (game, period, file) in [
            ("octal 0.16", (105_351, 149_459), "certificates/octal.jsonl"),
            ("segment 1 5", (8_941_813, 650), "certificates/segment.jsonl"),
            ("octal 0.77777", (8_941_813, 650), "certificates/octal.jsonl"),
            ("octal 0.454", (160_949_019, 60_620_715), "certificates/long.jsonl"),
            ("octal 0.1777", (160_949_018, 60_620_715), "certificates/long.jsonl"),
        ] {
            let known = PeriodStatus::known(RowGame::read(game).unwrap()).unwrap();
            assert_eq!(known.period().map(|period| (period.start, period.length)), Some(period), "{game}");
            let checked =
                format!("proven here by a certificate, which grundy table --verify docs/{file} checks");
            assert_eq!(status(game), checked, "{game}");
        }
        assert_eq!(
            status("octal 0.106"),
            "published, not checked here: period 328226140474 from n = 465384263797 on, by an unnamed finder, 2025 (a \
             public list of unsolved octal games)"
        );
        assert_eq!(status("octal 0.6"), "open: no period is known, and the values up to n = 100 show none");
        assert_eq!(status("segment 1 3"), "open: no period is known, and the values up to n = 100 show none");
        assert_eq!(status("octal 0.98"), "open: no period exists, and no arithmetic period is proven");
    }

    /// Checks which games of the published list of open games have a known period: four, as in the atlas.
    #[test]
    fn open_games_with_a_known_period() {
        assert!(certificates().len() > 200);
        let solved =
            published_codes::open().filter(|&code| PeriodStatus::known(RowGame::Code(code)).is_some());
        let solved: Vec<String> = solved.map(|code| code.to_string()).collect();
        assert_eq!(solved, ["4.064", "4.344", "4.364", "4.406"]);
    }
}
