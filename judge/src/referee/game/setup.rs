//! The set-up of a game: its header, the opponent, the seed, and the opponent's first moves.

use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use zeroxor::wire::protocol::{self, Header};
use zeroxor::{GameSpec, Side, SpecError};

use crate::units::plain_numbers;

/// The keyword of a row of cards. A header may omit this keyword.
const SEGMENT: &str = "segment ";

/// A header: the text that the judge sends to the bot, and its meaning. The text is parsed once, when it is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct GameHeader {
    text: String,
    header: Header,
}

impl GameHeader {
    /// Makes a header without the keyword `segment`, because a bot written only for the contest reads three numbers.
    pub(crate) fn new(game: GameSpec, side: Option<Side>) -> Self {
        let header = Self::with_keywords(game, side);
        Self { text: header.text.replace(SEGMENT, ""), ..header }
    }

    pub(crate) fn with_keywords(game: GameSpec, side: Option<Side>) -> Self {
        let header = Header { game, side };
        Self { text: header.to_string(), header }
    }

    pub(crate) fn has_keywords(&self) -> bool {
        self.text.contains(SEGMENT)
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn game(&self) -> &GameSpec {
        &self.header.game
    }

    /// Returns the numbers N, L and R if the game is a single row of cards.
    pub(crate) fn row(&self) -> Option<[u64; 3]> {
        match self.header.game.components() {
            [game] => game.row(),
            _ => None,
        }
    }

    /// Returns the side that the header assigns; `None` if the bot chooses.
    pub(crate) fn side(&self) -> Option<Side> {
        self.header.side
    }
}

impl FromStr for GameHeader {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Ok(Self { text: text.to_owned(), header: protocol::parse_header(text.as_bytes())? })
    }
}

impl TryFrom<String> for GameHeader {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}

impl From<GameHeader> for String {
    fn from(header: GameHeader) -> Self {
        header.text
    }
}

impl fmt::Display for GameHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OpponentKind {
    /// Wins whenever it can; plays any move from a lost position
    Perfect,
    /// Plays any legal move; all are equally likely
    Random,
    /// Takes as many as possible
    Greedy,
    /// Takes as few as possible
    Slow,
    /// Makes the position symmetric if one move can; otherwise plays any move
    Mirror,
    /// Wins whenever it can; from a lost position plays the move that delays the loss longest
    Stubborn,
    /// Another bot
    #[value(skip)]
    Bot,
}

impl OpponentKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Perfect => "perfect",
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Slow => "slow",
            Self::Mirror => "mirror",
            Self::Stubborn => "stubborn",
            Self::Bot => "another bot",
        }
    }

    /// Returns who makes the opponent's moves, for messages to the author of a bot.
    pub(crate) fn player(self) -> &'static str {
        if self == Self::Bot { "the other bot" } else { "the judge" }
    }
}

/// Moves `[place, take]`, in the order of play.
pub(crate) type MoveLine = Vec<[u64; 2]>;

/// Parses moves separated by commas, which may have abbreviated numbers: `1 1e1, 2 2^3`.
pub(crate) fn parse_moves(text: &str) -> Result<MoveLine, String> {
    let moves = text.split(',').filter(|_| !text.trim().is_empty());
    let moves = moves.map(|mv| match protocol::parse_bot_turn(plain_numbers(mv).as_bytes()) {
        Ok(Some(mv)) => Ok([mv.place, mv.take]),
        Ok(None) => Err("expected moves \"x y\", got \"0 0\"".to_owned()),
        Err(error) => Err(error.to_string()),
    });
    moves.collect()
}

/// The set-up of a game. With the same set-up, the opponent gives the same answers to the same moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct GameSetup {
    #[serde(rename = "game")]
    pub(crate) header: GameHeader,
    pub(crate) opponent: OpponentKind,
    pub(crate) seed: u64,
    /// The opponent's first moves. After them the opponent plays by itself.
    pub(crate) line: MoveLine,
    /// Whether this game repeats the previous game because the time of the previous game is in doubt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) repeat: bool,
}

impl GameSetup {
    pub(crate) fn new(header: GameHeader, opponent: OpponentKind, seed: u64) -> Self {
        Self { header, opponent, seed, line: MoveLine::new(), repeat: false }
    }
}

impl fmt::Display for GameSetup {
    /// Writes the arguments of `judge run` that play this game, unless the opponent is another bot.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { header, opponent, seed, line, repeat: _ } = self;
        write!(f, "{header} --opponent {} --seed {seed}", opponent.name())?;
        if !line.is_empty() {
            let moves = line.iter().map(|[place, take]| format!("{place} {take}"));
            write!(f, " --line \"{}\"", moves.format(", "))?;
        }
        Ok(())
    }
}
