//! `judge play`: a game for a person at the terminal.

use std::hash::{BuildHasher, RandomState};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Args;
use zeroxor::wire::protocol::parse_header;
use zeroxor::{Position, Side};

use crate::cli::complete;
use crate::play::dialogue::{Dialogue, is_classic};
use crate::play::terminal::{Terminal, goodbye};
use crate::play::terminal_game::TerminalGame;
use crate::play::{BotPlayer, GameInPlay, Level};
use crate::report::picture::line_width;
use crate::units::{number_in, plain_numbers};

/// Play a game yourself, against the bot or against another person
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  judge play                            subtract-a-square from 20 with the bot
  judge play square 100 ban 1 --first   1 may not be taken, and you begin
  judge play 20 3 5 --players 2         two people, a row of cards
  judge play nim 3 5 7 + euclid 14 6    a sum: move in one of the games
  judge play misere nim 3 5 7           the player who makes the last move loses
  judge play 100 1 3 --level easy       against a bot that can be beaten

Commands during the game:
  hint, moves, undo, resign, help, quit; \"hint\" says more each time

Exit codes:
  0  the game or the input ended
  2  wrong usage")]
pub(crate) struct PlayArgs {
    /// The game, as a header of the protocol; without a header it is "square 20"
    #[arg(add = complete::header(), value_name = "HEADER WORDS")]
    header: Vec<String>,

    /// How many people play; a single person plays against the bot
    #[arg(long, default_value_t = 1, value_name = "K", value_parser = number_in(1..=2_u8))]
    players: u8,

    /// Move first against the bot; without --first and --second the judge asks you
    #[arg(long, conflicts_with = "second")]
    first: bool,

    /// Move second against the bot
    #[arg(long)]
    second: bool,

    /// How well the bot plays [default: perfect]
    #[arg(long, value_enum, value_name = "LEVEL")]
    level: Option<Level>,

    /// The seed of the bot's choices at the levels easy and normal [default: random]
    #[arg(short, long, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    seed: Option<u64>,
}

impl PlayArgs {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let words = if self.header.is_empty() { "square 20".to_owned() } else { self.header.join(" ") };
        let header = parse_header(plain_numbers(&words).as_bytes()).context("the header is malformed")?;
        ensure!(
            header.side.is_none(),
            "expected a header without \"seat\", got \"{header}\": choose your side with --first or --second"
        );
        let position = Position::new(&header.game).context("the header is not valid")?;
        let mut terminal = Terminal::of_stdio()?;
        let dialogue = if is_classic(&header.game) {
            Dialogue::Classic { is_read_by_program: !terminal.is_interactive() }
        } else {
            Dialogue::Board { width: line_width() }
        };
        let needs_bot = self.first || self.second || self.level.is_some() || self.seed.is_some();
        // clap can declare conflicts of options, but not of their values.
        ensure!(
            self.players == 1 || !needs_bot,
            "--players 2 cannot be used with --first, --second, --level or --seed: there is no bot"
        );
        let bot = if self.players == 1 {
            let Some(side) = self.side(&mut terminal)? else { return Ok(ExitCode::SUCCESS) };
            // `RandomState` has random keys, so this hash is a random seed.
            let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
            Some(BotPlayer::new(side.other(), self.level.unwrap_or(Level::Perfect), seed))
        } else {
            None
        };
        let game = GameInPlay::new(position, bot);
        TerminalGame { terminal: &mut terminal, dialogue, game }.play()?;
        Ok(ExitCode::SUCCESS)
    }

    /// Returns the person's side, asked for if no option names it; `None` if the input ends or the person quits.
    fn side(&self, terminal: &mut Terminal) -> anyhow::Result<Option<Side>> {
        if self.first || self.second {
            return Ok(Some(if self.first { Side::First } else { Side::Second }));
        }
        let read = |line: &[u8]| match line.trim_ascii().to_ascii_lowercase().as_slice() {
            b"y" | b"yes" => Some(Some(Side::First)),
            b"n" | b"no" => Some(Some(Side::Second)),
            b"quit" => Some(None),
            _ => None,
        };
        let answer = terminal.ask("Do you want to move first? [y/n] ", "y, n or quit", read)?;
        if answer == Some(None) {
            goodbye()?;
        }
        Ok(answer.flatten())
    }
}
