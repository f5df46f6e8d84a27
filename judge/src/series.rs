//! Several games against the same bot, one after the other.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use zeroxor::{Table, protocol};

use crate::cli::DEFAULT_TIME_LIMIT;
use crate::commands::bot::bundled;
use crate::conversation::{Game, Spectator};
use crate::player::opponent::{Kind, Opponent};
use crate::player::process::Process;
use crate::report::{Record, Reporter};
use crate::review::Review;
use crate::verdict::{Profile, Verdict};

/// Plays games, a new process of the bot for each, and reports them.
pub(crate) struct Series<R> {
    /// The bot's command as it was typed, empty for the bundled bot.
    typed: Vec<OsString>,
    /// The command that starts it.
    bot: Vec<OsString>,
    sandbox: bool,
    time_limit: Duration,
    profile: Profile,
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
    /// Games against the bot of this command, the bundled one if it is empty; in a sandbox if it is to be so.
    pub(crate) fn new(
        typed: &[OsString],
        sandbox: bool,
        time_limit: Duration,
        profile: Profile,
        reporter: R,
    ) -> anyhow::Result<Self> {
        let bot = if typed.is_empty() { bundled()? } else { typed.to_vec() };
        let bot = if sandbox { crate::sandbox::launcher(&bot)? } else { bot };
        Ok(Self { typed: typed.to_vec(), bot, sandbox, time_limit, profile, reporter, state: State::AllWon })
    }

    /// Plays one game; none once the judge could not go on.
    pub(crate) fn play(
        &mut self,
        game: &str,
        opponent: Kind,
        seed: u64,
        spectator: &mut dyn Spectator,
    ) -> anyhow::Result<()> {
        if self.state == State::Stopped {
            return Ok(());
        }
        let header = protocol::parse_header(game.as_bytes()).context("the header is malformed")?;
        Table::open(&header.parts).context("the header sets up no game")?;
        let mut bot = Process::spawn(&self.bot)?;
        let opening = Game {
            words: game,
            header: &header,
            opponent: Opponent::new(opponent, seed),
            time_limit: self.time_limit,
            profile: self.profile,
        };
        let outcome = opening.play(&mut bot, spectator)?;
        match outcome.verdict {
            Verdict::Won => {}
            Verdict::JudgeError | Verdict::Interrupted => self.state = State::Stopped,
            _ => self.state = State::NotAllWon,
        }
        let review = outcome.side.map(|side| Review::of(&header, side, &outcome.moves));
        let again = self.command(game, opponent, seed);
        self.reporter.game(&Record { game, opponent, seed, outcome, review, again: &again })
    }

    /// The command that plays a game again, as a shell takes it.
    fn command(&self, game: &str, opponent: Kind, seed: u64) -> String {
        let mut command = format!("judge run {game} --opponent {} --seed {seed}", opponent.name());
        if self.time_limit != DEFAULT_TIME_LIMIT {
            command += &format!(" --time-limit {}", self.time_limit.as_secs_f64());
        }
        if self.profile == Profile::Strict {
            command += " --profile strict";
        }
        if self.sandbox {
            command += " --sandbox";
        }
        if !self.typed.is_empty() {
            command += " --";
        }
        for word in &self.typed {
            let word = word.to_string_lossy();
            // Only a NUL byte cannot be quoted, and no argument can hold one.
            command += &format!(" {}", shlex::try_quote(&word).unwrap_or_default());
        }
        command
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
