//! The host itself: it plays the games that the arena sends, one after the other.

use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, poll};

use super::built_in_bot::BuiltInBot;
use super::link::Link;
use super::message::{FromHost, HostedGame, SeatResult, ToHost, is_clean};
use super::remote_opponent::RemoteOpponent;
use crate::matches::game_runner::GameRunner;
use crate::matches::session::BotSession;
use crate::process::interrupt::{self, interrupted};
use crate::process::threads;
use crate::referee::config::MatchConfig;
use crate::referee::finished_game::FinishedGame;
use crate::referee::setup::OpponentKind;
use crate::referee::transcript::{GameLog, SetupLine};
use crate::report::transcript::TranscriptWriter;

/// How long to wait for a message before the host looks for an interrupt.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The bot of a host.
pub(crate) enum HostedBot {
    Program(Box<BotSession>),
    BuiltIn(OpponentKind, Box<MatchConfig>),
}

/// Plays the games that come on stdin, until it ends.
///
/// # Errors
///
/// If the bot cannot be started, or a transcript cannot be written.
pub(crate) fn serve(bot: HostedBot) -> anyhow::Result<()> {
    watch_arena()?;
    let own = |stream: io::Result<_>| stream.context("the pipes to the arena cannot be used");
    let input = own(io::stdin().as_fd().try_clone_to_owned())?;
    let output = own(io::stdout().as_fd().try_clone_to_owned())?;
    let mut link = Link::new(input, output);
    match serve_games(bot, &mut link) {
        // Nobody needs the rest of a game whose arena has ended.
        Err(_) if link.is_closed() => Ok(()),
        served => served,
    }
}

fn serve_games(mut bot: HostedBot, link: &mut Link) -> anyhow::Result<()> {
    while let Some(game) = next_game(link) {
        let transcript = game.transcript.clone();
        let keeps_clean = game.keeps_clean;
        let result = SeatResult::from(&play(&mut bot, game, link)?);
        if let Some(path) = transcript.filter(|_| !keeps_clean && is_clean(result.verdict)) {
            remove(&path)?;
        }
        link.send(&FromHost::Result(Box::new(result)))?;
    }
    Ok(())
}

/// The next game; `None` once the arena has ended or wants no more. Turns that are left from the last game are
/// skipped.
fn next_game(link: &mut Link) -> Option<HostedGame> {
    while !interrupted() {
        match link.receive(POLL_INTERVAL) {
            Ok(Some(ToHost::Game(game))) => return Some(*game),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
    None
}

fn play(bot: &mut HostedBot, game: HostedGame, link: &mut Link) -> anyhow::Result<FinishedGame> {
    let HostedGame { index, setup, transcript, .. } = game;
    let mut log: Box<dyn GameLog> = match &transcript {
        Some(path) => Box::new(TranscriptWriter::new(path)),
        None => Box::new(()),
    };
    let opponent = Box::new(RemoteOpponent { link, index });
    match bot {
        HostedBot::Program(session) => session.play_against(setup, opponent, log.as_mut()),
        HostedBot::BuiltIn(kind, config) => {
            let mut player = BuiltInBot::new(*kind, &setup)?;
            let setup = SetupLine::new(setup, config.as_ref().clone(), None);
            let mut nobody = ();
            let game = GameRunner::against(setup, &mut player, opponent, &mut nobody, log.as_mut())?;
            Ok(game.run(None, false)?.0)
        }
    }
}

fn remove(path: &Path) -> anyhow::Result<()> {
    fs::remove_file(path).with_context(|| format!("the transcript {} cannot be removed", path.display()))
}

/// Interrupts the game that is being played when the arena ends.
fn watch_arena() -> anyhow::Result<()> {
    threads::start(|| {
        let stdin = io::stdin();
        // Only the end of the other side is waited for, and not input.
        let mut fds = [PollFd::new(&stdin, PollFlags::empty())];
        while matches!(poll(&mut fds, None), Ok(0) | Err(rustix::io::Errno::INTR)) {}
        interrupt::interrupt();
    })
}
