//! The nimbers of rows, and the period that they prove.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use itertools::Either;
use zeroxor::grundy::octal::{ArithmeticPeriod, CodeSequence};
use zeroxor::grundy::segment::{Period, Sequence, SparseSpace};
use zeroxor::grundy::{Budget, GrundyTable, TooLarge, ValueKind};

use super::excluded::least_not_excluded;
use super::heaps::Heaps;
use super::period_status::PeriodStatus;
use super::row_game::RowGame;
use super::table::Table;
use super::value_structure::rare_values;
use common::progress::Progress;

/// What the nimbers of rows may cost: 4 GiB, and as many steps as they take, for a bar shows how far they are.
pub(super) const BUDGET: Budget = Budget::new(u128::MAX, 4 << 30);

/// The nimbers of rows up to a length.
pub struct Rows {
    pub(super) game: RowGame,
    to: u64,
    values: Values,
    time: Duration,
    /// Whether the period is wanted.
    with_period: bool,
    /// The least period that the values prove, if it is wanted and they prove one.
    pub period: Option<Period>,
}

/// A proven period: a period later each value is larger by the saltus; without one it is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenPeriod {
    pub period: Period,
    pub(crate) saltus: Option<NonZeroU64>,
}

/// A proven arithmetic period in words.
fn growth_proof(Period { start, length }: Period, saltus: u64) -> String {
    format!("{length} from n = {start} on, proven: g(n+{length}) = g(n) + {saltus} for all n >= {start}")
}

/// Nimbers as the engine gives them.
enum Values {
    Window(Sequence),
    Code(CodeSequence),
}

impl ProvenPeriod {
    /// This period of a game in words, and what proves it.
    pub(super) fn proof(self, game: RowGame) -> String {
        match self.saltus {
            Some(saltus) => format!("arithmetic period {}", growth_proof(self.period, saltus.get())),
            None => format!("period {}", game.proof(self.period)),
        }
    }
}

impl Rows {
    /// Computes the nimbers of the rows of 0 to `to` cards, and the period that they prove if it is wanted. Where the
    /// period is known no more values are computed than it takes, or than prove it. On a terminal a bar shows how far
    /// that is.
    ///
    /// # Errors
    ///
    /// If the values, or the proof of a period from them, take more memory than a table may.
    pub fn compute(game: RowGame, to: u64, with_period: bool) -> anyhow::Result<Self> {
        let progress = Progress::new(Self::computed(game, to, with_period));
        Ok(Self::within(game, to, with_period, &mut BUDGET.clone(), &mut |n| progress.reach(n))?)
    }

    /// As [`compute`](Self::compute), if it costs no more than the budget, from which its cost is taken; from time to time
    /// `progress` is told up to which length the values are known.
    ///
    /// # Errors
    ///
    /// If it costs more.
    pub(super) fn within(
        game: RowGame,
        to: u64,
        with_period: bool,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        let computed = Self::computed(game, to, with_period);
        if with_period {
            let what = || format!("the proof of a period from \"{game}\" up to {to}");
            budget.allows(what, 0, Period::bytes(computed))?;
        }
        let start = Instant::now();
        let values = match (game, game.window()) {
            (RowGame::Window(window), _) | (RowGame::Code(_), Some(window)) => {
                Values::Window(Sequence::within(window, computed, budget, progress)?.repeating())
            }
            (RowGame::Code(code), None) => {
                Values::Code(CodeSequence::repeating(code, computed, budget, progress)?)
            }
        };
        let time = start.elapsed();
        let period = with_period.then(|| values.proven_period(game)).flatten();
        Ok(Self { game, to, values, time, with_period, period })
    }

    /// Up to which length values are computed.
    fn computed(game: RowGame, to: u64, with_period: bool) -> u64 {
        match game.known_period() {
            Some(period) if with_period => {
                to.min(u64::try_from(period.values_needed(game.move_bounds())).unwrap_or(u64::MAX))
            }
            None if with_period => to,
            _ => game.window().map_or(to, |window| Sequence::computed(window, to)),
        }
    }

    /// The first so many values; `None` if not so many were computed.
    pub(super) fn first_values(&self, count: u128) -> Option<impl Iterator<Item = u32>> {
        let count = usize::try_from(count).ok().filter(|&count| count <= self.values.len())?;
        Some(self.values().take(count))
    }

    /// The values that were computed, from 0 on.
    pub(super) fn values(&self) -> impl Iterator<Item = u32> {
        match &self.values {
            Values::Window(values) => Either::Left(values.values().iter().copied()),
            Values::Code(values) => Either::Right(values.values().iter().copied().map(u32::from)),
        }
    }

    /// How many values were computed.
    pub(super) fn len(&self) -> u64 {
        self.values.len() as u64
    }

    /// The least number that the values do not exclude as a period.
    pub(crate) fn least_period_not_excluded(&self) -> usize {
        least_not_excluded(self.game, self.values())
    }

    /// How the values grow, if they grow by the same number again and again.
    fn arithmetic_period(&self) -> Option<ArithmeticPeriod> {
        match &self.values {
            Values::Window(_) => None,
            Values::Code(values) => values.arithmetic_period(),
        }
    }

    /// The period that the values prove, arithmetic or not, if it is wanted and they prove one.
    pub(crate) fn proven_period(&self) -> Option<ProvenPeriod> {
        let of_growth = |growth: ArithmeticPeriod| ProvenPeriod {
            period: Period { start: growth.start, length: growth.length },
            saltus: NonZeroU64::new(growth.saltus),
        };
        let growth =
            || self.arithmetic_period().filter(|growth| growth.is_proven && self.with_period).map(of_growth);
        self.period.map(|period| ProvenPeriod { period, saltus: None }).or_else(growth)
    }

    /// What is known of the period, from these values or from elsewhere.
    pub fn period_status(&self) -> PeriodStatus {
        match self.proven_period() {
            Some(_) => PeriodStatus::ProvenByRun,
            None => PeriodStatus::unproven(self.game, self.to),
        }
    }

    /// The period in words, or why there is none.
    pub(crate) fn period_in_words(&self) -> String {
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

    /// What else the values show of a period, name by name: the arithmetic period, and the least number that is not excluded.
    pub(crate) fn other_period_lines(&self) -> Vec<(&'static str, String)> {
        let growth =
            self.arithmetic_period().map(|growth| ("arithmetic period", self.growth_in_words(growth)));
        let is_open = self.period.is_none() && !self.grows_for_ever() && !self.game.never_repeats();
        let least =
            is_open.then(|| ("least period not excluded", self.least_period_not_excluded().to_string()));
        growth.into_iter().chain(least).collect()
    }

    fn grows_for_ever(&self) -> bool {
        self.arithmetic_period().is_some_and(|growth| growth.is_proven)
    }

    fn growth_in_words(&self, growth: ArithmeticPeriod) -> String {
        let ArithmeticPeriod { start, length, saltus, is_proven } = growth;
        if is_proven {
            return growth_proof(Period { start, length }, saltus);
        }
        let last = self.len().saturating_sub(length + 1);
        format!(
            "{length} from n = {start} on, not proven: g(n+{length}) = g(n) + {saltus} for n = {start} to {last}"
        )
    }

    /// The sparse space in which the values were found, if there was one.
    pub fn space(&self) -> Option<SparseSpace> {
        match &self.values {
            Values::Window(values) => values.space(),
            Values::Code(values) => values.space(),
        }
    }

    /// Whether what is rare changes with every card.
    pub(crate) fn is_by_place(&self) -> bool {
        match &self.values {
            Values::Window(_) => false,
            Values::Code(values) => values.is_by_place(),
        }
    }

    /// The table of these nimbers, with the sparse space and the period in its summary.
    ///
    /// # Errors
    ///
    /// If the rules are no game.
    pub(crate) fn into_table(self) -> anyhow::Result<Table> {
        let (space, is_by_place) = (self.space(), self.is_by_place());
        let period_lines = self.with_period.then(|| (self.period_in_words(), self.other_period_lines()));
        let status =
            self.with_period.then(|| self.period_status()).filter(|status| status.period().is_some());
        let Self { game, to, values, time, period, .. } = self;
        let values = values.into_table();
        let mut table = Table::new(&game.spec(), Heaps::Sizes(to), ValueKind::Nimber, values, time)?;
        table.structure.space = space;
        if let Some(space) = space {
            table.note("rare values", rare_values(space, is_by_place, None));
        }
        if let Some((text, others)) = period_lines {
            table.note_period(period, text);
            for (name, text) in others {
                table.note(name, text);
            }
            if let Some(status) = status {
                table.note("status", status.to_string());
            }
        }
        Ok(table)
    }
}

impl Values {
    /// How many were computed.
    fn len(&self) -> usize {
        match self {
            Self::Window(values) => values.values().len(),
            Self::Code(values) => values.values().len(),
        }
    }

    fn proven_period(&self, game: RowGame) -> Option<Period> {
        match self {
            Self::Window(values) => Period::proven(game.move_bounds(), values.values()),
            Self::Code(values) => values.proven_period(),
        }
    }

    fn into_table(self) -> Box<dyn GrundyTable> {
        match self {
            Self::Window(values) => values.into_table(),
            Self::Code(values) => values.into_table(),
        }
    }
}
