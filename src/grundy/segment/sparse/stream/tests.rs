//! Compares streams of codes and their parts with definitions, and streams of windows with the engine of sequences.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::super::split::{COMMON, Split};
use super::super::take_set::TakeSet;
use super::codes::{Classes, Codes, Moves, Partners, RaresBelow};
use super::ones::{Ones, Word};
use super::views::{RARE_SUMS, Views, Wide};
use super::witnesses::RowWitnesses;
use super::words::{CommonWords, MIN_GUESS, RareWords};
use super::*;
use crate::grundy::generic::definition;
use crate::grundy::octal;
use crate::rules::OctalCode;

/// A history with the values of a game in memory.
struct Values(Vec<u16>);

impl History for Values {
    fn read(&mut self, from: u64, values: &mut [u16]) -> Result<bool, String> {
        let from = usize::try_from(from).unwrap();
        values.copy_from_slice(&self.0[from..from + values.len()]);
        Ok(true)
    }
}

fn code(text: &str) -> OctalCode {
    text.parse().unwrap()
}

/// Codes whose rare values end early, end late or keep coming. Under some codes the classes depend on the place; under
/// others, some codes of values are above 64.
const CODES: [&str; 12] = [
    "0.16", "0.56", "0.127", "0.376", "0.354", "0.156", "0.644", "0.356", "0.104", "0.106", "0.054", "0.454",
];

/// Advances to `n`, by `step` values at a time, and returns all values.
fn advance(
    stream: &mut SparseStream,
    n: u64,
    step: u64,
    history: &mut dyn History,
) -> Result<Vec<u16>, Stopped> {
    let mut values: Vec<u16> = stream.values_from(0).unwrap().collect();
    while stream.len() <= n {
        let from = stream.len();
        let result = stream.advance((from + step).min(n + 1), history);
        values.extend(stream.values_from(from).unwrap());
        result?;
    }
    Ok(values)
}

/// The number of cards up to which the codes are compared with the definition.
const MOST: u64 = 14_000;

/// The values of [`CODES`] by the definition.
static VALUES: LazyLock<Vec<Vec<u16>>> =
    LazyLock::new(|| CODES.iter().map(|text| definition::of_code(code(text), narrow(MOST))).collect());

/// With a history all values are right, even if few are kept. Without a history, the values before the stream stops
/// are right.
#[test]
fn few_values_are_kept() {
    let mut unsettled = 0;
    for (text, values) in CODES.iter().zip(&*VALUES) {
        let mut stream = octal::stream(code(text), 0).unwrap();
        let mut history = Values(values.clone());
        assert_eq!(&advance(&mut stream, MOST, 700, &mut history).unwrap(), values, "{text}");
        let mut stream = octal::stream(code(text), 0).unwrap();
        let stopped = advance(&mut stream, MOST, 700, &mut NoHistory);
        let known: Vec<u16> = stream.values_from(stream.len() - 500).unwrap().collect();
        let from = usize::try_from(stream.len()).unwrap();
        assert_eq!(known, values[from - 500..from], "{text} {stopped:?}");
        if let Err(stopped) = stopped {
            assert_eq!(stopped, Stopped::Unsettled { at: stream.len() }, "{text}");
            unsettled += 1;
        }
    }
    // The rare values of 0.376 do not end.
    assert!(unsettled > 0);
}

/// If all values are kept, no history is needed.
#[test]
fn all_values_are_kept() {
    for (text, values) in CODES.iter().zip(&*VALUES) {
        let mut stream = octal::stream(code(text), 1 << 20).unwrap();
        assert_eq!(&advance(&mut stream, MOST, 999, &mut NoHistory).unwrap(), values, "{text}");
    }
}

#[test]
fn windows() {
    for (l, r) in [(1, 2), (2, 2), (1, 3), (1, 9), (3, 5), (2, 4), (4, 4), (1, 33)] {
        let window = Window::new(l, r).unwrap();
        let values = crate::grundy::segment::Sequence::up_to(window, 20_000);
        let Some(mut stream) = SparseStream::of_window(window, 1 << 16) else { continue };
        let found = advance(&mut stream, 20_000, 5000, &mut NoHistory).unwrap();
        assert!(
            found.iter().map(|&value| u32::from(value)).eq(values.values().iter().copied()),
            "{window:?}"
        );
    }
    assert!(SparseStream::of_window(Window::new(1, 257).unwrap(), 0).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_code(digits in prop::collection::vec(0_u8..8, 1..6), n in 3000_u64..6000, step in 300_u64..900) {
        let code = OctalCode::new(&[vec![0], digits].concat());
        if let Some(code) = code
            && let Some(mut stream) = octal::stream(code, 0)
        {
            let values = definition::of_code(code, narrow(n.max(stream.len() - 1)));
            let mut history = Values(values.clone());
            prop_assert_eq!(advance(&mut stream, n, step, &mut history).unwrap(), values, "{}", code);
        }
    }

    /// A state that is saved and restored anywhere continues unchanged, and is saved to the same bytes. A state whose
    /// end is missing is not restored.
    #[test]
    fn saved_states(at in 0_usize..CODES.len(), stop in 2500_u64..15_000, more in 1_u64..8000) {
        let code = code(CODES[at]);
        let mut stream = octal::stream(code, 1 << 14).unwrap();
        advance(&mut stream, stop, 1000, &mut NoHistory).unwrap();
        stream.find_repeat();
        let state = stream.save();
        let mut restored = octal::restore_stream(code, &state).unwrap();
        prop_assert_eq!(&restored.save(), &state);
        for stream in [&mut stream, &mut restored] {
            stream.advance(stop + more, &mut NoHistory).unwrap();
            stream.find_repeat();
        }
        prop_assert_eq!(stream.save(), restored.save());
        for len in [0, 7, state.len() / 2, state.len() - 1] {
            prop_assert!(octal::restore_stream(code, &state[..len]).is_none());
        }
    }
}

/// The published periods and pre-periods of some codes are found.
#[test]
fn periods() {
    for (text, start, length) in [
        ("0.45", 498, 20),
        ("0.156", 3479, 349),
        ("0.356", 7315, 142),
        ("0.644", 3256, 442),
        ("0.16", 105_351, 149_459),
        ("0.127", 46_578, 4),
        ("0.77", 71, 12),
    ] {
        // Keep few values, then many.
        for keep in [1 << 15, 1 << 20] {
            let mut stream = octal::stream(code(text), keep).expect(text);
            while stream.find_repeat().is_none() {
                stream.advance(stream.len() + 1000, &mut NoHistory).unwrap();
            }
            let period = Some(Period { start, length });
            assert_eq!(stream.repeat(&mut || false), period, "{text}");
            assert_eq!(stream.repeat(&mut || true).filter(|_| start > 1 << 16), None, "{text}");
        }
    }
}

/// The moves of a game, some partners, and the codes of the segments.
#[derive(Clone, Debug)]
struct Case {
    moves: Moves,
    partners: Partners,
    codes: Vec<u16>,
}

/// Returns the codes of one class, without their top bits, that are options of `n`: the XORs of pairs of a partner and
/// a common segment, and the codes of single parts.
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

/// Compares [`CommonWords`] with the definition: each common code is the least that [`seen`] does not return.
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

/// Compares [`RareWords`] with the definition: for each segment, the listed rare codes are those below the code of the
/// segment that [`seen`] does not return. Codes from `small` on are listed even if pairs with witnesses have these
/// XORs.
fn compare_rares<T: Word>(case: &Case, many: usize, split: Split, small: usize) {
    let from = case.codes.len() / 2;
    let mut below = RaresBelow::new(Classes::of(split));
    let mut ones = Ones::<T>::from(0, usize::MAX / 4);
    let mut codes = Codes::new(case.codes[..from].to_vec(), usize::MAX / 4);
    ones.extend(0, codes.last());
    let mut views = RareWords::<T, RARE_SUMS>::new(&case.moves, &codes, &case.partners);
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
            // For codes from `small` on, only single parts are considered.
            let is_missing = |code: &u16| {
                if usize::from(*code) < small { !seen.contains(code) } else { !parts.contains(code) }
            };
            let rares = u16::try_from(split.rares_below(code | COMMON)).unwrap();
            expected.extend((0..rares).filter(is_missing).map(|code| (ahead, code)));
        }
        assert_eq!(missing, expected);
    }
}

/// Compares [`Wide`] with the definition, like [`compare_rares`]. Here pairs are considered for codes of any size.
fn compare_stamped(case: &Case, many: usize, split: Split) {
    let from = case.codes.len() / 2;
    let mut below = RaresBelow::new(Classes::of(split));
    let mut codes = Codes::new(case.codes[..from].to_vec(), usize::MAX / 4);
    // Any segment may be rare.
    let rares: Partners = [(case.codes.len(), 0)].into_iter().collect();
    let mut views = Wide::new(&case.moves, &codes, &rares, &case.partners);
    for next in case.codes[from..].chunks(many) {
        let from = codes.len();
        for &code in next {
            codes.push(code | COMMON);
        }
        let mut missing = Vec::new();
        views.missing_rares(from, &codes, &mut below, &mut missing);
        let mut expected = Vec::new();
        for (ahead, &code) in (0..).zip(&codes.last()[from..]) {
            let seen = seen(case, codes.last(), from + usize::from(ahead), 0);
            let rares = u16::try_from(split.rares_below(code | COMMON)).unwrap();
            expected.extend((0..rares).filter(|code| !seen.contains(code)).map(|code| (ahead, code)));
        }
        assert_eq!(missing, expected);
    }
}

/// Compares [`RowWitnesses`] with the definition: `missing` lists each rare code below the code of a segment that is no
/// option, and `has_pair` returns true only for options. Some guesses are replaced by a rare code.
fn compare_rows(case: &Case, many: usize, split: Split) {
    let takes = &case.moves.takes;
    let take_set = TakeSet::new(takes, Vec::new(), vec![0; case.moves.longest()]).unwrap();
    let mut below = RaresBelow::new(Classes::of(split));
    let (known, next) = case.codes.split_at(case.codes.len() / 2);
    let mut codes = Codes::new(known.to_vec(), usize::MAX / 4);
    let mut witnesses = RowWitnesses::new(&take_set);
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
    fn rare_words(case in any_case(400), many in 1_usize..=MIN_GUESS, mask in 1_u16..64) {
        compare_rares::<u16>(&case, many, Split::new(mask), 16);
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
