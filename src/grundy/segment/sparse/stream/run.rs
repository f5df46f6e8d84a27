//! One value after the other.

use super::super::leads::Leads;
use super::super::split::COMMON;
use super::classes::Classes;
use super::codes::Codes;
use super::common_words::NoRoom;
use super::moves::Moves;
use super::pairs::{self, Found};
use super::partners::Partners;
use super::rare_views::CHUNK;
use super::rares_below::RaresBelow;
use super::views::Views;
use super::witnesses::{self, Witnesses};

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
    pub(super) moves: Moves,
    pub(super) classes: Classes,
    pub(super) codes: Codes,
    pub(super) rares: Partners,
    witnesses: Witnesses,
    /// Whether it is proven that no segment is rare any more.
    pub(super) is_calm: bool,
    /// What was found out otherwise: whether a rare code is an option of a segment.
    pub(super) known: Vec<(usize, u16, Found)>,
    below: RaresBelow,
    /// Rare codes of segments that views do not show: for [`first_missing`](Self::first_missing) alone.
    missing: Vec<(usize, u16)>,
}

impl Run {
    pub(super) fn new(leads: Leads, classes: Classes, codes: Codes, rares: Partners) -> Self {
        let mut run = Self {
            moves: Moves::new(&leads, classes),
            leads,
            classes,
            codes,
            rares,
            witnesses: Witnesses::default(),
            is_calm: false,
            known: Vec::new(),
            below: RaresBelow::new(classes),
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
        V::new(&self.moves, &self.codes, &self.rares, self.witnesses.partners())
    }

    /// The common values to come follow from so many codes, as long as none is rare.
    pub(super) fn state_len(&self) -> usize {
        self.rares.last() + 2 * self.leads.longest() + 1
    }

    /// Finds values until there are so many.
    pub(super) fn advance<V: Views>(&mut self, views: &mut V, end: usize) -> Result<(), Halt> {
        while self.codes.len() < end {
            let from = self.codes.len();
            let room = views.extend(&mut self.codes, (from + CHUNK).min(end));
            if !self.is_calm
                && let Some((n, result)) = self.first_missing(views, from)
            {
                self.codes.truncate(n);
                let result = result.and_then(|rare| self.push_rare(rare));
                views.renew(n, &self.moves, &self.codes, &self.rares, self.witnesses.partners());
                result?;
                continue;
            }
            room.map_err(|NoRoom| Halt::Wide)?;
        }
        Ok(())
    }

    /// Appends a rare code.
    fn push_rare(&mut self, rare: u16) -> Result<(), Halt> {
        let n = self.codes.len();
        if !self.codes.make_whole() {
            self.known.push((n, rare, Found::No));
            return Err(Halt::LateRare);
        }
        self.rares.push(n, rare);
        self.codes.push(rare);
        self.codes.keep_more(2 * n);
        Ok(())
    }

    /// The first segment from one on that has not its rare codes below as options, and the least of them that it has not, or
    /// why that is not known.
    fn first_missing<V: Views>(&mut self, views: &mut V, from: usize) -> Option<(usize, Result<u16, Halt>)> {
        let mut missing = std::mem::take(&mut self.missing);
        views.missing_rares(from, &self.codes, &mut self.below, &mut missing);
        let result = missing.iter().find_map(|&(n, code)| match self.is_option(n, code) {
            Found::Yes => None,
            Found::No => Some((n, Ok(code))),
            Found::Unknown => Some((n, Err(Halt::Unsettled(code)))),
        });
        missing.clear();
        self.missing = missing;
        result
    }

    fn is_option(&mut self, n: usize, code: u16) -> Found {
        let (base, last) = (self.codes.base(), self.codes.last());
        for &take in &self.moves.takes {
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
        for &take in &self.moves.takes {
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
