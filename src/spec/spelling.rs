//! Misspelt names: which one was probably meant.

use crate::compat::Itertools;

/// The name that is spelt most like a word, if it is like enough: no more than one letter in three is wrong.
pub(super) fn nearest(word: &str, names: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    let near = names.into_iter().map(|name| (distance(word, name), name)).min();
    near.filter(|(distance, name)| 3 * distance <= name.len()).map(|(_, name)| name)
}

/// How many letters must be added, removed, replaced or exchanged with their neighbour to make `b` of `a`: the
/// optimal string alignment distance (F. J. Damerau 1964, "A technique for computer detection and correction of
/// spelling errors"). Time: the product of the lengths, of which that of `a` is cut at 20.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.bytes().take(20).collect_vec());
    let mut rows = vec![(0..=b.len()).collect_vec()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words() {
        for (a, b, expected) in
            [("square", "square", 0), ("sqare", "square", 1), ("sqaure", "square", 1), ("", "nim", 3)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn a_name_that_was_meant() {
        let meant = |word| nearest(word, ["nim", "square", "subtract"]);
        assert_eq!(meant("nmi"), Some("nim"));
        assert_eq!(meant("subtrat"), Some("subtract"));
        assert_eq!(meant("euclid"), None);
        assert_eq!(meant(""), None);
    }
}
