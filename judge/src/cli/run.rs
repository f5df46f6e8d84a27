//! `judge run`: plays games against a bot and referees them.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use itertools::Itertools;
use zeroxor::wire::protocol;

use super::header_words;
use super::match_options::MatchOptions;
use super::named_bot::{self, NamedBot};
use crate::escape::complain;
use crate::matches::match_plan::MatchPlan;
use crate::matches::match_report::MatchReport;
use crate::matches::match_runner::MatchRunner;
use crate::matches::parallel;
use crate::matches::session::BotSession;
use crate::matches::stress::family::GameFamily;
use crate::process::interrupt;
use crate::referee::config::MatchConfig;
use crate::referee::setup::{MoveLine, OpponentKind};
use crate::referee::spectator::Spectator;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::report::picture::Picture;
use crate::report::stderr_files::StderrFiles;
use crate::report::transcript::TranscriptWriter;
use crate::units::{number_in, plain_numbers};

/// Play games against a bot and referee them
#[derive(Debug, Args)]
#[command(
    override_usage = "\
judge run [HEADER WORDS] [OPTIONS] [-- BOT ARGS...]
       judge run [HEADER WORDS] [OPTIONS] --bot NAME=COMMAND...",
    after_help = "\
Examples:
  judge run 2000 3 3 --opponent perfect -- python3 my_bot.py
  judge run 6 1 2 -v                        the bundled bot, drawn move by move
  judge run --games 100 --seed 7 -- ./bot   a hundred rows of up to 2000 cards
  judge run -n 20 -j 2 --opponent perfect,slow --family segment,nim -- ./bot
  judge run --games 20 --bot old=./old --bot new='python3 new.py'
  judge run segment 20 3 5 seat second --json -- ./bot

Exit codes:
  0  the bot won every game
  1  the bot did not win every game
  2  wrong usage, the bot could not be started, or the judge could not continue
     or was interrupted"
)]
pub(crate) struct RunArgs {
    /// The game, as a header of the protocol: "N L R" is a row of N cards from which a move takes L to R consecutive
    /// cards. Without it each seed has a random start with sizes of at most 2000
    #[arg(value_name = "HEADER WORDS")]
    pub(crate) header: Vec<String>,

    /// Who plays against the bot; several opponents with commas between them
    #[arg(long, value_enum, default_value = "perfect", value_name = "NAME", value_delimiter = ',')]
    pub(crate) opponent: Vec<OpponentKind>,

    /// The family of the random starts; several families take turns
    #[arg(
        long,
        value_enum,
        default_value = "segment",
        value_name = "NAME",
        value_delimiter = ',',
        conflicts_with = "header"
    )]
    pub(crate) family: Vec<GameFamily>,

    /// How many games to play against each opponent, with the seeds S, S+1, ...
    #[arg(short = 'n', long, default_value_t = 1, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    pub(crate) games: u64,

    /// The seed of the first game
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// How many games to play at the same time; with more games than processors bots may wait for a processor and use
    /// up their wall time
    #[arg(short, long, default_value_t = 1, value_name = "J", value_parser = number_in(1_u16..=1024))]
    pub(crate) jobs: u16,

    /// A bot with a name, instead of the command after "--". Several bots play the same games, side by side
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = named_bot::parse, conflicts_with = "command")]
    pub(crate) bots: Vec<NamedBot>,

    #[command(flatten)]
    pub(crate) options: MatchOptions,

    /// The opponent's first moves, "x y, x y". After them, or from a move on that is not legal, it plays by itself
    #[arg(long, value_name = "MOVES", value_parser = parse_line, default_value = "", hide_default_value = true)]
    pub(crate) line: Arc<MoveLine>,

    /// Write every line of the games with its time as JSON lines, "-" for stdout; the report then goes to
    /// stderr
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,

    /// Show what the bot writes to stderr also for games that are won
    #[arg(long, conflicts_with = "json")]
    pub(crate) show_stderr: bool,

    /// Write what the bot writes to stderr in each game to a file seed-S.txt in this folder, with the names of the bot
    /// and of the opponent if there are several
    #[arg(long, value_name = "DIR")]
    pub(crate) stderr: Option<PathBuf>,

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
    pub(crate) command: Vec<OsString>,
}

impl RunArgs {
    /// The configurations of the bots.
    fn configs(&self) -> anyhow::Result<Vec<MatchConfig>> {
        if self.bots.is_empty() {
            return Ok(vec![self.options.config(&self.command)]);
        }
        if let Some(name) = self.bots.iter().map(|bot| &bot.name).duplicates().next() {
            bail!("expected bots with different names, got two that are called {name}");
        }
        let config = |NamedBot { name, command }: &NamedBot| MatchConfig {
            name: Some(name.clone()),
            ..self.options.config(command)
        };
        Ok(self.bots.iter().map(config).collect())
    }

    fn plan(&self, bots: usize) -> anyhow::Result<MatchPlan> {
        Ok(MatchPlan {
            header: header_words::read("run", &self.header)?,
            families: self.family.clone(),
            starts: self.games,
            seed: self.seed,
            opponents: self.opponent.iter().copied().unique().collect(),
            line: Arc::clone(&self.line),
            bots,
        })
    }
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
    play(
        args,
        transcript,
        Console::new(out()).quiet(args.quiet).show_stderr(args.show_stderr),
        spectator.as_mut(),
    )
}

fn play(
    args: &RunArgs,
    transcript: Option<TranscriptWriter>,
    reporter: impl Reporter,
    spectator: &mut dyn Spectator,
) -> anyhow::Result<ExitCode> {
    let bots = args.configs()?;
    let plan = args.plan(bots.len())?;
    let games = plan.games()?;
    interrupt::watch()?;
    let several = plan.opponents.len() > 1;
    let stderr = args.stderr.as_deref().map(|folder| StderrFiles::new(folder, several)).transpose()?;
    let mut log = (transcript, stderr);
    let mut report = MatchReport::new(reporter);
    // The drawings show the progress.
    if games > 1 && !args.verbose {
        report = report.with_progress(games);
    }
    if let ([bot], 1) = (bots.as_slice(), args.jobs) {
        let mut runner = MatchRunner::new(BotSession::new(bot.clone(), games, log)?, report);
        for index in 0..games {
            if runner.is_stopped() {
                break;
            }
            runner.play(plan.game(index).setup, spectator)?;
        }
        return runner.end();
    }
    parallel::play(&bots, args.jobs, games, &plan, |game| {
        game.write(&mut log)?;
        game.show(spectator)?;
        report.add(&game.game)?;
        Ok(!report.is_stopped())
    })?;
    if interrupt::interrupted() {
        report.stop();
        complain(format_args!("interrupted, so not all games were played"));
    }
    report.end()
}
