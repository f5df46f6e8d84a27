//! Where the picture of `judge replay --svg` is written.

use std::io::Write;
use std::path::Path;

use anyhow::ensure;
use zeroxor::Position;

use crate::report::picture::svg::game_svg;
use common::charts::SVG;
use common::output::Output;
use referee::finished_game::FinishedGame;

/// The picture of one game. It is written when it is known that there is no other.
pub(super) struct Drawing {
    output: Output,
    svg: Option<String>,
}

impl Drawing {
    /// # Errors
    ///
    /// If the path cannot be written to.
    pub(super) fn open(path: &Path, force: bool) -> anyhow::Result<Self> {
        Ok(Self { output: Output::open(Some(path), SVG, force)?, svg: None })
    }

    /// Draws the game. One that was played again replaces the first time.
    ///
    /// # Errors
    ///
    /// If it cannot be drawn, or there is another game.
    pub(super) fn add(
        &mut self,
        is_repeat: bool,
        start: &Position,
        game: &FinishedGame,
    ) -> anyhow::Result<()> {
        ensure!(
            self.svg.is_none() || is_repeat,
            "expected one game with --svg, got more: choose one with --game K"
        );
        self.svg = Some(game_svg(start, game)?);
        Ok(())
    }

    /// Writes the picture.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn end(self) -> anyhow::Result<()> {
        let Some(svg) = self.svg else { return Ok(()) };
        self.output.write(|out| out.write_all(svg.as_bytes()))
    }
}
