//! The turns of workers that play at the same time: a game whose time is in doubt is played again alone.

use std::sync::{PoisonError, RwLock};

use common::interrupt::interrupted;
use referee::setup::GameSetup;

/// A lock that a worker holds for reading while it plays, and for writing while it plays alone.
#[derive(Default)]
pub(crate) struct Turns(RwLock<()>);

impl Turns {
    /// Plays a game. If its time is in doubt, it is played again while no other worker plays, and the second result
    /// counts.
    pub(crate) fn play<T>(
        &self,
        setup: &GameSetup,
        mut play: impl FnMut(&GameSetup) -> anyhow::Result<T>,
        is_doubtful: impl Fn(&T) -> bool,
    ) -> anyhow::Result<T> {
        let game = {
            let _others_play = self.0.read().unwrap_or_else(PoisonError::into_inner);
            play(setup)?
        };
        if !is_doubtful(&game) || interrupted() {
            return Ok(game);
        }
        let _alone = self.0.write().unwrap_or_else(PoisonError::into_inner);
        play(&GameSetup { repeat: true, ..setup.clone() })
    }
}
