//! Starts that are smaller than another one.

use zeroxor::{GameSpec, OctalCode};

use referee::setup::GameHeader;

/// All numbers up to this one are tried in the place of a larger one.
const SMALL: u64 = 10;

/// Starts that are smaller than this one: without a component, without a number, or with a smaller number. The
/// smallest of each kind are first.
pub(super) fn smaller_headers(header: &GameHeader) -> Vec<GameHeader> {
    let write = if header.has_names() { GameHeader::with_names } else { GameHeader::new };
    let mut found = Vec::new();
    let components = header.game().components();
    let mut offer = |components: Vec<GameSpec>| {
        let game = GameSpec::Sum(components);
        if game.validate().is_ok() {
            found.push(write(game, header.side()));
        }
    };
    for (at, component) in components.iter().enumerate() {
        let with = |replaced: Option<GameSpec>| {
            let mut components = components.to_vec();
            components.splice(at..=at, replaced);
            components
        };
        if components.len() > 1 {
            offer(with(None));
        }
        for smaller in smaller_games(component) {
            offer(with(Some(smaller)));
        }
    }
    found
}

/// Games in which one number is missing or smaller. Some of them are not valid.
fn smaller_games(game: &GameSpec) -> Vec<GameSpec> {
    match game {
        &GameSpec::Segment { n, l, r } => {
            // L and R are at most N.
            let rows = below(n).map(|n| GameSpec::Segment { n, l: l.min(n), r: r.min(n) });
            let from = below(l).map(|l| GameSpec::Segment { n, l, r });
            rows.chain(from).chain(below(r).map(|r| GameSpec::Segment { n, l, r })).collect()
        }
        &GameSpec::Euclid { a, b } => {
            let first = below(a).map(|a| GameSpec::Euclid { a, b });
            first.chain(below(b).map(|b| GameSpec::Euclid { a, b })).collect()
        }
        GameSpec::Octal { code, heaps } => {
            let with_heaps = smaller_piles(heaps).map(|heaps| GameSpec::Octal { code: *code, heaps });
            let codes = smaller_codes(code);
            with_heaps.chain(codes.map(|code| GameSpec::Octal { code, heaps: heaps.clone() })).collect()
        }
        GameSpec::Nim { piles } => smaller_piles(piles).map(|piles| GameSpec::Nim { piles }).collect(),
        GameSpec::Square { piles, banned } => {
            with_smaller_list(piles, banned, |piles, banned| GameSpec::Square { piles, banned })
        }
        GameSpec::Divisor { piles, banned } => {
            with_smaller_list(piles, banned, |piles, banned| GameSpec::Divisor { piles, banned })
        }
        GameSpec::Subtract { piles, takes } => {
            with_smaller_list(piles, takes, |piles, takes| GameSpec::Subtract { piles, takes })
        }
        _ => Vec::new(),
    }
}

/// The codes in which one digit allows one thing less.
fn smaller_codes(code: &OctalCode) -> impl Iterator<Item = OctalCode> {
    let digits = code.digits();
    let bits = (0..digits.len()).flat_map(|take| (0..4).map(move |bit| (take, 1_u8 << bit)));
    bits.filter(|&(take, bit)| digits[take] & bit > 0).filter_map(|(take, bit)| {
        let mut digits = digits.to_vec();
        digits[take] -= bit;
        OctalCode::new(&digits)
    })
}

/// Games of piles and a list in which a pile or a number of the list is missing, or a pile is smaller.
fn with_smaller_list(
    piles: &[u64],
    list: &[u64],
    game: impl Fn(Vec<u64>, Vec<u64>) -> GameSpec,
) -> Vec<GameSpec> {
    let games = smaller_piles(piles).map(|piles| game(piles, list.to_vec()));
    games.chain((0..list.len()).map(|at| game(piles.to_vec(), without(list, at)))).collect()
}

/// The piles without one of them, or with one of them smaller.
fn smaller_piles(piles: &[u64]) -> impl Iterator<Item = Vec<u64>> {
    piles.iter().enumerate().flat_map(move |(at, &size)| {
        let smaller = below(size).map(move |less| {
            let mut piles = piles.to_vec();
            piles[at] = less;
            piles
        });
        std::iter::once(without(piles, at)).chain(smaller)
    })
}

fn without(numbers: &[u64], at: usize) -> Vec<u64> {
    let mut numbers = numbers.to_vec();
    numbers.remove(at);
    numbers
}

/// Numbers smaller than `size`, in ascending order: those up to 10, and others of which each halves the distance to
/// `size`.
fn below(size: u64) -> impl Iterator<Item = u64> {
    let gaps = std::iter::successors(Some(size.saturating_sub(1)), |&gap| Some(gap / 2));
    let larger = gaps.take_while(|&gap| gap > 0).map(move |gap| size - gap).filter(|&number| number > SMALL);
    (1..=SMALL).take_while(move |&number| number < size).chain(larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smaller(header: &str) -> Vec<String> {
        super::smaller_headers(&header.parse().unwrap()).into_iter().map(String::from).collect()
    }

    #[test]
    fn numbers_below() {
        assert_eq!(below(1).count(), 0);
        assert_eq!(below(2).collect::<Vec<_>>(), [1]);
        assert_eq!(below(11).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
        assert_eq!(below(40).skip(9).collect::<Vec<_>>(), [10, 21, 31, 36, 38, 39]);
    }

    /// Every smaller start is valid, and the smallest start has none.
    #[test]
    fn smaller_starts() {
        assert_eq!(smaller("1 1 1"), Vec::<String>::new());
        assert_eq!(smaller("3 2 3"), ["1 1 1", "2 2 2", "3 1 3", "3 2 2"]);
        assert_eq!(smaller("segment 2 1 1 seat first"), ["segment 1 1 1 seat first"]);
        assert_eq!(smaller("nim 2 + 1 1 1"), ["1 1 1", "nim 1 + 1 1 1", "nim 2"]);
        assert_eq!(
            smaller("square 2 3 ban 4"),
            [
                "square 3 ban 4",
                "square 1 3 ban 4",
                "square 2 ban 4",
                "square 2 1 ban 4",
                "square 2 2 ban 4",
                "square 2 3"
            ]
        );
        assert_eq!(smaller("octal 0.05 3"), ["octal 0.05 1", "octal 0.05 2", "octal 0.04 3", "octal 0.01 3"]);
        assert_eq!(smaller("nim 1 + nim 2"), ["nim 2", "nim 1", "nim 1 + nim 1"]);
        assert_eq!(smaller("subtract 1 take 2"), Vec::<String>::new(), "a subtraction set is never empty");
    }
}
