//! The losing piles that a sieve has found, the takes by residue, and the costs of the sieve's operations.

use std::ops::Range;

use crate::integers::ones;

/// A class is dense in a block if more than 1/`DENSE` of its piles in this block lose. The docs of the module [`super`]
/// give the reason for this number.
const DENSE: usize = 640;

/// Number of piles in a cell of the index; divides the number of piles in a block.
const CELL: usize = 1024;

/// The losing piles of the finished blocks.
pub(super) struct Found {
    /// Number of rows in a block.
    pub(super) rows: usize,
    pub(super) classes: Vec<Class>,
    /// The losing piles of sparse classes, in ascending order.
    sparse: Vec<u32>,
    /// For each cell, the number of piles in `sparse` below the cell. The last entry is the length of `sparse`.
    index: Vec<u32>,
}

/// The losing piles of one residue class, in the blocks in which the class is dense.
pub(super) struct Class {
    /// A bit for each row, which is set if the pile of the row loses. The first bits are for the rows of an empty block
    /// below row 0.
    bits: Vec<u64>,
    /// For each block, beginning with the empty block, whether the class is dense.
    dense: Vec<bool>,
    rows: usize,
    is_dense: bool,
    /// The number of losing piles of the class, including those in sparse blocks.
    losing: usize,
}

impl Found {
    /// Returns a `Found` without losing piles, with room for piles up to `n`.
    pub(super) fn new(rows: usize, n: u32) -> Self {
        let blocks = n as usize / (rows * MODULUS) + 1;
        let class = || Class {
            // Shifts read one word past the last row.
            bits: vec![0; (blocks + 1) * (rows / 64) + 1],
            dense: vec![false; blocks + 2],
            rows,
            is_dense: false,
            losing: 0,
        };
        let classes = (0..MODULUS).map(|_| class()).collect();
        Self { rows, classes, sparse: Vec::new(), index: vec![0] }
    }

    /// Returns the number of blocks, finished or not.
    pub(super) fn blocks(&self) -> usize {
        self.classes[0].dense.len() - 2
    }

    /// Returns the cost of shifting a word of a dense class.
    pub(super) fn shift_cost(&self) -> usize {
        let is_cached = self.blocks() * self.rows * MODULUS < FROM_MEMORY as usize;
        if is_cached { SHIFT } else { SHIFT_FROM_MEMORY }
    }

    /// Returns the number of losing piles in sparse classes.
    pub(super) fn sparse_count(&self) -> usize {
        self.sparse.len()
    }

    /// Returns the losing piles of sparse classes in all cells that overlap `range`. All piles of `range` must be
    /// finished.
    pub(super) fn sparse(&self, range: Range<usize>) -> &[u32] {
        let end = range.end.div_ceil(CELL);
        &self.sparse[self.index[range.start / CELL] as usize..self.index[end] as usize]
    }

    /// Adds the losing piles of `block`, which must be the next block. `losing` has their offsets from the block's
    /// first pile, in ascending order.
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

    /// Returns the losing piles below `end`, in ascending order. All piles below `end` must be finished.
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

    /// Returns whether a finished pile loses.
    pub(super) fn contains(&self, pile: u32) -> bool {
        let at = pile as usize;
        let row = self.rows + at / MODULUS;
        self.classes[at % MODULUS].contains(row) || self.sparse(at..at + 1).contains(&pile)
    }
}

impl Class {
    /// Returns the number of losing piles of the class in finished blocks.
    pub(super) fn losing(&self) -> usize {
        self.losing
    }

    /// Returns whether the class is dense in any block.
    pub(super) fn is_dense(&self) -> bool {
        self.is_dense
    }

    /// Returns whether the class is dense in the block of `row` or in the next block. `row` is counted from the empty
    /// block.
    pub(super) fn is_dense_from(&self, row: usize) -> bool {
        let block = row / self.rows;
        self.dense[block] || self.dense[block + 1]
    }

    /// Returns whether the pile of `row` loses and is in a dense block. `row` is counted from the empty block.
    pub(super) fn contains(&self, row: usize) -> bool {
        self.bits[row / 64] >> (row % 64) & 1 == 1
    }

    /// Sets bit `i` of `won`, the won rows of a block, if the row `row + i` of the class loses. `row` is counted from
    /// the empty block.
    pub(super) fn shift_onto(&self, row: usize, won: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "vectors of four words take 0.6 of the time of those of two")]
            // SAFETY: the only condition of the function is AVX2, and this processor has AVX2.
            return unsafe { self.shift_onto_by_avx2(row, won) };
        }
        self.shift_onto_by_words(row, won);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn shift_onto_by_avx2(&self, row: usize, won: &mut [u64]) {
        self.shift_onto_by_words(row, won);
    }

    /// Shifts word by word. Must be inlined to use the instruction set of its caller.
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

// All costs are in tenths of a nanosecond.

/// Cost of shifting one word.
pub(super) const SHIFT: usize = 2;
/// Cost of writing one bit.
pub(super) const WRITE: usize = 8;
/// Cost of reading one bit.
pub(super) const READ: usize = 16;
/// Cost of beginning a shift.
pub(super) const BEGIN: usize = 160;
/// Cost of beginning to mark one stretch by one take.
pub(super) const TAKE: usize = 50;

/// Cost of shifting one word from memory.
const SHIFT_FROM_MEMORY: usize = 3;
/// Minimum number of piles for which shifting a word costs [`SHIFT_FROM_MEMORY`] instead of [`SHIFT`]. For that many
/// piles, the bits of the dense classes (about half of all classes) do not fit into an L3 cache of 32 MB.
const FROM_MEMORY: u32 = 1 << 29;

/// Cost of shifting one word within the block.
pub(super) const SHIFT_WITHIN: usize = 4;
/// Cost of looking up one pile of the stripe.
pub(super) const LOOK_WITHIN: usize = 5;
/// Cost of deciding one pile that no take to an earlier block wins.
pub(super) const OPEN: usize = 20;
/// Additional cost of trying the near takes for a pile that no take to an earlier block wins.
pub(super) const OPEN_NEAR: usize = 60;
/// Cost of adding a losing pile.
pub(super) const LOST: usize = 40;

/// The cost of one step of the budget: a nanosecond.
pub(super) const STEP: usize = 10;

/// Number of residue classes.
pub(super) const MODULUS: usize = 65;

/// The takes of a game.
pub(super) struct Takes {
    /// All takes, in ascending order.
    pub(super) all: Vec<u32>,
    /// The takes by residue. Residues without takes are omitted.
    pub(super) residues: Vec<Residue>,
}

/// The takes of one residue. Each take is `MODULUS` times its number of rows, plus the residue.
pub(super) struct Residue {
    modulo: usize,
    /// The number of rows of each take, in ascending order.
    pub(super) rows: Vec<u32>,
    /// The elements of `rows` less than 64.
    pub(super) near: Vec<u32>,
    /// The elements of `rows` that are at least 64 and less than the number of rows in a block.
    pub(super) far: Vec<u32>,
}

impl Takes {
    /// Groups `takes`, which are in ascending order, by residue, for blocks of `block_rows` rows.
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
    /// Returns the class that takes of this residue lead to from `class`, and the number to add to the number of rows
    /// of each take: 0 or 1.
    pub(super) fn from(&self, class: usize) -> (usize, usize) {
        match class.checked_sub(self.modulo) {
            Some(source) => (source, 0),
            None => (class + MODULUS - self.modulo, 1),
        }
    }
}
