//! The takes of a sieve, by their residues.

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
    /// Takes in ascending order, for blocks of so many rows.
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
