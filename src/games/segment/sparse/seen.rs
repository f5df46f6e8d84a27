//! Which XOR values the sums in a window have.

/// For each code one more than the latest sum it was seen at, 0 if it was never seen.
///
/// The stamps have a sign only because vectors of such compare in fewer steps. It has room for all codes, so that no index into it needs a check; only the pages in use are ever touched.
pub(super) struct Seen(Box<[i32; 1 << 16]>);

impl Seen {
    pub(super) fn new() -> Self {
        let zeroed = vec![0; 1 << 16].into_boxed_slice();
        Self(zeroed.try_into().unwrap_or_else(|_| unreachable!("the lengths are equal")))
    }

    /// Whether a code was seen at the sum of that stamp or later.
    pub(super) fn has(&self, code: u16, stamp: i32) -> bool {
        self.0[usize::from(code)] >= stamp
    }

    /// Enters a code at a sum.
    pub(super) fn enter(&mut self, code: u16, stamp: i32) {
        let latest = &mut self.0[usize::from(code)];
        *latest = stamp.max(*latest);
    }

    /// Enters the XORs of the pairs of two rows at the latest sum of all.
    pub(super) fn enter_pairs(&mut self, up: &[u16], down: &[u16], stamp: i32) {
        // Four at a time, by the 64 bits they lie in.
        let ((up, up_rest), (down, down_rest)) = (up.as_chunks::<4>(), down.as_chunks::<4>());
        for (a, b) in up.iter().zip(down) {
            let xors = word(*a) ^ word(*b);
            self.0[(xors & 0xffff) as usize] = stamp;
            self.0[(xors >> 16 & 0xffff) as usize] = stamp;
            self.0[(xors >> 32 & 0xffff) as usize] = stamp;
            self.0[(xors >> 48) as usize] = stamp;
        }
        for (a, b) in up_rest.iter().zip(down_rest) {
            self.0[usize::from(a ^ b)] = stamp;
        }
    }

    /// Enters the XORs of the segments at some places with what stands in a row at these places, at the latest sum of
    /// all. Places behind the end of the row, which come last, do not count.
    pub(super) fn enter_at(&mut self, places: &[u32], codes: &[u16], row: &[u16], stamp: i32) {
        for (&place, &code) in places.iter().zip(codes) {
            let Some(&other) = row.get(place as usize) else { break };
            self.0[usize::from(code) ^ usize::from(other)] = stamp;
        }
    }

    /// The first code from `from` on that was not seen since; there must be one below the end.
    pub(super) fn first_unseen(&self, from: u16, stamp: i32) -> Option<u16> {
        let codes = &self.0[usize::from(from)..];
        let chunk = codes.chunks(16).position(|chunk| any_below(chunk, stamp))?;
        let within = codes[chunk * 16..].iter().position(|&at| at < stamp)?;
        Some(from + (chunk * 16 + within) as u16)
    }

    /// Adds the codes below `end` to a list that were not seen since.
    pub(super) fn unseen(&self, end: usize, stamp: i32, list: &mut Vec<u16>) {
        let Some(codes) = self.0.get(..end) else { return };
        for (at, chunk) in (0_usize..).step_by(16).zip(codes.chunks(16)) {
            if any_below(chunk, stamp) {
                let unseen = (at..).zip(chunk).filter(|&(_, &at)| at < stamp);
                list.extend(unseen.map(|(code, _)| code as u16));
            }
        }
    }
}

/// The stamp of a sum.
pub(super) fn stamp(sum: usize) -> i32 {
    i32::try_from(sum + 1).unwrap_or(i32::MAX)
}

fn word(codes: [u16; 4]) -> u64 {
    codes.into_iter().rev().fold(0, |word, code| word << 16 | u64::from(code))
}

/// Whether any of the stamps is below one; without a way out, for the compiler to make vectors of them.
fn any_below(stamps: &[i32], stamp: i32) -> bool {
    stamps.iter().map(|&at| i32::from(at < stamp)).sum::<i32>() > 0
}
