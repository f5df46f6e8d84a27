//! The nimbers of rows of cards.
//!
//! A move splits a row of n cards into two rows of u and v cards, which may be empty, and takes the y = n-u-v cards
//! between them. By the theorem of R. P. Sprague (1935) and P. M. Grundy (1939), `g[n]`, the nimber of the row, is the
//! mex of the XORs `g[u] ^ g[v]` over all moves: the least number that is not among them.
//!
//! The XOR x is among them if some pair (u, v) has it and a sum u+v in [n-R, n-L]. So each XOR has a list of the sums
//! of its pairs. The lists are sorted, and a binary search tells whether a list has a sum in that range. This follows
//! the editorial of the contest by dbsic211 (2022).

/// The nimbers of all rows up to a number of cards, if a move takes L to R cards.
#[derive(Clone, Debug)]
pub struct Nimbers {
    l: usize,
    r: usize,
    values: Vec<u32>,
    /// For each XOR of two nimbers, the sums of the pairs of rows that have it, each sum once, in ascending order.
    sums: Vec<Vec<usize>>,
}

impl Nimbers {
    /// Computes the nimbers of rows of up to `n` cards.
    ///
    /// There are n^2/4 pairs of rows. Time: O(n^2) to enter them, and O(n log n) for each mex, so O(n^2 log n).
    /// Memory: O(n^2).
    ///
    /// # Panics
    ///
    /// If `l` is 0.
    pub fn new(n: usize, l: usize, r: usize) -> Self {
        // `g[n]` is at most n/L: a row of nimber m allows m moves, each to the next lower nimber.
        let xors = (n / l + 1).next_power_of_two();
        let mut this = Self { l, r, values: Vec::with_capacity(n + 1), sums: vec![Vec::new(); xors] };
        for cards in 0..=n {
            // Entered in ascending order, so that the lists are sorted.
            if let Some(sum) = cards.checked_sub(l) {
                this.enter_pairs(sum);
            }
            let mut mex = 0;
            while this.sum_after_move(cards, mex).is_some() {
                mex += 1;
            }
            this.values.push(mex);
        }
        this
    }

    /// The nimber of a row of `n` cards.
    ///
    /// # Panics
    ///
    /// If the nimbers were computed for shorter rows only.
    pub fn nimber(&self, n: usize) -> u32 {
        self.values[n]
    }

    /// The numbers of cards of the two rows that some move from a row of `n` cards to the nimber `target` leaves.
    ///
    /// # Panics
    ///
    /// If the nimbers were computed for shorter rows only.
    pub fn split(&self, n: usize, target: u32) -> Option<(usize, usize)> {
        let sum = self.sum_after_move(n, target)?;
        let mut pairs = (0..=sum / 2).map(|u| (u, sum - u));
        pairs.find(|&(u, v)| self.nimber(u) ^ self.nimber(v) == target)
    }

    /// Enters `sum` in the list of each XOR that a pair of rows with this sum has.
    fn enter_pairs(&mut self, sum: usize) {
        for u in 0..=sum / 2 {
            let xor = self.values[u] ^ self.values[sum - u];
            let sums = &mut self.sums[xor as usize];
            if sums.last() != Some(&sum) {
                sums.push(sum);
            }
        }
    }

    /// The least number of cards that a move from a row of `n` cards to the nimber `target` leaves in both rows.
    fn sum_after_move(&self, n: usize, target: u32) -> Option<usize> {
        let (least, most) = (n.saturating_sub(self.r), n.checked_sub(self.l)?);
        let sums = self.sums.get(target as usize)?;
        let next = sums.partition_point(|&sum| sum < least);
        sums.get(next).copied().filter(|&sum| sum <= most)
    }
}
