//! The page of a game, with a board and an evaluation, and the log that writes such pages into a folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use runner::limits::Limits;
use runner::relay::Side;
use serde_json::json;
use zeroxor::Position;

use crate::conversation::interaction::Step;
use crate::output;
use crate::referee::game::review::{FinishedGame, GameResult};
use crate::report::page::board::{Board, Evaluation, NimberTables};
use crate::report::page::{GamePart, KeptRows, Page, cells};
use crate::report::rows::{ShownRow, ShownRows};
use crate::report::run::RunReport;
use crate::report::transcript::GameLog;
use crate::units::time_limit;

/// Maximum number of rows of a game. A bot may print more lines, for example empty ones.
const MAX_ROWS: usize = 50_000;

/// Maximum number of moves on a page, because a browser has to draw them. The data of as many moves in a row of cards has
/// less than 400,000 bytes, unless its numbers are very large.
const MAX_MOVES: usize = 7000;

/// The rows of a game for its page.
#[derive(Default)]
pub(crate) struct GameRows {
    rows: ShownRows,
    listed: Vec<ShownRow>,
    /// The number of events that have no row because of `MAX_ROWS`.
    left_out: usize,
}

impl GameRows {
    pub(crate) fn add(&mut self, event: &Step) {
        if self.listed.len() >= MAX_ROWS {
            self.left_out += 1;
            return;
        }
        self.listed.extend(self.rows.add(event));
        // Each event has a whole line, or the last one, which may have no line end.
        self.listed.extend(self.rows.end());
    }

    pub(crate) fn page(&self, game: &FinishedGame) -> anyhow::Result<String> {
        let FinishedGame { setup, result, .. } = game;
        let (start, header) = (Position::new(setup.game.header.game())?, setup.game.header.game());
        let moves = &result.moves[..result.moves.len().min(MAX_MOVES)];
        let board = Board::new(&start, moves, &NimberTables::new(header, &start));
        let mut evaluation = Evaluation::new(&start, moves, &board);
        let mut notes = Vec::new();
        if moves.len() < result.moves.len() {
            let (all, shown) = (result.moves.len(), moves.len());
            notes.push(format!(
                "The game has {all} moves; the first {shown} are shown, so that the page stays small."
            ));
        }
        if self.left_out > 0 {
            notes.push(format!("{MAX_ROWS} lines are listed; {} later events are not.", self.left_out));
        }
        notes.append(&mut evaluation.notes);
        let data = json!({
            // In misère play the page has no nimbers, because they do not tell who wins.
            "misere": start.is_misere(),
            "side": result.side.map(|side| side.to_string()),
            "verdict": result.ruling.verdict,
            "reason": result.ruling.reason,
            "moves": result.moves.len(),
            "board": board,
            "evaluation": evaluation,
        });
        let Limits { cpu, wall, memory, processes, .. } = setup.config.limits;
        let (cpu, wall, mib) = (time_limit(cpu), time_limit(wall), memory >> 20);
        let limits = format!(
            "limits: {cpu} of CPU time; {wall} of wall time; {mib} MiB; {processes} processes and threads"
        );
        let page = Page {
            run: &RunReport::from(game),
            referee: "judge",
            bot: &setup.config.bot_words(),
            judge: &setup.judge,
            rows: self.html(result, &evaluation),
            game: Some(GamePart { data: data.to_string(), limits, notes }),
        };
        Ok(page.html())
    }

    /// Returns the rows of the table. The bot may write a line before its turn, so a move is found by the number of its
    /// line: the judge's first line is the header, after `games T` in the first game of a conversation, and the bot's first
    /// line names its side. Each further line is a move, unless it was refused.
    fn html(&self, result: &GameResult, evaluation: &Evaluation) -> KeptRows {
        let mut kept = KeptRows::new(450_000, 50_000);
        let (mut bot_lines, mut judge_lines, mut ply) = (0, 0, 0);
        for row in &self.listed {
            let (lines, player) = match row.side {
                Side::Bot => (&mut bot_lines, result.side),
                Side::Interactor => (&mut judge_lines, result.side.map(zeroxor::Side::other)),
            };
            let mut is_move = false;
            if row.is_line && !row.text.starts_with("games ") {
                let number = 2 * *lines - usize::from(*lines > 0 && player == Some(zeroxor::Side::First));
                is_move = (1..=result.moves.len()).contains(&number);
                *lines += 1;
                if is_move {
                    ply = number;
                }
            }
            kept.push(html(row, ply, is_move, evaluation));
        }
        kept
    }
}

/// Returns a row of the table: the cells of all pages, and for a move its number and who wins after it.
fn html(row: &ShownRow, ply: usize, is_move: bool, evaluation: &Evaluation) -> String {
    let is_blunder = is_move && evaluation.is_blunder(ply);
    let class = match (row.is_line, is_blunder) {
        (false, _) => " class=event",
        (true, true) => " class=blunder",
        (true, false) => "",
    };
    let mut html = format!("<tr{class} data-ply={ply}>{}", cells(row));
    if is_move {
        if row.side == Side::Interactor {
            html += "<td>";
        }
        html += &format!("<th scope=row><button type=button>{ply}</button>");
        if is_blunder {
            html += " \u{2717}<span class=hidden> blunder</span>";
        }
        html += &format!("<td>{}", evaluation.winner(ply));
    }
    html + "\n"
}

/// A log that writes a page for each game, or only for each game that was not won.
pub(crate) struct GamePageLog {
    folder: PathBuf,
    with_won: bool,
    /// The number of the game, from 1. A repeated game keeps its number.
    number: u64,
    rows: GameRows,
}

impl GamePageLog {
    /// Creates a log that writes pages into `folder`. Creates the folder if it does not exist.
    pub(crate) fn new(folder: &Path, with_won: bool) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} for pages cannot be created", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), with_won, number: 0, rows: GameRows::default() })
    }
}

impl GameLog for GamePageLog {
    fn write(&mut self, event: &Step) -> anyhow::Result<()> {
        self.rows.add(event);
        Ok(())
    }

    fn end(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        let (rows, is_repeat) = (std::mem::take(&mut self.rows), game.setup.game.repeat);
        self.number += u64::from(!is_repeat);
        let path = self.folder.join(format!("game-{}.html", self.number));
        if !game.result.ruling.verdict.is_success() || self.with_won {
            return output::write(&path, rows.page(game)?.as_bytes());
        }
        if is_repeat {
            // The repeated game was won, so remove the page of the doubtful first try.
            let removed = fs::remove_file(&path);
            return removed.with_context(|| format!("{} cannot be removed", path.display()));
        }
        Ok(())
    }
}
