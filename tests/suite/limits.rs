//! The limits of sizes: what is promised is accepted, and more is refused before anything is computed.

use zeroxor::grundy::{Limit, TableError, TooLarge, ValueKind, table};
use zeroxor::rules::Heap;
use zeroxor::wire::session::{SessionError, run};
use zeroxor::{Outcome, Position, Solver};

fn outcome(game: &str) -> Result<Outcome, TooLarge> {
    Solver::new().outcome(&Position::for_solver(&game.parse().unwrap()).unwrap())
}

/// The error of a game, and its largest size.
fn refusal(game: &str) -> (TooLarge, u64) {
    let error = outcome(game).unwrap_err();
    match error {
        TooLarge::Size { largest, .. } => (error, largest),
        error => panic!("{game}: {error}"),
    }
}

/// The largest sizes of docs/limits.md. More is refused, with the size.
#[test]
fn largest_sizes() {
    for (rules, promised, most) in [
        ("segment {} 3 3 + nim 1", 100_000, 1_000_000),
        ("segment {} 1 2000 + subtract 1 take 1", 100_000, 1_000_001),
        ("square {}", 10_000_000, 1_000_000_000),
        ("square {} 2", 900_000, 1_000_000_000),
        ("prime {}", 1_000_000, 10_000_000),
        ("prime {} 3", 100_000, 10_000_000),
        ("divisor {} 7 ban 1", 1_000_000, 1_000_000_000),
        ("octal 0.6 {} + nim 1", 100_000, 1_000_000),
        ("grundy {} + nim 1", 100_000, 1_000_000),
        ("octal 0.[7] {} + nim 1", 3000, 4000),
        ("octal 0.[f] {} + nim 1", 800, 900),
    ] {
        let game = |size: u64| rules.replacen("{}", &size.to_string(), 1);
        let (error, largest) = refusal(&game(most));
        assert!(largest >= promised, "{rules}: {error}");
        // A prime pile is taken whole, so it needs no values.
        let mut larger = (largest + 1..largest + 4).map(|size| outcome(&game(size)));
        let is_refused = |outcome| matches!(outcome, Err(TooLarge::Size { size, .. }) if size > largest);
        assert!(larger.any(is_refused), "{rules}");
    }
}

#[test]
fn games_of_any_size() {
    for game in [
        "nim 1000000000000000000 3",
        "euclid 1000000000000000000 999999999999999999",
        "subtract 1000000000000000000 7 take 2 5 9",
        "subtract 1000000000000000000 3 take 1..7",
        "divisor 1000000000000000000 6",
        "segment 1000000000000000000 1 2",
        "segment 1000000000000000000 14 15",
        "segment 999999999999999999 2 2",
        "subtract 1000000000000000000 3 take 1..n/2",
    ] {
        assert!(outcome(game).is_ok(), "{game}");
    }
}

#[test]
fn the_size_and_the_largest_size_are_data() {
    let (error, largest) = refusal("segment 100000000 3 3");
    let game = "segment 3 3".to_owned();
    assert_eq!(error, TooLarge::Size { game, size: 100_000_000, largest, is_alone: true });
    let set = "subtract 999999999999 take 1 1000000 999999937".parse().unwrap();
    let error = table(&set, Heap::of(999_999_999_999), ValueKind::Nimber, &mut Limit::GAME.clone()).err();
    assert!(matches!(error, Some(TableError::TooLarge(TooLarge::Size { .. }))), "{error:?}");
}

/// The costs of a sum count together, before anything is computed.
#[test]
fn sums_count_together() {
    let row = |take: u64| format!("segment {} {take} {take}", 40_000 + take);
    let sum = |rows: u64| (2..rows + 2).map(row).collect::<Vec<_>>().join(" + ");
    assert!(outcome(&sum(50)).is_err());
    let (error, largest) = refusal(&sum(9));
    assert!(largest < 40_000, "{error}");
    assert!(matches!(error, TooLarge::Size { is_alone: false, .. }), "{error}");
}

/// The games of a conversation share a limit. Games with the same rules share a table too.
#[test]
fn games_of_a_conversation_count_together() {
    let talk = |games: &[&str]| {
        let lines = games.iter().map(|game| format!("{game} seat second\n1 2\n-1 -1\n"));
        let input = format!("games {}\n{}", games.len(), lines.collect::<String>());
        run(input.as_bytes(), &mut Vec::new())
    };
    talk(&["segment 2000 2 2"; 100]).unwrap();
    let different = ["octal 0.16 90000 + nim 5", "octal 0.376 90000 + nim 5"];
    talk(&different[1..]).unwrap();
    assert!(matches!(talk(&different), Err(SessionError::TooLarge { line: 5, .. })));
}
