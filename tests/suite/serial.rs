//! Tests of serde: it deserializes its own output to the same value, and rejects other input.

use serde::de::DeserializeOwned;
use zeroxor::{GameKind, GameSpec, Move, Nimber, Outcome, Side};

#[track_caller]
fn assert_json<T: serde::Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
}

#[test]
fn values_as_text() {
    let game: GameSpec = "20 3 5 + square 20 9 ban 1 + euclid 8 5".parse().unwrap();
    assert_json(&game, r#""segment 20 3 5 + square 20 9 ban 1 + euclid 8 5""#);
    assert_json(&Move { place: 1, take: u64::MAX }, r#""1 18446744073709551615""#);
    assert_json(&[Side::First, Side::Second], r#"["First","Second"]"#);
    assert_json(&[Outcome::N, Outcome::P], r#"["N","P"]"#);
    assert_json(&Nimber(5), "5");
}

#[test]
fn invalid_values_are_rejected() {
    let read = |json| serde_json::from_str::<GameSpec>(json).unwrap_err().to_string();
    assert!(read(r#""segment 20 5 3""#).starts_with("expected L of at most R = 3, got \"5\" at column 12"));
    assert!(read(r#"{"nim": [3]}"#).contains("expected a string"));
    let by_hand = GameSpec::Single { kind: GameKind::Euclid, heaps: vec![0, 1], clauses: vec![] };
    let error = serde_json::to_string(&by_hand).unwrap_err().to_string();
    assert!(error.contains("a number from 1 to"), "{error}");
    assert!(serde_json::from_str::<Side>(r#""first""#).is_err());
    assert!(serde_json::from_str::<Outcome>(r#""Q""#).is_err());
    assert!(serde_json::from_str::<Nimber>("-1").is_err());
    for json in [r#""0 0""#, r#""0 1""#, r#""-1 -1""#, "[1, 2]"] {
        assert!(serde_json::from_str::<Move>(json).is_err(), "{json}");
    }
}
