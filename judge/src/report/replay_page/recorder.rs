//! Records a game for its page, event by event.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Serialize;
use zeroxor::{Position, SpecError};

use common::escape::{printable, printable_bytes};
use common::json::ms;
use referee::conversation::ExpectedLine;
use referee::game_state::GameState;
use referee::result::GameResult;
use referee::transcript::SetupLine;
use runner::event::{Event, Limit, RecordedEvent};
use runner::limits::LINE_LIMIT;

/// Maximum number of lines on a page. A bot may print more lines, for example empty ones.
const MAX_LINES: usize = 50_000;

/// A game whose events are recorded for its page.
pub(crate) struct ReplayRecorder {
    setup: SetupLine,
    start: Position,
    state: GameState,
    lines: Lines,
    left_out: usize,
    /// The indices of the bot's lines that are not read yet.
    unread: VecDeque<usize>,
    last: Duration,
}

/// A game that is over, as it was recorded.
pub(super) struct Recorded {
    pub(super) setup: SetupLine,
    pub(super) result: GameResult,
    pub(super) start: Position,
    pub(super) lines: Vec<Line>,
    /// Notes about what was left out.
    pub(super) notes: Vec<String>,
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

    /// Returns whether the game was played again because its time was in doubt.
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

    /// Sets the number of moves that were made when the last line was sent or received.
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

    /// Marks the bot's lines that were read. Lines are read in the order in which they were received.
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

    /// Returns the recorded game. It took at least `wall`.
    pub(super) fn finish(self, wall: Duration) -> Recorded {
        let result = GameResult::new(&self.state, &self.setup.game, &self.setup.config, wall.max(self.last));
        let mut notes = Vec::new();
        if self.left_out > 0 {
            notes.push(format!("{MAX_LINES} lines are listed; {} later events are not.", self.left_out));
        }
        if self.lines.has_shortened {
            notes.push("Some lines are too long to be shown whole; their lengths are given.".to_owned());
        }
        Recorded { setup: self.setup, result, start: self.start, lines: self.lines.list, notes }
    }
}

/// The progress of a game.
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

/// Number of bytes of text after which long lines are shortened.
const FULL_TEXT: usize = 512 << 10;

/// Length of a shortened line, in bytes.
const SHORT: usize = 100;

/// The sender of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Speaker {
    Judge,
    Bot,
    /// Not a line but an event of the game.
    Event,
}

/// A line of the game.
#[derive(Debug, Serialize)]
pub(super) struct Line {
    /// The time since the game began.
    ms: f64,
    pub(super) from: Speaker,
    text: String,
    /// The number of moves after the line was read, including a move in the line itself.
    pub(super) moves: usize,
    /// Whether the line is the last of these moves.
    #[serde(rename = "isMove", skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_move: bool,
    /// How long the judge waited for the line, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waited: Option<f64>,
}

/// The lines of a game, in the order in which they were sent and received.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) list: Vec<Line>,
    /// The number of bytes of all lines.
    bytes: usize,
    pub(super) has_shortened: bool,
}

impl Lines {
    /// Adds a line for an event, if the event is shown. Returns whether a line was added.
    pub(super) fn add(&mut self, at: Duration, event: &Event) -> bool {
        let (from, text) = match event {
            Event::Sent(line) => (Speaker::Judge, self.line_text(&line.0)),
            Event::Received(line) => (Speaker::Bot, self.line_text(&line.0)),
            event => match words(event) {
                Some(words) => (Speaker::Event, printable(&words)),
                None => return false,
            },
        };
        self.list.push(Line { ms: ms(at), from, text, moves: 0, is_move: false, waited: None });
        true
    }

    /// Returns the text of a line without its LF. Shortens a line that is longer than any legal line; after `FULL_TEXT`
    /// bytes of text, shortens every line of more than `SHORT` bytes.
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
fn words(event: &Event) -> Option<String> {
    Some(match event {
        Event::Sent(_) | Event::Received(_) | Event::Stderr(_) | Event::StderrOmitted(_) | Event::Used(_) => {
            return None;
        }
        Event::Closed => "the bot's stdout ended".to_owned(),
        Event::Exited(exit) => format!("the bot {exit}"),
        Event::Limit(report) => format!("the bot reached {}", limit_words(report.limit)),
        Event::InputEnded => "the judge ended the bot's input".to_owned(),
        Event::StillRunning(running) if running.sleeping => "the bot has not ended, and sleeps".to_owned(),
        Event::StillRunning(_) => "the bot has not ended, and uses CPU".to_owned(),
        Event::Killed => "the judge ended the bot".to_owned(),
        Event::Delayed(delay) => format!("the judge itself did not run for {:.1} ms", ms(delay.by)),
        Event::Stopped => "a signal stopped the judge itself".to_owned(),
        Event::Forfeited(forfeit) => format!("the opponent ended its own game: {}", forfeit.verdict),
        Event::Interrupted => "the judge was interrupted".to_owned(),
        Event::Failed(failure) => format!("the judge could not continue: {}", failure.why),
    })
}

fn limit_words(limit: Limit) -> &'static str {
    match limit {
        Limit::Wall => "the limit on the time that the judge waits",
        Limit::Idle => "the limit on the time without a line or CPU time",
        Limit::Cpu => "the limit on CPU time",
        Limit::Memory => "the limit on memory",
        Limit::Processes => "the limit on processes",
        Limit::Line => "the limit on the length of a line",
    }
}
