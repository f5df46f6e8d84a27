//! What words of codes tell, against all pairs.

use proptest::prelude::*;

use super::super::leads::Leads;
use super::super::split::{COMMON, Split};
use super::classes::Classes;
use super::codes::Codes;
use super::common_words::CommonWords;
use super::moves::Moves;
use super::ones::{Ones, Word};
use super::partners::Partners;
use super::rare_words::{LEAST_GUESS, RareViews, RareWords};
use super::rares_below::RaresBelow;
use super::row_witnesses::RowWitnesses;
use super::stamped_rares::StampedRares;

/// Some game's moves, some partners, and codes.
#[derive(Clone, Debug)]
struct Case {
    moves: Moves,
    partners: Partners,
    codes: Vec<u16>,
}

/// The codes of a class that a move from `n` leads to, by pairs with the partners and by parts left alone.
fn seen(case: &Case, codes: &[u16], n: usize, class: u16) -> Vec<u16> {
    let sums = case.moves.takes.iter().filter_map(|take| n.checked_sub(*take));
    let pairs = |sum: usize| {
        let partners = case.partners.iter().filter(move |(place, _)| *place <= sum);
        partners.map(move |(place, code)| (code, codes[sum - place]))
    };
    let commons = sums.flat_map(pairs).filter(|(_, other)| *other >= COMMON);
    let of_pairs = commons.map(|(code, other)| (code ^ other) & !COMMON);
    let parts = case.moves.singles.iter().map(|&(taken, change)| codes[n - taken] ^ change);
    of_pairs.chain(parts.filter(|code| code & COMMON == class).map(|code| code & !COMMON)).collect()
}

/// Common codes, each the least that is not seen by pairs with rare segments.
fn compare_commons<T: Word, const A: usize, const B: usize, const P: usize>(case: &Case, more: &[usize]) {
    let mut codes = Codes::new(case.codes.clone(), usize::MAX / 4);
    let mut ones = Ones::<T>::from(0, usize::MAX / 4);
    ones.extend(0, codes.last());
    let mut words = CommonWords::<T, A, B, P>::new(&case.moves, &case.partners, &codes);
    for many in more {
        let from = codes.len();
        let has_room = words.extend(&mut codes, &mut ones, from + many).is_ok();
        for n in from..codes.len() {
            let seen = seen(case, codes.last(), n, COMMON);
            let least = (0..COMMON).find(|code| !seen.contains(code)).unwrap();
            assert_eq!(codes.last()[n], least | COMMON, "{n}");
        }
        assert_eq!(codes.len(), from + many, "{has_room}");
    }
}

/// Rare codes that are less than the codes of the segments, and not seen by pairs with witnesses; those below `small` are
/// looked for.
fn compare_rares<T: Word, R: RareViews<T>>(case: &Case, many: usize, split: Split, small: usize) {
    let from = case.codes.len() / 2;
    let mut below = RaresBelow::new(Classes::of(split));
    let mut ones = Ones::<T>::from(0, usize::MAX / 4);
    let mut codes = Codes::new(case.codes[..from].to_vec(), usize::MAX / 4);
    ones.extend(0, codes.last());
    let mut views = R::new(&case.moves, &codes, &case.partners);
    for next in case.codes[from..].chunks(many) {
        let from = codes.len();
        for &code in next {
            codes.push(code | COMMON);
        }
        ones.extend(from, &codes.last()[from..]);
        let mut missing = Vec::new();
        views.missing(from, &codes, &ones, &mut below, &mut missing);
        let mut expected = Vec::new();
        for (ahead, &code) in (0..).zip(&codes.last()[from..]) {
            let n = from + usize::from(ahead);
            let seen = seen(case, codes.last(), n, 0);
            let parts = Case { partners: Partners::default(), ..case.clone() };
            let parts = self::seen(&parts, codes.last(), n, 0);
            // What is not small may be seen by pairs.
            let is_missing = |code: &u16| {
                if usize::from(*code) < small { !seen.contains(code) } else { !parts.contains(code) }
            };
            let rares = u16::try_from(split.rares_below(code | COMMON)).unwrap();
            expected.extend((0..rares).filter(is_missing).map(|code| (ahead, code)));
        }
        assert_eq!(missing, expected);
    }
}

/// Rare codes that are less than the codes of the segments, and not seen by pairs with witnesses.
fn compare_stamped(case: &Case, many: usize, split: Split) {
    let from = case.codes.len() / 2;
    let mut below = RaresBelow::new(Classes::of(split));
    let mut codes = Codes::new(case.codes[..from].to_vec(), usize::MAX / 4);
    // Any segment may be rare.
    let rares: Partners = [(case.codes.len(), 0)].into_iter().collect();
    let mut views = StampedRares::of(&case.moves, &codes, &rares, &case.partners);
    for next in case.codes[from..].chunks(many) {
        let from = codes.len();
        for &code in next {
            codes.push(code | COMMON);
        }
        let mut missing = Vec::new();
        views.list_missing(from, &codes, &mut below, &mut missing);
        let mut expected = Vec::new();
        for (ahead, &code) in (0..).zip(&codes.last()[from..]) {
            let seen = seen(case, codes.last(), from + usize::from(ahead), 0);
            let rares = u16::try_from(split.rares_below(code | COMMON)).unwrap();
            expected.extend((0..rares).filter(|code| !seen.contains(code)).map(|code| (ahead, code)));
        }
        assert_eq!(missing, expected);
    }
}

/// Rare codes that are less than the codes of the segments: none is left out that is no option by any pair, and a pair is
/// found only where there is one. Some guesses are taken back, for a rare code in their place.
fn compare_rows(case: &Case, many: usize, split: Split) {
    let takes = &case.moves.takes;
    let leads = Leads::new(takes, Vec::new(), vec![0; case.moves.longest()]).unwrap();
    let mut below = RaresBelow::new(Classes::of(split));
    let (known, next) = case.codes.split_at(case.codes.len() / 2);
    let mut codes = Codes::new(known.to_vec(), usize::MAX / 4);
    let mut witnesses = RowWitnesses::new(&leads);
    let mut next = next.iter();
    while next.len() > 0 {
        let from = codes.len();
        let most = witnesses.chunk_end(&codes) - from;
        next.by_ref().take(many.min(most)).for_each(|code| codes.push(code | COMMON));
        let mut missing = Vec::new();
        witnesses.missing(from, &codes, &mut below, &mut missing);
        assert!(missing.is_sorted());
        for (ahead, &code) in (0..).zip(&codes.last()[from..]) {
            let n = from + usize::from(ahead);
            let sums = takes.iter().map(|take| n - take);
            let mut options = vec![false; 1 << 16];
            for sum in sums.clone() {
                (0..=sum).for_each(|a| options[usize::from(codes.last()[a] ^ codes.last()[sum - a])] = true);
            }
            for rare in 0..u16::try_from(split.rares_below(code | COMMON)).unwrap() {
                let is_found = missing.binary_search(&(ahead, rare)).is_err()
                    || witnesses.has_pair(n, rare, &sums, &codes);
                assert!(options[usize::from(rare)] || !is_found, "{n} {rare}");
            }
        }
        if many.is_multiple_of(3) && codes.len() > from + 1 {
            codes.truncate(codes.len() - 2);
            codes.push(codes.last()[codes.len() - 1] & 7);
        }
    }
}

fn any_case(len: usize) -> impl Strategy<Value = Case> {
    let takes = prop::collection::btree_set(1_usize..20, 1..5);
    let singles = prop::collection::btree_map(1_usize..20, any::<bool>(), 0..3);
    let partners = prop::collection::btree_map(0_usize..120, 0_u16..70, 0..40);
    let small = prop::collection::vec(0_u16..20, len);
    let large = prop::collection::vec((0_usize..len, 0_u16..100, any::<bool>()), 0..60);
    (takes, singles, partners, small, large, any::<bool>()).prop_map(
        |(takes, singles, partners, small, large, is_common)| {
            let class = |is_common: bool| if is_common { COMMON } else { 0 };
            let mut codes: Vec<u16> = small.into_iter().map(|code| code | COMMON).collect();
            for (place, code, is_common) in large {
                codes[place] = code | class(is_common);
            }
            let singles = singles.into_iter().map(|(taken, changes)| (taken, class(changes))).collect();
            let moves = Moves { takes: takes.into_iter().collect(), singles };
            let partners =
                partners.into_iter().map(|(place, code)| (place, code | class(is_common))).collect();
            Case { moves, partners, codes }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn common_words(case in any_case(130), more in prop::collection::vec(1_usize..100, 1..4)) {
        compare_commons::<u16, 64, 16, 1>(&case, &more);
        compare_commons::<u32, 32, 8, 1>(&case, &more);
        compare_commons::<u64, 16, 4, 1>(&case, &more);
        compare_commons::<u64, 16, 4, 4>(&case, &more);
    }

    #[test]
    fn rare_words(case in any_case(400), many in 1_usize..=LEAST_GUESS, mask in 1_u16..64) {
        compare_rares::<u16, RareWords<u16, 32>>(&case, many, Split::new(mask), 16);
    }

    #[test]
    fn row_witnesses(case in any_case(2400), many in 1_usize..400, mask in 1_u16..64) {
        compare_rows(&case, many, Split::new(mask));
    }

    #[test]
    fn stamped_rares(case in any_case(400), many in 1_usize..=64, mask in 1_u16..64) {
        let witnesses = case.partners.iter().map(|(place, code)| (place, code | COMMON)).collect();
        compare_stamped(&Case { partners: witnesses, ..case }, many, Split::new(mask));
    }
}
