//! The replay of a game as a page: one file, with the board, the lines of both sides, and what perfect play says.

mod board;
mod evaluation;
mod facts;
mod lines;
mod log;
mod players;
mod recorder;

pub(crate) use board::Board;
pub(crate) use evaluation::{Evaluation, enter_nimbers};
pub(crate) use log::{FILE_NAMES, ReplayPageLog};
pub(crate) use players::Players;
pub(crate) use recorder::ReplayRecorder;

use itertools::Itertools;
use serde::Serialize;
use zeroxor::Position;

use super::page::PageParts;
use common::SCHEMA;
use common::escape::{printable, printable_bytes};
use common::text::shortened_to;
use facts::facts;
use lines::{Line, Speaker};
use referee::result::GameResult;
use referee::transcript::{ResultLine, SetupLine};
use referee::verdict::Verdict;
use runner::stderr_excerpt::StderrExcerpt;

/// The most moves on a page. A browser has to keep a row for each.
const MAX_MOVES: usize = 20_000;

/// The most bytes of a page's data: with all else it is below a megabyte.
const MAX_DATA: usize = 900_000;

/// The most characters of a header that are shown.
const MAX_HEADER: usize = 5000;

/// Of so few moves and lines none is left out.
const LEAST: usize = 100;

/// A game that is over, as its page shows it. Every text of it is printable.
#[derive(Serialize)]
pub(crate) struct Replay {
    schema: u32,
    judge: String,
    title: String,
    game: String,
    /// The bot's side; `null` if it never named one.
    side: Option<String>,
    players: Players,
    won: bool,
    verdict: Verdict,
    reason: String,
    /// How the game went, what it took and the limits: names, and what belongs to each.
    facts: Vec<(&'static str, String)>,
    /// The command that plays the game again; `null` if it cannot be shown.
    again: Option<String>,
    stderr: String,
    /// How many moves the game has. The board may have fewer, those at the beginning.
    moves: usize,
    board: Board,
    lines: Vec<Line>,
    evaluation: Evaluation,
    /// What the page leaves out.
    notes: Vec<String>,
}

impl Replay {
    fn new(
        setup: &SetupLine,
        result: &GameResult,
        start: &Position,
        lines: Vec<Line>,
        notes: Vec<String>,
    ) -> Self {
        let shown = &result.moves[..result.moves.len().min(MAX_MOVES)];
        let mut board = Board::new(start, shown);
        let evaluation = Evaluation::new(setup.game.header.game(), start, shown, &mut board);
        let header = printable(setup.game.header.text());
        let side = result.side.map(|side| side.to_string());
        let role = side.as_ref().map_or_else(String::new, |side| format!(" as {side}"));
        let opponent = setup.game.opponent.name();
        let mut replay = Self {
            schema: SCHEMA,
            judge: printable(&setup.judge),
            title: format!(
                "{} {}{role} against {opponent} (seed {})",
                result.verdict,
                shortened_to(&header, 100),
                setup.game.seed
            ),
            game: shortened_to(&header, MAX_HEADER),
            side,
            players: Players::bot_and_judge(),
            won: result.verdict == Verdict::Won,
            verdict: result.verdict,
            reason: printable(&result.reason),
            facts: facts(setup, result),
            again: setup.command().map(|command| printable(&command)),
            stderr: stderr_text(&result.stderr),
            moves: result.moves.len(),
            board,
            lines,
            evaluation,
            notes,
        };
        replay.fit();
        replay
    }

    /// Leaves out the end of a game whose page would be too large, and says so.
    fn fit(&mut self) {
        let lines = self.lines.len();
        while serde_json::to_vec(self).is_ok_and(|data| data.len() > MAX_DATA)
            && self.board.moves() + self.lines.len() > LEAST
        {
            let shown = self.board.moves() * 7 / 8;
            self.board.truncate(shown);
            self.evaluation.truncate(shown);
            self.lines.retain(|line| line.moves <= shown);
            self.lines.truncate(self.lines.len() * 15 / 16);
        }
        let (shown, moves) = (self.board.moves(), self.moves);
        if shown < moves {
            self.notes.push(format!(
                "The game has {moves} moves; the first {shown} are shown, so that the page stays small."
            ));
        }
        if self.lines.len() < lines {
            let shown = self.lines.len();
            self.notes.push(format!("The first {shown} of {lines} lines are listed."));
        }
    }

    /// Names the players of a game that people have played, not a bot: nothing was measured, and it is played again at
    /// the terminal.
    pub(crate) fn name_players(&mut self, players: Players) {
        let other = players.other.replace("The bot", "the bot");
        self.title = format!("{}: {} against {other}", shortened_to(&self.game, 100), players.own);
        let (own, has) = (&players.own, if players.own == "You" { "have" } else { "has" });
        self.reason = match self.verdict {
            Verdict::Won => format!("{other} has no move left"),
            Verdict::Lost => format!("{own} {has} no move left"),
            Verdict::Resigned => format!("{own} {has} resigned"),
            _ => "the game is not over".to_owned(),
        };
        self.facts = vec![("moves", self.moves.to_string())];
        self.lines.retain(|line| line.from != Speaker::Event);
        self.lines.iter_mut().for_each(|line| line.waited = None);
        self.again = Some(players.again.clone());
        self.players = players;
    }

    /// Notes if the result that was recorded is another one.
    pub(crate) fn compare(&mut self, recorded: &ResultLine) {
        if recorded.verdict != self.verdict {
            self.notes.push(format!(
                "The recorded verdict is {}, but the recorded events give {}.",
                recorded.verdict, self.verdict
            ));
        }
    }

    /// The page, which needs no other file.
    ///
    /// # Errors
    ///
    /// If the game cannot be written as JSON.
    pub(crate) fn page(&self) -> serde_json::Result<String> {
        let parts = PageParts {
            title: &self.title,
            body: concat!("<main>\n", include_str!("../../../web/replay.html"), "</main>\n"),
            styles: &[
                include_str!("../../../web/page.css"),
                include_str!("../../../web/board.css"),
                include_str!("../../../web/replay.css"),
            ],
            modules: &[
                include_str!("../../../web/position.js"),
                include_str!("../../../web/board.js"),
                include_str!("../../../web/replay.js"),
                include_str!("../../../web/replay_file.js"),
            ],
        };
        parts.page(self)
    }
}

/// What a bot wrote to stderr, line by line, and how much of it is left out.
fn stderr_text(stderr: &StderrExcerpt) -> String {
    let lines = |text: &[u8]| text.split(|&byte| byte == b'\n').map(printable_bytes).join("\n");
    let tail: Vec<u8> = stderr.tail.iter().copied().collect();
    let text = match stderr.whole() {
        Some(text) => lines(&text),
        None => format!(
            "{}\n[{} bytes left out here]\n{}",
            lines(&stderr.head),
            stderr.omitted.bytes,
            lines(&tail)
        ),
    };
    text.trim_end().to_owned()
}
