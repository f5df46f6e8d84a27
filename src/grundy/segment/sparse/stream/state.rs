//! States as bytes.

/// A state that is written to bytes.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn number(&mut self, number: usize) {
        self.bytes.extend((number as u64).to_le_bytes());
    }

    pub(super) fn codes(&mut self, codes: &[u16]) {
        self.number(codes.len());
        self.bytes.extend(codes.iter().flat_map(|code| code.to_le_bytes()));
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// A state that is read from bytes; each part is `None` if the bytes are no state.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        let (number, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        usize::try_from(u64::from_le_bytes(*number)).ok()
    }

    pub(super) fn code(&mut self) -> Option<u16> {
        u16::try_from(self.number()?).ok()
    }

    pub(super) fn codes(&mut self) -> Option<Vec<u16>> {
        let len = self.number()?;
        let (codes, rest) = self.bytes.split_at_checked(len.checked_mul(2)?)?;
        self.bytes = rest;
        Some(codes.as_chunks().0.iter().map(|code| u16::from_le_bytes(*code)).collect())
    }

    /// So many things, each read in its turn.
    pub(super) fn many<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let len = self.number()?;
        // Each takes eight bytes at least.
        let len = Some(len).filter(|len| *len <= self.bytes.len() / 8)?;
        (0..len).map(|_| read(self)).collect()
    }

    /// Whether nothing is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }
}
