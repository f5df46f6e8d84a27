//! A bot that plays several games: each game in a new process, or all games in one process.

use crate::referee::game::exchange::Spectator;
use crate::referee::game::game_runner::{GameRunner, GameStart};
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;
use crate::report::transcript::{GameLog, SetupLine};
use crate::trials::parallel::ExclusiveRerun;
use runner::Bot;
use runner::bot_process::Process;
use runner::config::MatchConfig;
use runner::descendants;
use runner::host::HostProcess;
use runner::start::{BotConfig, Start, own_program};

/// Maximum T in `games T`, which fits into a 32-bit integer. Further games are played with another process of the bot.
const MAX_ANNOUNCED: u64 = if cfg!(test) { 2 } else { 1_000_000 };

/// A bot, its running process, and the number of games that it still has to play.
pub(crate) struct BotSession {
    config: MatchConfig,
    /// The running process, if it plays the next game too. This field is before `source`, so that the process ends
    /// before its host.
    process: Option<Process>,
    source: ProcessSource,
    /// The number of games that the bot still has to play.
    remaining: u64,
    /// How many of the remaining games have been announced to the running process.
    announced: u64,
}

/// Returns how to start the bot of `config`. Without a command, starts the bundled bot: a hidden command of the judge's
/// own program, so that no second program is needed.
///
/// # Errors
///
/// If a bot with this configuration could not be started. The error comes before the first game.
pub(crate) fn start_of(config: &MatchConfig) -> anyhow::Result<Start> {
    let command = if config.bot.is_empty() {
        vec![own_program()?.into(), "bot".into()]
    } else {
        config.command().to_vec()
    };
    let MatchConfig { limits, limits_by, sandbox, .. } = *config;
    Start::new(BotConfig { command, limits, limits_by, sandbox })
}

/// The process that starts the bot: this process, or a host.
enum ProcessSource {
    Own(Start),
    Host(HostProcess),
}

/// A game of a session.
pub(crate) struct SessionGame {
    pub(crate) process: Process,
    pub(crate) start: GameStart,
}

impl BotSession {
    /// Creates a session of `games` games.
    pub(crate) fn new(config: MatchConfig, games: u64) -> anyhow::Result<Self> {
        let source = ProcessSource::Own(start_of(&config)?);
        Ok(Self { config, process: None, source, remaining: games, announced: 0 })
    }

    /// Creates a session of `games` games for which a host starts the bot. Messages call the bot `name`.
    pub(crate) fn hosted(name: &str, config: MatchConfig, games: u64) -> anyhow::Result<Self> {
        // A second Ctrl-C ends all descendants of this process.
        descendants::become_subreaper()?;
        let source = ProcessSource::Host(HostProcess::start(name, &config)?);
        Ok(Self { config, process: None, source, remaining: games, announced: 0 })
    }

    pub(crate) fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// Plays one game. If its time is in doubt, plays the game again, and the second result counts. The judge must not
    /// play another game at the same time.
    pub(crate) fn play_alone(
        &mut self,
        setup: &GameSetup,
        spectator: &mut dyn Spectator,
        log: &mut dyn GameLog,
    ) -> anyhow::Result<FinishedGame> {
        let play = |repeat| {
            if repeat {
                self.remaining += 1;
                spectator.repeat()?;
            }
            self.play(GameSetup { repeat, ..setup.clone() }, spectator, log)
        };
        ExclusiveRerun::default().play(play, |game| game.result.doubtful)
    }

    /// Plays one game against the built-in opponent of `setup`, and compares the game with perfect play.
    pub(crate) fn play(
        &mut self,
        setup: GameSetup,
        spectator: &mut dyn Spectator,
        log: &mut dyn GameLog,
    ) -> anyhow::Result<FinishedGame> {
        let SessionGame { mut process, start } = self.begin_game()?;
        let mut config = self.config.clone();
        if setup.repeat {
            config.limits = config.limits.for_repeat();
        }
        let setup = SetupLine::new(setup, config, process.held_by());
        let game = GameRunner::new(setup, &mut process, spectator, log)?;
        let (finished, plays_on) = game.run(start)?;
        self.process = plays_on.then_some(process);
        Ok(finished)
    }

    /// Tells the host to start the bot's next process, and does not wait for the start. Does nothing without a host, or
    /// if the bot plays on in its process.
    pub(crate) fn begin_start(&self) -> anyhow::Result<()> {
        match &self.source {
            ProcessSource::Host(host) if self.process.is_none() => host.begin_start(),
            _ => Ok(()),
        }
    }

    /// Returns the bot for the next game, after starting a process if none is running.
    pub(crate) fn begin_game(&mut self) -> anyhow::Result<SessionGame> {
        let mut games = None;
        let process = if let Some(mut process) = self.process.take() {
            process.begin_game();
            process
        } else {
            if self.config.session {
                self.announced = self.remaining.min(MAX_ANNOUNCED);
                games = Some(self.announced);
            }
            match &self.source {
                ProcessSource::Own(start) => Process::spawn(start)?,
                ProcessSource::Host(host) => host.spawn()?,
            }
        };
        self.remaining = self.remaining.saturating_sub(1);
        self.announced = self.announced.saturating_sub(1);
        let may_play_on = self.config.session && self.announced > 0;
        Ok(SessionGame { process, start: GameStart { games, may_play_on } })
    }

    /// Keeps the bot's process if the bot plays on.
    pub(crate) fn end_game(&mut self, game: SessionGame, plays_on: bool) {
        self.process = plays_on.then_some(game.process);
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::conversation::verdict::Verdict;
    use crate::referee::game::setup::OpponentKind;

    /// Five games, of which at most two are announced to one process.
    #[test]
    fn a_session_of_many_games_uses_several_processes() {
        let script = "read t; echo $t >&2; while read h; do echo First; echo 1 1; read x; done";
        let bot = ["sh", "-c", script].map(OsString::from).to_vec();
        let config = MatchConfig { bot, session: true, ..MatchConfig::default() };
        let mut session = BotSession::new(config, 5).unwrap();
        let mut announced = Vec::new();
        for seed in 0..5 {
            let setup = GameSetup::new("1 1 1".parse().unwrap(), OpponentKind::Perfect, seed);
            let result = session.play(setup, &mut (), &mut ()).unwrap().result;
            assert_eq!(result.ruling.verdict, Verdict::Won, "{}", result.ruling.reason);
            announced.extend(result.stderr.head);
        }
        assert_eq!(String::from_utf8(announced).unwrap(), "games 2\ngames 2\ngames 1\n");
    }
}
