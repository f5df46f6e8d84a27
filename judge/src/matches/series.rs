//! Several games against the same bot, one after the other.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use zeroxor::Position;
use zeroxor::wire::protocol;

use crate::cli::bot::bundled;
use crate::matches::game::{Game, Spectator};
use crate::matches::opponent::{Kind, Line, Opponent};
use crate::process::Bot;
use crate::process::bot_process::Process;
use crate::process::interrupt::interrupted;
use crate::process::start::Start;
use crate::referee::config::Terms;
use crate::referee::transcript::{Log, Opening, VERSION};
use crate::referee::verdict::Verdict;
use crate::report::{Record, Reporter};

/// The most games that a bot is told of, one that reads a small integer among them; then a new one is
/// started.
const ANNOUNCED: u64 = if cfg!(test) { 2 } else { 1_000_000 };

/// A bot and the terms on which it plays.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    /// The bot's command as it was typed, empty for the bundled bot.
    pub(crate) bot: Vec<OsString>,
    pub(crate) terms: Terms,
}

impl Conditions {
    /// All that sets up a game under these conditions.
    pub(crate) fn opening(&self, Fixture { game, opponent, seed, line }: Fixture) -> Opening {
        Opening {
            transcript: VERSION,
            judge: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            opponent,
            seed,
            line,
            terms: self.terms,
            held_by: None,
            bot: self.bot.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        }
    }
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fixture {
    /// The header in the words that the bot is sent.
    pub(crate) game: String,
    pub(crate) opponent: Kind,
    pub(crate) seed: u64,
    /// The opponent's first moves; then it plays by itself.
    pub(crate) line: Line,
}

/// Where games are played against one bot, one after the other.
pub(crate) struct Arena {
    conditions: Conditions,
    start: Start,
    /// How many games are still to be played, and how many of them the bot that goes on has been told of.
    left: u64,
    announced: u64,
    /// A bot that goes on to the next game.
    process: Option<Process>,
    log: Box<dyn Log>,
}

impl Arena {
    /// For so many games.
    pub(crate) fn new(conditions: Conditions, games: u64, log: impl Log + 'static) -> anyhow::Result<Self> {
        let command = if conditions.bot.is_empty() { bundled()? } else { conditions.bot.clone() };
        let start = Start::new(&command, &conditions.terms)?;
        Ok(Self { conditions, start, left: games, announced: 0, process: None, log: Box::new(log) })
    }

    /// Plays one game and holds it against the theory.
    ///
    /// # Errors
    ///
    /// If there is no such game, the bot cannot be started, or what is written of the game cannot be.
    pub(crate) fn play(&mut self, fixture: Fixture, spectator: &mut dyn Spectator) -> anyhow::Result<Record> {
        let header = protocol::parse_header(fixture.game.as_bytes()).context("the header is malformed")?;
        Position::new(&header.game).context("the header sets up no game")?;
        let Terms { profile, limits, session, .. } = self.conditions.terms;
        let (mut process, mut lines) = match self.process.take() {
            Some(mut process) => {
                process.begin_game();
                (process, Vec::new())
            }
            None if session => {
                self.announced = self.left.min(ANNOUNCED);
                (Process::spawn(&self.start)?, vec![format!("games {}", self.announced)])
            }
            None => (Process::spawn(&self.start)?, Vec::new()),
        };
        lines.push(fixture.game.clone());
        let opponent = Opponent::new(fixture.opponent, fixture.seed, &fixture.line);
        let opening = Opening { held_by: process.held_by(), ..self.conditions.opening(fixture) };
        self.left = self.left.saturating_sub(1);
        self.announced = self.announced.saturating_sub(1);
        let goes_on = session && self.announced > 0;
        let game = Game { opening: &lines, header: &header, opponent, limits, profile, goes_on };
        let (outcome, goes_on) = game.play_recorded(&mut process, spectator, &opening, self.log.as_mut())?;
        self.process = goes_on.then_some(process);
        Ok(Record::new(opening, &header, outcome))
    }
}

/// Plays games and reports them.
pub(crate) struct Series<R> {
    arena: Arena,
    reporter: R,
    state: State,
}

/// What has become of the games so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    AllWon,
    NotAllWon,
    /// The judge could not go on.
    Stopped,
}

impl<R: Reporter> Series<R> {
    pub(crate) fn new(arena: Arena, reporter: R) -> Self {
        Self { arena, reporter, state: State::AllWon }
    }

    /// Plays one game; none once the judge could not go on.
    pub(crate) fn play(&mut self, fixture: Fixture, spectator: &mut dyn Spectator) -> anyhow::Result<()> {
        if interrupted() {
            self.state = State::Stopped;
        }
        if self.state == State::Stopped {
            return Ok(());
        }
        let record = self.arena.play(fixture, spectator)?;
        match record.outcome.verdict {
            Verdict::Won => {}
            Verdict::JudgeError | Verdict::Interrupted => self.state = State::Stopped,
            _ => self.state = State::NotAllWon,
        }
        self.reporter.game(&record)
    }

    /// Whether the judge could not go on.
    pub(crate) fn is_stopped(&self) -> bool {
        self.state == State::Stopped
    }

    /// Sums the games up.
    pub(crate) fn end(mut self) -> anyhow::Result<ExitCode> {
        self.reporter.summary()?;
        Ok(match self.state {
            State::AllWon => ExitCode::SUCCESS,
            State::NotAllWon => ExitCode::FAILURE,
            State::Stopped => ExitCode::from(2),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five games, of which no process is told of more than two.
    #[test]
    fn a_session_of_many_games_is_several() {
        let script = "read t; echo $t >&2; while read h; do echo First; echo 1 1; read x; done";
        let bot = ["sh", "-c", script].map(OsString::from).to_vec();
        let terms = Terms { session: true, ..Terms::default() };
        let mut arena = Arena::new(Conditions { bot, terms }, 5, ()).unwrap();
        let mut told = Vec::new();
        for seed in 0..5 {
            let fixture =
                Fixture { game: "1 1 1".to_owned(), opponent: Kind::Perfect, seed, line: Vec::new() };
            let outcome = arena.play(fixture, &mut ()).unwrap().outcome;
            assert_eq!(outcome.verdict, Verdict::Won, "{}", outcome.reason);
            told.extend(outcome.stderr);
        }
        assert_eq!(String::from_utf8(told).unwrap(), "games 2\ngames 2\ngames 1\n");
    }
}
