//! `judge run`: games against a bot.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

use crate::cli::run::RunArgs;
use crate::conversation::Spectator;
use crate::interrupt;
use crate::picture::Picture;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::series::{Arena, Fixture, Series};
use crate::stress::family::{rng, row};
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
        (false, false) => play(args, transcript, Console::new(anstream::stdout()).quiet(args.quiet)),
        (false, true) => play(args, transcript, Console::new(anstream::stderr()).quiet(args.quiet)),
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
    let arena = Arena::new(args.conditions.conditions(&args.bot), args.games, transcript)?;
    let mut series = Series::new(arena, reporter);
    for seed in args.seed..=last {
        if series.is_stopped() {
            break;
        }
        let game = if header.is_empty() { row(MAX_N, &mut rng(seed)) } else { header.clone() };
        let line = args.line.to_vec();
        series.play(Fixture { game, opponent: args.opponent, seed, line }, spectator.as_mut())?;
    }
    series.end()
}
