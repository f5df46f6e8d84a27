//! Nim: a move takes any number of stones from one pile.

use std::sync::Arc;

use super::starts::PileStarts;
use super::subtract::Share;
use super::{MAX_SIZE, Pile, PileEntry};
use crate::rules::GameEntry;

pub(super) static ENTRY: PileEntry = PileEntry {
    game: GameEntry { name: "nim", form: "nim n1 n2 ...", help: "piles; a move takes any number" },
    keywords: &[],
    max_pile: MAX_SIZE,
    refusal: "that is more than the pile's size, {size}",
    advice: "take only what is left: check each move before the bot prints it",
    rules: |_| Arc::new(Pile(Share { divisor: 1 })),
    starts: PileStarts {
        in_sums: "3",
        extremes: "N|N N N|N N N N",
        small: &[(1, 10, ""), (2, 6, ""), (3, 4, "")],
        random_clauses: |_, _| Vec::new(),
    },
};
