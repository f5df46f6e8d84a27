//! The page of a game, with a board and an evaluation, and the log that writes such pages into a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use runner::event::RecordedEvent;
use runner::limits::Limits;
use runner::relay::Side;
use serde::Serialize;
use zeroxor::{Position, SpecError};

use crate::conversation::interaction::Step;
use crate::output;
use crate::referee::game::exchange::{Exchange, ExpectedLine};
use crate::referee::game::game_state::GameState;
use crate::report::page::board::Board;
use crate::report::page::evaluation::{Evaluation, NimberTables};
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
    bot_lines: usize,
}

struct GameRow {
    row: Row,
    /// The number of moves before this row, or of the lines of the bot before this line of the bot.
    before: usize,
    is_opponents_move: bool,
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
            bot_lines: 0,
        })
    }

    pub(crate) fn add(&mut self, recorded: &RecordedEvent) {
        let moves = self.state.exchange.moves.len();
        let is_opponents_turn = self.state.turn().expected == ExpectedLine::OpponentMove;
        self.state.apply(recorded);
        if self.lines.len() >= MAX_ROWS {
            self.left_out += 1;
            return;
        }
        let is_opponents_move = is_opponents_turn && self.state.exchange.moves.len() > moves;
        let step = Step::of_game(recorded.clone());
        let mut rows: Vec<Row> = self.rows.add(&step).collect();
        // Each event has a whole line, or the last one, which may have no line end.
        rows.extend(self.rows.end());
        for row in rows {
            let is_of_bot = row.is_line && row.side == Side::Bot;
            let is_opponents_move = is_opponents_move && row.is_line && !is_of_bot;
            let before = if is_of_bot { self.bot_lines } else { moves };
            self.bot_lines += usize::from(is_of_bot);
            self.lines.push(GameRow { row, before, is_opponents_move });
        }
    }

    /// Returns the number of moves after a row, and whether the row is the last of these moves. The bot may write a line
    /// before its turn: the first line names its side, and each further line is its next move, unless it is refused.
    fn moves_after(&self, GameRow { row, before, is_opponents_move }: &GameRow) -> (usize, bool) {
        let Exchange { moves, side, .. } = &self.state.exchange;
        match before {
            _ if !row.is_line || row.side != Side::Bot => {
                (before + usize::from(*is_opponents_move), *is_opponents_move)
            }
            0 => (0, false),
            before => {
                let ply = 2 * before - usize::from(*side == Some(zeroxor::Side::First));
                (ply.min(moves.len()), ply <= moves.len())
            }
        }
    }

    pub(crate) fn page(&self, run: &RunReport) -> serde_json::Result<String> {
        let moves = &self.state.exchange.moves;
        let shown = &moves[..moves.len().min(MAX_MOVES)];
        let tables = NimberTables::new(self.setup.game.header.game(), &self.start);
        let board = Board::new(&self.start, shown, &tables);
        let evaluation = Evaluation::new(&self.start, shown, &board);
        let mut data = Data {
            misere: self.start.is_misere(),
            side: run.review.as_ref().and_then(|review| review.side.as_deref()),
            verdict: run.ruling.verdict.to_string(),
            reason: &run.ruling.reason,
            moves: moves.len(),
            board,
            evaluation,
        };
        data.fit();
        let mut notes: Vec<String> = data.note().into_iter().collect();
        if self.left_out > 0 {
            notes.push(format!("{MAX_ROWS} lines are listed; {} later events are not.", self.left_out));
        }
        notes.extend(data.evaluation.notes());
        let mut rows = KeptRows::new(450_000, 50_000);
        let blunders: BTreeSet<usize> = data.evaluation.blunders().collect();
        for line in &self.lines {
            rows.push(html(&line.row, self.moves_after(line), &data.evaluation, &blunders));
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
fn html(
    row: &Row,
    (moves, is_move): (usize, bool),
    evaluation: &Evaluation,
    blunders: &BTreeSet<usize>,
) -> String {
    let class = match (row.is_line, is_move && blunders.contains(&moves)) {
        (false, _) => " class=event",
        (true, true) => " class=blunder",
        (true, false) => "",
    };
    let mut html = format!("<tr{class} data-ply={moves}>{}", cells(row));
    if is_move {
        if row.side == Side::Interactor {
            html += "<td>";
        }
        html += &format!("<th scope=row><button type=button>{moves}</button>");
        if blunders.contains(&moves) {
            html += " \u{2717}<span class=hidden> blunder</span>";
        }
        html += &format!("<td>{}", evaluation.winner(moves));
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

    fn write(&mut self, entry: &RecordedEvent) -> anyhow::Result<()> {
        if let Some(game) = &mut self.game {
            game.add(entry);
        }
        Ok(())
    }

    fn end(&mut self, run: &RunReport) -> anyhow::Result<()> {
        let Some(game) = self.game.take() else { return Ok(()) };
        let path = self.folder.join(format!("game-{}.html", self.number));
        if !run.ruling.verdict.is_success() || self.with_won {
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
