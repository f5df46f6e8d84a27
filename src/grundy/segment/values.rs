//! Grundy values of rows, so laid out that the pairs of a sum are compared many at a time.

/// Grundy values from 0 on, from the first to the last and from the last to the first: so the pairs of a sum
/// are two slices.
#[derive(Debug)]
pub(super) struct Values {
    up: Vec<u16>,
    down: Vec<u16>,
}

impl Values {
    /// So many values, all 0.
    pub(super) fn zeros(len: usize) -> Self {
        Self { up: vec![0; len], down: vec![0; len] }
    }

    pub(super) fn set(&mut self, n: usize, value: u16) {
        let last = self.down.len() - 1;
        self.up[n] = value;
        self.down[last - n] = value;
    }

    /// The values from the first to the last.
    pub(super) fn all(&self) -> &[u16] {
        &self.up
    }

    /// Returns the values from the first to the last, and drops what is kept beside them.
    pub(super) fn into_all(self) -> Vec<u16> {
        self.up
    }

    /// The values of u and of v, for the pairs u <= v of a sum, in ascending order of u.
    pub(super) fn parts(&self, sum: usize) -> (&[u16], &[u16]) {
        (&self.up[..=sum / 2], &self.down[self.down.len() - 1 - sum..][..=sum / 2])
    }

    /// The shorter segments u, in ascending order, of the pairs of a sum for whose values, of u and of v,
    /// `holds`.
    ///
    /// It is asked for all pairs of a chunk: so many at a time that the compiler's vectors pay.
    pub(super) fn pairs(
        &self,
        sum: usize,
        holds: impl Fn(u16, u16) -> bool + Copy,
    ) -> impl Iterator<Item = usize> {
        const STEP: usize = 32;
        let (up, down) = self.parts(sum);
        let chunks = (0..).step_by(STEP).zip(up.chunks(STEP).zip(down.chunks(STEP)));
        let holds = move |(&a, &b): (&u16, &u16)| holds(a, b);
        let chunks = chunks.filter_map(move |(from, (up, down))| {
            let any = up.iter().zip(down).map(|pair| u16::from(holds(pair))).sum::<u16>() > 0;
            any.then(|| {
                (from..).zip(up.iter().zip(down)).filter(move |&(_, pair)| holds(pair)).map(|(u, _)| u)
            })
        });
        chunks.flatten()
    }
}
