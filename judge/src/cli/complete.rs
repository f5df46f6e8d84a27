//! `judge completions`, and the words that it completes. The shell runs the judge to get them.

use std::ffi::OsStr;
use std::io;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::{CompleteEnv, Shells};
use itertools::{Itertools, chain};
use zeroxor::GameKind;

use crate::cli::Cli;
use crate::settings;

/// Print a shell's completions for this program
///
/// The completions are words of headers, the bots of judge.toml, and options with their values, also after a header.
/// The shell runs judge to get them, so judge must be on the path.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  judge completions bash > ~/.local/share/bash-completion/completions/judge
  judge completions zsh > ~/.zfunc/_judge
  judge completions fish > ~/.config/fish/completions/judge.fish

Exit codes:
  0  the completions were printed
  2  wrong usage")]
pub(crate) struct CompletionsArgs {
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl CompletionsArgs {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let shells = Shells::builtins();
        let shell = shells.completer(&self.shell.to_string()).context("expected a known shell")?;
        shell.write_registration(VARIABLE, "judge", "judge", "judge", &mut io::stdout())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The environment variable that a shell sets to ask for completions.
const VARIABLE: &str = "JUDGE_COMPLETE";

pub(crate) fn answer() -> Result<bool, clap::Error> {
    let here = std::env::current_dir().ok();
    let env = CompleteEnv::with_factory(Cli::command).var(VARIABLE).bin("judge").completer("judge");
    env.try_complete(std::env::args_os(), here.as_deref())
}

/// Words of headers that are neither numbers nor names of games.
pub(crate) fn keywords() -> impl Iterator<Item = &'static str> {
    let clauses = GameKind::all().flat_map(GameKind::keywords).copied().unique();
    ["misere", "+", "seat", "first", "second"].into_iter().chain(clauses)
}

/// Completes words of a header, the names of the bots in `judge.toml`, and files.
pub(crate) fn header_or_bot() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| chain(header_words(current), bot_words(current)).collect_vec())
}

pub(crate) fn header() -> ArgValueCompleter {
    ArgValueCompleter::new(header_words)
}

pub(crate) fn bot() -> ArgValueCompleter {
    ArgValueCompleter::new(bot_words)
}

fn header_words(current: &OsStr) -> Vec<CompletionCandidate> {
    starting_with(current, GameKind::all().map(GameKind::name).chain(keywords()))
}

fn bot_words(current: &OsStr) -> Vec<CompletionCandidate> {
    let settings = settings::find().ok().flatten().and_then(|file| settings::read(file).ok());
    let names = settings.iter().flat_map(|settings| settings.bots.keys()).map(String::as_str);
    let mut candidates = starting_with(current, names);
    candidates.extend(PathCompleter::any().complete(current));
    candidates
}

fn starting_with<'a>(current: &OsStr, names: impl IntoIterator<Item = &'a str>) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    let names = names.into_iter().filter(|name| name.starts_with(&*current));
    names.map(CompletionCandidate::new).collect()
}
