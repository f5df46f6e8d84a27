//! The hash of values that prove a period.

use itertools::Itertools;
use sha2::{Digest, Sha256};

/// A hash of values that come one after the other.
#[derive(Default)]
pub(super) struct ValueHash(Sha256);

impl ValueHash {
    /// Enters the next values, each as four bytes, little-endian.
    pub(super) fn enter(&mut self, values: impl Iterator<Item = u32>) {
        self.0.update(values.flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
    }

    /// In hexadecimal digits.
    pub(super) fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).join("")
    }
}
