//! How a bot is started: its command, its sandbox, and what holds it to its limits.

use std::ffi::{OsStr, OsString};

use anyhow::{Context, anyhow};

use crate::process::cgroup::{ControlGroup, Place};
use crate::process::{program, sandbox};
use crate::referee::config::MatchConfig;
use crate::referee::limits::{DEFAULT_LIMITS, Limits, LimitsBy};

/// Everything that is needed to start a bot, as often as wanted.
#[derive(Debug)]
pub(crate) struct Start {
    bot: Vec<OsString>,
    limits: Limits,
    sandbox: bool,
    /// Where each process of the bot gets a control group.
    place: Option<Place>,
}

impl Start {
    /// The start of a bot with this configuration.
    ///
    /// # Errors
    ///
    /// If it cannot be started so, and why. So that is known before the first game.
    pub(crate) fn new(config: &MatchConfig) -> anyhow::Result<Self> {
        let MatchConfig { limits, limits_by, sandbox, .. } = *config;
        let bot = if config.bot.is_empty() { bundled()? } else { config.bot.clone() };
        // The launcher could report it only on the bot's stderr.
        program::check(&bot)?;
        let place = match limits_by {
            LimitsBy::Proc => None,
            LimitsBy::Auto => place().ok(),
            LimitsBy::Cgroup => Some(place().map_err(|reason| no_group(&reason))?),
        };
        if sandbox {
            sandbox::check()?;
        }
        Ok(Self { bot, limits, sandbox, place })
    }

    pub(super) fn program(&self) -> &OsStr {
        self.bot.first().map_or(OsStr::new(""), OsString::as_os_str)
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// A new control group for a process of the bot, if it gets one.
    pub(super) fn group(&self) -> anyhow::Result<Option<ControlGroup>> {
        let group = self.place.as_ref().map(|place| ControlGroup::new(place, &self.limits));
        group.transpose().context("the bot's control group cannot be made")
    }

    /// The command that starts the bot in that group.
    pub(super) fn command(&self, group: Option<&ControlGroup>) -> anyhow::Result<Vec<OsString>> {
        if !self.sandbox && group.is_none() {
            return Ok(self.bot.clone());
        }
        let mut command = launcher(self.sandbox, group)?;
        command.push("--processes".into());
        command.push(self.limits.processes.to_string().into());
        command.push("--".into());
        command.extend(self.bot.iter().cloned());
        Ok(command)
    }
}

/// The command of the bundled bot: the judge's own program in a hidden role, so that one program is enough.
fn bundled() -> anyhow::Result<Vec<OsString>> {
    let judge =
        std::env::current_exe().context("the judge does not know its own path to start the bundled bot")?;
    Ok(vec![judge.into(), "bot".into()])
}

/// The judge's own program in the role of the launcher, up to the bot's command.
fn launcher(sandbox: bool, group: Option<&ControlGroup>) -> anyhow::Result<Vec<OsString>> {
    let judge = std::env::current_exe().context("the judge does not know its own path to start a bot")?;
    let mut command: Vec<OsString> = vec![judge.into(), "launch".into()];
    if sandbox {
        command.extend(["--judge".into(), std::process::id().to_string().into()]);
    } else {
        command.push("--without-sandbox".into());
    }
    for folder in group.into_iter().flat_map(ControlGroup::folders) {
        command.extend(["--group".into(), folder.into()]);
    }
    Ok(command)
}

/// Why there is no control group, and what to do.
fn no_group(reason: &anyhow::Error) -> anyhow::Error {
    anyhow!(
        "--limits cgroup is not possible here: {reason:#}; it needs root, or a control group in which this user may \
         make others, as in \"systemd-run --user --scope -p Delegate=yes judge run ...\"; --limits proc needs none"
    )
}

/// Where control groups can be made. It is tried: a group is made, and the launcher joins it.
fn place() -> anyhow::Result<Place> {
    let place = Place::find()?;
    let group = ControlGroup::new(&place, &DEFAULT_LIMITS)?;
    sandbox::run(&launcher(false, Some(&group))?)?;
    Ok(place)
}
