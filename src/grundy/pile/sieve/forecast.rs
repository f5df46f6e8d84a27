//! What a sieve will take, as its first blocks tell.

/// The steps of the blocks so far, and what they let expect of the rest.
pub(super) struct Forecast {
    allowed: u128,
    blocks: usize,
    /// By block, the steps of it and all before.
    spent: Vec<u128>,
}

impl Forecast {
    /// For a sieve of so many blocks that may take so many steps.
    pub(super) fn new(allowed: u128, blocks: usize) -> Self {
        Self { allowed, blocks, spent: Vec::new() }
    }

    /// The steps that are to be expected of all blocks, when one more has taken so many; `None` as long as that is not
    /// told.
    ///
    /// In a sieve of twice as many blocks the later half takes as long as the first or, as there are more takes,
    /// up to twice as long. What the blocks so far grew by is how the rest grows.
    pub(super) fn expect(&mut self, steps: u128) -> Option<u128> {
        let all = self.spent.last().copied().unwrap_or(0) + steps;
        self.spent.push(all);
        let done = self.spent.len();
        if done < Self::LEAST {
            return None;
        }
        let half = self.spent[done / 2 - 1].max(1);
        // In thousandths.
        let growth = (1000 * all / half).clamp(2000, 3000);
        let (mut expected, mut blocks) = (all, done);
        while 2 * blocks <= self.blocks {
            expected = expected * growth / 1000;
            blocks *= 2;
        }
        // Less than a doubling is left.
        let left = (self.blocks - blocks) as u128;
        Some(expected + expected * (growth - 1000) / 1000 * left / blocks as u128)
    }

    /// Whether what is expected is a reason to refuse: when the block that spends a tenth of what is allowed is done,
    /// and before if it is far more than is allowed.
    pub(super) fn is_refused(&self, expected: u128) -> bool {
        let [.., before, all] = self.spent[..] else { return false };
        let tenth = self.allowed / 10;
        before <= tenth && (all > tenth || expected > 4 * self.allowed) && expected > self.allowed
    }

    /// Fewer blocks do not tell much.
    const LEAST: usize = 16;
}
