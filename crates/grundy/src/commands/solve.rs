//! `grundy solve`: prints who wins a position, its nimber and its winning moves, or the answer to a classic problem.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use itertools::Itertools;
use serde::Serialize;
use zeroxor::position::PlacedHeap;
use zeroxor::rules::{Heap, HeapMove, Shape};
use zeroxor::wire::protocol::{self, Header};
use zeroxor::{Analysis, Move, Outcome, Position, Solver};

use crate::SCHEMA;
use crate::classic;
use crate::cli;
use crate::number::{header_text, number_in};

/// Say who wins a position, its nimber, and the winning moves
#[derive(Debug, Args)]
#[command(
    override_usage = "grundy solve HEADER WORDS [OPTIONS]\n       grundy solve --format NAME < FILE",
    after_help = "\
The winner is printed first. The nimber and the number of winning moves are \
\"out of reach\" if they take too long to compute, and the list of moves may then \
be incomplete.

In misère play no nimber is printed.

A move \"x 0\" takes nothing and splits the row before card x. If a move may \
leave three heaps, moves are listed in words: the heap, the number taken from \
it, and the heaps that the move leaves.

Examples:
  grundy solve 2000 3 3
  grundy solve segment 20 3 5 + square 20 ban 1 + euclid 14 5 --moves 100 --json
  grundy solve octal 4.7 9                  a code whose moves may split a heap
  grundy solve misere octal 0.77 9 + subtract 7 take 1 3
  printf '7 1 1' | grundy solve --format gmt003

Formats, read from stdin:
  gmt003        n, k, then k banned squares, blanks or newlines between: prints
                First or Second
  gmt003-piles  p, then p piles, k, then k banned squares: prints First or
                Second
  codejam       T, then T lines A1 A2 B1 B2: prints \"Case #i: COUNT\" for each

Exit codes:
  0  the answer was printed
  2  wrong usage, a malformed input, or a game too large"
)]
pub(crate) struct SolveArgs {
    /// The game, as in a header of the protocol, for instance: square 7 8 ban 1
    #[arg(add = cli::header_words(), value_name = "HEADER WORDS", required_unless_present = "format")]
    pub header: Vec<String>,

    /// Read the input of a classic problem from stdin, and print its answer
    #[arg(long, value_enum, value_name = "NAME", conflicts_with_all = ["header", "json", "moves"])]
    pub format: Option<AnswerFormat>,

    /// Print only the Grundy number
    #[arg(long, conflicts_with_all = ["json", "moves"])]
    pub nimber: bool,

    /// Maximum number of winning moves to list, the first by place, up to 1000000
    #[arg(long, default_value_t = 10, value_name = "K", value_parser = number_in(0..=MAX_MOVES))]
    pub moves: u64,

    /// Print one JSON object; values out of reach are null
    #[arg(long)]
    pub json: bool,
}

/// Maximum number of listed moves: each move is stored until it is printed.
const MAX_MOVES: u64 = 1_000_000;

/// The input of a classic problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// Subtract-a-square with banned squares, one pile
    Gmt003,
    /// Subtract-a-square with banned squares, several piles
    Gmt003Piles,
    /// The Number Game: counts of won pairs
    Codejam,
}

const TOO_LARGE: &str = "the game is too large";

/// Maximum length of the input of a classic problem, in bytes.
const MAX_INPUT: u64 = 64 << 20;

pub(crate) fn solve(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let text = match args.format {
        None => {
            let header = protocol::parse_header(header_text(&args.header).as_bytes())
                .context("the header is malformed")?;
            ensure!(header.side.is_none(), "expected a header without a seat, got \"{header}\"");
            answer(args, &header)?
        }
        Some(AnswerFormat::Gmt003) => one_word(args, &classic::gmt003(&input()?, false)?)?,
        Some(AnswerFormat::Gmt003Piles) => one_word(args, &classic::gmt003(&input()?, true)?)?,
        Some(AnswerFormat::Codejam) => {
            ensure!(!args.nimber, "--nimber cannot be used with --format codejam, which only counts");
            classic::codejam(&input()?)?
        }
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn input() -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut text).context("the input could not be read")?;
    ensure!(text.len() as u64 <= MAX_INPUT, "expected an input of at most {MAX_INPUT} bytes");
    Ok(text)
}

/// The reason why misère play has no nimber.
const NO_NIMBER: &str =
    "nimbers do not tell who wins in misère play, so --nimber is only for headers without \"misere\"";

/// The answer as JSON, or prints the game and the winner and returns the other lines.
fn answer(args: &SolveArgs, header: &Header) -> anyhow::Result<String> {
    if args.nimber {
        ensure!(!header.game.is_misere(), NO_NIMBER);
        return one_word(args, header);
    }
    let (position, mut solver) = (open(header)?, Solver::new());
    let outcome = solver.outcome(&position).context(TOO_LARGE)?;
    if !args.json {
        let mut out = io::stdout().lock();
        write!(out, "game: {header}\nwinner: {}\n", winner(outcome))?;
        out.flush()?;
    }
    // All splits are needed to list the first ones, and each once.
    let in_words = header.game.ensure_playable().is_err();
    let most = usize::try_from(if in_words { MAX_MOVES } else { args.moves })?;
    let mut analysis = Analysis::of(&position, &mut solver, most).context(TOO_LARGE)?;
    let listed = if in_words {
        let splits = splits(&position, &analysis.winning_moves);
        analysis.winning_moves_are_first &= analysis.winning_moves.len() < most;
        analysis.winning_moves_total = analysis.winning_moves_are_first.then_some(splits.len() as u128);
        splits
            .into_iter()
            .map(|(_, split)| ListedMove::Split(split))
            .take(usize::try_from(args.moves)?)
            .collect()
    } else {
        analysis.winning_moves.iter().map(|mv| ListedMove::Place([mv.place, mv.take])).collect()
    };
    let answer = Answer {
        schema: SCHEMA,
        game: header.to_string(),
        winner: winner(outcome),
        nimber: analysis.nimber.map(|nimber| nimber.0),
        winning_moves: listed,
        winning_moves_are_first: analysis.winning_moves_are_first,
        winning_moves_total: analysis.winning_moves_total,
    };
    if args.json {
        return Ok(serde_json::to_string(&answer)? + "\n");
    }
    Ok(answer.lines_after_winner(header.game.is_misere()))
}

/// Returns `First` or `Second`, or the nimber with `--nimber`.
fn one_word(args: &SolveArgs, header: &Header) -> anyhow::Result<String> {
    let (position, mut solver) = (open(header)?, Solver::new());
    let winner = winner(solver.outcome(&position).context(TOO_LARGE)?);
    if !args.nimber {
        return Ok(format!("{winner}\n"));
    }
    let nimber = Analysis::of(&position, &mut solver, 0).context(TOO_LARGE)?.nimber;
    Ok(format!("{}\n", nimber.with_context(|| format!("the nimber is out of reach; {winner} wins"))?))
}

fn open(header: &Header) -> anyhow::Result<Position> {
    // The misère solver needs moves that can be played.
    let open = if header.game.is_misere() { Position::new } else { Position::for_solver };
    open(&header.game).context("the header names no valid game")
}

fn winner(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::N => "First",
        Outcome::P => "Second",
    }
}

#[derive(Serialize)]
struct Answer {
    schema: u32,
    game: String,
    winner: &'static str,
    /// `null` in misère play, or if the nimber is out of reach.
    nimber: Option<u64>,
    winning_moves: Vec<ListedMove>,
    /// Whether `winning_moves` contains every winning move up to its last one.
    winning_moves_are_first: bool,
    /// `null` if counting is out of reach.
    winning_moves_total: Option<u128>,
}

/// A winning move as it is listed.
#[derive(Serialize)]
#[serde(untagged)]
enum ListedMove {
    /// The place and the number taken.
    Place([u64; 2]),
    /// In games in which a move may leave three heaps, so that a place and a number do not describe it.
    Split(HeapSplit),
}

/// A move in words. The moves of a heap are listed in this order: first by the number taken, then by the heaps left.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct HeapSplit {
    /// The size of the heap. For a pair: the number that shrinks, before the move.
    heap: u64,
    take: u64,
    /// The sizes of the heaps left, none of them 0, in ascending order. For a pair: the number that shrinks, after the
    /// move.
    leaves: Vec<u64>,
}

impl HeapSplit {
    fn of(placed: &PlacedHeap<'_>, mv: HeapMove) -> Option<Self> {
        let Heap { size, second } = placed.heap;
        let (heap, leaves) = if placed.rules.shape() == Shape::Pair {
            let heap = if mv.offset == 0 { size } else { second };
            (heap, vec![heap.checked_sub(mv.count)?])
        } else {
            let followers = placed.rules.apply(placed.heap, mv).ok()?;
            let leaves = followers.iter().map(|(_, heap)| heap.size).filter(|&size| size > 0);
            (size, leaves.sorted().collect())
        };
        Some(Self { heap, take: mv.count, leaves })
    }
}

/// The moves in words, heap by heap, each with the place of its heap. Moves that leave the same heaps at other places
/// are one move.
fn splits(position: &Position, moves: &[Move]) -> BTreeSet<(u64, HeapSplit)> {
    let heaps: BTreeMap<u64, PlacedHeap<'_>> =
        position.heaps().map(|placed| (placed.place, placed)).collect();
    let splits = moves.iter().filter_map(|mv| {
        let (&place, placed) = heaps.range(..=mv.place).next_back()?;
        Some((place, HeapSplit::of(placed, HeapMove { offset: mv.place - place, count: mv.take })?))
    });
    splits.collect()
}

impl fmt::Display for ListedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place([place, take]) => write!(f, "{place} {take}"),
            Self::Split(HeapSplit { heap, take, leaves }) => {
                let leaves = if leaves.is_empty() { "nothing".to_owned() } else { leaves.iter().join(" ") };
                write!(f, "heap {heap}: take {take}, leave {leaves}")
            }
        }
    }
}

impl Answer {
    fn lines_after_winner(&self, is_misere: bool) -> String {
        let unknown = || "out of reach".to_owned();
        let nimber = self.nimber.map_or_else(unknown, |nimber| nimber.to_string());
        let total = self.winning_moves_total.map_or_else(unknown, |total| total.to_string());
        let listed = match (self.winning_moves.len(), self.winning_moves_are_first) {
            (all, _) if self.winning_moves_total == Some(all as u128) => String::new(),
            (0, _) => " (listed: none)".to_owned(),
            (1, true) => " (listed: the first)".to_owned(),
            (listed, true) => format!(" (listed: the first {listed})"),
            (listed, false) => format!(" (listed: {listed}, possibly not the first)"),
        };
        let nimber = if is_misere { String::new() } else { format!("nimber: {nimber}\n") };
        let moves = self.winning_moves.iter().map(|mv| format!("\n  {mv}"));
        format!("{nimber}winning moves: {total}{listed}{}\n", moves.format(""))
    }
}
