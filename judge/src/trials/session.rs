//! A bot that plays several games: each game in a new process, or all games in one process.

use std::ffi::OsString;

use crate::config::MatchConfig;
use crate::referee::game::bot::Process;
use crate::referee::game::game_runner::{GameRunner, GameStart};
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;
use crate::report::transcript::{GameLog, SetupLine};
use crate::trials::parallel::ExclusiveRerun;
use runner::OneProcessor;
use runner::children;
use runner::limits::Limits;
use runner::program;
use runner::sandbox::report_missing;
use runner::warden::{Confinement, Warden};

/// Maximum T in `games T`, which fits into a 32-bit integer. Further games are played with another process of the bot.
const MAX_ANNOUNCED: u64 = if cfg!(test) { 2 } else { 1_000_000 };

pub(crate) struct BotSession {
    config: MatchConfig,
    /// The process of the current game, or of the next one if the bot plays on. This field is before `source`, so that
    /// the process ends before its warden.
    process: Option<Process>,
    source: BotSource,
    left: GamesLeft,
}

struct GamesLeft {
    remaining: u64,
    /// How many of the remaining games have been announced to the running process.
    announced: u64,
}

impl GamesLeft {
    /// Begins the next game. `is_first` is whether it is the first game of a process.
    fn begin_next(&mut self, is_session: bool, is_first: bool) -> GameStart {
        let games = (is_session && is_first).then(|| self.remaining.min(MAX_ANNOUNCED));
        self.announced = games.unwrap_or(self.announced);
        self.remaining = self.remaining.saturating_sub(1);
        self.announced = self.announced.saturating_sub(1);
        GameStart { games, may_play_on: is_session && self.announced > 0 }
    }
}

pub(crate) struct BotSource {
    warden: Warden,
    command: Vec<OsString>,
}

impl BotSource {
    /// Starts the warden for the bot of `config`, which messages call `name`. Without a command, the bot is the bundled
    /// one: a role of the judge's own program, so that no second program is needed. An error, if a bot with this
    /// configuration could not be started, comes before the first game.
    pub(crate) fn new(name: &str, config: &MatchConfig) -> anyhow::Result<Self> {
        let command = if config.bot.is_empty() {
            vec![children::own_program()?.into(), "bot".into()]
        } else {
            config.command().to_vec()
        };
        program::check(&command)?;
        let MatchConfig { limits, limits_by, sandbox, fresh, .. } = *config;
        let confinement = Confinement { limits, limits_by, sandbox, fresh, ..Confinement::default() };
        let warden = Warden::start(name, &confinement)?;
        report_missing(&warden.missing_guards());
        Ok(Self { warden, command })
    }

    /// Tells the warden to start the bot, which [`Self::spawn`] then returns.
    pub(crate) fn begin_start(&self) -> anyhow::Result<()> {
        self.warden.begin_start(&self.command)
    }

    pub(crate) fn spawn(&self) -> anyhow::Result<Process> {
        self.begin_start()?;
        Ok(Process::new(self.warden.spawn_party(Limits::default())?))
    }
}

impl BotSession {
    /// Creates a session of `games` games. Messages call the bot `name`.
    pub(crate) fn new(name: &str, config: MatchConfig, games: u64) -> anyhow::Result<Self> {
        let source = BotSource::new(name, &config)?;
        Ok(Self { config, process: None, source, left: GamesLeft { remaining: games, announced: 0 } })
    }

    /// Plays one game. If its time is in doubt, plays the game again, and the second result counts. The judge must not
    /// play another game at the same time.
    pub(crate) fn play_alone(
        &mut self,
        setup: &GameSetup,
        log: &mut dyn GameLog,
    ) -> anyhow::Result<FinishedGame> {
        let play = |repeat| {
            self.left.remaining += u64::from(repeat);
            self.play(GameSetup { repeat, ..setup.clone() }, log)
        };
        ExclusiveRerun::default().play(play, |game| game.result.doubtful)
    }

    /// Plays one game against the built-in opponent of `setup`, and compares the game with perfect play.
    pub(crate) fn play(&mut self, setup: GameSetup, log: &mut dyn GameLog) -> anyhow::Result<FinishedGame> {
        let _processor = OneProcessor::choose(self.is_running());
        let (setup, process, start) = self.begin_game(setup)?;
        let (finished, plays_on) = GameRunner::new(setup, process, log)?.run(start)?;
        self.end_game(plays_on);
        Ok(finished)
    }

    /// Tells the warden to start the bot's next process, and does not wait for the start. Does nothing if the bot plays
    /// on in its process.
    pub(crate) fn begin_start(&self) -> anyhow::Result<()> {
        if self.is_running() { Ok(()) } else { self.source.begin_start() }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Returns the bot for the next game, after starting a process if none is running. A repeated game has larger limits.
    pub(crate) fn begin_game(
        &mut self,
        setup: GameSetup,
    ) -> anyhow::Result<(SetupLine, &mut Process, GameStart)> {
        let mut config = self.config.clone();
        if setup.repeat {
            config.limits = config.limits.for_repeat();
        }
        let start = self.left.begin_next(self.config.session, self.process.is_none());
        let process = match &mut self.process {
            Some(process) => {
                process.begin_game();
                process
            }
            none => none.insert(self.source.spawn()?),
        };
        Ok((SetupLine::new(setup, config, process.held_by()), process, start))
    }

    pub(crate) fn end_game(&mut self, plays_on: bool) {
        self.process = self.process.take().filter(|_| plays_on);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five games, of which at most two are announced to one process.
    #[test]
    fn a_session_of_many_games_uses_several_processes() {
        let mut left = GamesLeft { remaining: 5, announced: 0 };
        let (mut announced, mut is_first) = (Vec::new(), true);
        for _ in 0..5 {
            let GameStart { games, may_play_on } = left.begin_next(true, is_first);
            announced.extend(games);
            is_first = !may_play_on;
        }
        assert_eq!((announced, is_first), (vec![2, 2, 1], true));
    }
}
