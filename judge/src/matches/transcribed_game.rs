//! A game that another process has played, with its transcript.

use std::io::BufRead;

use anyhow::Context;
use zeroxor::Position;

use referee::config::MatchConfig;
use referee::conversation::side_to_move;
use referee::finished_game::FinishedGame;
use referee::game_state::GameState;
use referee::result::GameResult;
use referee::spectator::{Mover, Spectator};
use referee::transcript::read::TranscriptReader;
use referee::transcript::{GameLog, ResultLine, SetupLine};
use runner::event::RecordedEvent;

/// A game that another process has played, with its transcript.
pub(crate) struct TranscribedGame {
    pub(crate) game: FinishedGame,
    start: Position,
    events: Vec<RecordedEvent>,
    result: ResultLine,
}

impl TranscribedGame {
    /// Reads the transcript of one game against the bot of this configuration. The game is refereed again from its events.
    ///
    /// # Errors
    ///
    /// If there is no whole transcript.
    pub(crate) fn read(input: impl BufRead, config: &MatchConfig) -> anyhow::Result<Self> {
        let mut reader = TranscriptReader::new(input);
        let setup = reader.setup()?.context("expected the set-up of a game, got the end of the input")?;
        // A transcript has not all of it. A game that was played again has limits of its own.
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
        let finished = GameResult::new(&state, &setup.game, &setup.config, result.wall);
        let game = FinishedGame::new(setup, start.clone(), finished);
        Ok(Self { game, start, events, result })
    }

    /// Writes the transcript to a log.
    ///
    /// # Errors
    ///
    /// If the log cannot be written.
    pub(crate) fn write(&self, log: &mut impl GameLog) -> anyhow::Result<()> {
        log.begin(&self.game.setup)?;
        let written = self.events.iter().try_for_each(|event| log.write(event));
        written.context("the transcript cannot be written")?;
        log.end(&self.result)
    }

    /// Shows the game, from the start to the end.
    ///
    /// # Errors
    ///
    /// If the spectator fails.
    pub(crate) fn show(&self, spectator: &mut dyn Spectator) -> anyhow::Result<()> {
        spectator.start(&self.start)?;
        (1..).zip(&self.game.result.moves).try_for_each(|(ply, &mv)| {
            let is_bots = self.game.result.side == Some(side_to_move(ply));
            spectator.moved(ply, if is_bots { Mover::Bot } else { Mover::Judge }, mv)
        })
    }
}
