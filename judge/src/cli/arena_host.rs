//! The hidden command that starts the processes of one bot of `judge arena`.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;

use super::match_options::MatchOptions;
use crate::matches::session::start_of;
use common::interrupt;
use referee::config::MatchConfig;
use runner::host::serve;
use runner::open_files;

/// The arguments of a host.
#[derive(Debug, Args)]
pub(crate) struct ArenaHostArgs {
    #[command(flatten)]
    options: MatchOptions,

    /// A word of the command that starts the bot, if it is not the bot's command.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    started: Vec<OsString>,

    /// How many files the bot may have open, if that is limited.
    #[arg(long, value_name = "N")]
    open_files: Option<u64>,

    #[arg(last = true)]
    bot: Vec<OsString>,
}

pub(crate) fn arena_host(args: &ArenaHostArgs) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    // Ctrl-C is for the arena, which ends its hosts.
    let _ = rustix::process::setsid();
    args.open_files.map_or(Ok(()), open_files::lower)?;
    let started = Some(args.started.clone()).filter(|command| !command.is_empty());
    let config = MatchConfig { started, ..args.options.config_as_is(&args.bot) };
    serve(&start_of(&config)?)?;
    Ok(ExitCode::SUCCESS)
}
