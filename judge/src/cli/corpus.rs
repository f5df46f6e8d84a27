//! `judge corpus`: lists or removes the games of the corpus.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Args;

use super::shared_options::DEFAULT_CORPUS;
use super::subcommand::{Program, Subcommand};
use crate::matches::corpus::Corpus;
use common::escape::printable;
use common::text::counted;
use common::units::number_in;

/// List or remove the games of the corpus, which were not won
#[derive(Debug, Args)]
#[command(after_help = "\
\"judge run\" and \"judge test\" add up to ten games each time, and \"judge stress\" adds the smallest one; with --no-corpus \
they add none. \"judge stress\", and \"judge run\" without a header, play the games of the corpus first. The corpus is a \
file of text, games.txt, that can be edited and put under version control.

Examples:
  judge corpus                        the games, with their numbers
  judge corpus --remove 1 --remove 3  remove two of them
  judge corpus --clear                remove all
  judge test .judge/corpus -- ./bot   play them and nothing else

Exit codes:
  0  success
  2  wrong usage, or the corpus cannot be read or written")]
pub(crate) struct CorpusArgs {
    /// The directory of the corpus
    #[arg(long, env = "JUDGE_CORPUS", hide_env_values = true, default_value = DEFAULT_CORPUS, value_name = "DIR")]
    pub(crate) corpus: PathBuf,

    /// Remove the game with this number; may be given several times
    #[arg(long, value_name = "NUMBER", value_parser = number_in(1..=u32::MAX))]
    pub(crate) remove: Vec<u32>,

    /// Remove all games
    #[arg(long, conflicts_with = "remove")]
    pub(crate) clear: bool,
}

impl Subcommand for CorpusArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        let corpus = Corpus::of_directory(&self.corpus);
        let games = corpus.games()?;
        let mut out = anstream::stdout();
        let file = corpus.file().display().to_string();
        let file = printable(&file);
        if games.is_empty() {
            ensure!(self.remove.is_empty(), "{file} has no games to remove");
            writeln!(out, "no games in {file}")?;
            write_inputs(&mut out, &corpus.inputs_folder())?;
            return Ok(ExitCode::SUCCESS);
        }
        let removed: BTreeSet<usize> = if self.clear {
            (0..games.len()).collect()
        } else {
            self.remove.iter().map(|&number| number as usize - 1).collect()
        };
        if let Some(&last) = removed.last() {
            let count = games.len();
            ensure!(last < count, "expected the number of a game from 1 to {count}, got {}", last + 1);
            corpus.remove(&removed).with_context(|| format!("the games cannot be removed from {file}"))?;
            writeln!(out, "removed {} of {} from {file}", removed.len(), counted(count as u64, "game"))?;
            return Ok(ExitCode::SUCCESS);
        }
        let width = games.len().to_string().len();
        for (number, game) in (1..).zip(&games) {
            writeln!(out, "{number:>width$}  {}", printable(&game.line))?;
        }
        writeln!(
            out,
            "\n{} in {file}; play them: judge test {} -- BOT",
            counted(games.len() as u64, "game"),
            printable(&self.corpus.display().to_string())
        )?;
        write_inputs(&mut out, &corpus.inputs_folder())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes how many inputs of other problems are in `folder`, and how to run them. Writes nothing if there are none.
fn write_inputs(out: &mut impl Write, folder: &Path) -> anyhow::Result<()> {
    let Ok(entries) = folder.read_dir() else { return Ok(()) };
    let is_input = |entry: &fs::DirEntry| entry.path().extension().is_some_and(|end| end == "in");
    let count = entries.flatten().filter(is_input).count() as u64;
    if count > 0 {
        let folder = printable(&folder.display().to_string());
        let run = format!("judge run --interactor COMMAND --input {folder} -- BOT");
        writeln!(out, "{} in {folder}; run the bot on them: {run}", counted(count, "input"))?;
    }
    Ok(())
}
