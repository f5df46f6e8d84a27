//! The Grundy values of a subtraction game, in blocks of piles.

use super::tabled::Mex;

/// The Grundy values of piles from 0 to `n`, where `takes`, in ascending order, may be taken from any pile that
/// has as many stones. One step for each move, four bytes for each pile.
pub(super) fn subtraction_values(takes: &[usize], n: usize) -> Vec<u32> {
    let mut values = Vec::with_capacity(n + 1);
    extend::<256, 64>(&mut values, takes, n);
    extend::<1024, 16>(&mut values, takes, n);
    extend_by_piles(&mut values, takes, n);
    values
}

/// Goes on up to `n`, or to the first block with a value of `WIDTH` - 1 or more.
///
/// Each pile of a block has a row of bytes, one for each value that a follower may have. Piles of a block that take the
/// same number have neighbouring followers: so the values before the block are read in order, and the rows stay in the
/// first-level cache. Only takes that lead back into the block are made pile by pile.
fn extend<const WIDTH: usize, const PILES: usize>(values: &mut Vec<u32>, takes: &[usize], n: usize) {
    let (near, far) = takes.split_at(takes.partition_point(|&take| take < PILES));
    let mut seen: Box<[[u8; WIDTH]]> = std::iter::repeat_n([0; WIDTH], PILES).collect();
    while values.len() <= n {
        let first = values.len();
        let end = (first + PILES).min(n + 1);
        let rows = &mut seen[..end - first];
        rows.as_flattened_mut().fill(0);
        for &take in far.iter().take_while(|&&take| take < end) {
            // The first piles of the table may be smaller than the take.
            let skipped = take.saturating_sub(first);
            let followers = &values[first + skipped - take..];
            for (row, &value) in rows[skipped..].iter_mut().zip(followers) {
                row[value as usize % WIDTH] = 1;
            }
        }
        for (pile, row) in (first..).zip(rows) {
            for &take in near.iter().take_while(|&&take| take <= pile) {
                row[values[pile - take] as usize % WIDTH] = 1;
            }
            let mex = mex(row);
            if mex + 1 >= WIDTH {
                values.truncate(first);
                return;
            }
            values.push(mex as u32);
        }
    }
}

/// The first value that is not seen.
fn mex(row: &[u8]) -> usize {
    let full = row.chunks_exact(16).take_while(|values| values.iter().all(|&seen| seen == 1)).count() * 16;
    full + row[full..].iter().take_while(|&&seen| seen == 1).count()
}

/// Goes on up to `n` pile by pile, whatever the values.
fn extend_by_piles(values: &mut Vec<u32>, takes: &[usize], n: usize) {
    let mut mex = Mex::default();
    for pile in values.len()..=n {
        mex.clear();
        for take in takes.iter().take_while(|&&take| take <= pile) {
            mex.see(values[pile - take]);
        }
        values.push(mex.least());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_piles(takes: &[usize], n: usize) -> Vec<u32> {
        let mut values = Vec::new();
        extend_by_piles(&mut values, takes, n);
        values
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn any_takes(takes in prop::collection::btree_set(1_usize..400, 0..40), n in 0_usize..1500) {
            let takes: Vec<usize> = takes.into_iter().collect();
            prop_assert_eq!(subtraction_values(&takes, n), by_piles(&takes, n));
        }
    }

    /// All takes up to k: the values run from 0 to k and again. Here the rows grow, twice.
    #[test]
    fn large_values() {
        for k in [254, 255, 256, 1022, 1023, 1024, 3000] {
            let takes: Vec<usize> = (1..=k).collect();
            let values: Vec<u32> = (0..=3 * k).map(|pile| (pile % (k + 1)) as u32).collect();
            assert_eq!(subtraction_values(&takes, 3 * k), values, "takes up to {k}");
        }
    }

    #[test]
    fn squares() {
        let takes: Vec<usize> = (1..=200).map(|root| root * root).collect();
        assert_eq!(subtraction_values(&takes, 40_000), by_piles(&takes, 40_000));
    }
}
