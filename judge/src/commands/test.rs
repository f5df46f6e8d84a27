//! `judge test`: the game of an input file.

use std::process::ExitCode;

use crate::cli::test::TestArgs;
use crate::interop::input::game_of_file;
use crate::interrupt;
use crate::player::opponent::Line;
use crate::report::console::Console;
use crate::series::{Arena, Fixture, Series};

pub(crate) fn test(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let game = game_of_file(&args.input)?;
    interrupt::watch()?;
    let arena = Arena::new(args.conditions.conditions(&args.bot), 1, ())?;
    let mut series = Series::new(arena, Console::new(anstream::stdout()));
    let fixture = Fixture { game, opponent: args.opponent, seed: args.seed, line: Line::new() };
    series.play(fixture, &mut ())?;
    series.end()
}
