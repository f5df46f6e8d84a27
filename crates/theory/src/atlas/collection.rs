//! Collects the games of sweeps, and keeps the best line of each game.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::ensure;
use itertools::Itertools;
use zeroxor::OctalCode;

use super::cells::{length_of, number};
use crate::row_game::RowGame;
use crate::sweep::{Family, Status, SweepGame, SweepRecord, cousins_of};

/// The advice for lines that contradict each other.
const VERIFY: &str = "\"grundy table --verify FILE\" shows which line is right";

/// The games of one or more sweeps, each with its findings.
#[derive(Debug, Default)]
pub struct Collection {
    /// The games, keyed by their rules, such as `segment 1 3`.
    games: BTreeMap<String, Entry>,
    /// The number of games of each sweep, keyed by the arguments of `grundy sweep`.
    sweeps: BTreeMap<String, u64>,
}

/// A game of a sweep and its best line.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) game: SweepGame,
    pub(super) record: SweepRecord,
}

impl Entry {
    pub(super) fn code(&self) -> Option<OctalCode> {
        match self.game {
            SweepGame::Row(RowGame::Code(code)) => Some(code),
            _ => None,
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match self.game {
            SweepGame::Row(RowGame::Window(_)) => Kind::Window,
            SweepGame::Row(RowGame::Code(_)) => Kind::Code,
            SweepGame::Subtract(_) => Kind::SubtractionSet,
        }
    }
}

impl Collection {
    /// Adds a line of a sweep. Of two lines about the same game, keeps the line that solves the game, or else the line
    /// that reaches a larger heap. The kept line gets the cousins of both lines.
    ///
    /// # Errors
    ///
    /// If the line has invalid rules, or contradicts another line about the same game.
    pub fn add(&mut self, record: SweepRecord) -> anyhow::Result<()> {
        let game = record.rules()?;
        if let Some(origin) = &record.origin {
            self.sweeps.insert(origin.sweep.clone(), origin.games);
        }
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
        let cousins = earlier.record.cousins.iter().chain(&record.cousins).unique().cloned().collect();
        if rank(&record) > rank(&earlier.record) {
            earlier.record = record;
        }
        earlier.record.cousins = cousins;
        Ok(())
    }

    /// Writes the line of each game, without the fields of its sweep. Omits the cousins of codes, because
    /// [`group_codes`](Self::group_codes) finds them again.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
    pub(crate) fn write_lines(&self, out: &mut impl Write) -> io::Result<()> {
        for entry in self.all() {
            let mut record = entry.record.clone();
            record.origin = None;
            if entry.code().is_some() {
                record.cousins.clear();
            }
            serde_json::to_writer(&mut *out, &record)?;
            writeln!(out)?;
        }
        Ok(())
    }

    /// Finds the cousins of the codes among all codes with as many digits as the longest code or fewer. Of the cousins
    /// in the collection, keeps only the code with the best line. Returns the names of the removed games, each with
    /// the name of the kept game.
    fn group_codes(&mut self) -> Vec<(String, String)> {
        /// Maximum number of digits after the point of a cousin: there are 65,535 codes with five digits or fewer.
        const MAX_DIGITS: usize = 5;
        let digits = self.games.values().filter_map(|entry| Some(entry.code()?.digits().len() - 1));
        let digits = digits.max().map(|digits| digits.min(MAX_DIGITS));
        let mut removed = Vec::new();
        for class in digits.map_or(Vec::new(), |digits| Family::Octal { digits }.classes()) {
            let codes = class.codes();
            let lines = codes.iter().filter_map(|code| self.games.remove(&RowGame::Code(*code).to_string()));
            let mut lines = lines.sorted_by_key(|entry| Reverse(rank(&entry.record)));
            let Some(mut best) = lines.next() else { continue };
            let game = best.record.game.clone();
            removed.extend(lines.map(|entry| (entry.record.game, game.clone())));
            if let Some(code) = best.code() {
                best.record.cousins = cousins_of(code, codes);
            }
            self.games.insert(game, best);
        }
        removed
    }

    /// Removes each game that is a cousin of a kept game. Of codes with the same values, keeps the code with the best
    /// line; of other games, removes those that another line lists as cousins. Returns the names of the removed games,
    /// each with the name of the kept game.
    pub(crate) fn remove_cousins(&mut self) -> Vec<(String, String)> {
        let mut removed = self.group_codes();
        let cousins = self.games.values().flat_map(|Entry { record, .. }| {
            let names = record.cousins.iter().filter_map(|cousin| cousin.split(" at ").next());
            names.map(|name| (name.to_owned(), record.game.clone()))
        });
        for (cousin, game) in cousins.collect_vec() {
            if self.games.remove(&cousin).is_some() {
                removed.push((cousin, game));
            }
        }
        removed
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
        let mut games: Vec<&Entry> = self.games.values().filter(|entry| entry.kind() == kind).collect();
        games.sort_by_key(|entry| order(&entry.game));
        games
    }
}

/// Returns the sort key of the lines about a game: the best line has the largest key.
fn rank(record: &SweepRecord) -> (bool, u64) {
    (record.found.status == Status::Solved, record.found.n)
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

    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Window => "Windows",
            Self::Code => "Codes",
            Self::SubtractionSet => "Subtraction sets",
        }
    }
}

/// Returns the sort key of a game: R and L for a window; the digit before the point, the number of digits and the
/// digits for a code; the numbers for a subtraction set.
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
