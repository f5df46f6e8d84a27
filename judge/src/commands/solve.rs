//! `judge solve`: what theory says of a position.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use serde::Serialize;
use zeroxor::grundy::Budget;
use zeroxor::wire::protocol::{self, Header};
use zeroxor::{Analysis, Outcome, Position, Solver};

use crate::classic;
use crate::cli::solve::{Format, SolveArgs};

/// The version of the JSON format.
const SCHEMA: u32 = 1;

const TOO_LARGE: &str = "the game is too large";

/// No input of a classic problem is longer, in bytes.
const MAX_INPUT: u64 = 64 << 20;

pub(crate) fn solve(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let text = match args.format {
        None => {
            let header = protocol::parse_header(args.header.join(" ").as_bytes())
                .context("the header is malformed")?;
            ensure!(header.side.is_none(), "expected a header without a seat, got \"{header}\"");
            answer(args, &header)?
        }
        Some(Format::Gmt003) => one_word(args, &classic::gmt003(&input()?)?)?,
        Some(Format::Gmt003Piles) => one_word(args, &classic::gmt003_piles(&input()?)?)?,
        Some(Format::Codejam) => {
            ensure!(!args.nimber, "expected --nimber with a game, the codejam format only counts");
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

/// The answer as a person or a program reads it. A person is told who wins before the rest is looked for.
fn answer(args: &SolveArgs, header: &Header) -> anyhow::Result<String> {
    if args.nimber {
        return one_word(args, header);
    }
    let (position, mut solver) = (open(header)?, solver());
    let outcome = solver.outcome(&position).context(TOO_LARGE)?;
    if !args.json {
        let mut out = io::stdout().lock();
        write!(out, "game: {header}\nwinner: {}\n", winner(outcome))?;
        out.flush()?;
    }
    let analysis = Analysis::of(&position, &mut solver, args.moves as usize).context(TOO_LARGE)?;
    if args.json { Ok(json(header, &analysis)?) } else { Ok(rest(&analysis)) }
}

/// `First` or `Second`, or the nimber if that is asked for.
fn one_word(args: &SolveArgs, header: &Header) -> anyhow::Result<String> {
    if !args.nimber {
        let outcome = solver().outcome(&open(header)?).context(TOO_LARGE)?;
        return Ok(format!("{}\n", winner(outcome)));
    }
    let analysis = Analysis::of(&open(header)?, &mut solver(), 0).context(TOO_LARGE)?;
    let nimber = analysis.nimber.with_context(|| {
        format!("the nimber is out of reach, though the outcome is not: {} wins", winner(analysis.outcome))
    })?;
    Ok(format!("{nimber}\n"))
}

/// A solver that answers or refuses as the bot does, by the clock too.
fn solver() -> Solver {
    Solver::with_budget(Budget::GAME.with_cpu_limit(Budget::GAME_TIME))
}

fn open(header: &Header) -> anyhow::Result<Position> {
    Position::new(&header.game).context("the header is no game")
}

fn winner(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::N => "First",
        Outcome::P => "Second",
    }
}

/// What is said behind the winner.
fn rest(analysis: &Analysis) -> String {
    let unknown = || "out of reach".to_owned();
    let nimber = analysis.nimber.map_or_else(unknown, |nimber| nimber.to_string());
    let total = analysis.winning_moves_total.map_or_else(unknown, |total| total.to_string());
    let mut text = format!("nimber: {nimber}\n");
    let listed = analysis.winning_moves.len() as u128;
    let shown = match analysis.winning_moves_total {
        Some(total) if total == listed => String::new(),
        _ => format!(" (listed: {listed})"),
    };
    text += &format!("winning moves: {total}{shown}\n");
    for mv in &analysis.winning_moves {
        text += &format!("  {mv}\n");
    }
    text
}

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    game: &'a str,
    winner: &'a str,
    /// `null` where it is out of reach.
    nimber: Option<u64>,
    winning_moves: Vec<[u64; 2]>,
    /// `null` where counting is out of reach.
    winning_moves_total: Option<u128>,
}

fn json(header: &Header, analysis: &Analysis) -> serde_json::Result<String> {
    let line = Line {
        schema: SCHEMA,
        game: &header.to_string(),
        winner: winner(analysis.outcome),
        nimber: analysis.nimber.map(|nimber| nimber.0),
        winning_moves: analysis.winning_moves.iter().map(|mv| [mv.place, mv.take]).collect(),
        winning_moves_total: analysis.winning_moves_total,
    };
    serde_json::to_string(&line).map(|line| line + "\n")
}
