//! A worker of a search: a judge in a process of its own. All processes that its bot leaves running are then its
//! descendants, and not those of another worker.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{PoisonError, RwLock};

use anyhow::{Context, bail};

use crate::process::interrupt::interrupted;
use crate::referee::config::MatchConfig;
use crate::referee::setup::GameSetup;
use crate::report::json::GameLine;

/// A judge process that plays the games it is sent, one after the other.
pub(crate) struct Worker {
    child: Child,
    /// The worker's stdin. The worker ends when it is closed.
    games: Option<ChildStdin>,
    reports: BufReader<ChildStdout>,
}

impl Worker {
    pub(crate) fn start(config: &MatchConfig) -> anyhow::Result<Self> {
        let judge = std::env::current_exe().context("the path of the judge's program is not known")?;
        let mut args: Vec<OsString> = vec!["worker".into()];
        args.extend(config.options().into_iter().map(OsString::from));
        for word in config.started.iter().flatten() {
            args.extend(["--started".into(), word.clone()]);
        }
        if !config.bot.is_empty() {
            args.push("--".into());
            args.extend(config.bot.iter().cloned());
        }
        let mut child = Command::new(judge)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("a worker could not be started")?;
        let games = child.stdin.take();
        let reports = child.stdout.take().context("the worker has no stdout")?;
        Ok(Self { child, games, reports: BufReader::new(reports) })
    }

    /// Plays a game and returns the line of JSON that reports it.
    fn play(&mut self, setup: &GameSetup) -> anyhow::Result<String> {
        let mut line = serde_json::to_string(setup)?;
        line.push('\n');
        let games = self.games.as_mut().context("the worker has no stdin")?;
        // A worker that has ended has printed the reason on stderr.
        let sent = games.write_all(line.as_bytes());
        let mut report = String::new();
        if sent.is_err() || self.reports.read_line(&mut report)? == 0 {
            bail!("a worker ended early; without --sandbox a bot can end it");
        }
        report.truncate(report.trim_end().len());
        Ok(report)
    }

    /// Plays a game. If its time is in doubt, it is played again while no other worker plays, and the second report
    /// counts. A worker that plays holds `turns` for reading.
    fn play_in_turn(&mut self, index: u64, setup: &GameSetup, turns: &RwLock<()>) -> anyhow::Result<Report> {
        let report = {
            let _others_play = turns.read().unwrap_or_else(PoisonError::into_inner);
            Report::read(index, self.play(setup)?)?
        };
        if !report.game.doubtful || interrupted() {
            return Ok(report);
        }
        let _alone = turns.write().unwrap_or_else(PoisonError::into_inner);
        Report::read(index, self.play(&GameSetup { repeat: true, ..setup.clone() })?)
    }

    /// Plays the games that `next` returns, until there are no more or `done` returns that it needs no more reports.
    pub(crate) fn play_all(
        mut self,
        next: impl Fn() -> Option<(u64, GameSetup)>,
        turns: &RwLock<()>,
        done: impl Fn(anyhow::Result<Report>) -> bool,
    ) {
        while let Some((index, setup)) = next() {
            if !done(self.play_in_turn(index, &setup, turns)) {
                break;
            }
        }
    }
}

/// The report of a game.
pub(crate) struct Report {
    pub(crate) index: u64,
    /// The line of JSON that the worker wrote, and what it says.
    pub(crate) line: String,
    pub(crate) game: GameLine,
}

impl Report {
    fn read(index: u64, line: String) -> anyhow::Result<Self> {
        let game = serde_json::from_str(&line).context("a worker sent a report that cannot be read")?;
        Ok(Self { index, line, game })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.games = None;
        let _ = self.child.wait();
    }
}
