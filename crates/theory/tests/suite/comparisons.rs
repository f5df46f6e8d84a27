//! Output compared with the same facts computed in another way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;
use zeroxor::{GameSpec, Nimber, OctalCode, nimbers};

use crate::support::{judge, root, text};

/// Returns the lines that `grundy octal` prints.
#[track_caller]
fn octal_lines(args: &str) -> Vec<String> {
    let output = judge(&format!("octal {args}"), &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args}");
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// Compares the printed cousins of some codes with all codes whose values without the leading zeros agree up to 1000
/// cards.
#[test]
fn cousins_of_codes() {
    let values = |code: &OctalCode, to: u64| {
        let values = nimbers(&GameSpec::Octal { code: *code, heaps: vec![1] }, 0..=to).unwrap();
        let zeros = values.iter().take_while(|value| value.0 == 0).count();
        (i64::try_from(zeros).unwrap(), values[zeros..].to_vec())
    };
    let digits =
        (0..1024).map(|k: u16| [k >> 9 << 2, k >> 6 & 7, k >> 3 & 7, k & 7].map(|digit| digit as u8));
    let codes: Vec<OctalCode> = digits.filter_map(|digits| OctalCode::new(&digits)).collect();
    assert_eq!(codes.len(), 1023);
    // Most codes differ in these values. Only codes that agree in them are compared further.
    let first: Vec<_> = codes.iter().map(|code| values(code, 100)).collect();
    for text in ["0.313", "0.71", "0.3", "0.137", "0.6", "0.161", "0.16", "4.0", "4.7", "0.01", "0.f"] {
        let code: OctalCode = text.parse().unwrap();
        let (zeros, mine) = values(&code, 1000);
        let equal = codes.iter().zip(&first).filter_map(|(other, (their_zeros, theirs))| {
            let agrees = |theirs: &[Nimber]| mine.iter().zip(theirs).all(|(a, b)| a == b);
            let is_equal = *other != code && agrees(theirs) && agrees(&values(other, 1000).1);
            is_equal.then(|| match zeros - their_zeros {
                0 => other.to_string(),
                less @ 1.. => format!("{other} at n-{less}"),
                more => format!("{other} at n+{}", -more),
            })
        });
        let listed = octal_lines(&format!("{text} --to 1000"))
            .iter()
            .find_map(|line| line.strip_prefix("cousins: ").map(str::to_owned));
        assert_eq!(listed.unwrap_or_default(), equal.collect::<Vec<_>>().join(", "), "{text}");
    }
}

/// Checks the value 51 of a row of 10^18 cards under (1, 5), which the page `solve.md` shows: the row of the first
/// period with the same value is short enough for a table.
#[test]
fn rows_of_the_long_period() {
    let table = judge("table segment 1 5 --to 8942500 --format bin", &[]).stdout;
    let value = |n: usize| u16::from_le_bytes([table[16 + 2 * n], table[17 + 2 * n]]);
    let start = 8_941_813_u64;
    let n = start + (1_000_000_000_000_000_000 - start) % 650;
    assert_eq!(value(n as usize), 51);
}

/// Returns the first `count` values of a game after the leading zeros.
fn after_zeros(game: &str, count: u64) -> Vec<Nimber> {
    let spec = match game.split(' ').collect::<Vec<_>>()[..] {
        ["segment", l, r] => {
            let [l, r] = [l, r].map(|number| number.parse().unwrap());
            GameSpec::Segment { n: r, l, r }
        }
        ["octal", code] => GameSpec::Octal { code: code.parse().unwrap(), heaps: vec![1] },
        _ => panic!("{game}"),
    };
    let values = nimbers(&spec, 0..=count + 40).unwrap();
    values.into_iter().skip_while(|value| value.0 == 0).take(count as usize).collect()
}

/// Groups games by their first `count` values after the leading zeros. Returns the groups of two or more games.
fn with_equal_values(games: &[String], count: u64) -> Vec<Vec<String>> {
    let mut groups: BTreeMap<Vec<Nimber>, Vec<String>> = BTreeMap::new();
    for game in games {
        groups.entry(after_zeros(game, count)).or_default().push(game.clone());
    }
    groups.into_values().filter(|games| games.len() > 1).collect()
}

/// Checks whether a line of the atlas names a game.
fn names(line: &str, game: &str) -> bool {
    let name = match game.strip_prefix("segment ") {
        Some(window) => format!("({})", window.replace(' ', ", ")),
        None => game.trim_start_matches("octal ").to_owned(),
    };
    let is_of_code = |c: char| c.is_ascii_digit() || c == '.';
    let mut places = line.match_indices(&name);
    places
        .any(|(at, _)| !line[..at].ends_with(is_of_code) && !line[at + name.len()..].starts_with(is_of_code))
}

/// Checks that the page connects all games of the atlas that have the same first 10,000 values. Two games are connected
/// if a line names both, or if both are connected to a third game.
#[test]
fn games_with_equal_values_are_named() {
    let files = ["segment", "octal", "long"].map(|name| format!("docs/certificates/{name}.jsonl"));
    let lines = files.map(|file| fs::read_to_string(root().join(file)).unwrap()).concat();
    let game = |line: &str| serde_json::from_str::<Value>(line).unwrap()["game"].as_str().unwrap().to_owned();
    // Some codes are in two files.
    let games: Vec<String> = lines.lines().map(game).collect::<BTreeSet<_>>().into_iter().collect();
    // Most games differ in the first values.
    let groups = with_equal_values(&games, 300);
    let groups: Vec<_> = groups.iter().flat_map(|games| with_equal_values(games, 10_000)).collect();
    assert!(games.len() == 1305 && groups.len() > 50, "{} games, {} groups", games.len(), groups.len());
    let page = fs::read_to_string(root().join("docs/atlas.md")).unwrap();
    for mut missing in groups {
        let mut connected = vec![missing.remove(0)];
        while !missing.is_empty() {
            let is_connected = |game: &String| {
                page.lines().any(|line| names(line, game) && connected.iter().any(|other| names(line, other)))
            };
            let Some(at) = missing.iter().position(is_connected) else {
                panic!(
                    "{connected:?} and {missing:?} have the same values, but no line names one of each list"
                );
            };
            connected.push(missing.remove(at));
        }
    }
}
