//! `judge test`: plays the games of files against a bot.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{bail, ensure};
use clap::Args;
use itertools::Itertools;
use runner::program;

use crate::cli::run::RunOptions;
use crate::cli::{bot, complete};
use crate::interop::header_of_file;
use crate::referee::game::setup::GameSetup;
use crate::settings::Settings;
use crate::trials::start_files;

/// Play the games of files against a bot
#[derive(Debug, Args)]
#[command(after_help = "\
A file has a game on each line, typed like the arguments of \"judge run\", with \"#\" before a comment:
  2000 3 3
  nim 3 5 7 --opponent random --seed 4 --line \"1 1, 2 3\"   # was lost once
Options on a line override those of the command. In a directory, all files whose names end in .in or .txt \
are read.

Examples:
  judge test starts.txt -- ./bot
  judge test starts.txt bot.cpp        a source is compiled first
  judge test data/secret failed.txt --opponent stubborn -- python3 my_bot.py
  echo 9 1 2 | judge test - --opponent slow -- ./bot
  judge test -f sample/1.in python3 my_bot.py
                                       like the testing tool of a package

Exit codes:
  0  the bot won every game
  1  the bot did not win every game
  2  wrong usage, a file cannot be read, the bot could not be started, or the
     judge could not continue or was interrupted")]
pub(crate) struct TestArgs {
    /// The files with the games; "-" is stdin. A source and its arguments may follow. With -f: the bot
    #[arg(add = complete::bot(), value_name = "FILE", required_unless_present = "input")]
    words: Vec<OsString>,

    /// An input file of a problem package: one line with a header
    #[arg(short = 'f', long = "input", value_name = "INPUT")]
    input: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: RunOptions,

    /// The bot's command and its arguments; without it the bundled bot plays
    #[arg(add = complete::bot(), last = true, value_name = "BOT")]
    bot: Vec<OsString>,
}

impl TestArgs {
    pub(crate) fn run(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        let Self { words, input, options, bot } = self;
        if let Some(input) = input {
            let bot = [words.as_slice(), bot].concat();
            let has_bot = !bot.is_empty() || !options.bots.is_empty();
            ensure!(has_bot, "expected the bot's command after the options: judge test -f INPUT BOT");
            return self.play(&bot, settings, &options.setups(&header_of_file(input)?, options.seed));
        }
        let (files, bot) = bot::split_words(words, bot, settings);
        if let Some(at) = files.iter().position(|word| is_program(word)) {
            bail!(bot::missing_dashes("test", words, at, settings));
        }
        let mut starts = Vec::new();
        for start in start_files::read_all(files)? {
            // A start that names its opponent is played only against that opponent.
            let against = |opponent| start.clone().setup(opponent, options.seed, &options.line());
            starts.extend(options.opponents().into_iter().map(against).dedup());
        }
        self.play(bot, settings, &starts)
    }

    fn play(&self, bot: &[OsString], settings: &Settings, starts: &[GameSetup]) -> anyhow::Result<ExitCode> {
        let options = &self.options;
        let count = options.games.saturating_mul(starts.len() as u64);
        let seeds: Vec<_> = starts.iter().map(|start| options.seeds(start.seed)).try_collect()?;
        let games = starts
            .iter()
            .zip(seeds)
            .flat_map(|(start, seeds)| seeds.map(move |seed| GameSetup { seed, ..start.clone() }));
        options.play(bot, settings, count, games)
    }
}

fn is_program(word: &OsStr) -> bool {
    let path = Path::new(word);
    !path.is_dir() && !start_files::has_game_extension(path) && program::find(word).is_ok()
}
