//! Who plays whom: in an order that is fixed before the first game, or in rounds of which each is drawn from the results
//! of those before.

mod draw;
mod fixed;
mod knockout;
pub(super) mod meeting_result;
mod paired_game;
mod rounds;
pub(super) mod swiss;

use anyhow::{bail, ensure};
use clap::ValueEnum;

use self::fixed::FixedMeetings;
pub(super) use self::paired_game::PairedGame;
use self::rounds::Rounds;
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
    /// The games of so many bots; `pairs` is how many pairs two bots play that meet, `seed` draws the first round, and
    /// `rounds` is for [`Format::Swiss`] alone.
    ///
    /// # Errors
    ///
    /// If there cannot be so many rounds.
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
