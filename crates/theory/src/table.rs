//! A table: the values of a game's heaps.

use std::sync::Arc;
use std::time::{Duration, Instant};

use itertools::Either;
use zeroxor::grundy::segment::Period;
use zeroxor::grundy::{self, Budget, GrundyTable, TableError, ValueKind};
use zeroxor::rules::{Heap, Rules};
use zeroxor::{GameSpec, Nimber};

use super::definition;
use super::heaps::Heaps;
use super::value::{Value, ValueStructure};
use common::progress::Progress;

/// Maximum number of nimbers requested at a time.
const MAX_GROUP: usize = 1 << 12;

/// The nimbers or the outcomes of a game's heaps.
pub struct Table {
    rules: Arc<dyn Rules>,
    /// The rules without sizes, such as `square ban 4`.
    pub(super) game: String,
    pub(super) heaps: Heaps,
    /// Whether the table has nimbers, or only outcomes.
    pub(super) kind: ValueKind,
    values: Box<dyn GrundyTable>,
    /// The heaps whose values were compared with the definition.
    pub(super) checked: Option<Heaps>,
    /// The structure that a plot marks.
    pub(super) structure: ValueStructure,
    /// Additional lines of a summary: the name and the text of each.
    pub(super) notes: Vec<(&'static str, String)>,
    /// The time of the computation, except for values that are computed only when they are requested.
    pub(super) time: Duration,
}

impl Table {
    /// Computes the values of these heaps, ignoring the sizes in `game`. On a terminal a bar shows the progress.
    ///
    /// # Errors
    ///
    /// If the game is a sum or invalid, or the values cost more than the budget.
    pub fn compute(
        game: &GameSpec,
        heaps: Heaps,
        kind: ValueKind,
        mut budget: Budget,
    ) -> anyhow::Result<Self> {
        let progress = Progress::new(heaps.to());
        let start = Instant::now();
        let values = grundy::table(game, heaps.largest(), kind, &mut budget, &mut |n| progress.reach(n));
        let values = values.map_err(|error| match error {
            TableError::TooLarge(error) => error.into(),
            error => anyhow::Error::from(error),
        })?;
        Self::new(game, heaps, kind, values, start.elapsed())
    }

    /// Makes a table of values whose computation took `time`.
    pub(super) fn new(
        game: &GameSpec,
        heaps: Heaps,
        kind: ValueKind,
        values: Box<dyn GrundyTable>,
        time: Duration,
    ) -> anyhow::Result<Self> {
        let (rules, _) = game.rules()?;
        let game = rules.words();
        Ok(Self {
            rules,
            game,
            heaps,
            kind,
            values,
            checked: None,
            structure: ValueStructure::default(),
            notes: Vec::new(),
            time,
        })
    }

    /// Adds the line about the period to the summary, and the period to the structure that a plot marks.
    pub(crate) fn note_period(&mut self, period: Option<Period>, text: String) {
        self.structure.is_period_wanted = true;
        self.structure.period = period;
        self.note("period", text);
    }

    /// Adds a line to the summary.
    pub fn note(&mut self, name: &'static str, text: String) {
        self.notes.push((name, text));
    }

    /// Compares the values of the heaps up to `bound` with the definition.
    ///
    /// # Errors
    ///
    /// `Incorrect` at the first heap whose value differs.
    pub fn check(&mut self, bound: u64) -> anyhow::Result<()> {
        let heaps = self.heaps.bounded(bound);
        definition::check(self.rules.as_ref(), heaps.iter(), |heap| self.nimber(heap), self.kind)?;
        self.checked = Some(heaps);
        Ok(())
    }

    /// Returns the nimber of a heap. In a table of outcomes one nonzero nimber may represent all nonzero nimbers.
    pub(super) fn nimber(&self, heap: Heap) -> Nimber {
        self.values.nimber(heap)
    }

    /// Returns the nimbers of all heaps, in the order of the heaps.
    pub(super) fn nimbers(&self) -> impl Iterator<Item = Nimber> {
        self.groups().flatten()
    }

    /// Returns the nimbers of all heaps in groups. For pairs, a group has all nimbers with the same first number.
    pub(super) fn groups(&self) -> impl Iterator<Item = Vec<Nimber>> {
        match self.heaps {
            Heaps::Sizes(to) => {
                let mut p_positions = self.p_positions().peekable();
                Either::Left((0..=to).step_by(MAX_GROUP).map(move |from| {
                    let len = usize::try_from(to - from).map_or(MAX_GROUP, |more| MAX_GROUP.min(more + 1));
                    let mut nimbers = vec![Nimber::ZERO; len];
                    match self.kind {
                        ValueKind::Nimber => self.values.fill(from, &mut nimbers),
                        ValueKind::Outcome => (from..).zip(&mut nimbers).for_each(|(n, nimber)| {
                            *nimber = Nimber(p_positions.next_if_eq(&n).is_none().into());
                        }),
                    }
                    nimbers
                }))
            }
            Heaps::Pairs(to) => Either::Right(
                (1..=to).map(move |size| (1..=to).map(|second| self.nimber(Heap { size, second })).collect()),
            ),
        }
    }

    /// Returns the heaps with their values.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Heap, Value)> {
        let mut heaps = self.heaps.iter();
        self.nimbers().map_while(move |nimber| Some((heaps.next()?, Value::of(self.kind, nimber))))
    }

    /// Returns the sizes that are P-positions, for a game whose heaps have one size.
    pub(super) fn p_positions(&self) -> impl Iterator<Item = u64> {
        self.values.p_positions(self.heaps.count())
    }
}
