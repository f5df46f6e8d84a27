//! The host itself: it starts, measures and ends its bot on request.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;

use super::link::Link;
use crate::bot_process::own_tree::OwnTree;
use crate::bot_tree::BotTree;
use crate::cgroup::GroupMeter;
use crate::delay::thread_cpu;
use crate::host::link::{Reply, Request, Snapshot, Started};
use crate::interrupt::interrupted;
use crate::start::Start;

/// How long to wait for a request before the host checks for an interrupt.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Answers the requests from the socket on stdin until the socket is closed.
///
/// # Errors
///
/// If stdin is not a socket, or a message is not a request.
pub fn serve(start: &Start) -> anyhow::Result<()> {
    let stdin = io::stdin().as_fd().try_clone_to_owned().context("the socket to the judge cannot be used")?;
    let mut link = Link::new(UnixStream::from(stdin));
    let mut host = Host { start, bot: None };
    while !interrupted() {
        if !link.await_input(POLL_INTERVAL)? {
            continue;
        }
        let Some(request) = link.receive()? else { break };
        // Nobody needs the answer after the judge has ended.
        if host.answer(&request, &mut link).is_err() {
            break;
        }
    }
    Ok(())
}

struct Host<'a> {
    start: &'a Start,
    /// The bot that is running.
    bot: Option<OwnTree>,
}

impl Host<'_> {
    fn answer(&mut self, request: &Request, link: &mut Link) -> anyhow::Result<()> {
        let cpu_before = thread_cpu();
        match request {
            Request::Start { party } => {
                let party = party.clone().map(|party| self.start.of_party(party.command, party.writable));
                self.spawn(party.as_ref().unwrap_or(self.start), link, cpu_before)
            }
            Request::Exit => reply(link, cpu_before, self.bot().and_then(|bot| Ok(bot.exit()?))),
            Request::Snapshot { is_complete } => {
                let snapshot = self.bot().and_then(|bot| {
                    let snapshot = bot.take_snapshot(*is_complete)?;
                    Ok(Snapshot { snapshot, has_left_group: bot.has_left_group() })
                });
                reply(link, cpu_before, snapshot)
            }
            Request::Threads(snapshot) => {
                reply(link, cpu_before, self.bot().and_then(|bot| bot.look_at_threads(snapshot.clone())))
            }
            Request::End => {
                let used = self.bot().map(BotTree::end);
                self.bot = None;
                reply(link, cpu_before, used)
            }
        }
    }

    fn bot(&mut self) -> anyhow::Result<&mut OwnTree> {
        self.bot.as_mut().context("the host has no bot")
    }

    /// Starts the bot and sends its pipes to the judge. Then this process closes its copies of the pipes.
    fn spawn(&mut self, start: &Start, link: &mut Link, cpu_before: Duration) -> anyhow::Result<()> {
        // First end everything that the last bot has left.
        self.bot = None;
        let (tree, pipes) = match OwnTree::spawn(start) {
            Ok(spawned) => spawned,
            Err(error) => return reply::<Started>(link, cpu_before, Err(error)),
        };
        let tree = self.bot.insert(tree);
        let (group, files) = tree.group_meter().map(GroupMeter::parts).unzip();
        let started = Started { group, has_exit_fd: tree.exit_fd().is_some() };
        let fds = [&pipes.stdin, &pipes.stdout, &pipes.stderr].into_iter().chain(tree.exit_fd());
        let fds: Vec<BorrowedFd<'_>> = fds.map(AsFd::as_fd).chain(files.into_iter().flatten()).collect();
        link.send(
            &Reply { answer: Ok::<_, String>(started), cpu: thread_cpu().saturating_sub(cpu_before) },
            &fds,
        )
    }
}

fn reply<T: Serialize>(
    link: &mut Link,
    cpu_before: Duration,
    answer: anyhow::Result<T>,
) -> anyhow::Result<()> {
    let answer = answer.map_err(|error| format!("{error:#}"));
    link.send(&Reply { answer, cpu: thread_cpu().saturating_sub(cpu_before) }, &[])
}
