//! The games that have been played or recorded.

use std::collections::BTreeMap;

use anyhow::ensure;

use crate::arena::record::GameRecord;

/// Games, ordered by run and number.
#[derive(Debug, Default)]
pub(crate) struct Games(BTreeMap<(String, u64), GameRecord>);

impl Games {
    /// Adds a game, unless it has already been added.
    ///
    /// # Errors
    ///
    /// If the game was already added with another result, or does not match the other game of its pair.
    pub(crate) fn add(&mut self, record: GameRecord) -> anyhow::Result<()> {
        let key = |index: u64| (record.run.clone(), index);
        if let Some(known) = self.0.get(&key(record.index)) {
            ensure!(
                known.is_same_game(&record),
                "game {} of the run {} is recorded twice, with different results",
                record.index,
                record.run
            );
            return Ok(());
        }
        if let Some(other) = self.0.get(&key(record.index ^ 1)) {
            other.check_pair(&record)?;
        }
        self.0.insert(key(record.index), record);
        Ok(())
    }

    /// Removes the games from number `end` on.
    pub(crate) fn truncate(&mut self, end: u64) {
        self.0.retain(|&(_, index), _| index < end);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &GameRecord> {
        self.0.values()
    }

    /// The pairs of games that have both been played. In the first game of a pair, the first bot moves first.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = [&GameRecord; 2]> {
        let firsts = self.iter().filter(|game| game.index.is_multiple_of(2));
        firsts.filter_map(|one| Some([one, self.0.get(&(one.run.clone(), one.index + 1))?]))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
