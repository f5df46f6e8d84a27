//! `judge run`: plays games against a bot and referees them, or runs a bot against the interactor of another problem.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use runner::interrupt;

use crate::cli::bot;
use crate::cli::complete;
use crate::cli::interactor_options::{IDLE_HELP, InteractorOptions, NamedBy};
use crate::cli::run_options::RunOptions;
use crate::cli::shared_options::FamilyOptions;
use crate::cli::subcommand::{Program, Subcommand};
use crate::referee::game::setup::{GameHeader, GameSetup};
use crate::trials::family::StartRng;

/// Referee a bot in games, or run it against an interactor
#[derive(Debug, Args)]
#[command(
    mut_arg("games", |option| option.help(GAMES_HELP)),
    mut_arg("seed", |option| option.help("The seed of the first game or run")),
    mut_arg("jobs", |option| option.help(JOBS_HELP)),
    mut_arg("json", |option| option.help(JSON_HELP)),
    mut_arg("quiet", |option| option.help(QUIET_HELP)),
    mut_arg("verbose", |option| option.help(VERBOSE_HELP)),
    mut_arg("idle_limit", |option| option.help(IDLE_HELP)),
    override_usage = "\
judge run [HEADER WORDS] [OPTIONS] [-- BOT ARGS...]
       judge run [OPTIONS] [HEADER WORDS] SOURCE [ARGS...]
       judge run [OPTIONS] [HEADER WORDS] --bot NAME=COMMAND...
       judge run --interactor COMMAND [--input FILE]... [OPTIONS] -- BOT ARGS...
       judge run --problem DIR [OPTIONS] [-- BOT ARGS...]",
    after_help = "\
With --interactor the bot is run against the interactor of another problem, on each input, and with --problem on the tests \
of a problem package. The section [problem] of judge.toml can name an interactor and inputs, so that \"judge run -- bot.cpp\" \
is enough.

Examples:
  judge run 2000 3 3 --opponent perfect -- python3 my_bot.py
  judge run 20 3 5 bot.cpp                  a source is compiled first
  judge run 6 1 2 -v                        the bundled bot, drawn move by move
  judge run --games 100 --seed 7 -- ./bot   a hundred rows of up to 2000 cards
  judge run -n 20 -j 2 --opponent perfect,slow --family segment,nim -- ./bot
  judge run --games 20 --bot old=./old --bot new='python3 new.py'
  judge run segment 20 3 5 seat second --json -- ./bot
  judge run --interactor interactor.cpp --input tests/ -- bot.cpp
                                            another problem, with its interactor
  judge run --problem guess/                each submission of a problem package

Exit codes:
  0  the bot won every game, or the interactor accepted every run
  1  the bot did not win every game, or a run was not accepted
  2  wrong usage, a program could not be started, the interactor failed, or the
     judge could not continue or was interrupted"
)]
pub(crate) struct RunArgs {
    /// The game, as a header of the protocol: "N L R" is a row of N cards from which a move takes L to R consecutive
    /// cards. Without a header, each seed has a random start with sizes of at most 2000
    #[arg(add = complete::header_or_bot(), value_name = "HEADER WORDS", conflicts_with = "family")]
    pub(crate) header: Vec<String>,

    #[command(flatten)]
    pub(crate) families: FamilyOptions,

    #[command(flatten)]
    pub(crate) options: RunOptions,

    #[command(flatten)]
    interactor: InteractorOptions,

    /// The bot's command and its arguments, or a source such as bot.cpp, which is compiled; without it the bundled bot
    /// plays the games, and --problem runs the submissions of the package
    #[arg(add = complete::bot(), last = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}

// Help texts that replace those of `RunOptions`: `judge run` also runs interactors, but `judge test`, which has the
// same options, only plays games.
const GAMES_HELP: &str = "How many games to play from each start against each opponent, or how often to run the bot on \
    each input, with the seeds S, S+1, ...";
const JOBS_HELP: &str = "How many games to play or inputs to run at the same time; if J is more than the number of processors, bots \
    may wait for a processor and use up their wall time";
const JSON_HELP: &str =
    "Print one JSON object for each game, run or submission, and one for the summary of several games";
const QUIET_HELP: &str = "Print only the games that were not won or were excused, the runs that were not accepted, or the \
    submissions with an unexpected verdict; print nothing if there are none";
const VERBOSE_HELP: &str = "Draw each game, with a line for each move, or print the lines of both programs of each run; \
    print the command that compiles a source";

/// The options that cannot be used with an interactor, because they are only for games of the judge.
const OPTIONS_OF_GAMES: [&str; 6] = ["family", "opponent", "bot", "line", "stderr", "session"];

/// Maximum size of a row, a pile or a number in a random start: the contest's limit.
const MAX_N: u64 = 2000;

impl Subcommand for RunArgs {
    fn run(&self, program: &Program) -> anyhow::Result<ExitCode> {
        let (RunArgs { options, .. }, Program { settings, .. }) = (self, program);
        let seeds = options.seeds(options.seed)?;
        interrupt::watch()?;
        let (words, bot) = bot::split_words(&self.header, &self.bot, settings);
        let option = self.interactor.naming_option();
        if let Some(named_by) = NamedBy::find(program, option, &OPTIONS_OF_GAMES, !words.is_empty())? {
            ensure!(
                words.is_empty(),
                "expected the bot's command after \"--\", got the header {}",
                words.join(" ")
            );
            if self.interactor.problem.is_none() {
                named_by.ensure_bot(&bot, settings)?;
            }
            return options.run_problem(&self.interactor, named_by, &bot, settings);
        }
        let header = bot::read_header("run", words, &bot, settings)?;
        let header = header.or_else(|| self.families.header(settings));
        let families = self.families.families(settings);
        let opponents = options.opponents();
        let count = options.games.saturating_mul(opponents.clone().count() as u64);
        let starts = seeds.zip(families.iter().cycle()).map(|(seed, family)| {
            let random = || GameHeader::new(family.random(MAX_N, &mut StartRng::new(seed)), None);
            (header.clone().unwrap_or_else(random), seed)
        });
        let games = starts.flat_map(|(header, seed)| {
            let line = &options.line;
            opponents.clone().map(move |opponent| GameSetup {
                line: line.to_vec(),
                ..GameSetup::new(header.clone(), opponent, seed)
            })
        });
        options.play(&bot, settings, count, games)
    }
}
