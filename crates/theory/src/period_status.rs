//! What is known of the period of a game, and who has proven it. All texts about that are here.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::LazyLock;

use serde::Deserialize;
use zeroxor::grundy::octal::ArithmeticPeriod;
use zeroxor::grundy::segment::Period;

use super::code_form::CodeForm;
use super::published_codes::{self, PublishedCode};
use super::row_game::RowGame;

/// What is known of the period of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeriodStatus {
    /// The values of this run prove it.
    ProvenByRun,
    /// A certificate in the repository proves it.
    ProvenByCertificate {
        period: Period,
        /// The file of the certificate, in the repository.
        file: &'static str,
    },
    /// It is published, and nothing here proves it.
    Published(PublishedCode),
    /// No period is known, and none shows up to the heap `to`.
    Open { to: u64 },
    /// It is proven that there is no period, and no arithmetic period is proven.
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
            Self::Open { to } => write!(f, "open: no period known; none shows up to n = {to}"),
            Self::OpenGrowth => f.write_str("open: no period exists, and no arithmetic period is proven"),
        }
    }
}

impl PeriodStatus {
    /// The period, of those that this run does not prove.
    pub fn period(&self) -> Option<Period> {
        match self {
            Self::ProvenByCertificate { period, .. } | Self::Published(PublishedCode { period, .. }) => {
                Some(*period)
            }
            Self::ProvenByRun | Self::Open { .. } | Self::OpenGrowth => None,
        }
    }

    /// What is known of the period of a game whose values up to `to` prove none.
    pub(crate) fn unproven(game: RowGame, to: u64) -> Self {
        if game.never_repeats() { Self::OpenGrowth } else { Self::known(game).unwrap_or(Self::Open { to }) }
    }

    /// The period of a game that a certificate proves, or else the one that is published, if there is one.
    pub fn known(game: RowGame) -> Option<Self> {
        let values = EqualValues::of(game);
        let certified = certificates().iter().find_map(|kept| {
            let more = values.more_than(&kept.values)?;
            Some(Self::ProvenByCertificate { period: later(kept.period, more), file: kept.file })
        });
        certified.or_else(|| published(game).map(Self::Published))
    }
}

/// A proven period: a period later each value is larger by the saltus, or the same if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenPeriod {
    pub period: Period,
    pub(crate) saltus: Option<NonZeroU64>,
}

impl ProvenPeriod {
    /// This period of a game in words, with the proof.
    pub(super) fn proof(self, game: RowGame) -> String {
        match self.saltus {
            Some(saltus) => format!("arithmetic period {}", growth_proof(self.period, saltus.get())),
            None => format!("period {}", game.proof(self.period)),
        }
    }
}

/// A proven arithmetic period in words.
fn growth_proof(Period { start, length }: Period, saltus: u64) -> String {
    format!("{length} from n = {start} on, proven: g(n+{length}) = g(n) + {saltus} for all n >= {start}")
}

/// The report on the period of a game from its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeriodReport {
    pub(super) game: RowGame,
    /// The largest heap of the table.
    pub(super) to: u64,
    /// Number of values that were computed, which may be less.
    pub(super) computed: u64,
    /// The period that they prove.
    pub(super) period: Option<Period>,
    /// Their arithmetic period, proven or not.
    pub(super) growth: Option<ArithmeticPeriod>,
}

impl PeriodReport {
    /// The period that is proven, arithmetic or not.
    pub(super) fn proven(&self) -> Option<ProvenPeriod> {
        let of_growth = |growth: ArithmeticPeriod| ProvenPeriod {
            period: Period { start: growth.start, length: growth.length },
            saltus: NonZeroU64::new(growth.saltus),
        };
        let growth = || self.growth.filter(|growth| growth.is_proven).map(of_growth);
        self.period.map(|period| ProvenPeriod { period, saltus: None }).or_else(growth)
    }

    /// What is known of the period, from the values or from elsewhere.
    pub(crate) fn status(&self) -> PeriodStatus {
        match self.proven() {
            Some(_) => PeriodStatus::ProvenByRun,
            None => PeriodStatus::unproven(self.game, self.to),
        }
    }

    /// The period in words, or why there is none.
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

    /// More lines, name by name: the arithmetic period, and the least number that they do not exclude as a
    /// period.
    pub(crate) fn other_lines(
        &self,
        least_not_excluded: impl FnOnce() -> usize,
    ) -> Vec<(&'static str, String)> {
        let growth = self.growth.map(|growth| ("arithmetic period", self.growth_in_words(growth)));
        let is_open = self.period.is_none() && !self.grows_for_ever() && !self.game.never_repeats();
        let least = is_open.then(|| ("least period not excluded", least_not_excluded().to_string()));
        growth.into_iter().chain(least).collect()
    }

    /// The lines of a summary, name by name.
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

/// The published period of a game.
pub fn published(game: RowGame) -> Option<PublishedCode> {
    let values = EqualValues::of(game);
    published_codes::long_periods().find_map(|published| {
        let more = values.more_than(&EqualValues::of(RowGame::Code(published.code)))?;
        Some(PublishedCode { period: later(published.period, more), ..published })
    })
}

/// The properties by which games are known to have the same values.
struct EqualValues {
    game: RowGame,
    /// Of a code.
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

    /// How many cards more the heaps have than those of another game with the same values; `None` if these are not known to be
    /// the same.
    fn more_than(&self, other: &Self) -> Option<i64> {
        if self.game == other.game || self.game.window().is_some_and(|own| other.game.window() == Some(own)) {
            return Some(0);
        }
        self.form?.more_than(&other.form?)
    }
}

/// The period, with a pre-period that is longer by `more` cards.
fn later(period: Period, more: i64) -> Period {
    Period { start: period.start.saturating_add_signed(more), ..period }
}

/// The files of certificates in the repository. The tests verify them.
const FILES: [(&str, &str); 3] = [
    ("docs/certificates/octal.jsonl", include_str!("../../../docs/certificates/octal.jsonl")),
    ("docs/certificates/long.jsonl", include_str!("../../../docs/certificates/long.jsonl")),
    ("docs/certificates/segment.jsonl", include_str!("../../../docs/certificates/segment.jsonl")),
];

/// A period that a certificate proves.
pub struct Kept {
    values: EqualValues,
    pub period: Period,
    file: &'static str,
}

impl Kept {
    pub fn game(&self) -> RowGame {
        self.values.game
    }
}

/// The periods that the certificates in `FILES` prove.
pub fn certificates() -> &'static [Kept] {
    #[derive(Deserialize)]
    struct Line {
        game: String,
        period: Option<u64>,
        pre_period: Option<u64>,
    }

    static KEPT: LazyLock<Vec<Kept>> = LazyLock::new(|| {
        let kept = FILES.into_iter().flat_map(|(file, text)| {
            let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
            lines.filter_map(move |Line { game, period, pre_period }| {
                let period = Period { start: pre_period?, length: period? };
                Some(Kept { values: EqualValues::of(RowGame::read(&game)?), period, file })
            })
        });
        kept.collect()
    });
    &KEPT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(game: &str) -> String {
        PeriodStatus::unproven(RowGame::read(game).unwrap(), 100).to_string()
    }

    #[test]
    fn three_states() {
        // A window, its code, and a cousin whose heaps have one card less.
        for (game, period, file) in [
            ("octal 0.16", (105_351, 149_459), "certificates/octal.jsonl"),
            ("segment 1 5", (8_941_813, 650), "certificates/segment.jsonl"),
            ("octal 0.77777", (8_941_813, 650), "certificates/segment.jsonl"),
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
        assert_eq!(status("octal 0.6"), "open: no period known; none shows up to n = 100");
        assert_eq!(status("segment 1 3"), "open: no period known; none shows up to n = 100");
        assert_eq!(status("octal 0.98"), "open: no period exists, and no arithmetic period is proven");
    }

    /// No game of the list without a period has one here but those that the atlas names.
    #[test]
    fn the_lists_agree() {
        assert!(certificates().len() > 200);
        let solved =
            published_codes::open().filter(|&code| PeriodStatus::known(RowGame::Code(code)).is_some());
        let solved: Vec<String> = solved.map(|code| code.to_string()).collect();
        assert_eq!(solved, ["4.064", "4.344", "4.364", "4.406"]);
    }
}
