//! `judge run`: games against a bot.

use std::borrow::Cow;
use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use zeroxor::{Table, protocol};

use super::bot::bundled;
use crate::cli::RunArgs;
use crate::conversation::{Game, Spectator};
use crate::interrupt;
use crate::picture::Picture;
use crate::player::opponent::{Kind, Opponent};
use crate::player::process::Process;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::report::{Record, Reporter};
use crate::verdict::Verdict;

/// The longest row that is drawn from a seed: the contest's limit.
const MAX_N: u64 = 2000;

pub(crate) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let header = args.header.join(" ");
    let bot = if args.bot.is_empty() { bundled()? } else { args.bot.clone() };
    let mut reporter: Box<dyn Reporter> = if args.json {
        Box::new(Json::new(std::io::stdout()))
    } else {
        Box::new(Console::new(anstream::stdout()))
    };
    let mut spectator: Box<dyn Spectator> =
        if args.verbose { Box::new(Picture::new(anstream::stdout())) } else { Box::new(()) };
    interrupt::watch()?;
    let mut code = ExitCode::SUCCESS;
    for seed in (args.seed..=u64::MAX).take(usize::try_from(args.games).unwrap_or(usize::MAX)) {
        let game =
            if header.is_empty() { Cow::Owned(random_row(seed)) } else { Cow::Borrowed(header.as_str()) };
        let opponent = args.opponent;
        let record = play(&game, opponent, seed, args.time_limit, &bot, spectator.as_mut())?;
        reporter.game(&record)?;
        match record.outcome.verdict {
            Verdict::Won => {}
            Verdict::JudgeError | Verdict::Interrupted => return Ok(ExitCode::from(2)),
            _ => code = ExitCode::FAILURE,
        }
    }
    reporter.summary()?;
    Ok(code)
}

/// Plays one game against a new process of the bot.
pub(crate) fn play<'a>(
    game: &'a str,
    opponent: Kind,
    seed: u64,
    time_limit: Duration,
    bot: &[OsString],
    spectator: &mut dyn Spectator,
) -> anyhow::Result<Record<'a>> {
    let header = protocol::parse_header(game.as_bytes()).context("the header is malformed")?;
    Table::open(&header.parts).context("the header sets up no game")?;
    let mut bot = Process::spawn(bot)?;
    let opening = Game { words: game, header: &header, opponent: Opponent::new(opponent, seed), time_limit };
    let outcome = opening.play(&mut bot, spectator)?;
    Ok(Record { game, opponent, seed, outcome })
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
