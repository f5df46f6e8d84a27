//! Subtract-a-square: a move takes a perfect square that is not banned.
//!
//! A player who cannot move loses. With a ban list, this differs from *the player who reaches 0 first wins*, because a
//! pile greater than 0 may have no move. If 1 is banned, the player to move wins a pile of 7: after 7 - 4 = 3 the other
//! player has no move. (A widely copied sample answer for this case says otherwise, against its own rules.)
//!
//! Source: S. W. Golomb 1966, "A mathematical investigation of games of 'take-away'".

use std::sync::Arc;

use super::sequence::{FromSequence, NumberSequence};
use super::{Pile, banned};
use crate::rules::starts::{random_heaps, random_numbers};
use crate::rules::{Clause, GameEntry, GameKind, MAX_SIZE, Violation};

static SQUARES: NumberSequence = NumberSequence {
    kind: GameKind::Square,
    refusal: Violation::NotASquare,
    number: |root| root * root,
    count: u64::isqrt,
    // The sum of the square roots of the numbers up to n.
    moves: |n| u128::from(n) * u128::from(n.isqrt()) / 3 * 2,
};

pub(in crate::rules) static ENTRY: GameEntry = GameEntry {
    name: "square",
    form: "square n1 n2 ... [ban s1 s2 ...]",
    help: "piles; a move takes a perfect square that is not banned",
    keywords: &["ban"],
    max_heap: MAX_SIZE,
    rules: |clauses| Some(Arc::new(Pile(FromSequence::new(&SQUARES, &banned(clauses))))),
    in_sums: "5 ban 1",
    extremes: "N|N ban 1|N ban 1 4|N N N N",
    small: &[(1, 30, "N|N ban 1|N ban 4|N ban 1 4"), (2, 7, "N")],
    random: |max, random| {
        let roots = random_numbers(4, max.isqrt(), random);
        let squares: Vec<u64> = roots.iter().map(|root| root * root).collect();
        (Clause::banning(&squares), random_heaps(max, random))
    },
};
