//! The hidden command `host`, which the judge runs as a child process: it starts the processes of one bot.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use runner::config::MatchConfig;
use runner::host::serve;
use runner::inherited;
use runner::interrupt;

use super::match_options::MatchOptions;
use super::subcommand::{Program, Subcommand};
use crate::matches::session::start_of;
use crate::settings::LimitDefaults;

/// The arguments of a host: the options and the command of the bot, as passed on by the judge that started this
/// process.
#[derive(Debug, Args)]
pub(crate) struct HostArgs {
    #[command(flatten)]
    options: MatchOptions,

    /// One word of the command that starts the bot; given only if that command differs from the typed command.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    started: Vec<OsString>,

    /// Maximum number of files that the bot may have open [default: the limit of this process].
    #[arg(long, value_name = "N")]
    open_files: Option<u64>,

    #[arg(last = true)]
    bot: Vec<OsString>,
}

impl Subcommand for HostArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        interrupt::watch()?;
        // Ctrl-C must reach only the judge that plays, which then ends its hosts.
        let _ = rustix::process::setsid();
        self.open_files.map_or(Ok(()), inherited::limit_open_files)?;
        let started = Some(self.started.clone()).filter(|command| !command.is_empty());
        let config = self.options.config_as_is(&self.bot, &LimitDefaults::default());
        serve(&start_of(&MatchConfig { started, ..config })?)?;
        Ok(ExitCode::SUCCESS)
    }
}
