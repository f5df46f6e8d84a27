//! Who plays whom: in an order that is fixed before the first game, or in rounds of which each is drawn from the results
//! of those before.

pub(super) mod rounds;
pub(super) mod swiss;

use anyhow::{bail, ensure};
use clap::ValueEnum;
use itertools::Itertools;

use self::rounds::{PairedGame, Rounds};
use super::record::GameRecord;

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Each bot against each other
    RoundRobin,
    /// The first bot against all others
    Gauntlet,
    /// Whoever loses a meeting is out
    Knockout,
    /// In each round bots meet that have done equally well, and none twice
    Swiss,
}

/// Who plays which game. Games are numbered from 0, and games 2k and 2k+1 are a pair with the seats swapped.
#[derive(Debug)]
pub(crate) enum Pairing {
    Fixed(FixedMeetings),
    Rounds(Rounds),
}

impl Pairing {
    /// The pairing of `bots` bots. Two bots that meet play `pairs` pairs of games, `seed` draws the first round, and `rounds` is
    /// only for [`Format::Swiss`].
    pub(crate) fn new(
        format: Format,
        bots: usize,
        pairs: u32,
        seed: u64,
        rounds: Option<u32>,
    ) -> anyhow::Result<Self> {
        ensure!(
            rounds.is_none() || format == Format::Swiss,
            "--rounds is for --format swiss: the other formats have as many rounds as they need"
        );
        Ok(match format {
            Format::RoundRobin => Self::Fixed(FixedMeetings::round_robin(bots, pairs)),
            Format::Gauntlet => Self::Fixed(FixedMeetings::gauntlet(bots, pairs)),
            Format::Knockout => Self::Rounds(Rounds::knockout(bots, pairs, seed)),
            Format::Swiss => {
                let (default, most) = (swiss::default_rounds(bots), swiss::most_rounds(bots));
                let rounds = rounds.unwrap_or(default);
                if rounds > most {
                    bail!(
                        "{bots} bots play {most} rounds at most, so that none meet twice, got --rounds {rounds}: \
                         --format round-robin has all meetings"
                    );
                }
                Self::Rounds(Rounds::swiss(bots, pairs, seed, rounds))
            }
        })
    }

    /// The words that tell it from others. A fixed order with more pairs is the same, as it begins with the same games.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Fixed(fixed) => fixed.name().to_owned(),
            Self::Rounds(rounds) => rounds.words(),
        }
    }

    /// How many games there are.
    pub(super) fn games(&self) -> u64 {
        match self {
            Self::Fixed(fixed) => fixed.games(),
            Self::Rounds(rounds) => rounds.games(),
        }
    }

    /// How many starts there are.
    pub(super) fn starts(&self) -> u64 {
        match self {
            Self::Fixed(fixed) => fixed.starts(),
            Self::Rounds(rounds) => rounds.starts(),
        }
    }

    /// The number below which it is known who plays a game.
    pub(super) fn ready(&self) -> u64 {
        match self {
            Self::Fixed(fixed) => fixed.games(),
            Self::Rounds(rounds) => rounds.ready(),
        }
    }

    /// Who plays a game; `None` if that is not known yet.
    pub(super) fn game(&self, index: u64) -> Option<PairedGame> {
        match self {
            Self::Fixed(fixed) => fixed.game(index),
            Self::Rounds(rounds) => rounds.game(index),
        }
    }

    /// Adds the result of a game between these bots. They may come in any order.
    ///
    /// # Errors
    ///
    /// If other bots were to play it.
    pub(super) fn add(&self, record: &GameRecord, seats: [usize; 2]) -> anyhow::Result<()> {
        match self {
            Self::Fixed(_) => Ok(()),
            Self::Rounds(rounds) => rounds.add(record, seats),
        }
    }
}

/// Bots that meet, each two of them as often. A run with more pairs begins with the games of one with fewer.
#[derive(Debug)]
pub(crate) struct FixedMeetings {
    name: &'static str,
    meetings: Vec<(usize, usize)>,
    pairs: u64,
}

impl FixedMeetings {
    /// Each bot against each other.
    fn round_robin(bots: usize, pairs: u32) -> Self {
        let meetings = (0..bots).tuple_combinations().collect();
        Self { name: "round-robin", meetings, pairs: u64::from(pairs) }
    }

    /// The first bot against all others.
    fn gauntlet(bots: usize, pairs: u32) -> Self {
        let meetings = (1..bots).map(|other| (0, other)).collect();
        Self { name: "gauntlet", meetings, pairs: u64::from(pairs) }
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn games(&self) -> u64 {
        2 * self.pairs * self.meetings.len() as u64
    }

    fn starts(&self) -> u64 {
        self.pairs
    }

    fn game(&self, index: u64) -> Option<PairedGame> {
        let count = self.meetings.len().max(1) as u64;
        let meeting = usize::try_from(index / 2 % count).ok()?;
        let &(a, b) = self.meetings.get(meeting)?;
        let seats = if index.is_multiple_of(2) { [a, b] } else { [b, a] };
        Some(PairedGame { seats, start: index / 2 / count, round: None })
    }
}
