//! A host as the arena sees it, and a game between two of them.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

use super::link::{Link, await_input};
use super::message::{FromHost, HostedGame, SeatResult, ToHost};
use crate::matches::arena::entrant::{Entrant, Program};
use crate::process::interrupt::interrupted;
use crate::referee::config::MatchConfig;

/// How long to wait for the hosts before the arena looks for an interrupt.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A judge process that runs one bot.
pub(crate) struct HostProcess {
    name: String,
    child: Child,
    /// `None` once the host is to end.
    link: Option<Link>,
}

impl HostProcess {
    /// Starts the host of a bot with this configuration, on this processor alone if there is one.
    ///
    /// # Errors
    ///
    /// If the process cannot be started.
    pub(crate) fn start(
        entrant: &Entrant,
        config: &MatchConfig,
        processor: Option<usize>,
    ) -> anyhow::Result<Self> {
        let judge = std::env::current_exe().context("the path of the judge's program is not known")?;
        let mut args: Vec<OsString> = vec!["arena-host".into()];
        args.extend(config.options().into_iter().map(OsString::from));
        for word in config.started.iter().flatten() {
            args.extend(["--started".into(), word.clone()]);
        }
        if let Program::BuiltIn(kind) = entrant.program {
            args.extend(["--built-in".into(), kind.name().into()]);
        }
        if let Some(processor) = processor {
            args.extend(["--processor".into(), processor.to_string().into()]);
        }
        if !config.bot.is_empty() {
            args.push("--".into());
            args.extend(config.bot.iter().cloned());
        }
        let mut child =
            Command::new(judge)
                .args(args)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .with_context(|| format!("the host of the bot {} could not be started", entrant.name))?;
        let output = child.stdin.take().context("the host has no stdin")?;
        let input = child.stdout.take().context("the host has no stdout")?;
        let link = Link::new(OwnedFd::from(input), OwnedFd::from(output));
        Ok(Self { name: entrant.name.clone(), child, link: Some(link) })
    }

    fn link(&mut self) -> anyhow::Result<&mut Link> {
        self.link.as_mut().with_context(|| format!("the host of the bot {} has ended", self.name))
    }

    /// Takes what the host has sent, up to the first turn or the result.
    fn take(&mut self) -> anyhow::Result<Option<FromHost>> {
        let name = self.name.clone();
        let why = || format!("the host of the bot {name} ended early; without --sandbox a bot can end it");
        self.link()?.take().with_context(why)
    }
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        // Without its input it ends its bot and itself.
        self.link = None;
        let _ = self.child.wait();
    }
}

/// Plays a game between the bots of two hosts and returns the result of each; `None` after Ctrl-C.
///
/// # Errors
///
/// If a host ends early.
pub(crate) fn play(
    hosts: [&mut HostProcess; 2],
    games: [HostedGame; 2],
) -> anyhow::Result<Option<[SeatResult; 2]>> {
    let [first, second] = hosts;
    let [index, other] = [games[0].index, games[1].index];
    if index != other {
        bail!("the two sides were given different games, {index} and {other}");
    }
    let [game, other] = games;
    first.link()?.send(&ToHost::Game(Box::new(game)))?;
    second.link()?.send(&ToHost::Game(Box::new(other)))?;
    let mut results = [None, None];
    while !interrupted() {
        forward(first, second, index, &mut results[0])?;
        forward(second, first, index, &mut results[1])?;
        if let [Some(_), Some(_)] = results {
            let [one, other] = results;
            return Ok(one.zip(other).map(|(one, other)| [one, other]));
        }
        await_input(&mut [first.link()?, second.link()?], POLL_INTERVAL)?;
    }
    Ok(None)
}

/// Forwards the turns of a bot to its opponent, and keeps its result.
fn forward(
    from: &mut HostProcess,
    to: &mut HostProcess,
    index: u64,
    result: &mut Option<SeatResult>,
) -> anyhow::Result<()> {
    while let Some(message) = from.take()? {
        match message {
            FromHost::Turn(turn) => to.link()?.send(&ToHost::Turn(index, turn))?,
            FromHost::Result(end) => *result = Some(*end),
        }
    }
    Ok(())
}
