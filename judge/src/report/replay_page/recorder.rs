//! What is kept of a game for its page, event by event.

use std::collections::VecDeque;
use std::time::Duration;

use zeroxor::{Position, SpecError};

use super::Replay;
use super::lines::{Lines, Speaker};
use common::json::ms;
use referee::conversation::ExpectedLine;
use referee::game_state::GameState;
use referee::result::GameResult;
use referee::transcript::SetupLine;
use runner::event::RecordedEvent;

/// The most lines on a page. A bot may print more, empty ones for instance.
const MAX_LINES: usize = 50_000;

/// A game whose events are kept for its page.
pub(crate) struct ReplayRecorder {
    setup: SetupLine,
    start: Position,
    state: GameState,
    lines: Lines,
    left_out: usize,
    /// The lines of the bot that are not read yet, as indices.
    unread: VecDeque<usize>,
    last: Duration,
}

impl ReplayRecorder {
    /// # Errors
    ///
    /// If the header sets up no game.
    pub(crate) fn new(setup: SetupLine) -> Result<Self, SpecError> {
        let state = GameState::new(&setup.game.header, setup.config.limits, setup.config.profile)?;
        Ok(Self {
            setup,
            start: state.position().clone(),
            state,
            lines: Lines::default(),
            left_out: 0,
            unread: VecDeque::new(),
            last: Duration::ZERO,
        })
    }

    /// Whether the game was played again, because its time was in doubt.
    pub(super) fn is_repeat(&self) -> bool {
        self.setup.game.repeat
    }

    /// Adds the next event.
    pub(crate) fn add(&mut self, recorded: &RecordedEvent) {
        let before = Progress::of(&self.state);
        self.state.apply(recorded);
        let after = Progress::of(&self.state);
        self.last = self.last.max(recorded.at);
        if self.lines.list.len() >= MAX_LINES {
            self.left_out += 1;
            return;
        }
        if self.lines.add(recorded.at, &recorded.event) {
            self.place_line(before, after);
        }
        self.assign_read_lines(before, after);
    }

    /// Notes how far the game was when the last line was sent or received.
    fn place_line(&mut self, before: Progress, after: Progress) {
        let index = self.lines.list.len() - 1;
        let line = &mut self.lines.list[index];
        line.moves = before.moves;
        match line.from {
            Speaker::Bot => self.unread.push_back(index),
            Speaker::Judge if after.moves > before.moves && before.is_opponents => {
                line.moves += 1;
                line.is_move = true;
            }
            Speaker::Judge | Speaker::Event => {}
        }
    }

    /// Notes which lines of the bot were read: they are read in the order in which they were received.
    fn assign_read_lines(&mut self, before: Progress, after: Progress) {
        let by_opponent = usize::from(before.is_opponents && after.moves > before.moves);
        let mut moves = before.moves + by_opponent;
        let reads_side = !before.has_side && after.has_side;
        let legal = usize::from(reads_side) + after.moves - moves;
        // A line that ended the game was read too.
        let refused = usize::from(!before.has_ended && after.has_ended && after.waited > before.waited);
        for read in 0..legal + refused {
            let Some(index) = self.unread.pop_front() else { return };
            let line = &mut self.lines.list[index];
            line.is_move = read < legal && !(reads_side && read == 0);
            moves += usize::from(line.is_move);
            line.moves = moves;
            if read == 0 {
                line.waited = Some(ms(after.waited.saturating_sub(before.waited)));
            }
        }
    }

    /// The game as its page shows it, and the time that it took at least.
    pub(crate) fn finish(self, wall: Duration) -> Replay {
        let result = GameResult::new(&self.state, &self.setup.game, &self.setup.config, wall.max(self.last));
        let mut notes = Vec::new();
        if self.left_out > 0 {
            notes.push(format!("{MAX_LINES} lines are listed; {} later events are not.", self.left_out));
        }
        if self.lines.has_shortened {
            notes.push("Some lines are too long to be shown whole; their lengths are given.".to_owned());
        }
        Replay::new(&self.setup, &result, &self.start, self.lines.list, notes)
    }
}

/// How far a game is.
#[derive(Clone, Copy)]
struct Progress {
    has_side: bool,
    moves: usize,
    /// Whether the opponent is to move.
    is_opponents: bool,
    has_ended: bool,
    waited: Duration,
}

impl Progress {
    fn of(state: &GameState) -> Self {
        Self {
            has_side: state.side().is_some(),
            moves: state.moves().len(),
            is_opponents: state.turn().expected == ExpectedLine::OpponentMove,
            has_ended: state.end_cause().is_some(),
            waited: state.timing().waited,
        }
    }
}
