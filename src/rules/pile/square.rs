//! Subtract-a-square: a move takes a perfect square that is not banned.
//!
//! A player who cannot move loses. With a ban list, this differs from *the player who reaches 0 first wins*, because a
//! pile greater than 0 may have no move. If 1 is banned, the player to move wins a pile of 7: after 7 - 4 = 3 the other
//! player has no move. (A widely copied sample answer for this case says otherwise, against its own rules.)
//!
//! Source: S. W. Golomb 1966, "A mathematical investigation of games of 'take-away'".

use std::sync::Arc;

use super::Clause;
use super::sequence::{FromSequence, Sequence};
use super::starts::random_numbers;
use super::{MAX_SIZE, Pile, PileEntry, PileGame, banned};
use crate::rules::GameEntry;

static SQUARES: Sequence = Sequence {
    game: PileGame::Square,
    number: |root| root * root,
    count: u64::isqrt,
    // The sum of the square roots of the numbers up to n.
    moves: |n| u128::from(n) * u128::from(n.isqrt()) / 3 * 2,
};

pub(super) static ENTRY: PileEntry = PileEntry {
    game: GameEntry {
        name: "square",
        form: "square n1 n2 ... [ban s1 s2 ...]",
        help: "piles; a move takes a perfect square that is not banned",
    },
    keywords: &["ban"],
    max_pile: MAX_SIZE,
    refusal: "that is not a perfect square",
    advice: "take a perfect square that is not banned: 1, 4, 9, 16 and so on",
    rules: |clauses| Arc::new(Pile(FromSequence::new(&SQUARES, &banned(clauses)))),
    in_sums: "5 ban 1",
    extremes: "N|N ban 1|N ban 1 4|N N N N",
    small: &[(1, 30, "|ban 1|ban 4|ban 1 4"), (2, 7, "")],
    random_clauses: |max, random| {
        let roots = random_numbers(4, max.isqrt(), random);
        Clause::banning(&roots.iter().map(|root| root * root).collect::<Vec<_>>())
    },
};
