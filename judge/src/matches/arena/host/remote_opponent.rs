//! The opponent of a host's bot: the bot of another host.

use std::time::Duration;

use anyhow::bail;
use zeroxor::Move;

use super::link::Link;
use super::message::{FromHost, PeerTurn, ToHost};
use crate::matches::opponent::{Opponent, OpponentTurn};
use crate::referee::verdict::Verdict;

/// How long to wait for a turn before the game looks for an interrupt.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The bot of another host in one game.
pub(super) struct RemoteOpponent<'a> {
    pub(super) link: &'a mut Link,
    /// The game's number.
    pub(super) index: u64,
}

impl RemoteOpponent<'_> {
    fn tell(&mut self, turn: PeerTurn) -> anyhow::Result<()> {
        self.link.send(&FromHost::Turn(turn))
    }
}

impl Opponent for RemoteOpponent<'_> {
    fn bot_played(&mut self, mv: Move) -> anyhow::Result<()> {
        self.tell(PeerTurn::Move(mv.place, mv.take))
    }

    fn play(&mut self) -> anyhow::Result<OpponentTurn> {
        Ok(match self.link.receive(POLL_INTERVAL)? {
            Some(ToHost::Turn(index, turn)) if index == self.index => turn.into(),
            // The other bot's end of a game that this bot had ended itself.
            Some(ToHost::Turn(..)) | None => OpponentTurn::Pending,
            Some(ToHost::Game(_)) => bail!("the arena began another game before the end of this one"),
        })
    }

    fn bot_has_no_move(&mut self) -> anyhow::Result<()> {
        self.tell(PeerTurn::NoMove)
    }

    fn bot_forfeited(&mut self, verdict: Verdict) -> anyhow::Result<()> {
        self.tell(PeerTurn::Forfeit(verdict))
    }
}
