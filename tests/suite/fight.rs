//! The longest fight against its definition.

use std::collections::HashSet;

use zeroxor::{Move, Outcome, Strategy, Table};

use crate::definition::{self, outcome, position, table, winning_moves};

/// What makes a lost move good: few winning replies, then much play, counted here on the whole table.
fn merit(table: &Table, g: &[u64], mv: Move) -> (usize, std::cmp::Reverse<u64>) {
    let mut after = table.clone();
    after.play(mv).unwrap();
    let play: u64 = after.heaps().map(|seat| seat.rules.longest(seat.heap)).sum();
    (winning_moves(&after, g).len(), std::cmp::Reverse(play))
}

#[test]
fn leaves_the_fewest_winning_replies_then_most_play() {
    let mut compared = 0;
    for (l, r) in [(1, 1), (1, 2), (2, 2), (3, 3), (1, 3), (2, 4), (1, 9)] {
        let g = definition::segment(l, r, 12);
        let mut strategy = Strategy::default();
        let mut seen = HashSet::new();
        let mut todo = vec![table(&format!("12 {l} {r}"))];
        while let Some(position_now) = todo.pop() {
            if !seen.insert(position(&position_now)) || seen.len() > 3000 {
                continue;
            }
            if outcome(&position_now, &g) == Outcome::P && !position_now.is_over() {
                let chosen = strategy.reply(&position_now).unwrap().unwrap();
                let best = position_now.moves().map(|mv| merit(&position_now, &g, mv)).min().unwrap();
                assert_eq!(merit(&position_now, &g, chosen), best, "{chosen} on {position_now}");
                assert_eq!(Strategy::default().reply(&position_now), Ok(Some(chosen)), "not deterministic");
                compared += 1;
            }
            todo.extend(position_now.moves().map(|mv| {
                let mut after = position_now.clone();
                after.play(mv).unwrap();
                after
            }));
        }
    }
    assert!(compared > 300, "only {compared} lost positions were compared");
}

/// A position that symmetry loses is fought even where no table can be built.
#[test]
fn a_lost_position_beyond_theory_is_still_played() {
    let row = "segment 1000000000000000000 3 3";
    let mv = Strategy::default().reply(&table(&format!("{row} + {row}"))).unwrap();
    assert_eq!(mv, Some(Move { place: 1, take: 3 }));
}
