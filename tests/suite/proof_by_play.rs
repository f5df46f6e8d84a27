//! Proof by play: the strategy against all sequences of replies, and against some replies in very long rows.

use std::collections::HashSet;

use itertools::Itertools;
use zeroxor::rules::Heap;
use zeroxor::{Analysis, Nimber, Outcome, Player, Position, Side, Solver};

use crate::definition::{Nimbers, pile_games, placed_heaps, position};
use crate::octal;

/// Walks all positions that the opponent can force. In each position that is won by the definition, the bot's move must
/// leave a P-position, so that the bot keeps the win. In normal play the bot has won if the opponent has no reply. In
/// misère play the bot has won if the bot itself has no move.
#[derive(Default)]
struct Walk {
    nimbers: Nimbers,
    strategy: Solver,
    seen: HashSet<Vec<(u64, Heap)>>,
    /// The number of games that the bot has won.
    won: usize,
}

impl Walk {
    fn bot_to_move(&mut self, position: &Position) {
        if !self.seen.insert(placed_heaps(position)) {
            return;
        }
        let winning = self.nimbers.of(position) != Nimber::ZERO;
        assert_eq!(self.strategy.outcome(position).unwrap() == Outcome::N, winning, "{position}");
        let mv = self.strategy.winning_move(position).unwrap();
        let Some(mv) = mv.or_else(|| self.strategy.best_delaying_move(position)) else {
            assert!(position.is_over() && winning == position.is_misere(), "no move on {position}");
            self.won += usize::from(winning);
            return;
        };
        let mut after = position.clone();
        after.play(mv).unwrap_or_else(|error| panic!("{error} on {position}"));
        assert!(!winning || self.nimbers.of(&after) == Nimber::ZERO, "{mv} on {position} loses the win");
        self.opponent_to_move(&after);
    }

    fn opponent_to_move(&mut self, position: &Position) {
        self.won += usize::from(position.is_over() && !position.is_misere());
        for mv in position.moves() {
            let mut after = position.clone();
            after.play(mv).unwrap();
            self.bot_to_move(&after);
        }
    }
}

/// Compares the analysis of the start with the definition. Checks that the bot chooses the seat that is won, and walks all
/// games from both seats.
fn prove(header: &str) {
    let (start, mut nimbers) = (position(header), Nimbers::default());
    let nimber = nimbers.of(&start);
    let wins = nimbers.winning_moves(&start).into_iter().sorted().collect_vec();
    let best = if nimber == Nimber::ZERO { Side::Second } else { Side::First };
    assert_eq!(Player::new(start.clone()).winning_side(), Ok(best), "{start}");
    for most in [1, usize::MAX] {
        let analysis = Analysis::of(&start, &mut Solver::new(), most).unwrap();
        assert_eq!(analysis.outcome == Outcome::P, nimber == Nimber::ZERO, "{start}");
        assert_eq!(analysis.nimber, (!start.is_misere()).then_some(nimber), "{start}");
        assert_eq!(analysis.winning_moves, wins[..wins.len().min(most)], "{start}");
        assert_eq!(analysis.winning_moves_total, Some(wins.len() as u128), "{start}");
        assert!(analysis.winning_moves_are_first, "{start}");
    }
    for seat in [Side::First, Side::Second] {
        let mut walk = Walk { nimbers: std::mem::take(&mut nimbers), ..Walk::default() };
        match seat {
            Side::First => walk.bot_to_move(&start),
            Side::Second => walk.opponent_to_move(&start),
        }
        assert!(walk.won > 0 || seat != best, "{start}: a won seat that never wins");
        nimbers = walk.nimbers;
    }
}

/// Plays rows of cards, one or two rows under random codes, and rows that moves split (Grundy's game, Daisies, Lasker's
/// nim and others), of which a second row changes who wins.
#[test]
fn rows_from_both_seats() {
    for (l, r) in (1..=9_u64).flat_map(|r| (1..=r).map(move |l| (l, r))) {
        (r..=10).for_each(|n| prove(&format!("{n} {l} {r}")));
    }
    for (k, code) in (0..).zip(octal::playable(40)) {
        let sizes = if k % 4 == 0 { "6 3".to_owned() } else { (1 + k % 12).to_string() };
        prove(&format!("octal {code} {sizes}"));
    }
    for game in ["grundy", "octal 4.0", "octal 4.7", "octal 4.[3]", "octal 4.[21]"] {
        for n in 1..=8 {
            prove(&format!("{game} {n}"));
            prove(&format!("{game} {} 3", n / 2 + 1));
        }
    }
}

/// Plays other games, and sums of up to three games.
#[test]
fn other_games_and_sums() {
    for game in pile_games() {
        let lists = match game.keywords() {
            [] => "",
            ["take"] => " take 2 3 7| take 3..5| take 1 4..6 5| take 1..n/1| take 1..n/2| take 1..n/3",
            ["proper", ..] => "| ban 1| ban 2| ban 1 2| proper| proper ban 1| proper ban 2 3",
            _ => "| ban 1| ban 2| ban 1 2",
        };
        for (list, n) in lists.split('|').cartesian_product(1..=30) {
            prove(&format!("{} {n}{list}", game.name()));
        }
    }
    let pairs = (1..=12).flat_map(|a| (1..=12).map(move |b| format!("euclid {a} {b}")));
    let sums = [
        "square 9 7 5",
        "square 9 7 ban 1",
        "divisor 6 8 4 ban 1",
        "subtract 7 8 9 take 1 4",
        "nim 3 4 5",
        "segment 4 1 2 + segment 5 2 2",
        "4 2 3 + 3 1 1 + 3 1 2",
        "5 2 2 + 5 2 2",
        "6 2 2 + 2 1 1",
        "segment 6 2 3 + square 8 ban 1 + euclid 7 3",
        "nim 3 + divisor 6 + subtract 5 take 2 3",
        "subtract 7 8 take 1..n/2 + subtract 6 take 2..4",
        "subtract 9 take 1..n/3 + divisor 8 proper + nim 2",
        "divisor 9 6 proper ban 3 + subtract 7 take 1 3..4",
        "euclid 8 3 + euclid 3 8 + nim 2",
        "euclid 9 2 + 5 2 2 + divisor 4 ban 4",
        "square 5 + square 5 ban 1 + nim 1",
        "grundy 6 + nim 2 + grundy 5",
        "octal 4.7 4 + segment 4 1 2 + grundy 5",
        "octal 4.[3] 4 + euclid 5 3 + octal 4.[3] 3",
        "subtract 20 9 take 3..5",
        "subtract 8 take 1 3..4",
        "subtract 30 17 take 1..n/2",
        "subtract 40 take 1..n/3 + nim 2",
        "divisor 12 18 proper",
        "divisor 30 proper ban 1 + subtract 9 take 1..n/1",
        "nim 2 3 + divisor 6 ban 1 + subtract 7 take 2 3",
        "4 2 2 + 4 2 2 + nim 1",
    ];
    for header in pairs.chain(sums.map(str::to_owned)) {
        prove(&header);
    }
}

/// Misère play against all replies, from both seats.
#[test]
fn misere_play_from_both_seats() {
    let rows = (1..=8).flat_map(|n| {
        ["octal 0.77", "octal 0.123", "octal 0.75", "segment 1 1", "segment 2 3", "grundy", "octal 4.[3]"]
            .map(move |game| match game.strip_prefix("segment ") {
                Some(window) => format!("segment {} {window}", n + 3),
                None => format!("{game} {n} {}", n / 3 + 1),
            })
    });
    let piles = (1..=14).flat_map(|n| {
        ["take 1 3", "take 2 5", "take 1..n/2"].map(|take| format!("subtract {n} {} {take}", n / 4 + 1))
    });
    let sums = [
        "nim 1 1 1",
        "nim 1 2 2",
        "nim 3 4 5 2",
        "nim 14",
        "octal 0.77 7 + subtract 7 take 1 3",
        "square 9 + divisor 8 + prime 5",
        "euclid 9 4 + nim 1 1",
        "6 1 2 + 4 2 2 + nim 2",
        "subtract 3 take 9",
    ];
    for game in rows.chain(piles).chain(sums.map(str::to_owned)) {
        prove(&format!("misere {game}"));
    }
}

/// Long and short rows that symmetry decides: the bot takes from the middle, then mirrors each reply.
#[test]
fn symmetry_needs_no_table() {
    for header in [
        "1000000000000000000 3 5",
        "999999999999999999 1 1000000",
        "1000000000000000000 4 4",
        "1000000000000000000 7 1000000000000000000",
        "4 3 3",
        "9 4 4",
        "1000000000000000000 600000000000000000 600000000000000000",
    ] {
        let mut position = position(header);
        let mut strategy = Solver::new();
        assert_eq!(strategy.outcome(&position), Ok(Outcome::N), "{header}");
        for ply in 1_u128.. {
            let mv = strategy
                .winning_move(&position)
                .unwrap()
                .unwrap_or_else(|| panic!("{header}: no win at {ply}"));
            position.play(mv).unwrap();
            let count = position.move_count();
            if count == 0 || ply == 300 {
                break;
            }
            let reply = position
                .nth_move(ply.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835) % count)
                .unwrap();
            position.play(reply).unwrap();
        }
    }
}
