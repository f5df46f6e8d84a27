//! The hidden command that runs one bot of `judge arena`.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;

use super::match_options::MatchOptions;
use crate::matches::arena::host::{HostedBot, serve};
use crate::matches::session::BotSession;
use crate::process::{affinity, interrupt};
use crate::referee::config::MatchConfig;
use crate::referee::setup::OpponentKind;

/// The arguments of a host.
#[derive(Debug, Args)]
pub(crate) struct ArenaHostArgs {
    #[command(flatten)]
    options: MatchOptions,

    /// A built-in opponent instead of a program
    #[arg(long, value_enum)]
    built_in: Option<OpponentKind>,

    /// A word of the command that starts the bot, if it is not the bot's command.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    started: Vec<OsString>,

    /// The processor on which the bot and its host run alone
    #[arg(long, value_name = "NUMBER")]
    processor: Option<usize>,

    #[arg(last = true)]
    bot: Vec<OsString>,
}

pub(crate) fn arena_host(args: &ArenaHostArgs) -> anyhow::Result<ExitCode> {
    if let Some(processor) = args.processor {
        // Before there is another thread.
        affinity::run_on(processor)?;
    }
    interrupt::watch()?;
    // Ctrl-C is for the arena, which ends its hosts.
    let _ = rustix::process::setsid();
    let started = Some(args.started.clone()).filter(|command| !command.is_empty());
    let config = MatchConfig { started, ..args.options.config_as_is(&args.bot) };
    serve(match args.built_in {
        Some(kind) => HostedBot::BuiltIn(kind, Box::new(config)),
        // The number of games is not known. A bot that expects a header also ends at the end of its input.
        None => HostedBot::Program(Box::new(BotSession::new(config, u64::MAX, ())?)),
    })?;
    Ok(ExitCode::SUCCESS)
}
