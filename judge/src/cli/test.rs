//! `judge test`: the games of files.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{bail, ensure};
use clap::Args;

use super::bot::behind_dashes;
use super::run_options::RunOptions;
use crate::interop::input::header_of_file;
use crate::matches::start_files;
use crate::process::{interrupt, program};
use crate::referee::setup::GameSetup;
use crate::settings::Settings;

/// Play the games of files against a bot
#[derive(Debug, Args)]
#[command(
    override_usage = "\
judge test FILE|DIR|- ... [OPTIONS] [-- BOT ARGS...]
       judge test -f INPUT [OPTIONS] BOT [-- ARGS...]",
    after_help = "\
A file has a game on each line, typed like the arguments of \"judge run\", with \"#\" before a comment:
  2000 3 3
  nim 3 5 7 --opponent random --seed 4 --line \"1 1, 2 3\"   # was lost once
Options of a line go before those of the command. Of a directory, all files are read whose names end in .in or .txt.

The second form is the testing tool of a problem package.

Examples:
  judge test starts.txt -- ./bot
  judge test data/secret .judge/corpus --opponent stubborn -- python3 my_bot.py
  echo 9 1 2 | judge test - --opponent slow -- ./bot
  judge test -f sample/1.in python3 my_bot.py

Exit codes:
  0  the bot won every game
  1  the bot did not win every game
  2  wrong usage, a file cannot be read, the bot could not be started, or the
     judge could not continue or was interrupted"
)]
pub(crate) struct TestArgs {
    /// The files; "-" is stdin. With -f: the bot
    #[arg(value_name = "FILE", required_unless_present = "input")]
    pub(crate) words: Vec<OsString>,

    /// An input file of a problem package: one line with a header
    #[arg(short = 'f', long = "input", value_name = "INPUT")]
    pub(crate) input: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: RunOptions,

    /// The bot's command and its arguments; without it the bundled bot plays
    #[arg(last = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}

pub(crate) fn test(args: &TestArgs, settings: &Settings) -> anyhow::Result<ExitCode> {
    let TestArgs { words, input, options, bot } = args;
    interrupt::watch()?;
    let Some(input) = input else {
        refuse_bot_among_files(words)?;
        let files: Vec<PathBuf> = words.iter().map(PathBuf::from).collect();
        let mut games = Vec::new();
        for start in start_files::read_all(&files)? {
            games.push(start.setup(options.opponent, options.seed, &options.line));
        }
        return play(options, bot, settings, games);
    };
    let bot = [words.as_slice(), bot].concat();
    ensure!(!bot.is_empty(), "expected the bot's command behind the options: judge test -f INPUT BOT");
    let line = options.line.to_vec();
    let game = GameSetup { line, ..GameSetup::new(header_of_file(input)?, options.opponent, options.seed) };
    play(options, &bot, settings, vec![game])
}

/// Refuses a bot's command without `--` before it.
fn refuse_bot_among_files(words: &[OsString]) -> anyhow::Result<()> {
    if let Some(at) = words.iter().position(|word| is_program(word)) {
        let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        bail!(behind_dashes("test", &words[..at], &words[at..]));
    }
    Ok(())
}

/// Whether a word is rather the name of a program than that of a file with games.
fn is_program(word: &OsStr) -> bool {
    let path = Path::new(word);
    !path.is_dir() && !start_files::has_games_by_its_name(path) && program::find(word).is_ok()
}

/// Plays as many games from each start as the options say.
fn play(
    options: &RunOptions,
    bot: &[OsString],
    settings: &Settings,
    starts: Vec<GameSetup>,
) -> anyhow::Result<ExitCode> {
    let count = options.games.saturating_mul(starts.len() as u64);
    let starts = starts.into_iter().map(|start| Ok((options.seeds(start.seed)?, start)));
    let starts = starts.collect::<anyhow::Result<Vec<_>>>()?;
    let games = starts
        .into_iter()
        .flat_map(|(seeds, start)| seeds.map(move |seed| GameSetup { seed, ..start.clone() }));
    options.play(bot, settings, count, games)
}
