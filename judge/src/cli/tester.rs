//! `judge tester`: plays the game of the input, and writes what the bot prints to stdout and the score to stderr.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::single_game::SingleGameArgs;
use super::subcommand::{Program, Properties, Subcommand};
use crate::interop::convention::{Convention, HarnessVerdict};
use crate::interop::input;
use crate::matches::session::BotSession;
use crate::report::Reporter;
use crate::report::console::Console;
use common::interrupt;
use referee::transcript::GameLog;
use runner::event::{Event, RecordedEvent};

/// Play the game of the input, as testers of AtCoder's heuristic contests
#[derive(Debug, Args)]
#[command(
    override_usage = "judge tester [OPTIONS] BOT ARGS... < in.txt > out.txt",
    after_help = "\
The input is one line with a header. The output is what the bot prints. The result of the game is printed on stderr, \
with \"Score = 1\" for a win and \"Score = 0\" for anything else.

Example:
  judge tester python3 my_bot.py < in.txt > out.txt

Exit codes:
  0  the bot won
  1  it did not
  2  wrong usage, the bot could not be started, or the judge could not continue"
)]
pub(crate) struct TesterArgs {
    #[command(flatten)]
    pub(crate) game: SingleGameArgs,
}

/// A log that writes what the bot prints.
struct BotOutput<W>(W);

impl<W: Write> GameLog for BotOutput<W> {
    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        match &entry.event {
            Event::Received(line) => self.0.write_all(&line.0),
            _ => Ok(()),
        }
    }
}

impl Subcommand for TesterArgs {
    fn properties(&self) -> Properties {
        Properties::STARTS_BOTS
    }

    fn run(&self, Program { settings, .. }: &Program) -> anyhow::Result<ExitCode> {
        self.game.refuse_late_options("tester")?;
        let header = input::header(io::stdin().lock()).context("the input")?;
        interrupt::watch()?;
        let mut session = BotSession::new(self.game.config(settings)?, 1, BotOutput(io::stdout()))?;
        let game = session.play(self.game.setup(header), &mut ())?;
        Console::new(anstream::stderr()).game(&game)?;
        let verdict = HarnessVerdict::of(game.result.verdict);
        writeln!(io::stderr(), "Score = {}", u8::from(verdict == HarnessVerdict::Accepted))?;
        Ok(ExitCode::from(Convention::Plain.exit_code(verdict)))
    }
}
