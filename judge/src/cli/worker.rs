//! The hidden commands that the judge runs as child processes: `worker` plays games, and `arena-host` starts the
//! processes of one bot.

use std::ffi::OsString;
use std::io;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;

use anyhow::Context;
use clap::{Args, Parser};
use runner::config::MatchConfig;
use runner::{interrupt, signals, threads};

use crate::cli::options::BotOptions;
use crate::referee::game::setup::GameSetup;
use crate::report::json::Json;
use crate::report::run::RunReport;
use crate::report::stderr::StderrFiles;
use crate::report::transcript::GameLog;
use crate::report::transcript::writer::TranscriptWriter;
use crate::settings::Settings;
use crate::trials::session::BotSession;

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

/// The arguments of a worker.
#[derive(Debug, Parser)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    bot: BotArgs,

    /// Write a line of JSON about each game instead of its transcript
    #[arg(long)]
    reports: bool,

    /// The folder for the bot's stderr, with a file for each game
    #[arg(long, value_name = "DIR")]
    stderr: Option<PathBuf>,

    /// The settings file to name in the commands that play a game again.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    settings_file: Option<String>,

    /// Name all limits in the commands that play a game again.
    #[arg(long)]
    writes_all: bool,
}

impl WorkerArgs {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        signals::reset()?;
        interrupt::watch()?;
        // In a new session no other judge shares a process group with the bots. `setsid` fails for a group leader,
        // which already has its own group.
        let _ = rustix::process::setsid();
        let (settings_file, writes_all) = (self.settings_file.clone(), self.writes_all);
        let config = MatchConfig { writes_all, settings_file, ..self.bot.config() };
        // The number of games is not known, so the session gets the largest number. A bot that waits for a further
        // header exits when its input ends.
        let mut logs: Vec<Box<dyn GameLog>> = Vec::new();
        if !self.reports {
            logs.push(Box::new(TranscriptWriter::new(Path::new("-"))));
        }
        if let Some(folder) = &self.stderr {
            logs.push(Box::new(StderrFiles::new(folder)?));
        }
        let mut session = BotSession::new("the bot", config, u64::MAX, logs)?;
        let mut reporter = self.reports.then(|| Json::new(io::stdout()));
        for line in lines()? {
            let setup: GameSetup = serde_json::from_str(&line?).context("expected a game")?;
            let game = session.play(setup, &mut ())?;
            reporter.as_mut().map_or(Ok(()), |reporter| reporter.write(&RunReport::from(&game)))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Reads the lines of stdin in a thread. At the end of the input no report is needed any more, so the thread interrupts
/// the current game.
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
