//! `judge run`: games against a bot.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::cli::run::RunArgs;
use crate::conversation::Spectator;
use crate::interrupt;
use crate::picture::Picture;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::series::{Conditions, Fixture, Series};
use crate::transcript::write::Transcript;

/// The longest row that is drawn from a seed: the contest's limit.
const MAX_N: u64 = 2000;

pub(crate) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let transcript = args.transcript.as_deref().map(Transcript::create).transpose()?;
    // A transcript on stdout leaves no room for the report there.
    let to_stderr = args.transcript.as_deref() == Some(Path::new("-"));
    match (args.json, to_stderr) {
        (true, false) => play(args, transcript, Json::new(io::stdout())),
        (true, true) => play(args, transcript, Json::new(io::stderr())),
        (false, false) => play(args, transcript, Console::new(anstream::stdout())),
        (false, true) => play(args, transcript, Console::new(anstream::stderr())),
    }
}

fn play(args: &RunArgs, transcript: Option<Transcript>, reporter: impl Reporter) -> anyhow::Result<ExitCode> {
    let last = args.seed.checked_add(args.games - 1);
    let last =
        last.with_context(|| format!("expected seeds of at most {}, the last would be larger", u64::MAX))?;
    let mut spectator: Box<dyn Spectator> =
        if args.verbose { Box::new(Picture::new(anstream::stdout())) } else { Box::new(()) };
    interrupt::watch()?;
    let header = args.header.join(" ");
    let conditions = Conditions {
        bot: args.bot.clone(),
        limits: args.conditions.limits(),
        profile: args.conditions.profile,
        session: args.session,
        sandbox: false,
    };
    let mut series = Series::new(conditions, args.games, transcript, reporter)?;
    for seed in args.seed..=last {
        if series.is_stopped() {
            break;
        }
        let game = if header.is_empty() { random_row(seed) } else { header.clone() };
        series.play(Fixture { game, opponent: args.opponent, seed }, spectator.as_mut())?;
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
