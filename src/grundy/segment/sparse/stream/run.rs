//! One value after the other.

use super::super::leads::Leads;
use super::super::split::COMMON;
use super::classes::Classes;
use super::codes::Codes;
use super::pairs::{self, Found};
use super::partners::Partners;
use super::views::Views;
use super::witnesses::{self, Witnesses};
use crate::narrow::narrow;

/// Why the next value was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The codes do not fit what was made for them.
    Wide,
    /// The codes that are kept do not tell whether this rare code is an option of the next segment.
    Unsettled(u16),
    /// A rare segment came, and pairs with it need codes that are not kept.
    LateRare,
}

/// What all values to come follow from.
pub(super) struct Run {
    pub(super) leads: Leads,
    pub(super) takes: Vec<usize>,
    pub(super) classes: Classes,
    pub(super) codes: Codes,
    pub(super) rares: Partners,
    witnesses: Witnesses,
    /// Whether it is proven that no segment is rare any more.
    pub(super) is_calm: bool,
    /// What was found out otherwise: whether a rare code is an option of a segment.
    pub(super) known: Vec<(usize, u16, Found)>,
    /// How many rare nimbers are less than a common code, at even and odd places.
    below: [Vec<u16>; 2],
    singles: [Vec<u16>; 2],
    missing: Vec<u16>,
}

impl Run {
    pub(super) fn new(leads: Leads, classes: Classes, codes: Codes, rares: Partners) -> Self {
        let takes = leads.pair_takes();
        let mut run = Self {
            leads,
            takes,
            classes,
            codes,
            rares,
            witnesses: Witnesses::default(),
            is_calm: false,
            known: Vec::new(),
            below: Default::default(),
            singles: Default::default(),
            missing: Vec::new(),
        };
        run.choose_witnesses();
        run
    }

    /// Chooses witnesses among the first segments.
    pub(super) fn choose_witnesses(&mut self) {
        let (classes, len) = (self.classes, self.codes.len());
        let below = |code| classes.rares_below(code | COMMON, len);
        self.witnesses = Witnesses::new(self.codes.first(), self.codes.last(), below);
    }

    /// What is seen from the next segment.
    pub(super) fn views<V: Views>(&self) -> V {
        V::new(&self.takes, &self.codes, &self.rares, self.witnesses.partners())
    }

    /// The common values to come follow from so many codes, as long as none is rare.
    pub(super) fn state_len(&self) -> usize {
        self.rares.last() + 2 * self.leads.longest() + 1
    }

    /// Finds values until there are so many.
    pub(super) fn advance<V: Views>(&mut self, views: &mut V, end: usize) -> Result<(), Halt> {
        while self.codes.len() < end {
            let n = self.codes.len();
            views.enter(&self.codes);
            self.enter_singles(n);
            let code = views.first_common(&self.singles[1], &self.codes).ok_or(Halt::Wide)?;
            if !self.is_calm {
                let below = self.below(code, n);
                views.missing_rares(n, below, &self.singles[0], &mut self.missing);
                if !self.missing.is_empty()
                    && let Some(rare) = self.first_missing(n)?
                {
                    if !self.codes.make_whole() {
                        self.known.push((n, rare, Found::No));
                        return Err(Halt::LateRare);
                    }
                    self.rares.push(n, rare);
                    self.codes.push(rare);
                    self.codes.keep_more(2 * n);
                    views.renew(&self.takes, &self.codes, &self.rares, self.witnesses.partners());
                    continue;
                }
            }
            self.codes.push(code | COMMON);
            views.push(code | COMMON);
        }
        Ok(())
    }

    /// The codes of the parts that a move from a segment leaves alone, by their class.
    #[inline]
    fn enter_singles(&mut self, n: usize) {
        if self.leads.has_singles() {
            self.singles.iter_mut().for_each(Vec::clear);
            let (base, last) = (self.codes.base(), self.codes.last());
            for place in self.leads.singles(n) {
                let code = last[place - base] ^ self.classes.change(n - place);
                self.singles[usize::from(code >= COMMON)].push(code & !COMMON);
            }
        }
    }

    #[inline]
    fn below(&mut self, code: u16, n: usize) -> usize {
        match self.below[n % 2].get(usize::from(code)) {
            Some(&below) => usize::from(below),
            None => self.learn_below(code, n),
        }
    }

    #[cold]
    fn learn_below(&mut self, code: u16, n: usize) -> usize {
        let known = &mut self.below[n % 2];
        for code in narrow(known.len())..=code {
            known.push(narrow(self.classes.rares_below(code | COMMON, n)));
        }
        usize::from(known[usize::from(code)])
    }

    /// The least of the missing codes that is no option of the next segment.
    fn first_missing(&mut self, n: usize) -> Result<Option<u16>, Halt> {
        let missing = std::mem::take(&mut self.missing);
        let result = missing.iter().find_map(|&code| match self.is_option(n, code) {
            Found::Yes => None,
            Found::No => Some(Ok(code)),
            Found::Unknown => Some(Err(Halt::Unsettled(code))),
        });
        self.missing = missing;
        self.missing.clear();
        result.transpose()
    }

    fn is_option(&mut self, n: usize, code: u16) -> Found {
        let (base, last) = (self.codes.base(), self.codes.last());
        for &take in &self.takes {
            if n >= take + witnesses::REACH && self.witnesses.has(code, n - take, base, last) {
                return Found::Yes;
            }
        }
        self.search(n, code)
    }

    /// Looks through all pairs.
    #[cold]
    fn search(&self, n: usize, code: u16) -> Found {
        if let Some((.., found)) = self.known.iter().find(|known| (known.0, known.1) == (n, code)) {
            return *found;
        }
        let mut all = Found::No;
        for &take in &self.takes {
            let Some(sum) = n.checked_sub(take) else { continue };
            match pairs::find(&self.codes, sum, code) {
                Found::Yes => return Found::Yes,
                Found::No => {}
                Found::Unknown => all = Found::Unknown,
            }
        }
        all
    }
}
