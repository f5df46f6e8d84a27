//! Several games against the same bot, one after the other.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;
use zeroxor::{Table, protocol};

use crate::commands::bot::bundled;
use crate::conversation::{Game, Outcome, Spectator};
use crate::limits::Limits;
use crate::player::Bot;
use crate::player::opponent::{Kind, Opponent};
use crate::player::process::Process;
use crate::report::{Record, Reporter};
use crate::transcript::write::Transcript;
use crate::transcript::{Opening, VERSION};
use crate::verdict::{Profile, Verdict};

/// What holds for all games of a series.
pub(crate) struct Conditions {
    /// The bot's command as it was typed, empty for the bundled bot.
    pub(crate) bot: Vec<OsString>,
    pub(crate) limits: Limits,
    pub(crate) profile: Profile,
    /// Whether one process plays all games, as long as it can.
    pub(crate) session: bool,
    pub(crate) sandbox: bool,
}

impl Conditions {
    /// All that sets up a game under these conditions.
    pub(crate) fn opening(&self, Fixture { game, opponent, seed }: Fixture) -> Opening {
        let Self { bot, limits, profile, session, sandbox } = self;
        Opening {
            transcript: VERSION,
            judge: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            opponent,
            seed,
            profile: *profile,
            limits: *limits,
            session: *session,
            sandbox: *sandbox,
            bot: bot.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        }
    }
}

/// A game of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fixture {
    /// The header in the words that the bot is sent.
    pub(crate) game: String,
    pub(crate) opponent: Kind,
    pub(crate) seed: u64,
}

/// Plays games and reports them.
pub(crate) struct Series<R> {
    conditions: Conditions,
    /// The command that starts the bot.
    command: Vec<OsString>,
    /// How many games are still to be played.
    left: u64,
    /// A bot that goes on to the next game.
    process: Option<Process>,
    transcript: Option<Transcript>,
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
    /// A series of so many games.
    pub(crate) fn new(
        conditions: Conditions,
        games: u64,
        transcript: Option<Transcript>,
        reporter: R,
    ) -> anyhow::Result<Self> {
        let command = if conditions.bot.is_empty() { bundled()? } else { conditions.bot.clone() };
        Ok(Self {
            conditions,
            command,
            left: games,
            process: None,
            transcript,
            reporter,
            state: State::AllWon,
        })
    }

    /// Plays one game; none once the judge could not go on.
    pub(crate) fn play(&mut self, fixture: Fixture, spectator: &mut dyn Spectator) -> anyhow::Result<()> {
        if self.state == State::Stopped {
            return Ok(());
        }
        let header = protocol::parse_header(fixture.game.as_bytes()).context("the header is malformed")?;
        Table::open(&header.parts).context("the header sets up no game")?;
        let (mut process, mut lines) = match self.process.take() {
            Some(mut process) => {
                process.begin();
                (process, Vec::new())
            }
            None if self.conditions.session => {
                (Process::spawn(&self.command)?, vec![format!("games {}", self.left)])
            }
            None => (Process::spawn(&self.command)?, Vec::new()),
        };
        lines.push(fixture.game.clone());
        let opponent = Opponent::new(fixture.opponent, fixture.seed);
        let opening = self.conditions.opening(fixture);
        self.left = self.left.saturating_sub(1);
        let Conditions { limits, profile, session, .. } = self.conditions;
        let goes_on = session && self.left > 0;
        let game = Game { opening: &lines, header: &header, opponent, limits, profile, goes_on };
        let (outcome, goes_on) =
            game.play_recorded(&mut process, spectator, &opening, self.transcript.as_mut())?;
        self.process = goes_on.then_some(process);
        self.note(&outcome);
        self.reporter.game(&Record::new(opening, &header, outcome))
    }

    fn note(&mut self, outcome: &Outcome) {
        match outcome.verdict {
            Verdict::Won => {}
            Verdict::JudgeError | Verdict::Interrupted => self.state = State::Stopped,
            _ => self.state = State::NotAllWon,
        }
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
