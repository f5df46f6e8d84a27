//! Witnesses: common segments whose pairs show that rare codes are options. [`Witnesses`] tests one sum at a time,
//! [`RowWitnesses`] all segments of a chunk at once. The module [`sparse`](super::super) explains the terms.

use std::cmp::Reverse;

use super::super::rows::{self, CHUNK, Lanes, LanesBelow, WitnessRows};
use super::super::split::COMMON;
use super::super::take_set::TakeSet;
use super::codes::{Codes, Partners, RaresBelow};
use super::pairs;
use crate::integers::{narrow, ones_of};

/// Number of first segments among which witnesses are chosen.
pub(super) const REACH: usize = if cfg!(test) { 256 } else { 4096 };

/// Maximum number of choices of [`best_codes`]. Each choice is a common code; the same code may be chosen again.
const MAX_CHOICES: usize = 320;

/// Number of segments of a code that become witnesses each time the code is chosen.
const SEGMENTS_PER_CODE: usize = 16;

/// Minimum number of choices. The estimated gains assume that segments are independent. But segments of similar length
/// show the same options, so the gain of a further choice may be larger than its estimate.
const MIN_CHOICES: usize = 6;

/// Minimum gain of one more choice. The gain is the expected number of rare codes per segment for which the choice
/// makes another search unnecessary. Such a search takes a few hundred steps.
const MIN_GAIN: f64 = 0.01;

/// Maximum number of items in the list of a rare code in [`Witnesses`].
const MAX_PAIRS: usize = 96;

/// Common segments whose pairs are tested first. If such a pair has a rare code as its XOR, the code is an option.
#[derive(Default)]
pub(super) struct Witnesses {
    /// The witnesses whose pairs are entered at each sum.
    partners: Partners,
    /// For each rare code, pairs that have this code as their XOR. An item is the place of a common segment, one of the
    /// first [`REACH`] segments, and the code of the other segment.
    lists: Vec<Vec<(u32, u16)>>,
    /// The common codes without their top bit, the most frequent first.
    frequent: Vec<u16>,
    /// The places of each common code among the first [`REACH`] segments, indexed by the code without its top bit.
    by_code: Vec<Vec<u32>>,
}

impl Witnesses {
    /// Chooses witnesses among the first segments. `first` and `last` have the codes of the first and of the last
    /// segments. `below` gets a common code without its top bit, and returns the number of rare nimbers less than the
    /// nimber of the code.
    pub(super) fn new(first: &[u16], last: &[u16], below: impl Fn(u16) -> usize) -> Self {
        let first = &first[..first.len().min(REACH)];
        let last = &last[last.len().saturating_sub(1 << 15)..];
        let common = |code: u16| (code >= COMMON).then_some(usize::from(code & !COMMON));
        let width =
            first.iter().chain(last).filter_map(|&code| common(code)).max().map_or(0, |most| most + 1);
        let (mut by_code, mut counts) = (vec![Vec::new(); width], vec![0_u32; width]);
        last.iter().filter_map(|&code| common(code)).for_each(|code| counts[code] += 1);
        // In mixed order: values come in clusters, so witnesses of similar length show the same options.
        let mixed = (0..REACH).map(|k| k * 1171 % REACH);
        for place in mixed {
            if let Some(code) = first.get(place).and_then(|&code| common(code)) {
                by_code[code].push(narrow::<u32>(place));
            }
        }
        let mut frequent: Vec<u16> =
            (0..narrow(width)).filter(|&code| counts[usize::from(code)] > 0).collect();
        frequent.sort_by_key(|&code| Reverse(counts[usize::from(code)]));
        let mut all: Vec<(usize, u16)> = Vec::new();
        let chosen = best_codes(&counts, below);
        for (code, times) in (0..).zip(chosen).filter(|chosen| chosen.1 > 0) {
            let places = by_code[usize::from(code)].iter().take(times * SEGMENTS_PER_CODE);
            all.extend(places.map(|&place| (place as usize, code | COMMON)));
        }
        all.sort_unstable();
        Self { partners: all.into_iter().collect(), lists: Vec::new(), frequent, by_code }
    }

    pub(super) fn partners(&self) -> &Partners {
        &self.partners
    }

    /// Returns whether a pair of `sum` with a witness has the rare code `code` as its XOR. `last` are the codes from
    /// the place `base` on.
    #[inline]
    pub(super) fn has(&mut self, code: u16, sum: usize, base: usize, last: &[u16]) -> bool {
        while self.lists.len() <= usize::from(code) {
            self.lists.push(self.list(narrow(self.lists.len())));
        }
        let top = sum - base;
        self.lists[usize::from(code)].iter().any(|&(place, other)| last[top - place as usize] == other)
    }

    fn list(&self, rare: u16) -> Vec<(u32, u16)> {
        let with = |&common: &u16| {
            let places = self.by_code.get(usize::from(common ^ rare)).into_iter().flatten();
            places.take(MAX_PAIRS / 4).map(move |&place| (place, common | COMMON))
        };
        self.frequent.iter().flat_map(with).take(MAX_PAIRS).collect()
    }
}

/// Returns how often to choose each common code, so that pairs with its segments leave few rare codes missing. `counts`
/// has the frequency of each common code. The choice is greedy, and gains are computed only when they are needed.
fn best_codes(counts: &[u32], below: impl Fn(u16) -> usize) -> Vec<usize> {
    let all = f64::from(counts.iter().sum::<u32>().max(1));
    let pairs = i32::try_from(SEGMENTS_PER_CODE).unwrap_or(i32::MAX);
    // The probability that no pair with the segments of a chosen common code has a given rare code as its XOR, indexed
    // by the XOR of the two codes.
    let left: Vec<f64> = counts.iter().map(|&count| (1.0 - f64::from(count) / all).powi(pairs)).collect();
    let left = |code: usize, rare: usize| left.get(code ^ rare).copied().unwrap_or(1.0);
    // For each rare code, the expected share of segments that need it as an option and have no pair with it yet.
    let mut missing: Vec<f64> = vec![0.0; counts.len()];
    for (code, &count) in counts.iter().enumerate() {
        missing.iter_mut().take(below(narrow(code))).for_each(|missing| *missing += f64::from(count) / all);
    }
    let score = |code: usize, missing: &[f64]| -> f64 {
        missing.iter().enumerate().map(|(rare, wanted)| wanted * (1.0 - left(code, rare))).sum()
    };
    // Scores only decrease, so an old score is an upper bound.
    let first_score = |code: usize| if counts[code] > 0 { score(code, &missing) } else { 0.0 };
    let mut scores: Vec<f64> = (0..counts.len()).map(first_score).collect();
    let mut chosen = vec![0; counts.len()];
    for round in 0..MAX_CHOICES {
        let best = loop {
            let most = scores.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
            let Some((best, _)) = most else { return chosen };
            let new = score(best, &missing);
            if std::mem::replace(&mut scores[best], new) <= new {
                break best;
            }
        };
        if round >= MIN_CHOICES && scores[best] < MIN_GAIN || scores[best] <= 0.0 {
            break;
        }
        for (rare, missing) in missing.iter_mut().enumerate() {
            *missing *= left(best, rare);
        }
        chosen[best] += 1;
    }
    chosen
}

/// Number of segments after which witnesses are chosen again, because other codes may be more frequent then. Before
/// segment `CHOICE_INTERVAL`, they are chosen again whenever the number of segments has about doubled.
const CHOICE_INTERVAL: usize = 1 << 17;

/// One more witness of a rare code is searched for only if at least `MIN_LANES` segments of the chunk need one. This
/// search takes as long as searching for a pair for each of `MIN_LANES` segments.
const MIN_LANES: u32 = 8;

/// Number of short segments whose pairs are tested at each sum, after the pairs with the short segments found last.
const NEAR: usize = 512;

/// Number of short segments that are remembered for each rare code: those of the pairs found last. Pairs with these
/// segments are tested first.
const LAST_FOUND: usize = 4;

/// Tests for all segments of a chunk at once whether witnesses show that the rare codes below the code of a segment are
/// options of this segment.
pub(super) struct RowWitnesses {
    rows: WitnessRows,
    /// The segment after the present chunk; 0 before the first chunk.
    end: usize,
    /// The segment at which witnesses are chosen again; 0 before the first chunk.
    next_choice: usize,
    below: LanesBelow,
    code_states: Vec<CodeState>,
}

impl RowWitnesses {
    pub(super) fn new(take_set: &TakeSet) -> Self {
        let (rows, below) = (WitnessRows::new(take_set, true), LanesBelow::default());
        Self { rows, end: 0, next_choice: 0, below, code_states: Vec::new() }
    }

    /// Returns the end of the chunk that contains the next segment, and begins this chunk if necessary. The segments
    /// from the next one up to that end can be tested together.
    pub(super) fn chunk_end(&mut self, codes: &Codes) -> usize {
        let n = codes.len();
        if n == self.end && n < self.next_choice {
            self.rows.advance(codes.base(), codes.last());
            self.end += CHUNK;
        } else if n >= self.end {
            self.rows.begin(codes.first(), codes.base(), codes.last());
            (self.end, self.next_choice) = (n + CHUNK, n + CHOICE_INTERVAL.min(n));
        }
        self.end
    }

    /// Tests the rare codes below the code of each segment from `from` on. Appends to `list` those rare codes that no
    /// witness shows to be options of the segment. Each item has the distance of the segment from `from`, and the rare
    /// code. The items are in ascending order. All segments from `from` on must be in [one chunk](Self::chunk_end).
    pub(super) fn missing(
        &mut self,
        from: usize,
        codes: &Codes,
        counts: &mut RaresBelow,
        list: &mut Vec<(u16, u16)>,
    ) {
        let first = self.rows.first();
        let guess = &codes.last()[from - codes.base()..];
        counts.learn_all(guess);
        self.below.clear();
        for (place, &code) in (from..).zip(guess) {
            self.below.enter(place - first, counts.count(code, place));
        }
        for (code, lanes) in self.below.by_code() {
            let left = self.rows.without(code, lanes);
            list.extend(ones_of(left).map(|lane| (narrow::<u16>(first + lane - from), code)));
            if usize::from(code) >= self.code_states.len() {
                self.code_states.resize(usize::from(code) + 1, CodeState::NEW);
            }
            let code_state = &mut self.code_states[usize::from(code)];
            (code_state.lanes, code_state.may_find) = (left, true);
        }
        // Comparing one number is faster than comparing a pair.
        list.sort_unstable_by_key(|&(ahead, code)| u32::from(ahead) << 16 | u32::from(code));
    }

    /// Returns whether the rare code `code` is shown to be an option of segment `n`: by a pair of one of `sums` with a
    /// short segment, or by a witness that was found after the call of [`missing`](Self::missing).
    pub(super) fn has_pair(
        &mut self,
        n: usize,
        code: u16,
        sums: &(impl Iterator<Item = usize> + Clone),
        codes: &Codes,
    ) -> bool {
        let lane = n - self.rows.first();
        let code_state = &mut self.code_states[usize::from(code)];
        if code_state.lanes[lane / 64] >> (lane % 64) & 1 == 0
            || code_state.has_last_found(code, sums.clone(), codes)
        {
            return true;
        }
        if code_state.may_find
            && code_state.lanes.iter().map(|word| word.count_ones()).sum::<u32>() >= MIN_LANES
        {
            let place = |sum: usize| Some((sum, pairs::place(codes, sum, code, CHUNK..rows::REACH)?));
            if let Some((sum, place)) = sums.clone().find_map(place) {
                let other = codes.last()[sum - place - codes.base()];
                if other >= COMMON {
                    self.rows.add(code, place, other, &mut code_state.lanes);
                }
                return true;
            }
            code_state.may_find = false;
        }
        let place = sums.clone().find_map(|sum| pairs::place(codes, sum, code, 0..NEAR));
        if let Some(place) = place {
            code_state.last_found.rotate_right(1);
            code_state.last_found[0] = narrow(place);
        }
        place.is_some()
    }
}

/// The state of a rare code.
#[derive(Clone)]
struct CodeState {
    /// The segments of the chunk for which no witness shows that the code is an option.
    lanes: Lanes,
    /// Whether a search for one more witness may succeed; `false` once a search has failed in this chunk.
    may_find: bool,
    /// The short segments of the last found pairs.
    last_found: [u16; LAST_FOUND],
}

impl CodeState {
    const NEW: Self = Self { lanes: [0; CHUNK / 64], may_find: true, last_found: [0; LAST_FOUND] };

    /// Returns whether a pair of one of `sums` with a segment of `last_found` has the XOR `code`.
    fn has_last_found(&self, code: u16, mut sums: impl Iterator<Item = usize>, codes: &Codes) -> bool {
        let (first, base, last) = (codes.first(), codes.base(), codes.last());
        sums.any(|sum| {
            let is_pair = |&place: &u16| {
                let other = (sum - base).checked_sub(place.into()).and_then(|at| last.get(at));
                other.is_some_and(|other| first[usize::from(place)] ^ other == code)
            };
            self.last_found.iter().any(is_pair)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the result of `best_codes` from its definition: all scores are computed in each round.
    fn choice_by_all_scores(counts: &[u32], below: impl Fn(u16) -> usize) -> Vec<usize> {
        let all = f64::from(counts.iter().sum::<u32>());
        let left = |code: usize, rare: usize| {
            let count = counts.get(code ^ rare).copied().unwrap_or(0);
            (1.0 - f64::from(count) / all).powi(16)
        };
        let mut missing = vec![0.0; counts.len()];
        for (code, &count) in counts.iter().enumerate() {
            missing[..below(narrow(code))].iter_mut().for_each(|missing| *missing += f64::from(count) / all);
        }
        let mut chosen = vec![0; counts.len()];
        for round in 0..MAX_CHOICES {
            let score = |code: usize| -> f64 {
                missing.iter().enumerate().map(|(rare, wanted)| wanted * (1.0 - left(code, rare))).sum()
            };
            let codes = (0..counts.len()).filter(|&code| counts[code] > 0);
            let best = codes.map(|code| (code, score(code))).max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((best, _)) =
                best.filter(|best| best.1 > 0.0 && (round < MIN_CHOICES || best.1 >= MIN_GAIN))
            else {
                break;
            };
            missing.iter_mut().enumerate().for_each(|(rare, missing)| *missing *= left(best, rare));
            chosen[best] += 1;
        }
        chosen
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn best_codes_by_all_scores(counts in prop::collection::vec(0_u32..50, 1..70)) {
            prop_assume!(counts.iter().any(|&count| count > 0));
            let below = |code: u16| usize::from(code / 2);
            prop_assert_eq!(best_codes(&counts, below), choice_by_all_scores(&counts, below));
        }
    }
}
