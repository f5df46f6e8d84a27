//! The genus of a heap.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

use crate::{GameSpec, Nimber, SpecError, mex};

use super::heaps::{HeapOptions, options};

/// The genus of a game G (J. H. Conway 1976, "On Numbers and Games", chapter 12): its nimber in normal play, and the
/// misère nimbers of G, G + *2, G + *2 + *2 and so on.
///
/// The misère nimber of a game without options is 1. The misère nimber of any other game is the mex of the misère
/// nimbers of its options. It is the size of the nim heap whose sum with the game is a P-position in misère play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genus {
    /// The nimber in normal play.
    pub nimber: Nimber,
    /// The misère nimbers of G, G + *2 and so on. After the last nimber of the list, the last two nimbers alternate for
    /// ever.
    pub misere: Vec<Nimber>,
}

impl Genus {
    /// Returns the misère nimber of the game.
    pub fn misere_nimber(&self) -> Nimber {
        self.at(0)
    }

    fn of(options: &[Rc<Self>]) -> Self {
        let nimber = mex(options.iter().map(|option| option.nimber));
        let first =
            if options.is_empty() { Nimber(1) } else { mex(options.iter().map(|option| option.at(0))) };
        let mut misere = vec![first];
        // The index from which on the misère nimbers of all options alternate.
        let alternating = options.iter().map(|option| option.misere.len() - 2).max().unwrap_or(0);
        // G + *2 also has the options G + *1 and G. Adding *1 changes the last bit of a misère nimber.
        loop {
            let (index, last) = (misere.len(), misere[misere.len() - 1]);
            let others = options.iter().map(|option| option.at(index));
            let next = mex(others.chain([last, Nimber(last.0 ^ 1)]));
            if index >= alternating + 2 && next == misere[index - 2] {
                break;
            }
            misere.push(next);
        }
        while misere.len() > 2 && misere[misere.len() - 1] == misere[misere.len() - 3] {
            misere.pop();
        }
        Self { nimber, misere }
    }

    /// Returns the misère nimber of the sum of the game and `index` nim heaps of 2.
    fn at(&self, index: usize) -> Nimber {
        let last_two = self.misere.len() - 2;
        self.misere[if index < last_two { index } else { last_two + (index - last_two) % 2 }]
    }

    fn of_nim(nimber: Nimber) -> Self {
        let misere = match nimber {
            Nimber(0) => vec![1, 2, 0],
            Nimber(1) => vec![0, 3, 1],
            Nimber(n) => vec![n, n ^ 2],
        };
        Self { nimber, misere: misere.into_iter().map(Nimber).collect() }
    }
}

impl fmt::Display for Genus {
    /// Writes the genus as Conway does, or only the nimber if a nim heap has this genus.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.nimber)?;
        if *self == Self::of_nim(self.nimber) {
            return Ok(());
        }
        f.write_str("^")?;
        self.misere.iter().try_for_each(|&nimber| match nimber {
            Nimber(0..=9) => write!(f, "{nimber}"),
            _ => write!(f, "({nimber})"),
        })
    }
}

/// Computes the genera of the heaps from 0 to `to` under the rules of `game`, whose sizes are ignored. `sums` is the
/// maximum number of sums of heaps whose genera are computed; stops before the first heap for which more are needed.
///
/// # Errors
///
/// If the game is a sum, in misère play or not valid, or if its heaps are pairs.
pub fn genera(game: &GameSpec, to: usize, sums: usize) -> Result<Vec<Genus>, SpecError> {
    let rules = game.rules_of_sizes()?;
    let heaps = HeapOptions::new();
    let mut genera =
        Genera { heaps, equal: Vec::new(), by_options: HashMap::new(), of: HashMap::new(), sums };
    let mut found = Vec::new();
    for heap in 0..=to {
        if heap > 0 && genera.heaps.add_heap(options(rules.as_ref(), heap)).is_err() {
            break;
        }
        let options = genera.heaps.of(heap).iter().map(|option| genera.simplified(option)).collect();
        genera.equal.push(*genera.by_options.entry(options).or_insert(heap));
        let Some(genus) = genera.of(&genera.simplified(&[heap])) else { break };
        found.push(Genus::clone(&genus));
    }
    Ok(found)
}

struct Genera {
    heaps: HeapOptions,
    /// For each heap the smallest heap with the same options.
    equal: Vec<usize>,
    /// For each set of options the smallest heap that has this set.
    by_options: HashMap<BTreeSet<Vec<usize>>, usize>,
    of: HashMap<Vec<usize>, Rc<Genus>>,
    /// Maximum number of sums in `of`.
    sums: usize,
}

impl Genera {
    /// Returns a sum that equals `sum` in misère play. Replaces each heap by the smallest equal heap, and removes heaps
    /// without moves and pairs of heaps whose only option is 0. Other pairs of equal heaps do not cancel in general.
    fn simplified(&self, sum: &[usize]) -> Vec<usize> {
        let mut heaps: Vec<usize> = sum.iter().map(|&heap| self.equal[heap]).collect();
        // All heaps whose only option is 0 are equal.
        let mut unpaired = None;
        heaps.retain(|&heap| match self.heaps.plies(heap) {
            1 => {
                unpaired = unpaired.xor(Some(heap));
                false
            }
            plies => plies > 0,
        });
        heaps.extend(unpaired);
        heaps.sort_unstable();
        heaps
    }

    /// Returns the genus of a simplified sum; `None` if it needs too many sums.
    fn of(&mut self, sum: &[usize]) -> Option<Rc<Genus>> {
        if let Some(genus) = self.of.get(sum) {
            return Some(Rc::clone(genus));
        }
        let mut options = BTreeSet::new();
        for (index, &heap) in sum.iter().enumerate() {
            for option in self.heaps.of(heap) {
                options.insert(self.simplified(&[&sum[..index], option, &sum[index + 1..]].concat()));
            }
        }
        let options: Option<Vec<Rc<Genus>>> = options.iter().map(|option| self.of(option)).collect();
        if self.of.len() == self.sums {
            return None;
        }
        let genus = Rc::new(Genus::of(&options?));
        self.of.insert(sum.to_vec(), Rc::clone(&genus));
        Some(genus)
    }
}
