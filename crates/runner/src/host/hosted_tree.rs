//! The processes of a bot that a host has started.

use std::cell::RefCell;
use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use serde::de::DeserializeOwned;

use super::link::Link;
use crate::bot::POLL_INTERVAL;
use crate::bot_tree::ProcSnapshot;
use crate::bot_tree::{BotTree, EndUsage};
use crate::cgroup::GroupMeter;
use crate::event::{Exit, Usage};
use crate::host::link::{PartyCommand, Reply, Request, Snapshot, Started};
use crate::inherited;
use crate::interrupt;
use crate::limits::Limits;
use crate::pipes::PipeEnds;

/// The connection over which the judge sends requests to a host.
pub(super) struct Requests {
    pub(super) name: String,
    pub(super) link: Link,
    /// The CPU time that the host has used for all its answers so far.
    pub(super) cpu: Duration,
    /// Whether the host was asked to start its bot and has not answered yet.
    pub(super) is_starting: bool,
}

impl Requests {
    pub(super) fn new(name: &str, link: Link) -> Self {
        Self { name: name.to_owned(), link, cpu: Duration::ZERO, is_starting: false }
    }

    fn ask<T: DeserializeOwned>(&mut self, request: &Request) -> anyhow::Result<T> {
        self.send(request)?;
        self.receive()
    }

    fn send(&mut self, request: &Request) -> anyhow::Result<()> {
        self.link.send(request, &[]).with_context(|| self.ended_early())
    }

    fn receive<T: DeserializeOwned>(&mut self) -> anyhow::Result<T> {
        let received = self.link.receive::<Reply<T>>().transpose().context("it closed its socket").flatten();
        let reply = received.with_context(|| self.ended_early())?;
        self.cpu += reply.cpu;
        reply.answer.map_err(|why| anyhow!(why))
    }

    /// Returns the message about a host that has ended.
    fn ended_early(&self) -> String {
        // A judge that is being terminated ends its hosts first. Wait for the end of the judge here, so that no bot is
        // blamed.
        interrupt::await_end();
        format!("the host of {} ended early; without --sandbox a bot can end it", self.name)
    }

    /// Asks the host to start its bot, or `party` in place of the bot, unless the host was already asked.
    pub(super) fn begin_start(&mut self, party: Option<PartyCommand>) -> anyhow::Result<()> {
        if !self.is_starting {
            self.send(&Request::Start { party })?;
            self.is_starting = true;
        }
        Ok(())
    }

    fn end_start(&mut self) -> anyhow::Result<Started> {
        self.begin_start(None)?;
        self.is_starting = false;
        self.receive()
    }
}

/// The processes of a host's bot. The judge measures and ends them by requests to the host.
pub(super) struct HostedTree {
    host: Rc<RefCell<Requests>>,
    exit_fd: Option<OwnedFd>,
    group: Option<GroupMeter>,
    limits: Limits,
    /// When the last snapshot was taken, or the bot was started.
    last: Instant,
    /// Whether a process has left the control group.
    has_left_group: bool,
    has_ended: bool,
}

impl HostedTree {
    /// Asks the host to start its bot, and receives the bot's pipes.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started, the host has ended, or too many files are open.
    pub(super) fn start(host: &Rc<RefCell<Requests>>, limits: Limits) -> anyhow::Result<(Self, PipeEnds)> {
        let last = Instant::now();
        let Started { group, has_exit_fd } = host.borrow_mut().end_start()?;
        let mut fds = host.borrow_mut().link.take_fds().into_iter();
        // The host sends all descriptors. If one is missing, this process has reached its open-file limit.
        let mut pipe = || fds.next().with_context(inherited::no_open_files_left);
        let pipes = PipeEnds { stdin: pipe()?, stdout: pipe()?, stderr: pipe()? };
        let exit_fd = has_exit_fd.then(pipe).transpose()?;
        let group =
            group.map(|group| GroupMeter::from_parts(group, fds).with_context(inherited::no_open_files_left));
        let tree = Self {
            host: Rc::clone(host),
            exit_fd,
            group: group.transpose()?,
            limits,
            last,
            has_left_group: false,
            has_ended: false,
        };
        Ok((tree, pipes))
    }

    fn ask<T: DeserializeOwned>(&self, request: &Request) -> anyhow::Result<T> {
        self.host.borrow_mut().ask(request)
    }
}

impl BotTree for HostedTree {
    fn exit_fd(&self) -> Option<&OwnedFd> {
        self.exit_fd.as_ref()
    }

    fn exit(&mut self) -> io::Result<Option<Exit>> {
        self.ask(&Request::Exit).map_err(|error| io::Error::other(format!("{error:#}")))
    }

    fn has_group(&self) -> bool {
        self.group.is_some()
    }

    fn used_by_group(&mut self) -> anyhow::Result<Option<Usage>> {
        let is_current = !self.has_left_group && self.last.elapsed() < POLL_INTERVAL;
        self.group.as_ref().filter(|_| is_current).map(|group| group.used(&self.limits)).transpose()
    }

    fn take_snapshot(&mut self, is_complete: bool) -> anyhow::Result<ProcSnapshot> {
        let Snapshot { snapshot, has_left_group } = self.ask(&Request::Snapshot { is_complete })?;
        (self.last, self.has_left_group) = (Instant::now(), has_left_group);
        Ok(snapshot)
    }

    fn look_at_threads(&mut self, snapshot: ProcSnapshot) -> anyhow::Result<ProcSnapshot> {
        self.ask(&Request::Threads(snapshot))
    }

    fn end(&mut self) -> EndUsage {
        self.has_ended = true;
        // A host that has ended has also ended its bot, and the game does not count.
        self.ask(&Request::End).unwrap_or_default()
    }

    fn host_cpu(&self) -> Duration {
        self.host.borrow().cpu
    }
}

impl Drop for HostedTree {
    fn drop(&mut self) {
        if !self.has_ended {
            self.end();
        }
    }
}
