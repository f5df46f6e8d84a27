//! `judge tester`: the game of the input, what the bot prints on stdout, and the score on stderr.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use zeroxor::protocol;

use crate::cli::tester::TesterArgs;
use crate::conversation::Game;
use crate::event::{Entry, Event};
use crate::interop::input;
use crate::interop::style::{Class, Style};
use crate::interrupt;
use crate::player::opponent::Opponent;
use crate::player::process::Process;
use crate::report::console::Console;
use crate::report::{Record, Reporter};
use crate::series::{Conditions, Fixture};
use crate::transcript::Log;

/// Keeps what the bot says, as it says it.
struct Output<W>(W);

impl<W: Write> Log for Output<W> {
    fn write(&mut self, entry: &Entry) -> io::Result<()> {
        match &entry.event {
            Event::Said(line) => self.0.write_all(&line.0),
            _ => Ok(()),
        }
    }
}

pub(crate) fn tester(args: &TesterArgs) -> anyhow::Result<ExitCode> {
    let game = input::game(io::stdin().lock()).context("the input")?;
    let header = protocol::parse_header(game.as_bytes())?;
    interrupt::watch()?;
    let mut bot = Process::spawn(&args.bot)?;
    let (limits, profile) = (args.conditions.limits(), args.conditions.profile);
    let conditions = Conditions { bot: args.bot.clone(), limits, profile, session: false, sandbox: false };
    let opponent = Opponent::new(args.opponent, args.seed);
    let lines = [game.clone()];
    let opening = conditions.opening(Fixture { game, opponent: args.opponent, seed: args.seed });
    let game = Game { opening: &lines, header: &header, opponent, limits, profile, goes_on: false };
    let (outcome, _) = game.play(&mut bot, &mut (), &mut Output(io::stdout()))?;
    let record = Record::new(opening, &header, outcome);
    Console::new(anstream::stderr()).game(&record)?;
    let class = Class::of(record.outcome.verdict);
    writeln!(io::stderr(), "Score = {}", u8::from(class == Class::Accepted))?;
    Ok(ExitCode::from(Style::Plain.exit_code(class)))
}
