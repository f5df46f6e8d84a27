//! `judge tester`: the game of the input, what the bot prints on stdout, and the score on stderr.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::duel::DuelArgs;
use crate::interop::input;
use crate::interop::style::{Class, Style};
use crate::matches::session::BotSession;
use crate::process::interrupt;
use crate::referee::event::{Event, RecordedEvent};
use crate::referee::transcript::Log;
use crate::report::Reporter;
use crate::report::console::Console;

/// Play the game of the input against a bot, as the testers of AtCoder's heuristic contests do
#[derive(Debug, Args)]
#[command(
    override_usage = "judge tester [OPTIONS] BOT ARGS... < in.txt > out.txt",
    after_help = "\
The input is one line with a header, the output what the bot prints. stderr tells the result of the game, and \
\"Score = 1\" for a win, \"Score = 0\" for anything else.

Example:
  judge tester python3 my_bot.py < in.txt > out.txt

Exit codes:
  0  the bot won
  1  it did not
  2  wrong usage, the bot could not be started, or the judge could not do its
     part"
)]
pub(crate) struct TesterArgs {
    #[command(flatten)]
    pub(crate) duel: DuelArgs,
}

/// Keeps what the bot says, as it says it.
struct BotOutput<W>(W);

impl<W: Write> Log for BotOutput<W> {
    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        match &entry.event {
            Event::Received(line) => self.0.write_all(&line.0),
            _ => Ok(()),
        }
    }
}

pub(crate) fn tester(args: &TesterArgs) -> anyhow::Result<ExitCode> {
    let header = input::header(io::stdin().lock()).context("the input")?;
    interrupt::watch()?;
    let mut session = BotSession::new(args.duel.options.config(&args.duel.bot), 1, BotOutput(io::stdout()))?;
    let game = session.play(args.duel.setup(header), &mut ())?;
    Console::new(anstream::stderr()).game(&game)?;
    let class = Class::of(game.result.verdict);
    writeln!(io::stderr(), "Score = {}", u8::from(class == Class::Accepted))?;
    Ok(ExitCode::from(Style::Plain.exit_code(class)))
}
