//! The replay of a game as a page: a single file with the board, the lines of both sides, and the evaluation by perfect
//! play. A log writes the pages of several games into a folder.

mod board;
mod evaluation;
mod recorder;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use itertools::Itertools;
use serde::Serialize;

use crate::SCHEMA;
use crate::conversation::verdict::Verdict;
use crate::output;
use crate::referee::game::result::GameResult;
use crate::report::page::PageParts;
use crate::report::replay_page::board::Board;
use crate::report::replay_page::evaluation::Evaluation;
pub(crate) use crate::report::replay_page::recorder::ReplayRecorder;
use crate::report::replay_page::recorder::{Line, Recorded};
use crate::report::run::RunReport;
use crate::report::transcript::{GameLog, SetupLine};
use crate::text::counted;
use crate::text::shortened_to;
use crate::units::{measured, time_limit};
use runner::escape::{printable, printable_bytes};
use runner::event::RecordedEvent;
use runner::stderr_excerpt::StderrExcerpt;

/// Maximum number of moves on a page, because a browser has to keep a row for each.
const MAX_MOVES: usize = 20_000;

/// Maximum size of a page's data, in bytes, so that the whole page stays below a megabyte.
const MAX_DATA: usize = 900_000;

/// Maximum number of characters of a header that are shown.
const MAX_HEADER: usize = 5000;

/// Pages with at most this many moves and lines in total are not shortened, even if their data is larger than
/// `MAX_DATA`.
const MIN_SHOWN: usize = 100;

/// A finished game, as its page shows it. All its texts are printable.
#[derive(Serialize)]
pub(crate) struct Replay {
    schema: u32,
    judge: String,
    title: String,
    game: String,
    /// Whether the player who makes the last move loses. In such a game nimbers do not tell who wins, so the page has
    /// none.
    misere: bool,
    /// The bot's side; `null` if it never named one.
    side: Option<String>,
    won: bool,
    verdict: Verdict,
    reason: String,
    /// Facts about the game, such as the opponent, the times and the resources, as (label, value) pairs.
    facts: Vec<(&'static str, String)>,
    /// The command that plays the game again; `null` if it cannot be shown.
    again: Option<String>,
    stderr: String,
    /// The number of moves of the game. The board may have fewer.
    moves: usize,
    board: Board,
    lines: Vec<Line>,
    evaluation: Evaluation,
    /// Notes about what the page leaves out.
    notes: Vec<String>,
}

impl Replay {
    /// Creates the replay of a recorded game. `wall` is a lower bound on the time of the game.
    pub(crate) fn new(recorder: ReplayRecorder, wall: Duration) -> Self {
        let Recorded { setup, result, start, lines, notes } = recorder.finish(wall);
        let shown = &result.moves[..result.moves.len().min(MAX_MOVES)];
        let mut board = Board::new(&start, shown);
        let evaluation = Evaluation::new(setup.game.header.game(), &start, shown, &mut board);
        let header = printable(setup.game.header.text());
        let side = result.side.map(|side| side.to_string());
        let role = side.as_ref().map_or_else(String::new, |side| format!(" as {side}"));
        let opponent = setup.game.opponent.name();
        let mut replay = Self {
            schema: SCHEMA,
            judge: printable(&setup.judge),
            title: format!(
                "{} {}{role} against {opponent} (seed {})",
                result.ruling.verdict,
                shortened_to(&header, 100),
                setup.game.seed
            ),
            game: shortened_to(&header, MAX_HEADER),
            misere: start.is_misere(),
            side,
            won: result.ruling.verdict == Verdict::Won,
            verdict: result.ruling.verdict,
            reason: printable(&result.ruling.reason),
            facts: facts(&setup, &result),
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

    /// Leaves out the end of a game whose page would be too large. Adds notes about moves and lines that are left out.
    fn fit(&mut self) {
        let lines = self.lines.len();
        while serde_json::to_vec(self).is_ok_and(|data| data.len() > MAX_DATA)
            && self.board.moves() + self.lines.len() > MIN_SHOWN
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

    /// Returns the page, which needs no other file.
    pub(crate) fn page(&self) -> serde_json::Result<String> {
        let parts = PageParts {
            title: &self.title,
            body: concat!("<main>\n", include_str!("../../../web/replay.html"), "</main>\n"),
            styles: &[include_str!("../../../web/board.css"), include_str!("../../../web/replay.css")],
            modules: &[
                include_str!("../../../web/position.js"),
                include_str!("../../../web/board.js"),
                include_str!("../../../web/replay.js"),
            ],
        };
        parts.page(self)
    }
}

/// Returns the bot's stderr with control characters escaped, and a note about the bytes that are left out.
fn stderr_text(stderr: &StderrExcerpt) -> String {
    let lines = |text: &[u8]| text.split(|&byte| byte == b'\n').map(printable_bytes).join("\n");
    let tail: Vec<u8> = stderr.tail.iter().copied().collect();
    let text = match stderr.whole() {
        Some(text) => lines(&text),
        None => {
            format!("{}\n[{} bytes omitted]\n{}", lines(&stderr.head), stderr.omitted.bytes, lines(&tail))
        }
    };
    text.trim_end().to_owned()
}

/// Returns facts about a game, such as the opponent, the times and the resources, as (label, value) pairs.
fn facts(setup: &SetupLine, result: &GameResult) -> Vec<(&'static str, String)> {
    let bot = setup.config.bot_words();
    let bot = if bot.is_empty() { "the bundled bot".to_owned() } else { bot.iter().join(" ") };
    let limits = &setup.config.limits;
    let mut facts = vec![
        ("bot", printable(&bot)),
        ("opponent", format!("{}, seed {}", setup.game.opponent.name(), setup.game.seed)),
        ("moves", counted(result.moves.len() as u64, "move")),
        (
            "time",
            format!(
                "{}, of which {} waiting for the bot",
                measured(result.wall),
                measured(result.timing.waited)
            ),
        ),
    ];
    if let Some((ply, wait)) = result.timing.slowest {
        let what = if ply == 0 { "the side".to_owned() } else { format!("move {ply}") };
        facts.push(("slowest answer", format!("{what}, {}", measured(wait))));
    }
    facts.extend(
        result.used.cpu.map(|cpu| ("CPU time", format!("{} of {}", measured(cpu), time_limit(limits.cpu)))),
    );
    facts.extend(result.used.memory.map(|memory| {
        (
            "memory",
            format!(
                "{}.{} MiB of {} MiB",
                memory >> 20,
                (memory >> 10) % 1024 * 10 / 1024,
                limits.memory >> 20
            ),
        )
    }));
    facts.extend(
        result
            .used
            .processes
            .map(|count| ("processes and threads", format!("{count} of {}", limits.processes))),
    );
    facts.extend(setup.held_by.map(|by| ("limits by", by.to_string())));
    facts.push(("judge", printable(&setup.judge)));
    facts
}

/// A log that writes a page for each game, or only for each game that was not won.
pub(crate) struct ReplayPageLog {
    folder: PathBuf,
    with_won: bool,
    /// The number of the game, from 1. A repeated game keeps its number.
    number: u64,
    game: Option<ReplayRecorder>,
}

impl ReplayPageLog {
    /// Creates a log that writes pages into `folder`. Creates the folder if it does not exist.
    pub(crate) fn new(folder: &Path, with_won: bool) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} for pages cannot be created", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), with_won, number: 0, game: None })
    }
}

impl GameLog for ReplayPageLog {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        self.number += u64::from(!setup.game.repeat);
        self.game = Some(ReplayRecorder::new(setup.clone())?);
        Ok(())
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        if let Some(game) = &mut self.game {
            game.add(entry);
        }
        Ok(())
    }

    fn end(&mut self, result: &RunReport) -> anyhow::Result<()> {
        let Some(game) = self.game.take() else { return Ok(()) };
        let path = self.folder.join(format!("game-{}.html", self.number));
        if result.verdict != Verdict::Won || self.with_won {
            let page = Replay::new(game, result.wall()).page()?;
            return output::write(&path, page.as_bytes());
        }
        if game.is_repeat() {
            // The repeated game was won, so remove the page of the doubtful first try.
            let removed = fs::remove_file(&path);
            return removed.with_context(|| format!("{} cannot be removed", path.display()));
        }
        Ok(())
    }
}
