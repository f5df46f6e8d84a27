//! The codes that are kept: the first ones and the last.

/// The codes of the first places and of the last ones, as many as are kept; all of them until they are too many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Codes {
    /// The first places, once the last ones do not begin there any more.
    first: Vec<u16>,
    /// The place of the first of the last.
    base: usize,
    last: Vec<u16>,
    /// So many are kept at least.
    keep: usize,
}

impl Codes {
    /// These, from the first place on. So many are kept of the first, and of the last as many and up to twice that.
    pub(super) fn new(last: Vec<u16>, keep: usize) -> Self {
        Self { first: Vec::new(), base: 0, last, keep }
    }

    /// These first ones, and the last ones from a place on.
    pub(super) fn with_gap(first: Vec<u16>, base: usize, last: Vec<u16>, keep: usize) -> Self {
        Self { first, base, last, keep }
    }

    /// How many there have been.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.base + self.last.len()
    }

    /// How many are kept at least.
    #[cfg(feature = "analysis")]
    pub(super) fn keep(&self) -> usize {
        self.keep
    }

    /// Keeps so many from now on, if they are more.
    pub(super) fn keep_more(&mut self, keep: usize) {
        self.keep = self.keep.max(keep);
    }

    /// The place of the first of the last.
    #[inline]
    pub(super) fn base(&self) -> usize {
        self.base
    }

    /// Whether all are kept in one piece.
    pub(super) fn is_whole(&self) -> bool {
        self.base == 0
    }

    /// Puts all in one piece, if none is missing; whether that is so.
    pub(super) fn make_whole(&mut self) -> bool {
        if self.base > self.first.len() {
            return false;
        }
        if !self.is_whole() {
            self.first.truncate(self.base);
            self.first.append(&mut self.last);
            self.last = std::mem::take(&mut self.first);
            self.base = 0;
        }
        true
    }

    /// The first ones, at least as many as are kept.
    pub(super) fn first(&self) -> &[u16] {
        if self.is_whole() { &self.last } else { &self.first }
    }

    /// The last ones, from [`base`](Self::base) on.
    #[inline]
    pub(super) fn last(&self) -> &[u16] {
        &self.last
    }

    /// The last ones, to be changed.
    pub(super) fn last_mut(&mut self) -> &mut [u16] {
        &mut self.last
    }

    /// The last ones before a place, so many of them.
    pub(super) fn before(&self, place: usize, many: usize) -> &[u16] {
        &self.last[place - many - self.base..place - self.base]
    }

    /// Appends one.
    #[inline]
    pub(super) fn push(&mut self, code: u16) {
        self.last.push(code);
    }

    /// Forgets those from a place on, which must be among the last.
    pub(super) fn truncate(&mut self, len: usize) {
        self.last.truncate(len - self.base);
    }

    /// Drops what need not be kept, where that is much.
    pub(super) fn drop_old(&mut self) {
        if self.last.len() / 2 < self.keep {
            return;
        }
        if self.is_whole() {
            self.first = self.last[..self.keep].to_vec();
        }
        let dropped = self.last.len() - self.keep;
        self.last.drain(..dropped);
        self.base += dropped;
    }
}
