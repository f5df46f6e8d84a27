//! Records a game for its page, event by event.

use std::collections::VecDeque;
use std::time::Duration;

use runner::escape::{printable, printable_bytes};
use runner::event::{Event, Limit, RecordedEvent};
use runner::limits::LINE_LIMIT;
use serde::Serialize;
use zeroxor::{Position, SpecError};

use crate::json::ms;
use crate::referee::game::exchange::ExpectedLine;
use crate::referee::game::game_state::GameState;
use crate::referee::game::result::GameResult;
use crate::report::transcript::SetupLine;

/// Maximum number of lines on a page. A bot may print more lines, for example empty ones.
const MAX_LINES: usize = 50_000;

/// A game whose events are recorded for its page.
pub(crate) struct ReplayRecorder {
    setup: SetupLine,
    start: Position,
    state: GameState,
    lines: Lines,
    /// The number of events that have no line because of `MAX_LINES`.
    left_out: usize,
    /// The indices of the bot's lines that the judge has not read yet.
    unread: VecDeque<usize>,
    /// The latest time of an event.
    last: Duration,
}

/// A recorded game.
pub(crate) struct Recorded {
    pub(crate) setup: SetupLine,
    pub(crate) result: GameResult,
    pub(crate) start: Position,
    pub(crate) lines: Vec<Line>,
    /// Notes about lines that were left out or shortened.
    pub(crate) notes: Vec<String>,
}

impl ReplayRecorder {
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

    /// Returns whether this game repeats a game whose time was doubtful.
    pub(crate) fn is_repeat(&self) -> bool {
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

    /// Sets the number of moves of the line that was added last, and marks the line if it is a move of the opponent.
    fn place_line(&mut self, before: Progress, after: Progress) {
        let index = self.lines.list.len() - 1;
        let line = &mut self.lines.list[index];
        line.moves = before.moves;
        match line.from {
            Speaker::Bot => self.unread.push_back(index),
            Speaker::Judge if after.moves > before.moves && before.is_opponents_turn => {
                line.moves += 1;
                line.is_move = true;
            }
            Speaker::Judge | Speaker::Event => {}
        }
    }

    /// Updates the bot's lines that the judge read between `before` and `after`. Lines are read in the order in which
    /// they were received.
    fn assign_read_lines(&mut self, before: Progress, after: Progress) {
        let by_opponent = usize::from(before.is_opponents_turn && after.moves > before.moves);
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

    /// Returns the recorded game. `wall` is a lower bound on the time of the game.
    pub(crate) fn finish(self, wall: Duration) -> Recorded {
        let result = GameResult::new(&self.state, &self.setup.game, &self.setup.config, wall.max(self.last));
        let mut notes = Vec::new();
        if self.left_out > 0 {
            notes.push(format!("{MAX_LINES} lines are listed; {} later events are not.", self.left_out));
        }
        if self.lines.has_shortened {
            notes.push("Some long lines are shortened; their lengths are shown.".to_owned());
        }
        Recorded { setup: self.setup, result, start: self.start, lines: self.lines.list, notes }
    }
}

/// The progress of a game before or after an event.
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
            has_side: state.side().is_some(),
            moves: state.moves().len(),
            is_opponents_turn: state.turn().expected == ExpectedLine::OpponentMove,
            has_ended: state.end_cause().is_some(),
            waited: state.timing().waited,
        }
    }
}

/// Total number of bytes after which lines of more than `SHORT` bytes are shortened.
const FULL_TEXT: usize = 512 << 10;

/// Number of bytes of a shortened line that are shown after `FULL_TEXT` bytes of text.
const SHORT: usize = 100;

/// The sender of a line on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Speaker {
    Judge,
    Bot,
    /// Nobody: the line describes an event of the game.
    Event,
}

/// A line on a page: a line of the judge or the bot, or an event.
#[derive(Debug, Serialize)]
pub(crate) struct Line {
    /// The time since the game began, in milliseconds.
    ms: f64,
    pub(crate) from: Speaker,
    text: String,
    /// The number of moves when the line was read, including a move in the line itself.
    pub(crate) moves: usize,
    /// Whether the line itself is the last of these moves.
    #[serde(rename = "isMove", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_move: bool,
    /// How long the judge waited for the line, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) waited: Option<f64>,
}

/// The lines of a page, in the order of their events.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) list: Vec<Line>,
    /// The number of bytes of all lines that were sent or received, before they are shortened.
    bytes: usize,
    pub(crate) has_shortened: bool,
}

impl Lines {
    /// Adds a line for an event if the page shows such events. Returns whether a line was added.
    pub(crate) fn add(&mut self, at: Duration, event: &Event) -> bool {
        let (from, text) = match event {
            Event::Sent(line) => (Speaker::Judge, self.line_text(&line.0)),
            Event::Received(line) => (Speaker::Bot, self.line_text(&line.0)),
            event => match event_text(event) {
                Some(text) => (Speaker::Event, printable(&text)),
                None => return false,
            },
        };
        self.list.push(Line { ms: ms(at), from, text, moves: 0, is_move: false, waited: None });
        true
    }

    /// Returns the text of a line without its LF. Shortens a line of more than `LINE_LIMIT` bytes. After `FULL_TEXT`
    /// bytes of text, already shortens a line of more than `SHORT` bytes.
    fn line_text(&mut self, line: &[u8]) -> String {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let kept = if self.bytes < FULL_TEXT { LINE_LIMIT } else { SHORT };
        self.bytes += line.len();
        if line.len() <= kept {
            return printable_bytes(line);
        }
        self.has_shortened = true;
        format!("{}… ({} bytes)", printable_bytes(&line[..kept]), line.len())
    }
}

/// Describes an event that is not a line; returns `None` if the event is not shown.
fn event_text(event: &Event) -> Option<String> {
    Some(match event {
        Event::Sent(_) | Event::Received(_) | Event::Stderr(_) | Event::StderrOmitted(_) | Event::Used(_) => {
            return None;
        }
        Event::Closed => "the bot closed its stdout".to_owned(),
        Event::Exited(exit) => format!("the bot {exit}"),
        Event::Limit(report) => format!("the bot reached {}", limit_name(report.limit)),
        Event::InputEnded => "the judge closed the bot's stdin".to_owned(),
        Event::StillRunning(running) if running.sleeping => "the bot is still running, and sleeps".to_owned(),
        Event::StillRunning(_) => "the bot is still running, and uses CPU time".to_owned(),
        Event::Killed => "the judge killed the bot".to_owned(),
        Event::Delayed(delay) => format!("the judge itself did not run for {:.1} ms", ms(delay.by)),
        Event::Stopped => "a signal stopped the judge itself".to_owned(),
        Event::Forfeited(forfeit) => format!("the opponent ended its own game: {}", forfeit.verdict),
        Event::Interrupted => "the judge was interrupted".to_owned(),
        Event::Failed(failure) => format!("the judge could not continue: {}", failure.why),
    })
}

fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Wall => "the limit on the judge's waiting time",
        Limit::Idle => "the limit on the time without output or use of the CPU",
        Limit::Cpu => "the limit on CPU time",
        Limit::Memory => "the limit on memory",
        Limit::Processes => "the limit on processes",
        Limit::Line => "the limit on the length of a line",
    }
}
