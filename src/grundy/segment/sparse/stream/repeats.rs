//! The search for the period and the pre-period of a stream.

use super::codes::Codes;
use super::codes::{Reader, Writer};
use super::run::{Engine, Run};

/// Maximum number of saved states besides `mark`.
const MAX_STATES: usize = 64;

/// Maximum number of codes in all saved states.
const MAX_SAVED_CODES: usize = 1 << 21;

/// Initial distance of two saved states.
const SPACING: usize = if cfg!(test) { 1 << 10 } else { 1 << 20 };

/// Number of places that are compared with the first mark.
const POWER: usize = 1 << 10;

/// Number of last codes of a state that are compared first.
const TAIL: usize = 8;

/// The last codes before a place. They determine all later codes if no later code is rare.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    place: usize,
    codes: Vec<u16>,
}

/// Searches for a state that recurs. Each state is compared with an earlier state, the *mark*, which is replaced by the
/// present state after 1, 2, 4, ... times [`POWER`] places (R. P. Brent 1980, "An improved Monte Carlo factorization
/// algorithm").
///
/// If no later segment is rare, the codes after a state follow from it. So the codes repeat once a state recurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Repeats {
    /// The number of rare segments when the search began.
    rares: usize,
    /// The number of codes in a state.
    state_len: usize,
    /// The state with which the later states up to the place `until` are compared.
    mark: Option<State>,
    /// The place at which the mark is next replaced.
    until: usize,
    /// The number of places from the mark to `until`.
    power: usize,
    /// The place up to which states have been compared.
    compared: usize,
    /// Earlier states in ascending order of their places.
    states: Vec<State>,
    /// Minimum distance between the places of two saved states.
    spacing: usize,
    /// The distance of two equal states, once they are found.
    period: Option<usize>,
}

impl Repeats {
    /// Compares the states since the last call, whose codes must still be kept.
    pub(super) fn observe(&mut self, run: &Run) {
        if self.mark.is_none() || self.rares != run.rares.len() {
            self.begin(run);
            return;
        }
        while self.period.is_none() && self.compared < run.codes.len() {
            let end = run.codes.len().min(self.until);
            self.compare(run, end);
            if self.compared == self.until && self.period.is_none() {
                let Some(state) = self.state(run, self.until) else { return self.begin(run) };
                self.power *= 2;
                self.until += self.power;
                self.mark = Some(state);
            }
        }
        self.keep_state(run);
    }

    /// Restarts the search after the last known code.
    fn begin(&mut self, run: &Run) {
        let (place, state_len) = (run.codes.len(), run.state_len());
        *self =
            Self { rares: run.rares.len(), state_len, compared: place, spacing: SPACING, ..Self::default() };
        if let Some(state) = self.state(run, place) {
            (self.power, self.until) = (POWER, place + POWER);
            self.states.push(state.clone());
            self.mark = Some(state);
        }
    }

    /// Returns the state before a place; `None` if its codes are no longer kept.
    fn state(&self, run: &Run, place: usize) -> Option<State> {
        let is_kept = place >= run.codes.base() + self.state_len;
        is_kept.then(|| State { place, codes: run.codes.before(place, self.state_len).to_vec() })
    }

    /// Compares the mark with the states of the places after `compared` up to `end`.
    fn compare(&mut self, run: &Run, end: usize) {
        let Some(mark) = &self.mark else { return };
        let (base, last) = (run.codes.base(), run.codes.last());
        let tail = mark.codes.last_chunk::<TAIL>();
        let windows = last[self.compared + 1 - TAIL - base..end - base].windows(TAIL);
        let places = (self.compared + 1..).zip(windows).filter(|(_, window)| window.first_chunk() == tail);
        // If classes depend on the place, equal codes have equal nimbers only at an even distance.
        let even = |place: usize| (place - mark.place).is_multiple_of(2) || run.classes.exchanged().is_none();
        let mut equal = places
            .filter(|&(place, _)| even(place) && *run.codes.before(place, self.state_len) == mark.codes);
        let found = equal.next().map(|(place, _)| place);
        self.period = found.map(|place| place - mark.place);
        self.compared = end;
    }

    /// Saves the current state if the last saved state is at least `spacing` places back.
    fn keep_state(&mut self, run: &Run) {
        let place = run.codes.len();
        if self.states.last().is_some_and(|state| place < state.place + self.spacing) {
            return;
        }
        self.states.extend(self.state(run, place));
        if self.states.len() > (MAX_SAVED_CODES / self.state_len).clamp(4, MAX_STATES) {
            let mut index = 0;
            self.states.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.spacing *= 2;
        }
    }

    /// Returns the distance of two equal states, if they have been found.
    pub(super) fn period(&self) -> Option<usize> {
        self.period
    }

    /// Returns the place from which on the codes repeat. To find it, codes are computed again from the saved states.
    /// Returns `None` if the place is before the kept codes, or if `give_up` returns true.
    pub(super) fn start(&self, run: &Run, give_up: &mut dyn FnMut() -> bool) -> Option<usize> {
        let (period, mark) = (self.period?, self.mark.as_ref()?);
        let mut states: Vec<&State> = self.states.iter().filter(|state| state.place < mark.place).collect();
        states.push(mark);
        // Binary search for the first state that recurs one period later; every later state recurs too.
        let (mut low, mut high) = (0, states.len() - 1);
        while low < high {
            let middle = usize::midpoint(low, high);
            let mut later = self.follower(run, states[middle].place + period);
            later.advance(states[middle].place + period, give_up)?;
            if *later.codes().before(states[middle].place + period, self.state_len) == states[middle].codes {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let end = states[low].place;
        let Some(before) = low.checked_sub(1) else { return self.early_start(run, end, give_up) };
        self.last_difference(run, states[before].place, end, give_up)
    }

    /// Returns one more than the last place before `end` whose code differs from the code a period later. The state at
    /// `from` must differ from the state a period later.
    fn last_difference(
        &self,
        run: &Run,
        from: usize,
        end: usize,
        give_up: &mut dyn FnMut() -> bool,
    ) -> Option<usize> {
        let period = self.period?;
        let (mut here, mut later) = (self.follower(run, from), self.follower(run, from + period));
        later.advance(from + period, give_up)?;
        let mut start = from - self.state_len;
        let mut known = from - self.state_len;
        while known < end {
            let next = (known + (1 << 16)).max(from).min(end);
            here.advance(next, give_up)?;
            later.advance(next + period, give_up)?;
            let many = next - known;
            let pairs = here.codes().before(next, many).iter().zip(later.codes().before(next + period, many));
            start = pairs
                .enumerate()
                .filter(|(_, (a, b))| a != b)
                .map(|(at, _)| known + at + 1)
                .next_back()
                .unwrap_or(start);
            known = next;
        }
        Some(start)
    }

    /// Returns the place from which on the codes repeat, if it is before `end`, the place of the first saved state.
    /// Returns `None` if not all codes before `end` are kept, or if `give_up` returns true.
    fn early_start(&self, run: &Run, end: usize, give_up: &mut dyn FnMut() -> bool) -> Option<usize> {
        let (period, first) = (self.period?, run.codes.first());
        let first_codes = first.get(..end)?;
        let mut start = 0;
        let mut enter = |known: usize, later: &[u16]| {
            let pairs = first_codes[known..].iter().zip(later).enumerate();
            start =
                pairs.filter(|(_, (a, b))| a != b).map(|(at, _)| known + at + 1).next_back().unwrap_or(start);
        };
        let many = first.len().saturating_sub(period).min(end);
        enter(0, &first[period.min(first.len())..][..many]);
        let mut known = many;
        let mut later = self.follower(run, (known + period).max(end));
        while known < end {
            let next = (known + (1 << 16)).min(end);
            later.advance(next + period, give_up)?;
            enter(known, later.codes().before(next + period, next - known));
            known = next;
        }
        Some(start)
    }

    /// Returns a [`Follower`] that continues from the last saved state at or before `place`.
    fn follower(&self, run: &Run, place: usize) -> Follower {
        let states = self.states.iter().chain(&self.mark);
        let state = states.filter(|state| state.place <= place).max_by_key(|state| state.place);
        let (base, codes) =
            state.map_or((0, Vec::new()), |state| (state.place - self.state_len, state.codes.clone()));
        Follower::new(run, Codes::with_gap(Vec::new(), base, codes, self.state_len.max(1 << 17)))
    }
}

impl Repeats {
    /// Writes this search to a state.
    pub(super) fn save(&self, writer: &mut Writer) {
        let numbers = [self.rares, self.state_len, self.until, self.power, self.compared, self.spacing];
        for number in numbers {
            writer.number(number);
        }
        writer.number(self.period.unwrap_or(0));
        writer.number(self.states.len() + usize::from(self.mark.is_some()));
        for state in self.states.iter().chain(&self.mark) {
            writer.number(state.place);
            writer.codes(&state.codes);
        }
    }

    /// Reads a search from a state.
    pub(super) fn restore(reader: &mut Reader<'_>) -> Option<Self> {
        let mut number = || reader.number();
        let (rares, state_len, until, power) = (number()?, number()?, number()?, number()?);
        let (compared, spacing, period) = (number()?, number()?, number()?);
        let state = |reader: &mut Reader<'_>| Some(State { place: reader.number()?, codes: reader.codes()? });
        let mut states = reader.many(state)?;
        let mark = states.pop();
        let period = Some(period).filter(|period| *period > 0);
        Some(Self { rares, state_len, mark, until, power, compared, states, spacing, period })
    }
}

/// Number of values between two calls of `give_up`.
const BLOCK: usize = 1 << 14;

/// A run from saved codes on, whose values are known to be common.
pub(super) struct Follower {
    run: Run,
    engine: Engine,
}

impl Follower {
    /// Returns a follower of `run` that continues after `codes`.
    pub(super) fn new(run: &Run, codes: Codes) -> Self {
        let mut run = Run::new(run.take_set.clone(), run.classes, codes, run.rares.clone());
        run.assumes_no_more_rare = true;
        let engine = Engine::new(&run);
        Self { run, engine }
    }

    /// Returns the codes, of which the last ones are kept.
    pub(super) fn codes(&self) -> &Codes {
        &self.run.codes
    }

    /// Computes codes until there are `end`; returns `None` if `give_up` returns true.
    pub(super) fn advance(&mut self, end: usize, give_up: &mut dyn FnMut() -> bool) -> Option<()> {
        while self.run.codes.len() < end {
            if give_up() {
                return None;
            }
            self.run.codes.drop_old();
            let next = (self.run.codes.len() + BLOCK).min(end);
            self.engine.advance(&mut self.run, next).ok()?;
        }
        Some(())
    }
}
