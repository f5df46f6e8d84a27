//! Collects the games of sweeps, each with its best line.

use std::collections::BTreeMap;

use anyhow::ensure;

use super::cells::{length_of, number};
use crate::row_game::RowGame;
use crate::sweep::{Status, SweepGame, SweepRecord};

/// The advice for lines that contradict each other.
const VERIFY: &str = "\"grundy table --verify FILE\" shows which is right";

/// The games of one or more sweeps, each with its findings.
#[derive(Debug, Default)]
pub struct Collection {
    /// The games, keyed by their rules in the header's words.
    games: BTreeMap<String, Entry>,
    /// The number of games of each sweep, keyed by the name of the sweep.
    sweeps: BTreeMap<String, u64>,
}

/// A game of a sweep and its line.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) game: SweepGame,
    pub(super) record: SweepRecord,
}

impl Collection {
    /// Adds a line of a sweep. Of two lines about the same game, keeps the line that solves it, or else the line that
    /// reaches farther, with the cousins of both lines.
    ///
    /// # Errors
    ///
    /// If the line has invalid rules, or contradicts another line about the same game.
    pub fn add(&mut self, record: SweepRecord) -> anyhow::Result<()> {
        let game = record.rules()?;
        self.sweeps.insert(record.sweep.clone(), record.games);
        let Some(earlier) = self.games.get_mut(&record.game) else {
            self.games.insert(record.game.clone(), Entry { game, record });
            return Ok(());
        };
        let [found, known] = [&record.found, &earlier.record.found];
        if let (Some(one), Some(other)) = (found.proven(), known.proven()) {
            let game = &record.game;
            ensure!(
                one == other,
                "the lines about {game} contradict each other: the periods are {} from n = {} on and {} from n = {} on; \
                 {VERIFY}",
                length_of(one),
                number(one.period.start),
                length_of(other),
                number(other.period.start)
            );
            ensure!(
                found.n != known.n || found.sha256 == known.sha256,
                "the lines about {game} contradict each other: the hashes of the values that prove the period differ; \
                 {VERIFY}"
            );
        }
        let rank = |record: &SweepRecord| (record.found.status == Status::Solved, record.found.n);
        let mut cousins = earlier.record.cousins.clone();
        cousins.extend(
            record.cousins.iter().filter(|&cousin| !earlier.record.cousins.contains(cousin)).cloned(),
        );
        if rank(&record) > rank(&earlier.record) {
            earlier.record = record;
        }
        earlier.record.cousins = cousins;
        Ok(())
    }

    /// Removes each game that is listed as a cousin of another game, even if its own line reaches farther. Such a line
    /// comes from another sweep, for example one of listed codes. Returns the names of the removed games, each with the
    /// name of the other game.
    pub(crate) fn remove_cousins(&mut self) -> Vec<(String, String)> {
        let mut cousins = Vec::new();
        for Entry { record, .. } in self.games.values() {
            for cousin in &record.cousins {
                let name = cousin.split_once(" at ").map_or(cousin.as_str(), |(name, _)| name);
                // The cousins of a code are named without the first word.
                let kind = record.game.split_once(' ').map_or("", |(kind, _)| kind);
                let names = [name.to_owned(), format!("{kind} {name}")];
                cousins.extend(names.into_iter().map(|name| (name, record.game.clone())));
            }
        }
        cousins.retain(|(name, _)| self.games.remove(name).is_some());
        cousins
    }

    /// Checks whether the collection has no game.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns the sweeps, each with the number of its games. Games with equal values count once.
    pub(super) fn sweeps(&self) -> impl Iterator<Item = (&str, u64)> {
        self.sweeps.iter().map(|(words, &games)| (words.as_str(), games))
    }

    /// Returns all games, kind by kind.
    pub(super) fn all(&self) -> Vec<&Entry> {
        Kind::ALL.into_iter().flat_map(|kind| self.of(kind)).collect()
    }

    /// Returns the games of a kind, in the order of a sweep.
    pub(super) fn of(&self, kind: Kind) -> Vec<&Entry> {
        let mut games: Vec<&Entry> =
            self.games.values().filter(|entry| Kind::of(&entry.game) == kind).collect();
        games.sort_by_key(|entry| order(&entry.game));
        games
    }
}

/// A kind of game.
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

/// Returns the sort key of a game: R and L for a window; the digit before the point, the number of digits and the
/// digits for a code; the numbers for a set.
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
