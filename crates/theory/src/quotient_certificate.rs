//! The certificate of a misère quotient, and its verification. The verification does not use the library's search for
//! quotients.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::mem;

use anyhow::{Context, bail, ensure};
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use zeroxor::OctalCode;
use zeroxor::grundy::octal::move_bounds;
use zeroxor::grundy::segment::Period;
use zeroxor::misere::{Element, Quotient};

use super::certificate::VERSION;
use super::definition::Incorrect;
use common::file_kind::FileKind;

/// Maximum number of elements.
const MAX_ORDER: usize = 4096;

/// Maximum size of a heap whose options are checked.
const MAX_HEAP: u64 = 4096;

/// Maximum number of bytes of the sums that the verification keeps.
const MAX_BYTES: usize = 1 << 30;

/// The kind of a file with the certificate of a misère quotient.
pub(crate) const QUOTIENT_CERTIFICATE: FileKind = FileKind {
    later_text: "\",\"quotient\":",
    ..FileKind::new("a certificate of a misère quotient", &["{\"schema\":1,\"game\":\""])
};

/// The misère quotient of the heaps of a game up to some size, or of all heaps.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuotientCertificate {
    schema: u32,
    /// The rules, without sizes: `octal CODE` or `grundy`.
    game: String,
    quotient: MonoidTable,
    /// The element of each heap, from heap 0 on.
    map: Vec<usize>,
    /// The period, if the elements of the heaps repeat for ever: the last `period` elements of `map` repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    period: Option<u64>,
}

/// A commutative monoid with the elements 0, 1, 2 and so on, of which 0 is the identity.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MonoidTable {
    pub order: usize,
    /// Elements that generate the monoid.
    pub generators: Vec<usize>,
    /// The products of each generator with all elements.
    pub products: Vec<Vec<usize>>,
    /// The elements whose sums are P-positions.
    pub p_portion: Vec<usize>,
}

fn numbers(elements: &[Element]) -> Vec<usize> {
    elements.iter().map(|&element| element.into()).collect()
}

impl MonoidTable {
    /// Returns the table of a quotient.
    pub(crate) fn of(quotient: &Quotient) -> Self {
        let generators = quotient.generators().into_iter().map(|heap| quotient.map()[heap]);
        let rows = generators.clone().map(|generator| quotient.multiples(generator));
        Self {
            order: quotient.order(),
            products: rows.map(numbers).collect(),
            generators: generators.map(usize::from).collect(),
            p_portion: numbers(&quotient.p_portion()),
        }
    }
}

impl QuotientCertificate {
    /// Returns the certificate of a quotient. If there is a period, `map` ends with the first period.
    pub fn of(quotient: &Quotient) -> Self {
        let repeated = |Period { start, length }: Period| usize::try_from(start + length).ok();
        let heaps = quotient.period().and_then(repeated).unwrap_or(quotient.map().len());
        Self {
            schema: VERSION,
            game: quotient.game().to_string(),
            quotient: MonoidTable::of(quotient),
            map: numbers(&quotient.map()[..heaps]),
            period: quotient.period().map(|period| period.length),
        }
    }

    /// Writes the certificate as one line of JSON.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        writeln!(out)
    }

    /// Checks that the monoid is the misère quotient of the heaps, and returns a text that says so.
    ///
    /// # Errors
    ///
    /// `Incorrect` if the certificate is wrong; another error if it is about another game than a code or Grundy's game,
    /// or checking it would take too much memory.
    pub fn verify(&self) -> anyhow::Result<String> {
        let check = || {
            let game = Game::read(&self.game).with_context(|| {
                format!("expected a game \"octal CODE\" or \"grundy\", got {:?}", self.game)
            })?;
            let monoid = Monoid::of(&self.quotient)?;
            let period = self.period()?;
            monoid.check(&self.heaps(&game, &monoid, period)?)?;
            Ok(period)
        };
        let period = check().map_err(|error: anyhow::Error| match error.downcast() {
            Ok(Incorrect(flaw)) => {
                Incorrect(format!("the certificate of {} is wrong: {flaw}", self.game)).into()
            }
            Err(error) => error,
        })?;
        let heaps = match period {
            Some(Period { start, length }) => format!("all heaps, with period {length} from n = {start} on"),
            None => format!("the heaps up to n = {}", self.map.len() - 1),
        };
        let MonoidTable { order, p_portion, .. } = &self.quotient;
        let p_elements = p_portion.len();
        Ok(format!(
            "{}: misère quotient of order {order}, P-portion of {p_elements}, proven for {heaps}",
            self.game
        ))
    }

    /// Returns the period of the map, if there is one.
    fn period(&self) -> Result<Option<Period>, Incorrect> {
        let heaps = self.map.len() as u64;
        ensure_right(heaps > 0, || "expected an element for each heap, got none".to_owned())?;
        let Some(length) = self.period else { return Ok(None) };
        ensure_right((1..=heaps).contains(&length), || {
            format!("expected a period of 1 to {heaps}, got {length}")
        })?;
        Ok(Some(Period { start: heaps - length, length }))
    }

    /// Returns the types of all heaps that have to be checked.
    ///
    /// Let the elements of the heaps have the period p from heap e on, and let no move take more than k cards or leave
    /// more than d heaps. Then heaps n and n + p with n >= d e + (d-1) p + k have options with the same elements. The
    /// reason: the largest heap that a move from n + p leaves has at least e + p cards. With p cards fewer it is still
    /// a heap, because e is at least 1, and it has the same element (Guy and Smith 1956, for nimbers; Plambeck 2005,
    /// for misère quotients).
    fn heaps(
        &self,
        game: &Game,
        monoid: &Monoid,
        period: Option<Period>,
    ) -> anyhow::Result<BTreeSet<HeapType>> {
        let to = match (period, game) {
            (None, _) => self.map.len() as u64 - 1,
            (Some(Period { start, length }), Game::Code(code)) if code.longest_take().is_some() => {
                let needed = Period { start: start.max(1), length }.values_needed(move_bounds(*code));
                u64::try_from(needed - 1).unwrap_or(u64::MAX)
            }
            (Some(_), Game::Code(_) | Game::Grundy) => {
                bail!(Incorrect("expected no period: no theorem proves one for this game".to_owned()))
            }
        };
        ensure!(to <= MAX_HEAP, "the certificate is too large: heaps up to {to}; the limit is {MAX_HEAP}");
        let order = monoid.rows.len();
        if let Some((heap, element)) = self.map.iter().enumerate().find(|&(_, &element)| element >= order) {
            bail!(Incorrect(format!("expected elements below {order}, got {element} for heap {heap}")));
        }
        let element = |heap: u64| {
            let heap = match period {
                Some(Period { start, length }) if heap >= start => start + (heap - start) % length,
                _ => heap,
            };
            self.map[usize::try_from(heap).unwrap_or(usize::MAX)]
        };
        let mut heaps = BTreeSet::new();
        for heap in 0..=to {
            let product = |option: &Vec<u64>| option.iter().fold(0, |x, &heap| monoid.rows[x][element(heap)]);
            let options: BTreeSet<usize> = game.options(heap).iter().map(product).collect();
            if options.is_empty() {
                let element = element(heap);
                ensure_right(element == 0, || {
                    format!("expected element 0 for heap {heap}, which has no move, got {element}")
                })?;
            } else {
                heaps.insert((element(heap), options));
            }
        }
        Ok(heaps)
    }
}

/// The type of a heap: its element, and the elements of its options.
type HeapType = (usize, BTreeSet<usize>);

/// Returns `flaw` as an error unless `holds` is true.
fn ensure_right(holds: bool, flaw: impl FnOnce() -> String) -> Result<(), Incorrect> {
    if holds { Ok(()) } else { Err(Incorrect(flaw())) }
}

/// A game with its options, read from the text of a certificate.
enum Game {
    Code(OctalCode),
    Grundy,
}

impl Game {
    fn read(text: &str) -> Option<Self> {
        match text.strip_prefix("octal ") {
            Some(code) => {
                code.parse().ok().filter(|read: &OctalCode| read.to_string() == code).map(Self::Code)
            }
            None => (text == "grundy").then_some(Self::Grundy),
        }
    }

    /// Returns the options of a heap, each as the sizes of its heaps, some of them more than once.
    fn options(&self, heap: u64) -> Vec<Vec<u64>> {
        match self {
            Self::Grundy => (1..heap.div_ceil(2)).map(|part| vec![part, heap - part]).collect(),
            Self::Code(code) => {
                let takes = 0..=code.longest_take().unwrap_or(heap).min(heap);
                takes.flat_map(|take| options_taking(code, take, heap - take)).collect()
            }
        }
    }
}

/// Returns the options that take `take` cards and leave `left`.
fn options_taking(code: &OctalCode, take: u64, left: u64) -> Vec<Vec<u64>> {
    let mut options = Vec::new();
    if code.allows(take, 0) && left == 0 {
        options.push(Vec::new());
    }
    if code.allows(take, 1) && left > 0 {
        options.push(vec![left]);
    }
    if code.allows(take, 2) {
        options.extend((1..left).map(|a| vec![a, left - a]));
    }
    if code.allows(take, 3) {
        options.extend((1..left).flat_map(|a| (1..left - a).map(move |b| vec![a, b, left - a - b])));
    }
    options
}

/// A monoid with all products.
struct Monoid {
    /// The products of each element with all elements.
    rows: Vec<Vec<usize>>,
    is_p: Vec<bool>,
}

impl Monoid {
    /// Multiplies all elements. An error says why the table is no commutative monoid.
    ///
    /// The multiplication by a generator is a map from elements to elements. If these maps commute, and their
    /// compositions map the identity to every element x, then all compositions that map the identity to x are the same
    /// map: the multiplication by x.
    fn of(table: &MonoidTable) -> anyhow::Result<Self> {
        let &MonoidTable { order, ref generators, ref products, ref p_portion } = table;
        ensure!(order <= MAX_ORDER, "the quotient is too large: {order} elements; the limit is {MAX_ORDER}");
        let expect = |holds, what: &str| ensure_right(holds, || format!("expected {what}"));
        expect(order > 0, "at least one element")?;
        expect(products.len() == generators.len(), "a list of products for each generator")?;
        for (row, &generator) in products.iter().zip(generators) {
            expect(row.len() == order, "a product of each generator and each element")?;
            expect(row.iter().all(|&product| product < order), "products that are elements")?;
            expect(row[0] == generator, "each generator as its product with element 0")?;
        }
        for (a, b) in products.iter().tuple_combinations() {
            expect((0..order).all(|x| a[b[x]] == b[a[x]]), "generators that commute")?;
        }
        let mut is_p = vec![false; order];
        for &element in p_portion {
            let is_new = is_p.get_mut(element).is_some_and(|is_p| !mem::replace(is_p, true));
            expect(is_new, "different elements in the P-portion")?;
        }
        let mut rows = vec![Vec::new(); order];
        rows[0] = (0..order).collect();
        let mut made = vec![0];
        while let Some(element) = made.pop() {
            for row in products {
                let product = row[element];
                if rows[product].is_empty() {
                    rows[product] = rows[element].iter().map(|&x| row[x]).collect();
                    made.push(product);
                }
            }
        }
        expect(rows.iter().all(|row| !row.is_empty()), "elements that are products of generators")?;
        Ok(Self { rows, is_p })
    }

    /// Checks that this is the misère quotient of the sums of heaps of these types. The conditions are:
    ///
    /// - No sum in the P-portion has an option in the P-portion.
    /// - The identity is not in the P-portion, because a player without a move wins.
    /// - Each sum that has a move and is not in the P-portion has an option in the P-portion.
    /// - Each element is the element of a sum, and no two elements have the same products in the P-portion.
    fn check(&self, heaps: &BTreeSet<HeapType>) -> anyhow::Result<()> {
        ensure_right(!self.is_p[0], || "the sum of no heaps is a P-position".to_owned())?;
        for (x, options) in heaps {
            let is_p = |row: &Vec<usize>, x: usize| self.is_p[row[x]];
            let has_p_option = |row: &Vec<usize>| options.iter().any(|&option| is_p(row, option));
            let is_wrong = self.rows.iter().any(|row| is_p(row, *x) && has_p_option(row));
            ensure_right(!is_wrong, || {
                format!("a P-position with a heap of element {x} has a P-position as an option")
            })?;
        }
        let mut is_sum = vec![false; self.rows.len()];
        is_sum[0] = true;
        let mut sums = vec![0];
        while let Some(sum) = sums.pop() {
            let products = heaps.iter().map(|(x, _)| self.rows[sum][*x]);
            sums.extend(products.filter(|&product| !mem::replace(&mut is_sum[product], true)));
        }
        ensure_right(is_sum.iter().all(|&is_sum| is_sum), || {
            "an element belongs to no sum of heaps".to_owned()
        })?;
        let mut p_products =
            self.rows.iter().map(|row| row.iter().map(|&x| self.is_p[x]).collect::<Vec<_>>());
        ensure_right(p_products.all_unique(), || {
            "two elements have the same products in the P-portion".to_owned()
        })?;
        self.check_answers(heaps)
    }

    /// Checks that each N-position with a move has an option that is a P-position.
    ///
    /// For a sum X with element x, let U(X) be the set of the elements z such that neither xz nor x'z, for any option
    /// x' of X, is in the P-portion. If the other heaps have element z, the position is then an N-position, but no move
    /// in X wins. U(X + Y) is the set of the elements z for which U(X) contains yz and U(Y) contains xz. No U(X) may
    /// contain the identity, because then no move at all would win.
    ///
    /// X can be dropped if another sum W has the same element and U(W) contains U(X): then U(W + Y) contains U(X + Y)
    /// for every Y.
    fn check_answers(&self, heaps: &BTreeSet<HeapType>) -> anyhow::Result<()> {
        let order = self.rows.len();
        let of_heap = |(x, options): &HeapType| {
            let wins = |z: usize| options.iter().chain([x]).any(|&y| self.is_p[self.rows[y][z]]);
            (*x, (0..order).map(|z| !wins(z)).collect())
        };
        let single: BTreeSet<(usize, Vec<bool>)> = heaps.iter().map(of_heap).collect();
        let is_within = |a: &[bool], b: &[bool]| a.iter().zip(b).all(|(&a, &b)| b || !a);
        let mut kept: Vec<Vec<Vec<bool>>> = vec![Vec::new(); order];
        let mut bytes = 0;
        let mut waiting: Vec<(usize, Vec<bool>)> = single.iter().cloned().collect();
        while let Some((x, u)) = waiting.pop() {
            ensure_right(!u[0], || {
                format!("an N-position with element {x} has no option that is a P-position")
            })?;
            if !u.contains(&true) || kept[x].iter().any(|other| is_within(&u, other)) {
                continue;
            }
            bytes += order * single.len();
            ensure!(bytes <= MAX_BYTES, "verifying the certificate takes more than {MAX_BYTES} bytes");
            for (y, of_y) in &single {
                let sum = (0..order).map(|z| u[self.rows[*y][z]] && of_y[self.rows[x][z]]);
                waiting.push((self.rows[x][*y], sum.collect()));
            }
            kept[x].retain(|other| !is_within(other, &u));
            kept[x].push(u);
        }
        Ok(())
    }
}
