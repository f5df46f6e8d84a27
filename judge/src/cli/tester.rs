//! `judge tester`: plays the game of the input. Writes the bot's output to stdout and the score to stderr.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Arg, Args, Command};

use super::complete;
use super::match_options::MatchOptions;
use super::subcommand::{Program, Subcommand};
use crate::interop::convention::{Convention, HarnessVerdict};
use crate::interop::harness_args::header;
use crate::matches::session::BotSession;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::settings::Settings;
use common::interrupt;
use common::units::number_in;
use referee::setup::{GameHeader, GameSetup, OpponentKind};
use referee::transcript::GameLog;
use runner::config::MatchConfig;
use runner::event::{Event, RecordedEvent};

/// Play the game of the input, as the testers of AtCoder's heuristic contests do
#[derive(Debug, Args)]
#[command(
    override_usage = "judge tester [OPTIONS] BOT ARGS... < in.txt > out.txt",
    after_help = "\
The input is one line with a header. The output is what the bot prints. The result of the game is printed on stderr, \
with \"Score = 1\" for a win and \"Score = 0\" for anything else.

Example:
  judge tester python3 my_bot.py < in.txt > out.txt

Exit codes:
  0  the bot won
  1  it did not
  2  wrong usage, the bot could not be started, or the judge could not continue"
)]
pub(crate) struct TesterArgs {
    /// Who plays against the bot
    #[arg(long, value_enum, default_value_t = OpponentKind::Perfect, value_name = "NAME")]
    opponent: OpponentKind,

    /// The opponent's seed
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    seed: u64,

    #[command(flatten)]
    options: MatchOptions,

    /// Print the command that compiles a source
    #[arg(short, long)]
    verbose: bool,

    /// The bot's command and its arguments, or a source such as bot.cpp, which is compiled; after all options
    #[arg(add = complete::bot(), required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "BOT")]
    bot: Vec<OsString>,
}

impl TesterArgs {
    /// Returns the configuration of the game against the bot.
    fn config(&self, settings: &Settings) -> anyhow::Result<MatchConfig> {
        self.options.config(&self.bot, self.verbose, settings)
    }

    /// Returns an error if an option of the subcommand `name` follows the bot's command, because the bot would receive
    /// the option. If the command line has a `--`, such options are meant for the bot and accepted.
    fn refuse_late_options(&self, name: &'static str) -> anyhow::Result<()> {
        if std::env::args_os().any(|word| word == "--") {
            return Ok(());
        }
        let command = Self::augment_args(Command::new(name));
        let late = self.bot.iter().skip(1).filter_map(|word| word.to_str()).find(|word| {
            let (typed, _) = word.split_once('=').unwrap_or((word, ""));
            let is_long = |option: &Arg| option.get_long().is_some_and(|long| typed == format!("--{long}"));
            let is_short =
                |option: &Arg| option.get_short().is_some_and(|short| typed == format!("-{short}"));
            command.get_arguments().any(|option| is_long(option) || is_short(option))
        });
        let Some(late) = late else { return Ok(()) };
        bail!(
            "{late} comes after the bot's command: move it before the command, or type \"--\" before the \
             command if {late} is an option of the bot"
        )
    }

    /// Returns the set-up of the game with this header.
    fn setup(&self, header: GameHeader) -> GameSetup {
        GameSetup::new(header, self.opponent, self.seed)
    }
}

/// A log that writes the lines of the bot, and no other events.
struct BotOutput<W>(W);

impl<W: Write> GameLog for BotOutput<W> {
    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        match &entry.event {
            Event::Received(line) => self.0.write_all(&line.0),
            _ => Ok(()),
        }
    }
}

impl Subcommand for TesterArgs {
    fn run(&self, Program { settings, .. }: &Program) -> anyhow::Result<ExitCode> {
        self.refuse_late_options("tester")?;
        let header = header(io::stdin().lock()).context("the input")?;
        interrupt::watch()?;
        let mut session = BotSession::new(self.config(settings)?, 1, BotOutput(io::stdout()))?;
        let game = session.play(self.setup(header), &mut ())?;
        Console::new(anstream::stderr()).game(&game)?;
        let verdict = HarnessVerdict::of(game.result.verdict);
        writeln!(io::stderr(), "Score = {}", u8::from(verdict == HarnessVerdict::Accepted))?;
        Ok(ExitCode::from(Convention::Plain.exit_code(verdict)))
    }
}
