//! The logs of games, and transcripts: games, or runs against an interactor, as JSON lines, one after another. A game or a
//! run is a line with its set-up, a line for each event ([`Step`]), and a line with its result. In a run with several
//! passes, a line begins each pass after the first one.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use runner::event::Event;
use runner::limits::{HeldBy, OUTPUT_LIMIT};
use serde::{Deserialize, Serialize};
use zeroxor::Move;

use crate::config::MatchConfig;
use crate::conversation::interaction::{Interaction, KeptStderr, Step};
use crate::conversation::role::Role;
use crate::json;
use crate::output;
use crate::referee::game::exchange::Mover;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;
use crate::report::run::RunReport;

pub(crate) mod read;

/// The version of the format. No other version can be read.
pub(crate) const VERSION: u32 = 5;

/// Maximum size of the record of a run, in bytes: what both programs together may write by default.
pub(crate) const MAX_RECORDED: usize = 2 * OUTPUT_LIMIT;

/// What a log receives of a game.
#[derive(Clone, Copy)]
pub(crate) enum LogEntry<'a> {
    Setup(&'a SetupLine),
    Step(&'a Step),
    /// A legal move, with its number.
    Moved(u64, Mover, Move),
    End(&'a FinishedGame),
}

/// An observer of games: of the set-up of each game, its events and moves as they happen, and its result.
pub(crate) trait GameLog {
    fn log(&mut self, entry: LogEntry<'_>) -> anyhow::Result<()>;
}

impl GameLog for Vec<Box<dyn GameLog>> {
    fn log(&mut self, entry: LogEntry<'_>) -> anyhow::Result<()> {
        self.iter_mut().try_for_each(|log| log.log(entry))
    }
}

impl GameLog for () {
    fn log(&mut self, _entry: LogEntry<'_>) -> anyhow::Result<()> {
        Ok(())
    }
}

/// A record keeps the events of a game in memory, as a transcript has them.
impl GameLog for Interaction {
    fn log(&mut self, entry: LogEntry<'_>) -> anyhow::Result<()> {
        match entry {
            LogEntry::Step(step) => self.add_step(step),
            LogEntry::End(_) => self.end(),
            LogEntry::Setup(_) | LogEntry::Moved(..) => {}
        }
        Ok(())
    }
}

pub(crate) enum Setup {
    Game(Box<SetupLine>),
    Run(RunSetup),
}

/// A part of a game or a run between its set-up and its result, with its line.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(crate) enum Part<'a> {
    Step(&'a Step),
    Pass { pass: u32 },
}

pub(crate) fn parts(passes: &[Interaction]) -> impl Iterator<Item = Part<'_>> {
    (1..).zip(passes).flat_map(|(pass, interaction)| {
        let begin = (pass > 1).then_some(Part::Pass { pass });
        begin.into_iter().chain(interaction.steps().iter().map(Part::Step))
    })
}

/// The first line of a run against an interactor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunSetup {
    transcript: u32,
    pub(crate) judge: String,
    /// The interactor as typed, or the program that decides in its place. The set-up of a game has no such field.
    pub(crate) interactor: String,
    #[serde(default)]
    pub(crate) role: Role,
    pub(crate) bot: Vec<String>,
}

impl RunSetup {
    pub(crate) fn new(interactor: String, role: Role, bot: Vec<String>) -> Self {
        Self { transcript: VERSION, judge: env!("CARGO_PKG_VERSION").to_owned(), interactor, role, bot }
    }
}

/// The first line of a game: all that is needed to play the game again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SetupLine {
    pub(crate) transcript: u32,
    pub(crate) judge: String,
    #[serde(flatten)]
    pub(crate) game: GameSetup,
    #[serde(flatten)]
    pub(crate) config: MatchConfig,
    /// How the bot's limits were enforced; `None` if the judge did not start the bot.
    pub(crate) held_by: Option<HeldBy>,
}

impl SetupLine {
    pub(crate) fn new(game: GameSetup, config: MatchConfig, held_by: Option<HeldBy>) -> Self {
        Self { transcript: VERSION, judge: env!("CARGO_PKG_VERSION").to_owned(), game, config, held_by }
    }

    /// Returns the command that plays this game again, quoted for a shell; `None` if a word of it is not UTF-8.
    pub(crate) fn command(&self) -> Option<String> {
        self.config.run_command(&self.game.to_string())
    }
}

/// Writes a transcript. It is a log of games, and takes whole runs.
pub(crate) struct TranscriptWriter {
    /// The path of the file, `-` for stdout. Any file with this path is replaced by the first line that is written.
    path: PathBuf,
    out: Option<Box<dyn Write>>,
    stderr: KeptStderr,
}

impl TranscriptWriter {
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), out: None, stderr: KeptStderr::default() }
    }

    pub(crate) fn add_run(
        &mut self,
        setup: &RunSetup,
        passes: &[Interaction],
        result: &RunReport,
    ) -> anyhow::Result<()> {
        self.write_line(setup)?;
        parts(passes).try_for_each(|part| self.write_line(&part))?;
        self.write_line(result)
    }

    fn write_line(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let cannot_be = |done: &str| format!("the transcript {} cannot be {done}", self.path.display());
        let out = match &mut self.out {
            Some(out) => out,
            none => none.insert(output::create(&self.path).with_context(|| cannot_be("created"))?),
        };
        json::write_line(out, value).with_context(|| cannot_be("written"))
    }
}

impl GameLog for TranscriptWriter {
    fn log(&mut self, entry: LogEntry<'_>) -> anyhow::Result<()> {
        match entry {
            LogEntry::Setup(setup) => self.write_line(setup),
            LogEntry::Step(step) if self.stderr.keeps(step.at, &step.event) => self.write_line(step),
            LogEntry::Step(_) | LogEntry::Moved(..) => Ok(()),
            LogEntry::End(game) => {
                self.stderr.take_end().iter().try_for_each(|step| self.write_line(step))?;
                self.write_line(&RunReport::from(game))
            }
        }
    }
}

/// A log that writes the bot's stderr to files in a folder. A game with the seed S has the file `seed-S.txt`, with `NAME-`
/// before it if the bot has a name. The second game with the same file name gets `-2` after the seed, and so on.
pub(crate) struct StderrFiles {
    folder: PathBuf,
    /// For each file name without `-2` and `.txt`, the number of games so far.
    games: HashMap<String, u64>,
    file: Option<(PathBuf, File)>,
}

impl StderrFiles {
    pub(crate) fn new(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} for stderr cannot be created", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), games: HashMap::new(), file: None })
    }

    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        let bot = setup.config.name.as_ref().map_or_else(String::new, |name| format!("{name}-"));
        let mut name = format!("{bot}seed-{}", setup.game.seed);
        let games = self.games.entry(name.clone()).or_default();
        // A repeated game replaces the file of the first try.
        *games += u64::from(!setup.game.repeat || *games == 0);
        if *games > 1 {
            name += &format!("-{games}");
        }
        let path = self.folder.join(name + ".txt");
        let file = File::create(&path)
            .with_context(|| format!("the file {} for stderr cannot be created", path.display()))?;
        self.file = Some((path, file));
        Ok(())
    }
}

impl GameLog for StderrFiles {
    fn log(&mut self, entry: LogEntry<'_>) -> anyhow::Result<()> {
        let event = match entry {
            LogEntry::Setup(setup) => return self.begin(setup),
            LogEntry::Step(step) => &step.event,
            LogEntry::Moved(..) | LogEntry::End(_) => return Ok(()),
        };
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let written = match event {
            Event::Stderr(text) => file.write_all(&text.0),
            Event::StderrOmitted(omitted) => writeln!(file, "\n[{} bytes omitted]", omitted.bytes),
            _ => Ok(()),
        };
        written.with_context(|| format!("the file {} for stderr cannot be written", path.display()))
    }
}
