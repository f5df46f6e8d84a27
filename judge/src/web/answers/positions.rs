//! Answers about a position or a game: the analysis, hints, the numbers that may be taken, the review, the replay.

use anyhow::{Context, ensure};
use common::json::Number;
use referee::transcript::read::TranscriptReader;
use serde::{Deserialize, Serialize};
use zeroxor::grundy::Budget;
use zeroxor::rules::Shape;
use zeroxor::{Analysis, Outcome, Solver};

use super::played::{PlayedText, half_budget, parse, side};
use crate::play::Game;
use crate::play::board::BoardDialogue;
use crate::play::dialogue::{ClassicDialogue, Dialogue, is_classic};
use crate::play::hint::{Hint, Loss, describe_heap, describe_loss};
use crate::report::replay_page::evaluation::enter_nimbers;
use crate::report::replay_page::{Board, Evaluation, Replay, ReplayRecorder};

/// Maximum number of winning moves that are listed.
const MAX_LISTED_MOVES: usize = 100;

#[derive(Serialize)]
struct AnalysisAnswer {
    /// Whether the player to move wins.
    won: bool,
    /// The nimber of the position; `null` if it is out of reach.
    nimber: Option<Number>,
    winning_moves: Vec<[Number; 2]>,
    /// The number of winning moves as text, because it may need more than 64 bits; `null` if it is out of reach.
    winning_moves_total: Option<String>,
    board: Board,
    /// Notes about nimbers that are out of reach.
    notes: Vec<String>,
}

pub(super) fn analysis(request: &[u8]) -> anyhow::Result<String> {
    let played = parse::<PlayedText>(request)?.read()?;
    let position = played.position()?;
    let mut solver = Solver::with_budget(Budget::GAME.with_cpu_limit(Budget::GAME_TIME));
    let analysis =
        Analysis::of(&position, &mut solver, MAX_LISTED_MOVES).context("the winner cannot be computed")?;
    let mut board = Board::new(&played.start, &played.moves);
    let notes = enter_nimbers(&played.game, &played.start, &mut board).into_iter().collect();
    let answer = AnalysisAnswer {
        won: analysis.outcome == Outcome::N,
        nimber: analysis.nimber.map(|nimber| Number(nimber.0)),
        winning_moves: analysis.winning_moves.iter().map(|mv| [mv.place, mv.take].map(Number)).collect(),
        winning_moves_total: analysis.winning_moves_total.map(|total| total.to_string()),
        board,
        notes,
    };
    Ok(serde_json::to_string(&answer)?)
}

/// One step of a hint. The page shows the steps one by one.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Step {
    Lost,
    Won,
    Heap { name: String, place: Number },
    Move { mv: [Number; 2] },
}

pub(super) fn hint(request: &[u8]) -> anyhow::Result<String> {
    let played = parse::<PlayedText>(request)?.read()?;
    let mut game = Game::resumed(played.start, &played.moves, None, half_budget())?;
    anyhow::ensure!(game.loser().is_none(), "the game is over");
    let steps = game.hints().context("the winner cannot be computed")?;
    let steps: Vec<Step> = steps
        .into_iter()
        .map(|hint| match hint {
            Hint::Lost => Step::Lost,
            Hint::Won => Step::Won,
            Hint::Heap(placed) => Step::Heap { name: describe_heap(&placed), place: Number(placed.place) },
            Hint::Move(mv) => Step::Move { mv: [mv.place, mv.take].map(Number) },
        })
        .collect();
    Ok(serde_json::to_string(&steps)?)
}

/// Maximum number of takes that are listed.
const MAX_LISTED_TAKES: usize = 60;

#[derive(Deserialize)]
struct TakesRequest {
    #[serde(flatten)]
    played: PlayedText,
    /// A place of the heap, as text, because the number may need 64 bits.
    place: String,
}

#[derive(Serialize)]
struct TakesAnswer {
    /// The place that moves in the heap name. In a pair, this is the place of the larger number.
    place: Number,
    takes: Vec<Number>,
    /// Whether the heap has more takes than the answer lists.
    more: bool,
}

pub(super) fn takes(request: &[u8]) -> anyhow::Result<String> {
    let TakesRequest { played, place } = parse(request)?;
    let place: u64 = place.parse().context("expected the place of a heap")?;
    let position = played.read()?.position()?;
    let placed = position.heaps().rfind(|placed| placed.place <= place);
    let placed = placed
        .filter(|placed| place - placed.place < placed.rules.width(placed.heap))
        .with_context(|| format!("there is no heap at place {place}"))?;
    anyhow::ensure!(
        placed.rules.shape() != Shape::Row,
        "expected a pile or a pair at place {place}, got a row"
    );
    let moves: Vec<_> = placed.rules.moves(placed.heap).take(MAX_LISTED_TAKES + 1).collect();
    let offset = moves.first().map_or(place - placed.place, |mv| mv.offset);
    let answer = TakesAnswer {
        place: Number(placed.place + offset),
        takes: moves.iter().take(MAX_LISTED_TAKES).map(|mv| Number(mv.count)).collect(),
        more: moves.len() > MAX_LISTED_TAKES,
    };
    Ok(serde_json::to_string(&answer)?)
}

#[derive(Deserialize)]
struct ReviewRequest {
    #[serde(flatten)]
    played: PlayedText,
    loser: String,
    /// The bot's side; `null` if two people have played.
    bot: Option<String>,
}

#[derive(Serialize)]
struct ReviewAnswer {
    text: String,
    board: Board,
    evaluation: Evaluation,
}

pub(super) fn review(request: &[u8]) -> anyhow::Result<String> {
    let ReviewRequest { played, loser, bot } = parse(request)?;
    let played = played.read()?;
    played.position()?;
    let loser = side(&loser)?;
    let bot = bot.as_deref().map(side).transpose()?;
    let mut solver = Solver::with_budget(half_budget());
    let loss = Loss::of(&played.start, loser, &played.moves, &mut solver);
    let dialogue: &dyn Dialogue = if is_classic(&played.game) {
        &ClassicDialogue { is_read_by_program: false }
    } else {
        &BoardDialogue { width: 0 }
    };
    let mut board = Board::new(&played.start, &played.moves);
    let evaluation =
        Evaluation::by_solver(&played.game, &played.start, &played.moves, &mut board, &mut solver);
    let text = describe_loss(loss.as_ref(), loser, bot, dialogue);
    Ok(serde_json::to_string(&ReviewAnswer { text, board, evaluation })?)
}

/// Returns the replay of a recorded game. The request is a transcript with a single game.
pub(super) fn replay(request: &[u8]) -> anyhow::Result<String> {
    let mut games = TranscriptReader::new(request);
    let setup = games.setup()?.context("the transcript is empty")?;
    let mut recorder = ReplayRecorder::new(setup)?;
    let recorded = games.events(|event| {
        recorder.add(event);
        Ok(())
    })?;
    ensure!(games.setup()?.is_none(), "expected one game, got more");
    let mut replay = Replay::new(recorder, recorded.wall);
    replay.compare(&recorded);
    Ok(serde_json::to_string(&replay)?)
}
