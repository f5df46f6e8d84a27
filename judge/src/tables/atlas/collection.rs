//! The games of sweeps: of each the best that was found.

use std::collections::BTreeMap;

use anyhow::ensure;

use super::cells::{length_of, number};
use crate::tables::row_game::RowGame;
use crate::tables::sweep::{Status, SweepGame, SweepRecord};

/// The games of one or more sweeps, and what is known of each.
#[derive(Debug, Default)]
pub(crate) struct Collection {
    /// By the rules in the header's words.
    games: BTreeMap<String, Entry>,
    /// The words of each sweep, with how many games it has.
    sweeps: BTreeMap<String, u64>,
}

/// A game with its place in the order of its family.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) game: SweepGame,
    pub(super) record: SweepRecord,
}

impl Collection {
    /// Adds a line of a sweep. Of two lines about one game the one that solves it counts, else the one that goes farther.
    ///
    /// # Errors
    ///
    /// If the line names no game, or contradicts another one.
    pub(crate) fn add(&mut self, record: SweepRecord) -> anyhow::Result<()> {
        let game = record.rules()?;
        self.sweeps.insert(record.sweep.clone(), record.games);
        let Some(earlier) = self.games.get_mut(&record.game) else {
            self.games.insert(record.game.clone(), Entry { game, record });
            return Ok(());
        };
        let [found, known] = [&record.found, &earlier.record.found];
        if let (Some(one), Some(other)) = (found.proven(), known.proven()) {
            ensure!(
                one == other && (found.n != known.n || found.sha256 == known.sha256),
                "the lines about {} contradict each other: the periods are {} from n = {} on and {} from n = {} on; \
                 \"judge table --verify FILE\" shows which is right",
                record.game,
                length_of(one),
                number(one.period.start),
                length_of(other),
                number(other.period.start)
            );
        }
        let rank = |record: &SweepRecord| (record.found.status == Status::Solved, record.found.n);
        let mut cousins = [record.cousins.clone(), earlier.record.cousins.clone()];
        cousins.sort_by_key(Vec::len);
        if rank(&record) > rank(&earlier.record) {
            earlier.record = record;
        }
        earlier.record.cousins = cousins.into_iter().next_back().unwrap_or_default();
        Ok(())
    }

    /// Whether no line was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The sweeps, and how many games each has, equal ones counted once.
    pub(super) fn sweeps(&self) -> impl Iterator<Item = (&str, u64)> {
        self.sweeps.iter().map(|(words, &games)| (words.as_str(), games))
    }

    /// All games, kind by kind.
    pub(super) fn all(&self) -> Vec<&Entry> {
        Kind::ALL.into_iter().flat_map(|kind| self.of(kind)).collect()
    }

    /// The games of a kind, in the order of a sweep.
    pub(super) fn of(&self, kind: Kind) -> Vec<&Entry> {
        let mut games: Vec<&Entry> =
            self.games.values().filter(|entry| Kind::of(&entry.game) == kind).collect();
        games.sort_by_key(|entry| order(&entry.game));
        games
    }
}

/// The kinds of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Window,
    Code,
    SubtractionSet,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Window, Self::Code, Self::SubtractionSet];

    fn of(game: &SweepGame) -> Self {
        match game {
            SweepGame::Row(RowGame::Window(_)) => Self::Window,
            SweepGame::Row(RowGame::Code(_)) => Self::Code,
            SweepGame::Subtract(_) => Self::SubtractionSet,
        }
    }

    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Window => "Windows",
            Self::Code => "Codes",
            Self::SubtractionSet => "Subtraction sets",
        }
    }
}

/// The place of a game: windows by R and L, codes by their digits, 0 before the point first, sets by their numbers.
fn order(game: &SweepGame) -> Vec<u64> {
    match game {
        SweepGame::Row(RowGame::Window(window)) => vec![window.r(), window.l()],
        SweepGame::Row(RowGame::Code(code)) => {
            let mut key = vec![code.digit(0).into(), code.digits().len() as u64];
            key.extend(code.digits().iter().map(|&digit| u64::from(digit)));
            key
        }
        SweepGame::Subtract(takes) => takes.clone(),
    }
}
