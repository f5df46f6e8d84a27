//! The processes of a bot that this process has started.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Context;

use super::child::{BotChild, usage_of};
use crate::bot_tree::{BotTree, EndUsage};
use crate::cgroup::{ControlGroup, GroupMeter, GroupSource};
use crate::descendants;
use crate::event::{Exit, Usage};
use crate::failure::UNMEASURED;
use crate::pipes::PipeEnds;
use crate::start::Start;
use crate::usage::meter::Meter;
use crate::usage::snapshot::ProcSnapshot;

/// A bot that this process has started: there is one at a time, because all other descendants of this process are its.
pub(crate) struct OwnTree {
    child: BotChild,
    meter: Meter,
    /// Where its control group comes from, and is given back to.
    groups: Option<Rc<GroupSource>>,
}

impl OwnTree {
    /// Starts the program in a process group of its own, with new pipes.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or its limits could not be held.
    pub(crate) fn spawn(start: &Start) -> anyhow::Result<(Self, PipeEnds)> {
        descendants::become_subreaper()?;
        let groups = start.groups();
        let group = groups.as_ref().map(|groups| groups.take()).transpose();
        let group = group.context("the bot's control group cannot be made")?;
        let mut command = start.command(group.as_ref())?;
        // From here on its processes are counted.
        let meter = Meter::new(group, start.limits());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = BotChild::spawn(&mut command)?
            .with_context(|| format!("the bot {} could not be started", start.program().display()))?;
        let pipes = PipeEnds::of(child.child_mut());
        let mut tree = Self { child, meter, groups };
        // Before its first line, so that no game is played whose limits are not held.
        tree.measure().context(UNMEASURED)?;
        Ok((tree, pipes.context("the bot has no pipes")?))
    }

    /// What reads the usage of the control group, if there is one.
    pub(crate) fn group_meter(&self) -> Option<&GroupMeter> {
        self.meter.group().map(ControlGroup::meter)
    }

    /// Whether a process has left the control group.
    pub(crate) fn has_left_group(&self) -> bool {
        self.meter.has_left()
    }

    /// What the processes use.
    fn measure(&mut self) -> anyhow::Result<Usage> {
        match self.meter.used_by_group()? {
            Some(used) => Ok(used),
            None => Ok(self.meter.take_snapshot(false)?.used),
        }
    }
}

impl BotTree for OwnTree {
    fn exit_fd(&self) -> Option<&OwnedFd> {
        self.child.exit_fd()
    }

    fn exit(&mut self) -> io::Result<Option<Exit>> {
        self.child.exit()
    }

    fn has_group(&self) -> bool {
        self.meter.group().is_some()
    }

    fn used_by_group(&mut self) -> anyhow::Result<Option<Usage>> {
        self.meter.used_by_group()
    }

    fn take_snapshot(&mut self, is_complete: bool) -> anyhow::Result<ProcSnapshot> {
        self.meter.take_snapshot(is_complete)
    }

    fn look_at_threads(&mut self, mut snapshot: ProcSnapshot) -> anyhow::Result<ProcSnapshot> {
        self.meter.look_at_threads(&mut snapshot)?;
        Ok(snapshot)
    }

    fn end(&mut self) -> EndUsage {
        // The last that is known of the processes. If it cannot be read, nothing follows from that any more.
        let seen = self.measure().unwrap_or_default();
        self.child.kill();
        if let Some(group) = self.meter.group() {
            group.kill();
        }
        let ended = self.child.reap();
        descendants::end_all();
        let total = self.meter.end(|| usage_of(ended));
        if let (Some(groups), Some(group)) = (&self.groups, self.meter.take_group()) {
            groups.give_back(group);
        }
        EndUsage { seen, total }
    }

    fn cpu_elsewhere(&self) -> Duration {
        Duration::ZERO
    }
}

impl Drop for OwnTree {
    fn drop(&mut self) {
        if !self.child.is_reaped() {
            self.end();
        }
    }
}
