//! `judge run`: games against a bot.

use std::io::{self, Write};
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
    let transcript = args.transcript.as_deref().map(Transcript::new);
    // A transcript on stdout leaves no room there for the report and the drawing.
    let to_stderr = args.transcript.as_deref() == Some(Path::new("-"));
    if args.json {
        let out: Box<dyn Write> = if to_stderr { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        return play(args, transcript, Json::new(out), &mut ());
    }
    let out = || -> Box<dyn Write> {
        if to_stderr { Box::new(anstream::stderr()) } else { Box::new(anstream::stdout()) }
    };
    let mut spectator: Box<dyn Spectator> =
        if args.verbose { Box::new(Picture::new(out())) } else { Box::new(()) };
    play(args, transcript, Console::new(out()).quiet(args.quiet), spectator.as_mut())
}

fn play(
    args: &RunArgs,
    transcript: Option<Transcript>,
    reporter: impl Reporter,
    spectator: &mut dyn Spectator,
) -> anyhow::Result<ExitCode> {
    let last = args.seed.checked_add(args.games - 1);
    let last =
        last.with_context(|| format!("expected seeds of at most {}, the last would be larger", u64::MAX))?;
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
        series.play(Fixture { game, opponent: args.opponent, seed, line }, spectator)?;
    }
    series.end()
}
