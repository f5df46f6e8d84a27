//! A game as a page sends it: its header, and the moves so far.

use anyhow::{Context, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use zeroxor::grundy::Budget;
use zeroxor::wire::protocol::parse_header;
use zeroxor::{GameSpec, Move, Position, Side};

use common::units::plain_numbers;
use referee::setup::parse_moves;

/// Maximum number of moves of a game on a page.
const MAX_MOVES: usize = 20_000;

/// Maximum number of heaps of a game on a page.
const MAX_HEAPS: usize = 20_000;

/// A game and its moves, as text.
#[derive(Deserialize)]
pub(super) struct PlayedText {
    game: String,
    /// Moves "x y", separated by commas.
    #[serde(default)]
    moves: String,
}

/// A game that can be played on a page, and its moves, which need not be legal.
pub(super) struct Played {
    pub(super) game: GameSpec,
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
}

impl PlayedText {
    pub(super) fn read(&self) -> anyhow::Result<Played> {
        let header = parse_header(plain_numbers(&self.game).as_bytes()).context("the game is malformed")?;
        ensure!(header.side.is_none(), "expected a game without \"seat\"");
        ensure_playable(&header.game)?;
        let start = Position::new(&header.game).context("the game is not valid")?;
        let heaps = start.heaps().count();
        ensure!(heaps <= MAX_HEAPS, "expected at most {MAX_HEAPS} heaps on a page, got {heaps}");
        let moves = parse_moves(&self.moves).map_err(anyhow::Error::msg).context("a move is malformed")?;
        ensure!(
            moves.len() <= MAX_MOVES,
            "expected at most {MAX_MOVES} moves on a page, got {}",
            moves.len()
        );
        let moves = moves.into_iter().map(|[place, take]| Move { place, take }).collect();
        Ok(Played { game: header.game, start, moves })
    }
}

impl Played {
    /// Returns the position after all moves.
    pub(super) fn position(&self) -> anyhow::Result<Position> {
        let mut position = self.start.clone();
        self.moves.iter().try_for_each(|&mv| position.play(mv))?;
        Ok(position)
    }
}

/// Refuses a game in which a move may leave three heaps. The error names a page and a command that show the game's
/// values.
fn ensure_playable(game: &GameSpec) -> anyhow::Result<()> {
    let Err(error) = game.ensure_playable() else { return Ok(()) };
    anyhow::bail!(
        "{} cannot be played here: some of its moves leave three heaps, and a move \"x y\" does not say which \
         heaps. The page Tables shows its nimbers; at the terminal, \"grundy solve {game}\" shows who wins and \
         by which moves",
        error.got()
    )
}

/// Returns the budget of a game with half the CPU time, for requests that use the solver for two positions or also do
/// other work.
pub(super) fn half_budget() -> Budget {
    Budget::GAME.with_cpu_limit(Budget::GAME_TIME / 2)
}

/// Parses a request, which is JSON.
pub(super) fn parse<T: DeserializeOwned>(request: &[u8]) -> anyhow::Result<T> {
    serde_json::from_slice(request).context("the request is malformed")
}

/// Parses the name of a side.
pub(super) fn side(name: &str) -> anyhow::Result<Side> {
    match name {
        "First" => Ok(Side::First),
        "Second" => Ok(Side::Second),
        _ => anyhow::bail!("expected First or Second, got {name:?}"),
    }
}
