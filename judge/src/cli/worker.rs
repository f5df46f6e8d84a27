//! The hidden command `arena-host`, which the judge runs as a child process to start the processes of one bot.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Args, Parser};
use runner::config::MatchConfig;
use runner::host::serve;
use runner::inherited;
use runner::{interrupt, signals};

use crate::cli::options::BotOptions;
use crate::settings::Settings;
use crate::trials::session::start_of;

/// The options and the command of the bot, as passed on by the judge that started this process.
#[derive(Debug, Args)]
struct BotArgs {
    #[command(flatten)]
    options: BotOptions,

    /// One word of the command that starts the bot; given only if that command differs from the typed command.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    started: Vec<OsString>,

    #[arg(last = true)]
    bot: Vec<OsString>,
}

impl BotArgs {
    fn config(&self) -> MatchConfig {
        let started = Some(self.started.clone()).filter(|command| !command.is_empty());
        MatchConfig { started, ..self.options.config(&self.bot, &Settings::without_file()) }
    }
}

/// The arguments of a host.
#[derive(Debug, Parser)]
pub(crate) struct ArenaHostArgs {
    #[command(flatten)]
    bot: BotArgs,

    /// Maximum number of files that the bot may have open [default: the limit of this process].
    #[arg(long, value_name = "N")]
    open_files: Option<u64>,
}

impl ArenaHostArgs {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        signals::reset()?;
        interrupt::watch()?;
        // Ctrl-C must reach only the arena, which then ends its hosts.
        let _ = rustix::process::setsid();
        self.open_files.map_or(Ok(()), inherited::limit_open_files)?;
        serve(&start_of(&self.bot.config())?)?;
        Ok(ExitCode::SUCCESS)
    }
}
