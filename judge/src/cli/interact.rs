//! `judge interact`: one game with a bot that another program runs.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use runner::interrupt;
use runner::limits::{DEFAULT_LIMITS, Limits};
use runner::message::print_error;

use crate::config::{MatchConfig, Profile};
use crate::interop::{Convention, Feedback, HarnessVerdict};
use crate::output;
use crate::referee::game::bot::Process;
use crate::referee::game::game_runner::{GameRunner, GameStart};
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::report::reporter::{Form, Reporter};
use crate::report::transcript::{GameLog, SetupLine, TranscriptWriter};
use crate::units::{number_in, parse_time_limit};

/// Referee a bot that another program runs, over stdin and stdout
#[derive(Debug, Args)]
#[command(after_help = "\
The judge writes its lines to stdout and reads the bot's lines from stdin. The verdict is printed on stderr.

Examples:
  oj test-reactive -c ./bot 'judge interact 20 3 5'
  python3 interactive_runner.py judge interact 20 3 5 -- ./bot
  judge interact --style kattis INPUT ANSWER FEEDBACK_DIR
  judge interact --style testlib INPUT OUTPUT [ANSWER [REPORT]]

Exit codes:
  0  the bot won; 42 with kattis
  1  the bot did not win; 43 with kattis; 2 with testlib if its output has
     the wrong form
  2  wrong usage, or the judge could not continue; 3 with testlib")]
pub(crate) struct InteractArgs {
    /// The convention for arguments and exit codes
    #[arg(long, value_enum, default_value_t = Convention::Plain, value_name = "NAME")]
    style: Convention,

    /// The header, or the files of the style, as in the examples; the input is one line with a header
    #[arg(value_name = "ARGS")]
    args: Vec<OsString>,

    /// Read the header from a file
    #[arg(short = 'f', long, value_name = "FILE", conflicts_with = "args")]
    input: Option<PathBuf>,

    /// Who plays against the bot
    #[arg(long, value_enum, default_value_t = OpponentKind::Perfect, value_name = "NAME")]
    opponent: OpponentKind,

    /// The opponent's seed
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    seed: u64,

    /// Limit on the total time that the judge waits for the bot's lines [default: 10s with plain, else 60s]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    wall_limit: Option<Duration>,

    /// How long the bot may print nothing while its line is expected [default: the wall limit]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    idle_limit: Option<Duration>,

    /// How long to wait for the end of the bot's output after the game [default: 10s with kattis, else 1ms]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    grace: Option<Duration>,

    /// How to judge a bot's behaviour after it has won [default: strict with kattis, else contest]
    #[arg(long, value_enum, value_name = "NAME")]
    profile: Option<Profile>,

    /// Write a transcript of the game as JSON lines, with the time of each event
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
}

impl InteractArgs {
    /// Referees one game. After an error, the exit code is the convention's code for a judge error, because any other
    /// code might blame the bot.
    pub(crate) fn run(&self) -> ExitCode {
        let verdict = self.referee().unwrap_or_else(|error| {
            print_error(format_args!("{error:#}"));
            HarnessVerdict::JudgeError
        });
        ExitCode::from(self.style.exit_code(verdict))
    }

    fn referee(&self) -> anyhow::Result<HarnessVerdict> {
        let (header, feedback) = Feedback::read(self.style, self.input.as_deref(), &self.args)?;
        let setup = SetupLine::new(GameSetup::new(header, self.opponent, self.seed), self.config(), None);
        let transcript = self.transcript.iter().map(|file| TranscriptWriter::new(file));
        let mut log: Vec<Box<dyn GameLog>> = transcript.map(|log| Box::new(log) as _).collect();
        interrupt::watch()?;
        let mut bot = Process::on_stdio(&io::stdin(), &io::stdout())?;
        let (game, _) = GameRunner::new(setup, &mut bot, &mut log)?.run(GameStart::default())?;
        // The verdict is valid even if the report cannot be printed.
        let _ = Reporter::new(output::stderr(), Form::PLAIN).game(&game);
        feedback.write(&game)?;
        Ok(HarnessVerdict::of(game.result.ruling.verdict))
    }

    fn config(&self) -> MatchConfig {
        let (profile, wall, grace) = self.style.defaults();
        let wall = self.wall_limit.unwrap_or(wall);
        let limits = Limits {
            // The judge cannot measure the CPU time of this bot, so this limit is never reached.
            cpu: wall,
            wall,
            idle: self.idle_limit.unwrap_or(wall),
            grace: self.grace.unwrap_or(grace),
            ..DEFAULT_LIMITS
        };
        let profile = self.profile.or(profile);
        // The command that plays the game again names the bot by this word.
        MatchConfig { profile, limits, bot: vec!["YOUR_BOT".into()], ..MatchConfig::default() }
    }
}
