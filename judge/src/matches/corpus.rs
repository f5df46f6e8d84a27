//! The corpus: a file of games that a bot did not win. Later commands play these games first.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::report::Reporter;
use common::escape::printable;
use common::program::print_error;
use common::safe_file::lock;
use common::text::{counted, shortened};
use referee::review::FinishedGame;
use referee::setup::{GameSetup, MoveLine, OpponentKind};
use referee::start_line::StartLine;
use referee::verdict::Verdict;

/// The file's first lines.
const HEAD: &str = "\
# Games that a bot did not win, one a line, typed like the arguments of \"judge run\".
# \"judge test\" plays them, \"judge corpus\" lists and removes them. Lines may be added and removed by hand.
";

/// The texts before the verdict and before the bot's name in a line of the file.
const BEFORE_VERDICT: &str = "   # ";
const BEFORE_BOT: &str = " of ";

/// Maximum number of games that one command adds. A bot that wins nothing would fill the corpus with similar games.
const MAX_ADDED: usize = 10;

/// Maximum size of the file, in bytes.
const MAX_SIZE: u64 = 16 << 20;

/// A corpus: a file of games in a directory.
pub(crate) struct Corpus {
    file: PathBuf,
}

/// A game of the corpus, with its line in the file.
pub(crate) struct KeptGame {
    pub(crate) setup: GameSetup,
    /// The bot that did not win the game; `None` if the line does not name it.
    bot: Option<String>,
    /// The line as in the file, with its comment.
    pub(crate) line: String,
}

impl KeptGame {
    /// Returns whether one of `bots` did not win the game, or the line names no bot. `bots` are names as in reports.
    pub(crate) fn is_for(&self, bots: &[String]) -> bool {
        self.bot.as_ref().is_none_or(|kept| bots.iter().any(|bot| label(bot) == *kept))
    }
}

/// Returns the name of a bot as written in lines of the file.
fn label(bot: &str) -> String {
    printable(&shortened(bot))
}

impl Corpus {
    /// Returns the corpus of a directory. The directory need not exist.
    pub(crate) fn of_directory(directory: &Path) -> Self {
        Self { file: directory.join("games.txt") }
    }

    /// Returns the path of the file of games.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the folder for the failed inputs of problems that have their own interactor.
    pub(crate) fn inputs_folder(&self) -> PathBuf {
        self.file.with_file_name("inputs")
    }

    /// Reads the games in the order of their lines. Returns no games if the file does not exist.
    pub(crate) fn games(&self) -> anyhow::Result<Vec<KeptGame>> {
        let read = || match File::open(&self.file) {
            Ok(mut file) => read_text(&mut file).and_then(|text| games_of(&text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        };
        read().with_context(|| format!("the corpus {}", self.file.display()))
    }

    /// Adds a game of a bot, unless the file already has this game for the same bot or without a bot's name. Returns
    /// whether the game was added.
    fn add(&self, game: &GameSetup, verdict: Verdict, bot: &str) -> anyhow::Result<bool> {
        self.try_add(game, verdict, &label(bot))
            .with_context(|| format!("the game cannot be kept in {}", self.file.display()))
    }

    fn try_add(&self, game: &GameSetup, verdict: Verdict, bot: &str) -> anyhow::Result<bool> {
        if let Some(directory) = self.file.parent() {
            fs::create_dir_all(directory)?;
        }
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(&self.file)?;
        // The lock keeps two judges from writing at the same time.
        lock(&file)?;
        let text = read_text(&mut file)?;
        let words = game.to_string();
        let is_same = |kept: &KeptGame| {
            kept.setup.to_string() == words && kept.bot.as_ref().is_none_or(|kept| kept == bot)
        };
        if games_of(&text)?.iter().any(is_same) {
            return Ok(false);
        }
        let before = match text.as_str() {
            "" => HEAD,
            text if text.ends_with('\n') => "",
            _ => "\n",
        };
        file.write_all(format!("{before}{words}{BEFORE_VERDICT}{verdict}{BEFORE_BOT}{bot}\n").as_bytes())?;
        Ok(true)
    }

    /// Removes the games with these numbers, counted from 0. Keeps lines without a game.
    pub(crate) fn remove(&self, numbers: &BTreeSet<usize>) -> anyhow::Result<()> {
        let mut file = OpenOptions::new().read(true).write(true).open(&self.file)?;
        lock(&file)?;
        let text = read_text(&mut file)?;
        let mut number = 0;
        let mut kept = String::new();
        for line in text.lines() {
            let is_game = StartLine::parse(line)?.is_some();
            if !(is_game && numbers.contains(&number)) {
                kept.extend([line, "\n"]);
            }
            number += usize::from(is_game);
        }
        // Write to the same file instead of replacing it: another judge may be waiting for the lock of this file.
        file.rewind()?;
        file.write_all(kept.as_bytes())?;
        file.set_len(kept.len() as u64)?;
        Ok(())
    }
}

fn read_text(file: &mut File) -> anyhow::Result<String> {
    let mut text = String::new();
    file.take(MAX_SIZE + 1).read_to_string(&mut text)?;
    ensure!(text.len() as u64 <= MAX_SIZE, "expected at most {MAX_SIZE} bytes, got more");
    Ok(text)
}

/// Parses the games of a file's text.
fn games_of(text: &str) -> anyhow::Result<Vec<KeptGame>> {
    let mut games = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(start) = StartLine::parse(line).with_context(|| format!("line {number}"))? {
            let setup = start.setup(OpponentKind::Perfect, 1, &MoveLine::new());
            let comment =
                line.split_once(BEFORE_VERDICT).and_then(|(_, comment)| comment.split_once(BEFORE_BOT));
            let bot = comment.map(|(_, bot)| bot.trim().to_owned());
            games.push(KeptGame { setup, bot, line: line.trim().to_owned() });
        }
    }
    Ok(games)
}

/// A reporter that also adds the games that the bot has not won to a corpus.
pub(crate) struct KeepingReporter<R> {
    reporter: R,
    keeper: CorpusKeeper,
}

impl<R: Reporter> KeepingReporter<R> {
    /// Creates a reporter that keeps games in `corpus`, or keeps none if `corpus` is `None`.
    pub(crate) fn new(reporter: R, corpus: Option<Corpus>) -> Self {
        Self { reporter, keeper: CorpusKeeper::new(corpus) }
    }
}

impl<R: Reporter> Reporter for KeepingReporter<R> {
    fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        self.reporter.game(game)?;
        self.keeper.keep(game);
        Ok(())
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        self.reporter.summary()?;
        self.keeper.print_count();
        Ok(())
    }
}

/// Adds games to a corpus, at most `MAX_ADDED` for one command.
pub(crate) struct CorpusKeeper {
    /// The corpus that games are added to; `None` if no games are kept.
    corpus: Option<Corpus>,
    added: usize,
}

impl CorpusKeeper {
    pub(crate) fn new(corpus: Option<Corpus>) -> Self {
        Self { corpus, added: 0 }
    }

    /// Adds a game that the bot has not won, if the bot is at fault. If the corpus cannot be written, prints the error
    /// once and keeps no further games.
    pub(crate) fn keep(&mut self, game: &FinishedGame) {
        let verdict = game.result.verdict;
        let is_fault = !matches!(verdict, Verdict::Won | Verdict::JudgeError | Verdict::Interrupted);
        let corpus = self.corpus.as_ref().filter(|_| is_fault && self.added < MAX_ADDED);
        match corpus.map(|corpus| corpus.add(&game.setup.game, verdict, &game.setup.config.bot_name())) {
            Some(Ok(is_new)) => self.added += usize::from(is_new),
            Some(Err(error)) => {
                print_error(format_args!("{error:#}; --no-corpus keeps no games"));
                self.corpus = None;
            }
            None => {}
        }
    }

    /// Prints on stderr how many games were added, unless none was.
    pub(crate) fn print_count(&self) {
        if let Some(corpus) = self.corpus.as_ref().filter(|_| self.added > 0) {
            let (games, file) = (counted(self.added as u64, "game"), corpus.file.display());
            print_error(format_args!("{games} kept in {file}: judge corpus lists and removes them"));
        }
    }
}
