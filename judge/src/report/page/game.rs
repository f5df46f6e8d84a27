//! The page of a game, with a board and an evaluation, and the log that writes such pages into a folder.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use runner::event::RecordedEvent;
use runner::limits::Limits;
use runner::relay::Side;
use serde::Serialize;
use zeroxor::{Position, SpecError};

use crate::conversation::interaction::Step;
use crate::output;
use crate::referee::game::exchange::ExpectedLine;
use crate::referee::game::game_state::GameState;
use crate::report::page::board::Board;
use crate::report::page::evaluation::Evaluation;
use crate::report::page::{GamePart, KeptRows, Page, cells};
use crate::report::rows::{Row, Rows};
use crate::report::run::RunReport;
use crate::report::transcript::{GameLog, SetupLine};
use crate::units::time_limit;

/// Maximum number of rows of a game. A bot may print more lines, for example empty ones.
const MAX_ROWS: usize = 50_000;

/// Maximum number of moves on a page, because a browser has to draw them.
const MAX_MOVES: usize = 20_000;

/// Maximum size of a page's data, in bytes, so that the whole page stays below a megabyte.
const MAX_DATA: usize = 400_000;

/// A board with at most this many moves is not shortened, even if its data is larger than `MAX_DATA`.
const MIN_MOVES: usize = 50;

pub(crate) struct GameRecorder {
    setup: SetupLine,
    start: Position,
    state: GameState,
    rows: Rows,
    lines: Vec<GameRow>,
    /// The number of events that have no row because of `MAX_ROWS`.
    left_out: usize,
    /// The indices of the bot's lines that the judge has not read yet.
    unread: VecDeque<usize>,
}

struct GameRow {
    row: Row,
    /// The number of moves when the line was read, including a move in the line itself.
    moves: usize,
    /// Whether the line itself is the last of these moves.
    is_move: bool,
}

impl GameRecorder {
    pub(crate) fn new(setup: SetupLine) -> Result<Self, SpecError> {
        let state = GameState::new(setup.clone())?;
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
        let before = ReadState::of(&self.state);
        self.state.apply(recorded);
        let after = ReadState::of(&self.state);
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
    fn place_line(&mut self, row: Row, before: ReadState, after: ReadState) {
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
    fn assign_read_lines(&mut self, before: ReadState, after: ReadState) {
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

    fn note(&self) -> Option<String> {
        let left_out = self.left_out;
        (left_out > 0).then(|| format!("{MAX_ROWS} lines are listed; {left_out} later events are not."))
    }

    pub(crate) fn page(&self, run: &RunReport) -> serde_json::Result<String> {
        let moves = &self.state.exchange.moves;
        let shown = &moves[..moves.len().min(MAX_MOVES)];
        let mut board = Board::new(&self.start, shown);
        let evaluation = Evaluation::new(self.setup.game.header.game(), &self.start, shown, &mut board);
        let mut data = Data {
            misere: self.start.is_misere(),
            side: run.review.as_ref().and_then(|review| review.side.as_deref()),
            verdict: run.verdict.to_string(),
            reason: &run.reason,
            moves: moves.len(),
            board,
            evaluation,
        };
        data.fit();
        let mut notes: Vec<String> = data.note().into_iter().chain(self.note()).collect();
        notes.extend(data.evaluation.notes());
        let mut rows = KeptRows::new(450_000, 50_000);
        let blunders: BTreeSet<usize> = data.evaluation.blunders().collect();
        for line in &self.lines {
            rows.push(html(line, &data.evaluation, &blunders));
        }
        let Limits { cpu, wall, memory, processes, .. } = self.setup.config.limits;
        let (cpu, wall, mib) = (time_limit(cpu), time_limit(wall), memory >> 20);
        let limits = format!(
            "limits: {cpu} of CPU time; {wall} of wall time; {mib} MiB; {processes} processes and threads"
        );
        let game = GamePart { data: serde_json::to_string(&data)?, notes };
        let (bot, judge) = (&self.setup.config.bot_words(), &self.setup.judge);
        let page = Page { run, referee: "judge", bot, judge, rows, limits: Some(limits), game: Some(game) };
        Ok(page.html())
    }
}

#[derive(Clone, Copy)]
struct ReadState {
    has_side: bool,
    moves: usize,
    is_opponents_turn: bool,
    has_ended: bool,
    waited: Duration,
}

impl ReadState {
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

#[derive(Serialize)]
struct Data<'a> {
    /// Whether the player who makes the last move loses. Then the page has no nimbers: they do not tell who wins.
    misere: bool,
    /// The bot's side; `null` if it never named one.
    side: Option<&'a str>,
    verdict: String,
    reason: &'a str,
    /// The number of moves of the game. The board may have fewer.
    moves: usize,
    board: Board,
    evaluation: Evaluation,
}

impl Data<'_> {
    /// Leaves out the end of a game whose data would be too large.
    fn fit(&mut self) {
        while serde_json::to_vec(self).is_ok_and(|data| data.len() > MAX_DATA)
            && self.board.moves.len() > MIN_MOVES
        {
            let shown = self.board.moves.len() * 7 / 8;
            self.board.moves.truncate(shown);
            self.evaluation.truncate(shown);
        }
    }

    fn note(&self) -> Option<String> {
        let (shown, moves) = (self.board.moves.len(), self.moves);
        (shown < moves).then(|| {
            format!("The game has {moves} moves; the first {shown} are shown, so that the page stays small.")
        })
    }
}

/// Returns a row of the table: the cells of all pages, the number of the move, and who wins after it.
fn html(line: &GameRow, evaluation: &Evaluation, blunders: &BTreeSet<usize>) -> String {
    let GameRow { row, moves, is_move } = line;
    let class = match (row.is_line, *is_move && blunders.contains(moves)) {
        (false, _) => " class=event",
        (true, true) => " class=blunder",
        (true, false) => "",
    };
    let mut html = format!("<tr{class} data-ply={moves}>{}", cells(row));
    if *is_move {
        if row.side == Side::Interactor {
            html += "<td>";
        }
        html += &format!("<th scope=row><button type=button>{moves}</button>");
        if blunders.contains(moves) {
            html += " \u{2717}<span class=hidden> blunder</span>";
        }
        html += &format!("<td>{}", evaluation.winner(*moves));
    }
    html + "\n"
}

/// A log that writes a page for each game, or only for each game that was not won.
pub(crate) struct GamePageLog {
    folder: PathBuf,
    with_won: bool,
    /// The number of the game, from 1. A repeated game keeps its number.
    number: u64,
    game: Option<GameRecorder>,
}

impl GamePageLog {
    /// Creates a log that writes pages into `folder`. Creates the folder if it does not exist.
    pub(crate) fn new(folder: &Path, with_won: bool) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} for pages cannot be created", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), with_won, number: 0, game: None })
    }
}

impl GameLog for GamePageLog {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        self.number += u64::from(!setup.game.repeat);
        self.game = Some(GameRecorder::new(setup.clone())?);
        Ok(())
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        if let Some(game) = &mut self.game {
            game.add(entry);
        }
        Ok(())
    }

    fn end(&mut self, run: &RunReport) -> anyhow::Result<()> {
        let Some(game) = self.game.take() else { return Ok(()) };
        let path = self.folder.join(format!("game-{}.html", self.number));
        if !run.verdict.is_success() || self.with_won {
            return output::write(&path, game.page(run)?.as_bytes());
        }
        if game.setup.game.repeat {
            // The repeated game was won, so remove the page of the doubtful first try.
            let removed = fs::remove_file(&path);
            return removed.with_context(|| format!("{} cannot be removed", path.display()));
        }
        Ok(())
    }
}
