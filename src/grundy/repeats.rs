//! How far the end of a sequence repeats what is before it, which shows a period.

use crate::integers::narrow;

/// For p = 1, 2, ... how many values, from the last one back, are those p before them.
///
/// It is the Z-function of the reversed sequence (D. Gusfield 1997, "Algorithms on Strings, Trees, and Sequences").
/// Time is linear up to the first p with `most` values or more. Memory: four bytes for each p, up to `most` of them.
pub(super) fn repeats<T: Eq>(values: &[T], most: usize) -> impl Iterator<Item = usize> {
    // By p - 1. No more is looked up than the longest repeat is long.
    let mut known = vec![0_u32; most.min(values.len())];
    // Where the repeat that reaches farthest begins and ends: there the values are once more those before the last p.
    let (mut left, mut right) = (0, 0_usize);
    (1..values.len()).map(move |p| {
        let inside = right.saturating_sub(p);
        let repeats = match known.get(p - left - 1) {
            Some(&repeats) if (repeats as usize) < inside => repeats as usize,
            // It may continue after the end.
            known => {
                let from = known.map_or(0, |_| inside);
                let (earlier, later) = (&values[..values.len() - p - from], &values[p..values.len() - from]);
                from + later.iter().rev().zip(earlier.iter().rev()).take_while(|(a, b)| a == b).count()
            }
        };
        if p + repeats > right {
            (left, right) = (p, p + repeats);
        }
        if let Some(known) = known.get_mut(p - 1) {
            *known = narrow(repeats);
        }
        repeats
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever is kept, also far less than the repeats are long.
        #[test]
        fn as_by_definition(values in prop::collection::vec(0_u8..2, 0..60), most in 0_usize..70) {
            let repeats: Vec<usize> = repeats(&values, most).collect();
            for (p, repeats) in (1..).zip(repeats) {
                let pairs = values.iter().rev().zip(values.iter().rev().skip(p));
                prop_assert_eq!(repeats, pairs.take_while(|(a, b)| a == b).count(), "{}", p);
            }
        }
    }
}
