//! The hidden role in which the judge plays the games that another judge sends: a line of JSON each way a game.

use std::io::{self, BufRead};
use std::process::ExitCode;

use anyhow::Context;

use crate::cli::worker::WorkerArgs;
use crate::interrupt;
use crate::report::json::Json;
use crate::series::{Arena, Fixture, Series};

pub(crate) fn worker(args: &WorkerArgs) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let conditions = args.conditions.conditions(&args.bot);
    // Nobody knows how many will come; where a header is due, the end of the input ends the bot as well.
    let mut series = Series::new(Arena::new(conditions, u64::MAX, ())?, Json::new(io::stdout()));
    for line in io::stdin().lock().lines() {
        let fixture: Fixture = serde_json::from_str(&line?).context("expected a game")?;
        series.play(fixture, &mut ())?;
        if series.is_stopped() {
            break;
        }
    }
    series.end()
}
