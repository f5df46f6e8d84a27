//! `judge play`: a game for a person at the terminal.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::error::ErrorKind;
use clap::{Args, Command};
use zeroxor::wire::protocol::parse_header;
use zeroxor::{Position, Side};

use crate::play::board::BoardDialogue;
use crate::play::classic::{ClassicDialogue, is_classic};
use crate::play::dialogue::Dialogue;
use crate::play::terminal::Terminal;
use crate::play::terminal_game::{TerminalGame, other};
use crate::report::picture::fit::line_width;
use crate::units::{number_in, plain_numbers};

/// Play a game yourself, against the bot or against another person
#[derive(Debug, Args)]
#[command(
    override_usage = "judge play [HEADER WORDS] [OPTIONS]",
    after_help = "\
Examples:
  judge play                            subtract-a-square from 20 with the bot
  judge play square 100 ban 1 --first   1 may not be taken, and you begin
  judge play 20 3 5 --players 2         two people, a row of cards
  judge play nim 3 5 7 + euclid 14 6    a sum: move in one of the games

Commands during the game:
  hint, moves, undo, resign, help, quit

Exit codes:
  0  the game or the input ended
  2  wrong usage"
)]
pub(crate) struct PlayArgs {
    /// The game, as a header of the protocol; a player who cannot move loses. Without it the game is "square 20"
    #[arg(value_name = "HEADER WORDS")]
    pub(crate) header: Vec<String>,

    /// How many people play; a single person plays against the bot
    #[arg(long, default_value_t = 1, value_name = "K", value_parser = number_in(1..=2_u8))]
    pub(crate) players: u8,

    /// Move first against the bot; without --first and --second the judge asks you
    #[arg(long, conflicts_with = "second")]
    pub(crate) first: bool,

    /// Move second against the bot
    #[arg(long)]
    pub(crate) second: bool,
}

/// The game without a header.
const DEFAULT_GAME: &str = "square 20";

pub(crate) fn play(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let words =
        if args.header.is_empty() { DEFAULT_GAME.to_owned() } else { plain_numbers(&args.header.join(" ")) };
    let header = parse_header(words.as_bytes()).context("the header is malformed")?;
    ensure!(
        header.side.is_none(),
        "expected a header without \"seat\", got \"{header}\": choose your side with --first or --second"
    );
    let position = Position::new(&header.game).context("the header is not valid")?;
    let dialogue: Box<dyn Dialogue> = if is_classic(&header.game) {
        Box::new(ClassicDialogue)
    } else {
        Box::new(BoardDialogue { width: line_width() })
    };
    let mut terminal = Terminal::new(io::stdin().lock(), anstream::stdout());
    let bot = match (args.players, side(args)) {
        (2, Some(_)) => side_conflict().exit(),
        (2, None) => None,
        (_, Some(side)) => Some(other(side)),
        (_, None) => match ask_side(&mut terminal)? {
            Some(side) => Some(other(side)),
            None => return Ok(ExitCode::SUCCESS),
        },
    };
    TerminalGame::new(&mut terminal, dialogue.as_ref(), position, bot).play()?;
    Ok(ExitCode::SUCCESS)
}

/// The side that the options choose; `None` without an option.
fn side(args: &PlayArgs) -> Option<Side> {
    match (args.first, args.second) {
        (true, _) => Some(Side::First),
        (_, true) => Some(Side::Second),
        _ => None,
    }
}

/// The usage error of `--players 2` with a side. clap can declare conflicts of options, but not of their values.
fn side_conflict() -> clap::Error {
    let message = "'--players 2' cannot be used with '--first' or '--second': there is no bot";
    PlayArgs::augment_args(Command::new("judge play")).error(ErrorKind::ArgumentConflict, message)
}

/// Asks the person for a side; `None` if the input ends or the person quits.
fn ask_side(terminal: &mut Terminal<impl BufRead, impl Write>) -> anyhow::Result<Option<Side>> {
    let read = |line: &[u8]| match line.trim_ascii().to_ascii_lowercase().as_slice() {
        b"y" | b"yes" => Some(Some(Side::First)),
        b"n" | b"no" => Some(Some(Side::Second)),
        b"quit" => Some(None),
        _ => None,
    };
    let answer = terminal.ask("Do you want to move first? [y/n] ", "y, n or quit", read)?;
    if answer == Some(None) {
        terminal.goodbye()?;
    }
    Ok(answer.flatten())
}
