//! Records a game for its page, event by event.

use std::collections::VecDeque;
use std::time::Duration;

use runner::event::RecordedEvent;
use runner::relay::Side;
use zeroxor::{Position, SpecError};

use crate::conversation::interaction::Step;
use crate::referee::game::exchange::ExpectedLine;
use crate::referee::game::game_state::GameState;
use crate::report::rows::{Row, Rows};
use crate::report::transcript::SetupLine;

/// Maximum number of rows of a game. A bot may print more lines, for example empty ones.
const MAX_ROWS: usize = 50_000;

pub(crate) struct GameRecorder {
    pub(crate) setup: SetupLine,
    pub(crate) start: Position,
    pub(crate) state: GameState,
    rows: Rows,
    pub(crate) lines: Vec<GameRow>,
    /// The number of events that have no row because of `MAX_ROWS`.
    left_out: usize,
    /// The indices of the bot's lines that the judge has not read yet.
    unread: VecDeque<usize>,
}

pub(crate) struct GameRow {
    pub(crate) row: Row,
    /// The number of moves when the line was read, including a move in the line itself.
    pub(crate) moves: usize,
    /// Whether the line itself is the last of these moves.
    pub(crate) is_move: bool,
}

impl GameRecorder {
    pub(crate) fn new(setup: SetupLine) -> Result<Self, SpecError> {
        let state = GameState::new(&setup.game.header, setup.config.limits, setup.config.profile)?;
        Ok(Self {
            setup,
            start: state.exchange.position.clone(),
            state,
            rows: Rows::default(),
            lines: Vec::new(),
            left_out: 0,
            unread: VecDeque::new(),
        })
    }

    pub(crate) fn add(&mut self, recorded: &RecordedEvent) {
        let before = Progress::of(&self.state);
        self.state.apply(recorded);
        let after = Progress::of(&self.state);
        if self.lines.len() >= MAX_ROWS {
            self.left_out += 1;
            return;
        }
        let step = Step::of_game(recorded.clone());
        let mut rows: Vec<Row> = self.rows.add(&step).collect();
        // Each event has a whole line, or the last one, which may have no line end.
        rows.extend(self.rows.end());
        for row in rows {
            self.place_line(row, before, after);
        }
        self.assign_read_lines(before, after);
    }

    /// Adds a row with its number of moves. The number of a line of the bot changes when the line is read.
    fn place_line(&mut self, row: Row, before: Progress, after: Progress) {
        let is_move = row.is_line
            && row.side == Side::Interactor
            && after.moves > before.moves
            && before.is_opponents_turn;
        if row.is_line && row.side == Side::Bot {
            self.unread.push_back(self.lines.len());
        }
        self.lines.push(GameRow { row, moves: before.moves + usize::from(is_move), is_move });
    }

    /// Updates the bot's lines that the judge read between `before` and `after`, in the order in which they came.
    fn assign_read_lines(&mut self, before: Progress, after: Progress) {
        let by_opponent = usize::from(before.is_opponents_turn && after.moves > before.moves);
        let mut moves = before.moves + by_opponent;
        let reads_side = !before.has_side && after.has_side;
        let legal = usize::from(reads_side) + after.moves - moves;
        // A line that ended the game was read too.
        let refused = usize::from(!before.has_ended && after.has_ended && after.waited > before.waited);
        for read in 0..legal + refused {
            let Some(index) = self.unread.pop_front() else { return };
            let line = &mut self.lines[index];
            line.is_move = read < legal && !(reads_side && read == 0);
            moves += usize::from(line.is_move);
            line.moves = moves;
        }
    }

    pub(crate) fn note(&self) -> Option<String> {
        let left_out = self.left_out;
        (left_out > 0).then(|| format!("{MAX_ROWS} lines are listed; {left_out} later events are not."))
    }
}

#[derive(Clone, Copy)]
struct Progress {
    has_side: bool,
    moves: usize,
    is_opponents_turn: bool,
    has_ended: bool,
    waited: Duration,
}

impl Progress {
    fn of(state: &GameState) -> Self {
        Self {
            has_side: state.exchange.side.is_some(),
            moves: state.exchange.moves.len(),
            is_opponents_turn: state.turn().expected == ExpectedLine::OpponentMove,
            has_ended: state.end.is_some(),
            waited: state.timing.waited,
        }
    }
}
