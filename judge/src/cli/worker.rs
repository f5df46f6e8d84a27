//! The hidden role in which the judge plays the games that another judge sends: a line of JSON each way a
//! game.

use std::ffi::OsString;
use std::io::{self, BufRead};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver};

use anyhow::Context;
use clap::Args;

use super::match_options::MatchOptions;
use crate::matches::match_runner::MatchRunner;
use crate::matches::session::BotSession;
use crate::process::interrupt;
use crate::process::threads;
use crate::referee::setup::GameSetup;
use crate::report::json::Json;

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub(crate) options: MatchOptions,

    #[arg(last = true)]
    pub(crate) bot: Vec<OsString>,
}

pub(crate) fn worker(args: &WorkerArgs) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    // No process group of its bots is then another judge's too. Who leads a group already has one.
    let _ = rustix::process::setsid();
    let config = args.options.config(&args.bot);
    // Nobody knows how many will come; where a header is expected, the end of the input ends the bot as well.
    let mut games = MatchRunner::new(BotSession::new(config, u64::MAX, ())?, Json::new(io::stdout()));
    for line in lines()? {
        let setup: GameSetup = serde_json::from_str(&line?).context("expected a game")?;
        games.play(setup, &mut ())?;
        if games.is_stopped() {
            break;
        }
    }
    games.end()
}

/// The lines of stdin. Whoever sends a game waits for its report: at the end of the input nobody does, and a
/// game that is being played is broken off.
fn lines() -> anyhow::Result<Receiver<io::Result<String>>> {
    let (sender, lines) = mpsc::sync_channel(1);
    let read = move || {
        for line in io::stdin().lock().lines() {
            if sender.send(line).is_err() {
                return;
            }
        }
        interrupt::interrupt();
    };
    threads::start(read)?;
    Ok(lines)
}
