//! A worker: a judge process that plays some of the games of a run. The processes that its bot leaves running are
//! descendants of this worker and of no other worker.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail, ensure};
use zeroxor::Position;

use crate::referee::game::exchange::side_to_move;
use crate::referee::game::exchange::{Mover, Spectator};
use crate::referee::game::game_state::GameState;
use crate::referee::game::result::GameResult;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;
use crate::report::run::RunReport;
use crate::report::transcript::read::TranscriptReader;
use crate::report::transcript::{GameLog, SetupLine};
use runner::config::MatchConfig;
use runner::event::RecordedEvent;

/// What a worker writes about each game.
#[derive(Clone, Copy)]
pub(crate) enum WorkerOutput<'a> {
    Transcript,
    /// A line of JSON that reports the game, which takes less time than the events of the game. The bot's stderr is
    /// written to a file in the folder `stderr`.
    Report {
        stderr: Option<&'a Path>,
    },
}

/// A judge process that plays the games sent to it, one after the other.
pub(crate) struct Worker {
    /// The worker's stdin. The worker ends when its stdin is closed.
    games: Option<ChildStdin>,
    /// The process. The order of the fields matters: stdin is closed first, then the judge waits for the process, then
    /// stdout is closed.
    _child: std::process::Child,
    output: BufReader<ChildStdout>,
}

const ENDED_EARLY: &str = "a worker ended early; without --sandbox a bot can kill it";

impl Worker {
    pub(crate) fn start(config: &MatchConfig, output: WorkerOutput<'_>) -> anyhow::Result<Self> {
        let judge = std::env::current_exe().context("the path of the judge's program is not known")?;
        let mut args: Vec<OsString> = vec!["worker".into()];
        if let WorkerOutput::Report { stderr } = output {
            args.push("--reports".into());
            args.extend(stderr.into_iter().flat_map(|folder| ["--stderr".into(), folder.into()]));
        }
        args.extend(config.options().into_iter().map(OsString::from));
        args.extend(Some("--writes-all".into()).filter(|_| config.writes_all));
        if let Some(file) = &config.settings_file {
            args.extend(["--settings-file".into(), file.into()]);
        }
        for word in config.started.iter().flatten() {
            args.extend(["--started".into(), word.clone()]);
        }
        if !config.bot.is_empty() {
            args.push("--".into());
            args.extend(config.bot.iter().cloned());
        }
        let mut command = Command::new(judge);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("a worker could not be started")?;
        let games = child.stdin.take();
        let output = child.stdout.take().context("the worker has no stdout")?;
        Ok(Self { games, output: BufReader::new(output), _child: child })
    }

    /// Plays a game and reads its report.
    pub(crate) fn report(&mut self, setup: &GameSetup) -> anyhow::Result<RunReport> {
        self.send(setup)?;
        let mut report = String::new();
        ensure!(self.output.read_line(&mut report)? > 0, ENDED_EARLY);
        serde_json::from_str(&report).context("a worker sent a report that cannot be read")
    }

    /// Plays a game of the worker's configuration and reads its transcript.
    pub(crate) fn transcribe(
        &mut self,
        setup: &GameSetup,
        config: &MatchConfig,
    ) -> anyhow::Result<TranscribedGame> {
        self.send(setup)?;
        TranscribedGame::read(&mut self.output, config).context(ENDED_EARLY)
    }

    fn send(&mut self, setup: &GameSetup) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(setup)?;
        line.push('\n');
        let games = self.games.as_mut().context("the worker has no stdin")?;
        // A worker that has ended has already printed the reason on stderr.
        if games.write_all(line.as_bytes()).is_err() {
            bail!(ENDED_EARLY);
        }
        Ok(())
    }
}

/// A game that another process has played, with its transcript.
pub(crate) struct TranscribedGame {
    pub(crate) game: FinishedGame,
    start: Position,
    events: Vec<RecordedEvent>,
    result: RunReport,
}

impl TranscribedGame {
    /// Reads the transcript of one game against the bot of `config`, and referees the game again from its events.
    ///
    /// # Errors
    ///
    /// If the transcript is not complete.
    pub(crate) fn read(input: impl BufRead, config: &MatchConfig) -> anyhow::Result<Self> {
        let mut reader = TranscriptReader::new(input);
        let setup =
            reader.game_setup()?.context("expected the set-up of a game, got the end of the input")?;
        // A transcript contains only a part of the configuration. Its limits are used because a repeated game has other
        // limits than `config`.
        let config = MatchConfig { limits: setup.config.limits, ..config.clone() };
        let setup = SetupLine { config, ..setup };
        let mut state = GameState::new(&setup.game.header, setup.config.limits, setup.config.profile)?;
        let start = state.position().clone();
        let mut events = Vec::new();
        let result = reader.events(|event| {
            state.apply(event);
            events.push(event.clone());
            Ok(())
        })?;
        let finished = GameResult::new(&state, &setup.game, &setup.config, result.wall());
        let game = FinishedGame::new(setup, start.clone(), finished);
        Ok(Self { game, start, events, result })
    }

    /// Writes the transcript to a log.
    pub(crate) fn write(&self, log: &mut impl GameLog) -> anyhow::Result<()> {
        log.begin(&self.game.setup)?;
        let written = self.events.iter().try_for_each(|event| log.write(event));
        written.context("the transcript cannot be written")?;
        log.end(&self.result)
    }

    /// Shows the whole game to `spectator`.
    pub(crate) fn show(&self, spectator: &mut dyn Spectator) -> anyhow::Result<()> {
        spectator.start(&self.start)?;
        (1..).zip(&self.game.result.moves).try_for_each(|(ply, &mv)| {
            let is_bots = self.game.result.side == Some(side_to_move(ply));
            spectator.moved(ply, if is_bots { Mover::Bot } else { Mover::Judge }, mv)
        })
    }
}
