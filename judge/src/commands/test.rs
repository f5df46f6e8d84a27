//! `judge test`: the game of an input file.

use std::process::ExitCode;

use crate::cli::test::TestArgs;
use crate::interop::input::game_of_file;
use crate::interrupt;
use crate::report::console::Console;
use crate::series::{Conditions, Fixture, Series};

pub(crate) fn test(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let game = game_of_file(&args.input)?;
    interrupt::watch()?;
    let conditions = Conditions {
        bot: args.bot.clone(),
        limits: args.conditions.limits(),
        profile: args.conditions.profile,
        session: false,
        sandbox: false,
    };
    let mut series = Series::new(conditions, 1, None, Console::new(anstream::stdout()))?;
    series.play(Fixture { game, opponent: args.opponent, seed: args.seed }, &mut ())?;
    series.end()
}
