//! Games of piles: a move takes a number of stones from one pile, and a pile is a heap of one place.

use std::fmt;
use std::sync::Arc;
use std::thread;

use super::{
    Budget, Detail, Followers, Game, Heap, Illegal, MAX_SIZE, Opened, Setup, SetupError, Take, Theory,
    TooLarge,
};
use crate::crates::few;
use crate::quote;

pub mod divisor;
mod factor;
pub mod nim;
mod sieve;
pub mod square;
pub mod subtract;
mod tabled;
mod values;

/// Which numbers the rules allow to take from a pile.
trait Takes: fmt::Debug + Send + Sync {
    /// The rules in the header's words, sizes left out.
    fn rules(&self) -> String;

    /// Whether `take`, at most `n`, may be taken from a pile of `n`.
    fn check(&self, n: u64, take: u64) -> Result<(), Illegal>;

    /// All numbers that may be taken from a pile of `n`, in ascending order.
    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_>;

    /// Whether there is one.
    fn is_live(&self, n: u64) -> bool {
        self.count(n) > 0
    }

    /// How many they are.
    fn count(&self, n: u64) -> u64 {
        self.takes(n).count() as u64
    }

    /// The k-th of them, from 0.
    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        self.takes(n).nth(usize::try_from(k).ok()?)
    }

    /// No move takes less.
    fn least(&self) -> u64;

    /// The steps of comparing all moves of a pile: the moves of each follower are gone through.
    fn effort(&self, n: u64) -> u128 {
        u128::from(self.count(n)).pow(2)
    }

    /// How much a theory tells that is asked for in this detail.
    fn detail(&self, _asked: Detail) -> Detail {
        Detail::Nimber
    }

    /// The Grundy values of piles up to `largest`.
    fn theory(&self, largest: u64, detail: Detail, budget: &mut Budget) -> Result<Box<dyn Theory>, TooLarge>;

    /// The same, telling from time to time up to which size they are known, if it takes long enough.
    fn theory_reporting(
        &self,
        largest: u64,
        detail: Detail,
        budget: &mut Budget,
        _progress: &mut dyn FnMut(u64),
    ) -> Result<Box<dyn Theory>, TooLarge> {
        self.theory(largest, detail, budget)
    }
}

/// A pile under such rules.
#[derive(Clone, Copy, Debug)]
struct Pile<T>(T);

impl<T: Takes> Game for Pile<T> {
    fn rules(&self) -> String {
        self.0.rules()
    }

    fn span(&self, _heap: Heap) -> u64 {
        1
    }

    fn follow(&self, heap: Heap, take: Take) -> Result<Followers, Illegal> {
        let size = heap.size;
        let left = size.checked_sub(take.count).ok_or(Illegal::LargerThanPile { size })?;
        self.0.check(size, take.count)?;
        Ok(few![(0, Heap::of(left))])
    }

    fn is_live(&self, heap: Heap) -> bool {
        self.0.is_live(heap.size)
    }

    fn move_count(&self, heap: Heap) -> u128 {
        self.0.count(heap.size).into()
    }

    fn nth_move(&self, heap: Heap, n: u128) -> Option<Take> {
        self.0.nth(heap.size, u64::try_from(n).ok()?).map(take)
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = Take> + '_> {
        Box::new(self.0.takes(heap.size).map(take))
    }

    fn longest(&self, heap: Heap) -> u64 {
        heap.size / self.0.least()
    }

    fn match_move(&self, heap: Heap, wanted: &[Heap]) -> Option<Take> {
        let left = match *wanted {
            [] => 0,
            [Heap { size, .. }] => size,
            _ => return None,
        };
        let count = heap.size.checked_sub(left).filter(|&count| count > 0)?;
        self.0.check(heap.size, count).ok().map(|()| take(count))
    }

    fn effort(&self, heap: Heap) -> u128 {
        self.0.effort(heap.size)
    }

    fn detail(&self, asked: Detail) -> Detail {
        self.0.detail(asked)
    }

    fn theory(
        &self,
        largest: Heap,
        detail: Detail,
        budget: &mut Budget,
    ) -> Result<Box<dyn Theory>, TooLarge> {
        self.0.theory(largest.size, detail, budget)
    }

    fn theory_reporting(
        &self,
        largest: Heap,
        detail: Detail,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Box<dyn Theory>, TooLarge> {
        self.0.theory_reporting(largest.size, detail, budget, progress)
    }
}

fn take(count: u64) -> Take {
    Take { offset: 0, count }
}

/// Sets up the piles of a header under some rules.
fn piles(setup: &Setup, form: &str, max: u64, takes: impl Takes + 'static) -> Result<Opened, SetupError> {
    if setup.sizes.is_empty() || !setup.sizes.iter().all(|size| (1..=max).contains(size)) {
        return Err(setup.unfit(form));
    }
    Ok(Opened {
        game: Arc::new(Pile(takes)),
        heaps: (0..).zip(setup.sizes.iter().map(|&size| Heap::of(size))).collect(),
        places: setup.sizes.len() as u64,
    })
}

/// Rules in the header's words: the game's name and its list, if it has any.
fn words(name: &str, keyword: &str, numbers: impl ExactSizeIterator<Item = u64>) -> String {
    let mut words = vec![name.to_owned()];
    if numbers.len() > 0 {
        words.push(keyword.to_owned());
    }
    words.extend(numbers.map(|number| number.to_string()));
    words.join(" ")
}

/// A table in the words of a refusal.
fn table_of(what: &str, largest: u64, rules: &str) -> String {
    format!("a table of the {what} of piles up to {largest} under {}", quote(rules.as_bytes()))
}

/// The numbers of a list that comes behind `keyword`, sorted, each once; `None` if the words do not fit.
fn listed(setup: &Setup, keyword: &str) -> Option<Vec<u64>> {
    let (word, numbers) = setup.list.as_ref()?;
    let mut numbers = numbers.clone();
    numbers.sort_unstable();
    numbers.dedup();
    (word == keyword && numbers.first().is_some_and(|&least| least > 0)).then_some(numbers)
}

/// The numbers of a ban list, none if there is no list.
fn banned(setup: &Setup, form: &str) -> Result<Vec<u64>, SetupError> {
    match setup.list {
        None => Ok(Vec::new()),
        Some(_) => listed(setup, "ban").ok_or_else(|| setup.unfit(form)),
    }
}

/// The threads for a table in blocks: no more than can be kept busy while one of them settles a block alone.
fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(8)
}
