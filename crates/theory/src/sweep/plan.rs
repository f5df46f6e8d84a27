//! The plan of a sweep: which games, by their numbers, and how far each is looked at.

use super::bounds::Bounds;
use super::family::{Family, GameClass};
use super::look::look_at;
use super::record::SweepRecord;
use common::shards::RunLabel;

/// The games of a sweep.
#[derive(Debug)]
pub struct SweepPlan {
    family: Family,
    bounds: Bounds,
    classes: Vec<GameClass>,
    /// What its lines say of the sweep.
    pub label: RunLabel,
}

impl SweepPlan {
    pub fn new(family: Family, bounds: Bounds) -> Self {
        let classes = family.classes();
        let text = format!("{family} {} {} {}", bounds.to, bounds.steps, bounds.memory);
        Self { family, bounds, classes, label: RunLabel::of(text.as_bytes()) }
    }

    /// What tells the sweep from others: the same family with the same bounds is the same sweep.
    pub fn run(&self) -> &str {
        &self.label.run
    }

    /// How many games there are, equal ones counted once.
    pub fn len(&self) -> u64 {
        self.classes.len() as u64
    }

    /// A game by its number.
    pub fn class(&self, index: u64) -> Option<&GameClass> {
        self.classes.get(usize::try_from(index).ok()?)
    }

    /// Looks at a game; `None` if there is none of this number.
    pub(super) fn look_at(&self, index: u64) -> Option<SweepRecord> {
        let class = self.class(index)?;
        let found = look_at(&class.game, &self.bounds);
        Some(SweepRecord::new(&self.family, &self.label, (index, self.len()), class, found))
    }
}
