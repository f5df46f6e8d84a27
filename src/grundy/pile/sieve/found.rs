//! The losing piles that a sieve has found, the takes by their residues, and what the work costs.

use std::ops::Range;

use crate::integers::ones;

/// A class is dense in a block if more than one pile in `DENSE` loses; the module says why this number.
const DENSE: usize = 640;

/// Piles of a cell of the index; divides the piles of every block.
const CELL: usize = 1024;

/// The losing piles of the blocks that are settled.
pub(super) struct Found {
    /// Rows of a block.
    pub(super) rows: usize,
    pub(super) classes: Vec<Class>,
    /// The losing piles of sparse classes, in ascending order.
    sparse: Vec<u32>,
    /// By cell, how many of them lie below it; one cell more than there are.
    index: Vec<u32>,
}

/// The losing piles of one residue class, in the blocks where it is dense.
pub(super) struct Class {
    /// A bit for each row, above a block of rows that lie below 0.
    bits: Vec<u64>,
    /// By block, from the one below 0 on.
    dense: Vec<bool>,
    rows: usize,
    is_dense: bool,
    /// How many of its piles lose, in dense blocks and in sparse ones.
    losing: usize,
}

impl Found {
    /// None yet, with room for piles up to `n`.
    pub(super) fn new(rows: usize, n: u32) -> Self {
        let blocks = n as usize / (rows * MODULUS) + 1;
        let class = || Class {
            // The last word is there for shifts to read into.
            bits: vec![0; (blocks + 1) * (rows / 64) + 1],
            dense: vec![false; blocks + 2],
            rows,
            is_dense: false,
            losing: 0,
        };
        let classes = (0..MODULUS).map(|_| class()).collect();
        Self { rows, classes, sparse: Vec::new(), index: vec![0] }
    }

    /// The number of blocks, settled or not.
    pub(super) fn blocks(&self) -> usize {
        self.classes[0].dense.len() - 2
    }

    /// What it costs to shift a word of a dense class.
    pub(super) fn shift_cost(&self) -> usize {
        let is_cached = self.blocks() * self.rows * MODULUS < FROM_MEMORY as usize;
        if is_cached { SHIFT } else { SHIFT_FROM_MEMORY }
    }

    /// How many losing piles lie in sparse classes.
    pub(super) fn sparse_count(&self) -> usize {
        self.sparse.len()
    }

    /// The losing piles of sparse classes in a range of settled piles, and some around it.
    pub(super) fn sparse(&self, range: Range<usize>) -> &[u32] {
        let end = range.end.div_ceil(CELL);
        &self.sparse[self.index[range.start / CELL] as usize..self.index[end] as usize]
    }

    /// Enters what was found in the next block: its losing piles, counted from its first, in ascending order.
    pub(super) fn settle(&mut self, block: usize, losing: &[u32]) {
        let first = block * self.rows * MODULUS;
        let mut counts = [0; MODULUS];
        for &at in losing {
            counts[at as usize % MODULUS] += 1;
        }
        for (class, count) in self.classes.iter_mut().zip(counts) {
            class.dense[block + 1] = count > self.rows / DENSE;
            class.losing += count;
            class.is_dense |= class.dense[block + 1];
        }
        let mut losing = losing.iter().map(|&at| at as usize).peekable();
        for end in (0..=self.rows * MODULUS).step_by(CELL).skip(1) {
            while let Some(at) = losing.next_if(|&at| at < end) {
                let class = &mut self.classes[at % MODULUS];
                if class.dense[block + 1] {
                    let row = (block + 1) * self.rows + at / MODULUS;
                    class.bits[row / 64] |= 1 << (row % 64);
                } else {
                    self.sparse.push((first + at) as u32);
                }
            }
            self.index.push(self.sparse.len() as u32);
        }
    }

    /// The losing piles below `end`, all settled, in ascending order.
    pub(super) fn below(&self, end: usize) -> impl Iterator<Item = usize> {
        (0..end).step_by(64 * MODULUS).flat_map(move |first| {
            let stripe = first..first + 64 * MODULUS;
            let words = self.classes.iter().map(|class| class.bits[(self.rows + first / MODULUS) / 64]);
            let dense = (first..)
                .zip(words)
                .flat_map(|(first, word)| ones(word).map(move |row| first + row * MODULUS));
            let sparse = self.sparse(stripe.clone()).iter().map(|&pile| pile as usize);
            let mut losing: Vec<_> = dense.chain(sparse.filter(|pile| stripe.contains(pile))).collect();
            losing.sort_unstable();
            losing.into_iter().take_while(move |&pile| pile < end)
        })
    }

    /// Whether a settled pile loses.
    pub(super) fn contains(&self, pile: u32) -> bool {
        let at = pile as usize;
        let row = self.rows + at / MODULUS;
        self.classes[at % MODULUS].contains(row) || self.sparse(at..at + 1).contains(&pile)
    }
}

impl Class {
    /// How many of its piles lose, as far as they are settled.
    pub(super) fn losing(&self) -> usize {
        self.losing
    }

    /// Whether it is dense in any block.
    pub(super) fn is_dense(&self) -> bool {
        self.is_dense
    }

    /// Whether it is dense in a block's length of rows, counted from a block below 0.
    pub(super) fn is_dense_from(&self, row: usize) -> bool {
        let block = row / self.rows;
        self.dense[block] || self.dense[block + 1]
    }

    /// Whether a row, counted from a block below 0, loses where the class is dense.
    pub(super) fn contains(&self, row: usize) -> bool {
        self.bits[row / 64] >> (row % 64) & 1 == 1
    }

    /// Marks the rows of a block from the rows that begin at `row`, counted from a block below 0.
    pub(super) fn shift_onto(&self, row: usize, won: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "vectors of four words take 0.6 of the time of those of two")]
            // SAFETY: the function is safe but for its need of AVX2, which this processor has.
            return unsafe { self.shift_onto_by_avx2(row, won) };
        }
        self.shift_onto_by_words(row, won);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn shift_onto_by_avx2(&self, row: usize, won: &mut [u64]) {
        self.shift_onto_by_words(row, won);
    }

    /// It is compiled for the instructions of its caller, and so must be inlined.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else it has no AVX2")]
    fn shift_onto_by_words(&self, row: usize, won: &mut [u64]) {
        let shift = row % 64;
        let bits = &self.bits[row / 64..][..=won.len()];
        for ((won, low), high) in won.iter_mut().zip(bits).zip(&bits[1..]) {
            *won |= low >> shift | high << 1 << (63 - shift);
        }
    }
}

/// What a word shifted, a bit written, a bit read, the beginning of a shift, and a take of which a stretch is marked cost
/// a processor, in tenths of a nanosecond.
pub(super) const SHIFT: usize = 2;
pub(super) const WRITE: usize = 8;
pub(super) const READ: usize = 16;
pub(super) const BEGIN: usize = 160;
pub(super) const TAKE: usize = 50;

/// What a word shifted costs where the rows of the dense classes, which are about half of all, do not fit into a
/// third-level cache of 32 MB, and the piles from which on that is so.
const SHIFT_FROM_MEMORY: usize = 3;
const FROM_MEMORY: u32 = 1 << 29;

/// The cost of a word shifted within a block, of a look at a pile below within a stripe, of a pile that no earlier block
/// wins, more of one that is tested by itself, and of one that loses.
pub(super) const SHIFT_WITHIN: usize = 4;
pub(super) const LOOK_WITHIN: usize = 5;
pub(super) const OPEN: usize = 20;
pub(super) const OPEN_NEAR: usize = 60;
pub(super) const LOST: usize = 40;

/// A step of the budget in that measure: a nanosecond.
pub(super) const STEP: usize = 10;

/// The sieve's residue classes.
pub(super) const MODULUS: usize = 65;

/// The takes of a game.
pub(super) struct Takes {
    /// In ascending order.
    pub(super) all: Vec<u32>,
    /// By residue, those without takes left out.
    pub(super) residues: Vec<Residue>,
}

/// The takes of one residue: each is `MODULUS` times its rows, and the residue.
pub(super) struct Residue {
    modulo: usize,
    /// The rows of each, in ascending order.
    pub(super) rows: Vec<u32>,
    /// Those of fewer than 64 rows.
    pub(super) near: Vec<u32>,
    /// The others, as far as they lie within a block.
    pub(super) far: Vec<u32>,
}

impl Takes {
    /// Takes in ascending order, for blocks of `block_rows` rows.
    pub(super) fn new(takes: &[u32], block_rows: usize) -> Self {
        let residues = (0..MODULUS).map(|residue| {
            let of_residue = takes.iter().filter(|&&take| take as usize % MODULUS == residue);
            let rows: Vec<u32> = of_residue.map(|take| take / MODULUS as u32).collect();
            let [near, block] = [64, block_rows].map(|end| rows.partition_point(|&row| (row as usize) < end));
            let (near, far) = (rows[..near].to_vec(), rows[near..block].to_vec());
            Residue { modulo: residue, rows, near, far }
        });
        Self { all: takes.to_vec(), residues: residues.filter(|residue| !residue.rows.is_empty()).collect() }
    }
}

impl Residue {
    /// The class that these takes lead to from `class`, and by how many rows more than their own.
    pub(super) fn from(&self, class: usize) -> (usize, usize) {
        match class.checked_sub(self.modulo) {
            Some(source) => (source, 0),
            None => (class + MODULUS - self.modulo, 1),
        }
    }
}
