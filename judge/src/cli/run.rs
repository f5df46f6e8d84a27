//! `judge run`: plays games against a bot and referees them.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use zeroxor::wire::protocol;

use super::header_words;
use super::match_options::MatchOptions;
use crate::matches::match_runner::MatchRunner;
use crate::matches::session::BotSession;
use crate::matches::stress::family::{random_row, start_rng};
use crate::process::interrupt;
use crate::referee::setup::{GameHeader, GameSetup, MoveLine, OpponentKind};
use crate::referee::spectator::Spectator;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::report::picture::Picture;
use crate::report::transcript::TranscriptWriter;
use crate::units::{number_in, plain_numbers};

/// Play games against a bot and referee them
#[derive(Debug, Args)]
#[command(
    override_usage = "judge run [HEADER WORDS] [OPTIONS] [-- BOT ARGS...]",
    after_help = "\
Examples:
  judge run 2000 3 3 --opponent perfect -- python3 my_bot.py
  judge run 6 1 2 -v                        the bundled bot, drawn move by move
  judge run --games 100 --seed 7 -- ./bot   a hundred rows of up to 2000 cards
  judge run segment 20 3 5 seat second --json -- ./bot

Exit codes:
  0  the bot won every game
  1  the bot did not win every game
  2  wrong usage, the bot could not be started, or the judge could not continue
     or was interrupted"
)]
pub(crate) struct RunArgs {
    /// The game, as a header of the protocol: "N L R" is a row of N cards from which a move takes L to R consecutive
    /// cards. Without it each game has a random row of at most 2000 cards, which depends on its seed
    #[arg(value_name = "HEADER WORDS")]
    pub(crate) header: Vec<String>,

    /// Who plays against the bot
    #[arg(long, value_enum, default_value_t = OpponentKind::Perfect, value_name = "NAME")]
    pub(crate) opponent: OpponentKind,

    /// How many games to play, with the seeds S, S+1, ...
    #[arg(short = 'n', long, default_value_t = 1, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    pub(crate) games: u64,

    /// The seed of the first game
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) options: MatchOptions,

    /// The opponent's first moves, "x y, x y". After them, or from a move on that is not legal, it plays by itself
    #[arg(long, value_name = "MOVES", value_parser = parse_line, default_value = "", hide_default_value = true)]
    pub(crate) line: Arc<MoveLine>,

    /// Write every line of the games with its time as JSON lines, "-" for stdout; the report then goes to
    /// stderr
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,

    /// Print one JSON object for each game and nothing else
    #[arg(long, conflicts_with_all = ["verbose", "quiet"])]
    pub(crate) json: bool,

    /// Print only the games that were not won, and nothing at all if all are won and none was excused
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Draw each game, with a line for each move
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// The bot's command and its arguments; without it the bundled bot plays
    #[arg(last = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}

/// Parses moves with commas between them.
fn parse_line(text: &str) -> Result<Arc<MoveLine>, String> {
    let text = plain_numbers(text);
    let moves = text.split(',').filter(|_| !text.trim().is_empty());
    let moves = moves.map(|mv| match protocol::parse_bot_turn(mv.as_bytes()) {
        Ok(Some(mv)) => Ok([mv.place, mv.take]),
        Ok(None) => Err("expected moves \"x y\", got \"0 0\"".to_owned()),
        Err(error) => Err(error.to_string()),
    });
    moves.collect::<Result<MoveLine, String>>().map(Arc::new)
}

/// The largest random row: the contest's limit.
const MAX_N: u64 = 2000;

pub(crate) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let transcript = args.transcript.as_deref().map(TranscriptWriter::new);
    // If the transcript is written to stdout, the report and the drawing are written to stderr.
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
    transcript: Option<TranscriptWriter>,
    reporter: impl Reporter,
    spectator: &mut dyn Spectator,
) -> anyhow::Result<ExitCode> {
    let last = args.seed.checked_add(args.games - 1);
    let last = last.with_context(|| {
        format!("expected seeds of at most {}, but the seed of the last game would be larger", u64::MAX)
    })?;
    interrupt::watch()?;
    let header = header_words::read("run", &args.header)?;
    let session = BotSession::new(args.options.config(&args.bot), args.games, transcript)?;
    let mut games = MatchRunner::new(session, reporter);
    for seed in args.seed..=last {
        if games.is_stopped() {
            break;
        }
        let header =
            header.clone().unwrap_or_else(|| GameHeader::new(random_row(MAX_N, &mut start_rng(seed)), None));
        let line = args.line.to_vec();
        games.play(GameSetup { line, ..GameSetup::new(header, args.opponent, seed) }, spectator)?;
    }
    games.end()
}
