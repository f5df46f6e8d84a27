//! The page of a game, with a board and an evaluation, and the log that writes such pages into a folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use runner::limits::Limits;
use runner::relay::Side;
use serde_json::json;
use zeroxor::Position;

use crate::output;
use crate::referee::game::review::{FinishedGame, GameResult};
use crate::report::conversation_rows::{RowKind, ShownRow};
use crate::report::page::board::{Board, Evaluation};
use crate::report::page::{GamePart, Page, PageRows, cells};
use crate::report::run::RunReport;
use crate::report::transcript::{GameLog, LogEntry, Part};
use crate::units::time_limit;

/// Maximum number of moves on a page, because a browser has to draw them. The data of as many moves in a row of cards has
/// less than 400,000 bytes, unless its numbers are very large.
const MAX_MOVES: usize = 7000;

impl PageRows {
    pub(crate) fn game_page(self, game: &FinishedGame) -> anyhow::Result<String> {
        let FinishedGame { setup, result, .. } = game;
        let (start, header) = (Position::new(setup.game.header.game())?, setup.game.header.game());
        let moves = &result.moves[..result.moves.len().min(MAX_MOVES)];
        let board = Board::new(header, &start, moves);
        let mut evaluation = Evaluation::new(&start, moves, &board);
        let mut notes = Vec::new();
        if moves.len() < result.moves.len() {
            let (all, shown) = (result.moves.len(), moves.len());
            notes.push(format!(
                "The game has {all} moves; the first {shown} are shown, so that the page stays small."
            ));
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
            "evaluation": evaluation.data(),
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
            rows: self.html(rows_in(result, &evaluation)),
            game: Some(GamePart { data: data.to_string(), limits, notes }),
        };
        Ok(page.html())
    }
}

/// Returns a function that makes the rows of the table. The bot may write a line before its turn, so a move is found by
/// the number of its line: the judge's first line is the header, after `games T` in the first game of a conversation, and
/// the bot's first line names its side. Each further line is a move, unless it was refused.
fn rows_in<'a>(
    result: &'a GameResult,
    evaluation: &'a Evaluation,
) -> impl FnMut(&ShownRow) -> String + use<'a> {
    let (mut ply, mut before_header) = (0, 0);
    move |row| {
        let (player, before) = match row.side {
            Side::Bot => (result.side, 0),
            Side::Interactor => {
                before_header += usize::from(row.kind == RowKind::Line(0) && row.text.starts_with("games "));
                (result.side.map(zeroxor::Side::other), before_header)
            }
        };
        let line = if let RowKind::Line(line) = row.kind { line.saturating_sub(before) } else { 0 };
        let number = 2 * line - usize::from(line > 0 && player == Some(zeroxor::Side::First));
        let is_move = (1..=result.moves.len()).contains(&number);
        ply = if is_move { number } else { ply };
        html(row, ply, is_move, evaluation)
    }
}

/// Returns a row of the table: the cells of all pages, and for a move its number and who wins after it.
fn html(row: &ShownRow, ply: usize, is_move: bool, evaluation: &Evaluation) -> String {
    let is_blunder = is_move && evaluation.is_blunder(ply);
    let class = match row.kind {
        RowKind::Line(_) if is_blunder => " class=blunder",
        RowKind::Line(_) => "",
        RowKind::Event | RowKind::Pass => " class=event",
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
    rows: PageRows,
}

impl GamePageLog {
    /// Creates a log that writes pages into `folder`. Creates the folder if it does not exist.
    pub(crate) fn new(folder: &Path, with_won: bool) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} for pages cannot be created", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), with_won, number: 0, rows: PageRows::of_game() })
    }
}

impl GameLog for GamePageLog {
    fn log(&mut self, entry: LogEntry<'_>) -> anyhow::Result<()> {
        if let LogEntry::Step(step) = entry {
            self.rows.add(Part::Step(step));
        }
        let LogEntry::End(game) = entry else { return Ok(()) };
        let (rows, is_repeat) =
            (std::mem::replace(&mut self.rows, PageRows::of_game()), game.setup.game.repeat);
        self.number += u64::from(!is_repeat);
        let path = self.folder.join(format!("game-{}.html", self.number));
        if !game.result.ruling.verdict.is_success() || self.with_won {
            return output::write(&path, rows.game_page(game)?.as_bytes());
        }
        if is_repeat {
            // The repeated game was won, so remove the page of the doubtful first try.
            let removed = fs::remove_file(&path);
            return removed.with_context(|| format!("{} cannot be removed", path.display()));
        }
        Ok(())
    }
}
