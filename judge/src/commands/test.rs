//! `judge test`: the game of an input file.

use std::process::ExitCode;

use crate::cli::test::TestArgs;
use crate::interop::input::game_of_file;
use crate::interrupt;
use crate::report::console::Console;
use crate::series::{Arena, Series};

pub(crate) fn test(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let game = game_of_file(&args.input)?;
    interrupt::watch()?;
    let arena = Arena::new(args.duel.conditions.conditions(&args.duel.bot), 1, ())?;
    let mut series = Series::new(arena, Console::new(anstream::stdout()));
    series.play(args.duel.fixture(game), &mut ())?;
    series.end()
}
