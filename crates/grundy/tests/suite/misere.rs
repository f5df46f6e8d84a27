//! Misère quotients and genera: published facts.

use std::fs;

use zeroxor::grundy::segment::Period;
use zeroxor::misere::{Budget, Genus, Quotient, genera};
use zeroxor::{GameSpec, Nimber};

use crate::{command, file};

/// The game of a code, or Grundy's game.
fn spec(game: &str) -> GameSpec {
    GameSpec::of_rules(game).or_else(|_| GameSpec::of_rules(&format!("octal {game}"))).unwrap()
}

fn quotient(game: &str, to: usize) -> Quotient {
    let quotient = Quotient::compute(&spec(game), to, Budget::PER_HEAP).unwrap();
    assert!(!quotient.is_stopped, "{game}");
    quotient
}

/// Returns the lines of `tests/data/misere.tsv`, split at tabs: the lines about quotients of all heaps, or the other
/// lines if `of_all_heaps` is false.
fn facts(of_all_heaps: bool) -> Vec<Vec<String>> {
    let text = fs::read_to_string(file("tests/data/misere.tsv")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.map(|line| line.split('\t').map(str::to_owned).collect());
    lines.filter(|words: &Vec<String>| (words.len() == 8) == of_all_heaps).collect()
}

/// Checks the lines about quotients of all heaps: the order, the P-portion, the last heap that changes the quotient,
/// the period and the P-positions.
#[test]
fn published_quotients() {
    let facts = facts(true);
    assert_eq!(facts.len(), 24);
    for words in facts {
        let numbers: Vec<Option<u64>> = words[1..6].iter().map(|word| word.parse().ok()).collect();
        let quotient = quotient(&words[0], 1000);
        let last = quotient.partial_quotients.last().unwrap().heap;
        let found = [quotient.order(), quotient.p_portion().len(), last].map(|number| Some(number as u64));
        assert_eq!(found, numbers[..3], "{}", words[0]);
        let Period { start, length } = quotient.period.unwrap();
        assert_eq!((length, Some(start)), (numbers[3].unwrap(), numbers[4].or(Some(start))), "{}", words[0]);
        if let Ok(to) = words[7].parse() {
            let p_heaps = (0..=to).filter(|&heap| quotient.is_p(&[heap]) == Some(true));
            let p_heaps: Vec<String> = p_heaps.map(|heap: u64| heap.to_string()).collect();
            assert_eq!(p_heaps.join(" "), words[6], "{}", words[0]);
        }
    }
}

/// Compares the orders of the quotients of the heaps of 0.07 up to `to`.
fn assert_partial_quotients(to: usize) {
    let expected = facts(false).into_iter().filter_map(|words| {
        let heap = words[0].strip_prefix("0.07:")?.parse().unwrap();
        (heap <= to).then(|| (heap, words[1].parse().unwrap()))
    });
    let quotient = quotient("0.07", to);
    let found = quotient.partial_quotients.iter().map(|partial| (partial.heap, partial.order));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn partial_quotients() {
    assert_partial_quotients(27);
}

#[test]
#[ignore = "takes seconds"]
fn more_partial_quotients() {
    assert_partial_quotients(33);
}

/// Parses a genus of `tests/data/misere.tsv` into its nimber and its misère nimbers.
fn read_genus(text: &str) -> (u64, Vec<u64>) {
    let (nimber, misere) = text.split_once('^').unwrap_or((text, ""));
    let n: u64 = nimber.parse().unwrap();
    let misere: Vec<u64> = misere.chars().map(|digit| digit.to_digit(10).unwrap().into()).collect();
    let misere = match (n, &misere[..]) {
        (0, []) => vec![1, 2, 0],
        (1, []) => vec![0, 3, 1],
        (_, [] | [_]) => vec![n, n ^ 2],
        _ => misere,
    };
    (n, misere)
}

#[test]
fn published_genera() {
    let mut lines = 0;
    for words in facts(false) {
        let Some((kind @ ("genera" | "nimbers"), game)) = words[0].split_once(' ') else { continue };
        let found = genera(&spec(game), 20, 100_000).unwrap();
        let values = words[1].split(' ');
        if kind == "genera" {
            let misere = |genus: &Genus| genus.misere.iter().map(|nimber| nimber.0).collect::<Vec<_>>();
            let found = found.iter().map(|genus| (genus.nimber.0, misere(genus)));
            assert_eq!(found.collect::<Vec<_>>(), values.map(read_genus).collect::<Vec<_>>(), "{game}");
        } else {
            let found: Vec<_> = found.iter().map(Genus::misere_nimber).collect();
            let expected = values.map(|value| Nimber(value.parse().unwrap()));
            assert_eq!(found, expected.collect::<Vec<_>>(), "{game}");
        }
        lines += 1;
    }
    assert_eq!(lines, 6);
}

/// Checks that a quotient of fewer heaps is printed, with exit code 1, if one more heap needs too many elements.
#[test]
#[ignore = "takes half a minute"]
fn a_quotient_of_fewer_heaps() {
    let output = command("misere 0.ff --to 100").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.starts_with("game: octal 0.ff, heaps up to n = 8\nquotient: order 250, P-portion of 24\n"),
        "{printed}"
    );
    let error = "grundy: no quotient with the heap n = 9 was found within the budget\n";
    assert_eq!((output.status.code(), output.stderr), (Some(1), error.into()));
}
