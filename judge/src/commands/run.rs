//! `judge run`: games against a bot.

use std::process::ExitCode;

use anyhow::Context;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::cli::RunArgs;
use crate::conversation::Spectator;
use crate::interrupt;
use crate::picture::Picture;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::series::Series;

/// The longest row that is drawn from a seed: the contest's limit.
const MAX_N: u64 = 2000;

pub(crate) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    if args.json {
        play(args, Json::new(std::io::stdout()))
    } else {
        play(args, Console::new(anstream::stdout()))
    }
}

fn play(args: &RunArgs, reporter: impl Reporter) -> anyhow::Result<ExitCode> {
    let last = args.seed.checked_add(args.games - 1);
    let last =
        last.with_context(|| format!("expected seeds of at most {}, the last would be larger", u64::MAX))?;
    let mut spectator: Box<dyn Spectator> =
        if args.verbose { Box::new(Picture::new(anstream::stdout())) } else { Box::new(()) };
    interrupt::watch()?;
    let header = args.header.join(" ");
    let mut series = Series::new(&args.bot, args.sandbox, args.time_limit, args.profile, reporter)?;
    for seed in args.seed..=last {
        if series.is_stopped() {
            break;
        }
        let game = if header.is_empty() { random_row(seed) } else { header.clone() };
        series.play(&game, args.opponent, seed, spectator.as_mut())?;
    }
    series.end()
}

/// A row for a seed: every other one under a window of one length, where symmetry is no help.
fn random_row(seed: u64) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Another stream than the opponent's, which has the same seed.
    rng.set_stream(1);
    let n = rng.random_range(1..=MAX_N);
    if rng.random() {
        let l = rng.random_range(1..=n.min(20));
        format!("{n} {l} {l}")
    } else {
        let (a, b) = (rng.random_range(1..=n), rng.random_range(1..=n));
        format!("{n} {} {}", a.min(b), a.max(b))
    }
}
