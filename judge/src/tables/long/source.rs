//! Where the values of a long table come from.

use zeroxor::grundy::octal;
use zeroxor::grundy::segment::SparseStream;

use super::super::row_game::RowGame;

/// So many values are kept in memory: they take 24 MiB.
const KEPT: usize = if cfg!(test) { 1 << 14 } else { 1 << 22 };

/// The values of a game one after the other, in a sparse space; `None` if there is none.
pub(super) fn stream(game: RowGame) -> Option<SparseStream> {
    match game.window() {
        Some(window) => SparseStream::of_window(window, KEPT),
        None => octal::stream(code(game)?, KEPT),
    }
}

/// Goes on from a state; `None` if it is none of this game.
pub(super) fn restore(game: RowGame, state: &[u8]) -> Option<SparseStream> {
    match game.window() {
        Some(window) => SparseStream::restore_window(window, state),
        None => octal::restore_stream(code(game)?, state),
    }
}

fn code(game: RowGame) -> Option<zeroxor::OctalCode> {
    match game {
        RowGame::Code(code) => Some(code),
        RowGame::Window(_) => None,
    }
}
