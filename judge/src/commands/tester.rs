//! `judge tester`: the game of the input, what the bot prints on stdout, and the score on stderr.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;

use crate::cli::tester::TesterArgs;
use crate::event::{Entry, Event};
use crate::interop::input;
use crate::interop::style::{Class, Style};
use crate::interrupt;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::series::Arena;
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
    interrupt::watch()?;
    let mut arena = Arena::new(args.duel.conditions.conditions(&args.duel.bot), 1, Output(io::stdout()))?;
    let record = arena.play(args.duel.fixture(game), &mut ())?;
    Console::new(anstream::stderr()).game(&record)?;
    let class = Class::of(record.outcome.verdict);
    writeln!(io::stderr(), "Score = {}", u8::from(class == Class::Accepted))?;
    Ok(ExitCode::from(Style::Plain.exit_code(class)))
}
