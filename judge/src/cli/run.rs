//! `judge run`: plays games against a bot and referees them.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;

use super::bot;
use super::complete;
use super::interactor_options::InteractorOptions;
use super::run_options::RunOptions;
use super::shared_options::FamilyOptions;
use super::subcommand::{Program, Subcommand};
use crate::matches::stress::family::StartRng;
use common::interrupt;
use referee::setup::{GameHeader, GameSetup};

/// Play games against a bot and referee them
#[derive(Debug, Args)]
#[command(
    mut_arg("interactor", |option| option.conflicts_with_all(OPTIONS_OF_GAMES)),
    mut_arg("problem", |option| option.conflicts_with_all(OPTIONS_OF_GAMES)),
    override_usage = "\
judge run [HEADER WORDS] [OPTIONS] [-- BOT ARGS...]
       judge run [OPTIONS] [HEADER WORDS] SOURCE [ARGS...]
       judge run [OPTIONS] [HEADER WORDS] --bot NAME=COMMAND...
       judge run --interactor COMMAND [--input FILE]... [OPTIONS] -- BOT ARGS...
       judge run --problem DIR [OPTIONS] [-- BOT ARGS...]",
    after_help = "\
A game that is not won is kept in the corpus, the directory .judge/corpus. Without a header the games of the corpus are \
played first; \"judge corpus\" lists and removes them.

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
    /// cards. Without it each seed has a random start with sizes of at most 2000
    #[arg(add = complete::header_or_bot(), value_name = "HEADER WORDS", conflicts_with = "family")]
    pub(crate) header: Vec<String>,

    #[command(flatten)]
    pub(crate) families: FamilyOptions,

    #[command(flatten)]
    pub(crate) options: RunOptions,

    #[command(flatten)]
    interactor: InteractorOptions,

    /// The bot's command and its arguments, or a source such as bot.cpp, which is compiled; without it the bundled
    /// bot plays
    #[arg(add = complete::bot(), last = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}

/// The options that are about games of the judge.
const OPTIONS_OF_GAMES: [&str; 6] = ["family", "opponent", "bots", "line", "stderr", "session"];

/// The largest size of a random start: the contest's limit.
const MAX_N: u64 = 2000;

impl Subcommand for RunArgs {
    fn run(&self, Program { settings, .. }: &Program) -> anyhow::Result<ExitCode> {
        let RunArgs { options, .. } = self;
        let seeds = options.seeds(options.seed)?;
        interrupt::watch()?;
        let (words, bot) = bot::split_words(&self.header, &self.bot, settings);
        if self.interactor.is_given() {
            ensure!(
                words.is_empty(),
                "expected the bot's command after \"--\", got the header {}",
                words.join(" ")
            );
            ensure!(
                !bot.is_empty() || self.interactor.problem.is_some(),
                "expected the bot's command after \"--\", got none"
            );
            return options.run_problem(&self.interactor, &bot, settings);
        }
        let header = bot::read_header("run", words, &bot, settings)?;
        // With a header, only the named game is played, and no game of the corpus.
        let kept = if header.is_none() {
            options.corpus.games_to_play_first(&options.bot_names(&bot))?
        } else {
            Vec::new()
        };
        let opponents = options.opponents();
        let count =
            options.games.saturating_mul(opponents.clone().count() as u64).saturating_add(kept.len() as u64);
        let starts = seeds.zip(self.families.family.iter().cycle()).map(|(seed, family)| {
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
        options.play(&bot, settings, count, kept.into_iter().chain(games))
    }
}
