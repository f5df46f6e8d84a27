//! How a bot is started: its command, its sandbox, and the means that enforce its limits.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::rc::Rc;

use anyhow::{Context, anyhow};

use crate::cgroup::{ControlGroup, GroupSource, Place};
use crate::limits::{DEFAULT_LIMITS, Limits, LimitsBy};
use crate::{program, sandbox};

/// The configuration of a bot to start.
#[derive(Clone, Debug)]
pub struct BotConfig {
    /// The bot's command.
    pub command: Vec<OsString>,
    pub limits: Limits,
    pub limits_by: LimitsBy,
    /// Whether the bot runs in the sandbox.
    pub sandbox: bool,
}

/// Everything that is needed to start a bot any number of times.
#[derive(Clone, Debug)]
pub struct Start {
    bot: Vec<OsString>,
    limits: Limits,
    sandbox: bool,
    /// The folders in which the bot may write files in the sandbox.
    writable: Vec<OsString>,
    /// Whether the bot is kept apart from other programs even without the sandbox.
    is_apart: bool,
    /// The source of a control group for each process of the bot, if control groups are used.
    groups: Option<Rc<GroupSource>>,
}

impl Start {
    /// Prepares the start of a bot with this configuration.
    ///
    /// # Errors
    ///
    /// If the bot could not be started with this configuration. The error says why.
    pub fn new(config: BotConfig) -> anyhow::Result<Self> {
        let BotConfig { command: bot, limits, limits_by, sandbox } = config;
        // Check the program here: the launcher of the sandbox could report a missing program only on the bot's stderr.
        program::check(&bot)?;
        let place = match limits_by {
            LimitsBy::Proc => None,
            LimitsBy::Auto => place().ok(),
            LimitsBy::Cgroup => Some(place().map_err(|reason| no_group(&reason))?),
        };
        if sandbox {
            sandbox::check()?;
        }
        let groups = place.map(|place| Rc::new(GroupSource::new(place, limits)));
        Ok(Self { bot, limits, sandbox, writable: Vec::new(), is_apart: false, groups })
    }

    /// Returns the start of one of the two programs of a relay, with another command and the same limits. The program
    /// is kept apart from other programs. In the sandbox it can write files only in the folders `writable`.
    pub(super) fn of_party(&self, command: Vec<OsString>, writable: Vec<OsString>) -> Self {
        Self { bot: command, writable, is_apart: true, ..self.clone() }
    }

    pub(super) fn program(&self) -> &OsStr {
        self.bot.first().map_or(OsStr::new(""), OsString::as_os_str)
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the source of control groups for the processes of the bot, if control groups are used.
    pub(super) fn groups(&self) -> Option<Rc<GroupSource>> {
        self.groups.clone()
    }

    /// Returns the command that starts the bot in `group`.
    pub(super) fn command(&self, group: Option<&ControlGroup>) -> anyhow::Result<Command> {
        let mut command = if self.sandbox { self.launcher()? } else { Command::new(self.program()) };
        command.args(if self.sandbox { &self.bot } else { self.bot.get(1..).unwrap_or_default() });
        // PYTHONUNBUFFERED hides a missing flush. The user's environment may set it, as the container images of Python
        // do, but the environment of a contest does not.
        command.env_remove("PYTHONUNBUFFERED");
        if let Some(group) = group {
            group.attach(&mut command)?;
        }
        Ok(command)
    }

    /// Starts the bot. `command` must come from [`Self::command`].
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        // The sandbox keeps the bot apart itself.
        if self.is_apart && !self.sandbox { sandbox::spawn_apart(command) } else { command.spawn() }
    }

    /// Returns the command that starts the judge's own program as the launcher, up to the bot's command.
    fn launcher(&self) -> anyhow::Result<Command> {
        let mut launcher = Command::new(own_program()?);
        let judge = std::process::id().to_string();
        launcher.args(["launch", "--judge", &judge, "--processes", &self.limits.processes.to_string()]);
        for folder in &self.writable {
            launcher.arg("--writable").arg(folder);
        }
        launcher.arg("--");
        Ok(launcher)
    }
}

/// Returns the path of the judge's own program, which is started again in hidden roles.
///
/// # Errors
///
/// If the system does not report the path.
pub fn own_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("the judge does not know its own path to start a bot")
}

/// Makes the error for missing control groups, with advice.
fn no_group(reason: &anyhow::Error) -> anyhow::Error {
    anyhow!(
        "--limits cgroup is not possible here: {reason:#}; it needs root, or a control group in which this \
         user may make others, as in \"systemd-run --user --scope -p Delegate=yes judge run ...\"; --limits \
         proc needs no control group"
    )
}

/// Finds where control groups can be made, and tests it: makes a group, and lets a process join it.
fn place() -> anyhow::Result<Place> {
    let place = Place::find()?;
    let group = ControlGroup::new(&place, &DEFAULT_LIMITS)?;
    group.try_join().context("the bot's control group cannot be joined")?;
    Ok(place)
}
