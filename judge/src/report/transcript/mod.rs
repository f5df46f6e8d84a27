//! Transcripts: games, or runs against an interactor, as JSON lines, one after another. A game or a run is a line with its
//! set-up, a line for each event ([`Step`]), and a line with its result. In a run with several passes, a line begins each
//! pass after the first one.

use std::io;
use std::time::Duration;

use runner::config::MatchConfig;
use runner::event::{Bytes, Event, RecordedEvent};
use runner::limits::{HeldBy, OUTPUT_LIMIT, STDERR_KEPT};
use runner::stderr_excerpt::StderrExcerpt;
use serde::{Deserialize, Serialize};

use crate::conversation::interaction::{Interaction, Step};
use crate::conversation::role::Role;
use crate::referee::game::setup::GameSetup;
use crate::report::run::RunReport;

pub(crate) mod read;
pub(crate) mod writer;

/// The version of the format. No other version can be read.
pub(crate) const VERSION: u32 = 5;

/// Maximum size of the record of a run, in bytes: what both programs together may write by default.
pub(crate) const MAX_RECORDED: usize = 2 * OUTPUT_LIMIT;

/// A log that stores the set-up of each game, its events as they happen, and its result.
pub(crate) trait GameLog {
    fn begin(&mut self, _setup: &SetupLine) -> anyhow::Result<()> {
        Ok(())
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()>;

    fn end(&mut self, _result: &RunReport) -> anyhow::Result<()> {
        Ok(())
    }
}

impl GameLog for Vec<Box<dyn GameLog>> {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        self.iter_mut().try_for_each(|log| log.begin(setup))
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        self.iter_mut().try_for_each(|log| log.write(entry))
    }

    fn end(&mut self, result: &RunReport) -> anyhow::Result<()> {
        self.iter_mut().try_for_each(|log| log.end(result))
    }
}

impl GameLog for () {
    fn write(&mut self, _entry: &RecordedEvent) -> io::Result<()> {
        Ok(())
    }
}

/// The stderr of a bot in a game: the beginning is kept as it is received, the end until the game is over.
pub(crate) struct KeptStderr {
    /// The number of bytes of the beginning so far.
    beginning: usize,
    /// The last bytes, not counting those of the beginning.
    end: StderrExcerpt,
    /// The time of the latest event in `end`.
    end_time: Option<Duration>,
}

impl Default for KeptStderr {
    fn default() -> Self {
        Self { beginning: 0, end: StderrExcerpt::new(0, STDERR_KEPT), end_time: None }
    }
}

impl KeptStderr {
    /// Returns whether to keep an event now. Otherwise [`take_end`](Self::take_end) returns what is kept of it.
    pub(crate) fn keeps(&mut self, entry: &RecordedEvent) -> bool {
        match &entry.event {
            Event::Stderr(text) if self.beginning < STDERR_KEPT => {
                self.beginning += text.0.len();
                return true;
            }
            Event::Stderr(text) => self.end.extend(&text.0),
            Event::StderrOmitted(omitted) => self.end.omit(*omitted),
            _ => return true,
        }
        self.end_time = Some(entry.at);
        false
    }

    pub(crate) fn take_end(&mut self) -> Vec<RecordedEvent> {
        let Self { end: StderrExcerpt { tail, omitted, .. }, end_time: Some(at), .. } = std::mem::take(self)
        else {
            return Vec::new();
        };
        let omitted = Some(omitted).filter(|omitted| omitted.bytes > 0).map(Event::StderrOmitted);
        let events = omitted.into_iter().chain([Event::Stderr(Bytes(tail.into()))]);
        events.map(|event| RecordedEvent { at, event }).collect()
    }
}

/// The first line of a game or a run.
pub(crate) enum Setup {
    Game(Box<SetupLine>),
    Run(RunSetup),
}

/// A part of a game or a run between its set-up and its result, with its line.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(crate) enum Part<'a> {
    Step(&'a Step),
    /// A pass after the first one begins.
    Pass {
        pass: u32,
    },
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
    /// Makes the first line of a game that this judge plays.
    pub(crate) fn new(game: GameSetup, config: MatchConfig, held_by: Option<HeldBy>) -> Self {
        Self { transcript: VERSION, judge: env!("CARGO_PKG_VERSION").to_owned(), game, config, held_by }
    }

    /// Returns the command that plays this game again, quoted for a shell; `None` if a word of it is not UTF-8.
    pub(crate) fn command(&self) -> Option<String> {
        self.config.run_command(&self.game.to_string())
    }
}
