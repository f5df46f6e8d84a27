//! Hosts: processes of the judge. Each host starts, measures and ends one bot after another for the judge that plays.
//!
//! Processes that a bot leaves running descend from the bot's own host, so the judge can tell apart two bots that play
//! each other. The judge holds the bots' pipes itself and asks a host nothing while the bot answers quickly.

mod hosted_tree;
mod link;
mod serve;

pub use serve::serve;

use std::cell::RefCell;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;

use anyhow::Context;

use crate::bot_process::Process;
use crate::config::MatchConfig;
use crate::delay::watch_stops;
use crate::host::hosted_tree::{HostedTree, Requests};
use crate::host::link::{Link, PartyCommand};
use crate::inherited;
use crate::judge_processes::JudgeChild;
use crate::limits::Limits;
use crate::relay::Party;

/// A judge process that starts the processes of one bot.
pub struct HostProcess {
    requests: Rc<RefCell<Requests>>,
    limits: Limits,
    _child: JudgeChild,
}

impl HostProcess {
    /// Starts the host of a program with the configuration `config` by the hidden command `arena-host`. Messages call
    /// the program `name`.
    ///
    /// # Errors
    ///
    /// If the process cannot be started.
    pub fn start(name: &str, config: &MatchConfig) -> anyhow::Result<Self> {
        let judge = std::env::current_exe().context("the path of the judge's program is not known")?;
        let mut args: Vec<OsString> = vec!["arena-host".into()];
        args.extend(config.options().into_iter().map(OsString::from));
        for word in config.started.iter().flatten() {
            args.extend(["--started".into(), word.clone()]);
        }
        if let Some(limit) = inherited::raise_open_files() {
            args.extend(["--open-files".into(), limit.to_string().into()]);
        }
        if !config.bot.is_empty() {
            args.push("--".into());
            args.extend(config.bot.iter().cloned());
        }
        let not_started = |error| {
            let error = inherited::explain_open_files(error);
            error.context(format!("the host of {name} could not be started"))
        };
        let (own, its) = UnixStream::pair().map_err(not_started)?;
        let mut command = Command::new(judge);
        command.args(args).stdin(OwnedFd::from(its)).stdout(Stdio::null());
        let child = JudgeChild::spawn(&mut command).map_err(not_started)?;
        let requests = Requests::new(name, Link::new(own));
        Ok(Self { requests: Rc::new(RefCell::new(requests)), limits: config.limits, _child: child })
    }

    /// Asks the host to begin starting its bot, which [`Self::spawn`] then returns.
    ///
    /// # Errors
    ///
    /// If the host has ended.
    pub fn begin_start(&self) -> anyhow::Result<()> {
        self.requests.borrow_mut().begin_start(None)
    }

    /// Makes the host start its bot.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started, or its limits cannot be enforced.
    pub fn spawn(&self) -> anyhow::Result<Process> {
        // Watch for stops before a bot exists that could stop the judge.
        watch_stops()?;
        let (tree, pipes) = HostedTree::start(&self.requests, self.limits)?;
        Process::new(Box::new(tree), pipes)
    }

    /// Asks the host to begin starting `command` in place of its bot. [`Self::spawn_party`] then returns the program.
    /// The program is kept apart from other programs. In the sandbox it can write files only in the folders `writable`.
    ///
    /// # Errors
    ///
    /// If the host has ended.
    pub fn begin_start_of(&self, command: Vec<OsString>, writable: &[&Path]) -> anyhow::Result<()> {
        let writable = writable.iter().map(OsString::from).collect();
        self.requests.borrow_mut().begin_start(Some(PartyCommand { command, writable }))
    }

    /// Makes the host start its program for a relay.
    ///
    /// # Errors
    ///
    /// If the program cannot be started, or its limits cannot be enforced.
    pub fn spawn_party(&self) -> anyhow::Result<Party> {
        watch_stops()?;
        let (tree, pipes) = HostedTree::start(&self.requests, self.limits)?;
        Party::new(Box::new(tree), pipes, self.limits)
    }
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        // When its socket is closed, a host ends its bot and itself.
        self.requests.borrow().link.close();
    }
}
