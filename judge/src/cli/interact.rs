//! `judge interact`: one game with a bot that another program runs.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use runner::config::MatchConfig;
use runner::config::Profile;
use runner::interrupt;
use runner::limits::{DEFAULT_LIMITS, Limits};
use runner::message::print_error;
use runner::streams::Streams;

use crate::cli::subcommand::{Program, Subcommand};
use crate::interop::convention::{Convention, HarnessVerdict};
use crate::interop::harness_args::HarnessArgs;
use crate::interop::harness_args::header_of_file;
use crate::referee::game::game_runner::{GameRunner, GameStart};
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::{GameHeader, GameSetup, OpponentKind};
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::transcript::writer::TranscriptWriter;
use crate::report::transcript::{GameLog, SetupLine};
use crate::units::{number_in, parse_time_limit};

/// Referee a bot that another program runs, over stdin and stdout
#[derive(Debug, Args)]
#[command(
    override_usage = "\
judge interact [OPTIONS] HEADER WORDS
       judge interact [OPTIONS] --input FILE
       judge interact --style kattis [OPTIONS] INPUT ANSWER FEEDBACK_DIR
       judge interact --style testlib [OPTIONS] INPUT OUTPUT [ANSWER [REPORT]]",
    after_help = "\
The judge writes its lines to stdout and reads the bot's lines from stdin. The verdict is printed on stderr.

Examples:
  oj test-reactive -c ./bot 'judge interact 20 3 5'
  python3 interactive_runner.py judge interact 20 3 5 -- ./bot
  judge interact --style kattis 1.in 1.ans feedback

Exit codes:
  0  the bot won; 42 with kattis
  1  the bot did not win; 43 with kattis; 2 with testlib if its output has
     the wrong form
  2  wrong usage, or the judge could not continue; 3 with testlib"
)]
pub(crate) struct InteractArgs {
    /// The convention for arguments and exit codes
    #[arg(long, value_enum, default_value_t = Convention::Plain, value_name = "NAME")]
    pub(crate) style: Convention,

    /// The header, or the files of the style; the input is one line with a header
    #[arg(value_name = "ARGS")]
    pub(crate) args: Vec<OsString>,

    /// Read the header from a file
    #[arg(short = 'f', long, value_name = "FILE", conflicts_with = "args")]
    pub(crate) input: Option<PathBuf>,

    /// Who plays against the bot
    #[arg(long, value_enum, default_value_t = OpponentKind::Perfect, value_name = "NAME")]
    pub(crate) opponent: OpponentKind,

    /// The opponent's seed
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Limit on the total time that the judge waits for the bot's lines, in seconds if there is no unit. The program
    /// that runs the bot may have other limits [default: 10s with plain, else 60s]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    wall_limit: Option<Duration>,

    /// How long the bot may print nothing while its line is expected [default: the wall limit]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    idle_limit: Option<Duration>,

    /// How long the judge waits for the end of the bot's output when the game is over [default: 10s with kattis, else
    /// 1ms]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    grace: Option<Duration>,

    /// How to judge the bot's behaviour after the end of a game that it won [default: strict with kattis, else contest,
    /// because the other conventions do not report when the bot has ended]
    #[arg(long, value_enum, value_name = "NAME")]
    profile: Option<Profile>,

    /// Write a transcript of the game as JSON lines, with the time of each event
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
}

impl InteractArgs {
    fn config(&self) -> MatchConfig {
        let wall = self.wall_limit.unwrap_or_else(|| self.style.wall());
        let limits = Limits {
            // The judge cannot measure the CPU time of this bot, so this limit is never reached.
            cpu: wall,
            wall,
            idle: self.idle_limit.unwrap_or(wall),
            grace: self.grace.unwrap_or_else(|| self.style.grace()),
            ..DEFAULT_LIMITS
        };
        let profile = Some(self.profile.unwrap_or_else(|| self.style.profile()));
        MatchConfig { profile, limits, bot: vec![BOT_PLACEHOLDER.into()], ..MatchConfig::default() }
    }
}

/// The placeholder for the bot's command in the command that plays the game again.
const BOT_PLACEHOLDER: &str = "YOUR_BOT";

impl Subcommand for InteractArgs {
    /// Referees one game. After an error, the exit code is the convention's code for a judge error, because any other
    /// code might blame the bot.
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        let verdict = referee(self).unwrap_or_else(|error| {
            print_error(format_args!("{error:#}"));
            HarnessVerdict::JudgeError
        });
        Ok(ExitCode::from(self.style.exit_code(verdict)))
    }
}

fn referee(args: &InteractArgs) -> anyhow::Result<HarnessVerdict> {
    let harness_args = match &args.input {
        Some(path) if args.style == Convention::Plain => HarnessArgs::Plain { header: header_of_file(path)? },
        _ => HarnessArgs::new(args.style, &args.args)?,
    };
    let header = harness_args.header()?;
    let feedback = harness_args.feedback()?;
    let game = play(args, header)?;
    // The verdict is valid even if the report cannot be printed.
    let _ = Console::new(anstream::stderr()).game(&game);
    feedback.write(&game)?;
    Ok(HarnessVerdict::of(game.result.ruling.verdict))
}

fn play(args: &InteractArgs, header: GameHeader) -> anyhow::Result<FinishedGame> {
    let mut log: Box<dyn GameLog> = match &args.transcript {
        Some(file) => Box::new(TranscriptWriter::new(file)),
        None => Box::new(()),
    };
    interrupt::watch()?;
    let mut bot = Streams::take(&io::stdin(), &io::stdout())?;
    let setup = SetupLine::new(GameSetup::new(header, args.opponent, args.seed), args.config(), None);
    let (finished, _) = GameRunner::new(setup, &mut bot, &mut (), log.as_mut())?.run(GameStart::default())?;
    Ok(finished)
}
