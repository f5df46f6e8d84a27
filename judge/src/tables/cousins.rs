//! Games with the same values, but for the number of cards.

use std::fmt;

use zeroxor::OctalCode;

/// Whether two codes have the same standard form, and how many cards more the heaps of the first have.
pub(crate) fn same_game(code: OctalCode, other: OctalCode) -> Option<i64> {
    let ((form, shift), (other, smaller)) = (code.standard_form()?, other.standard_form()?);
    let [shift, smaller] = [shift, smaller].map(|shift| i64::try_from(shift).ok());
    (form == other).then_some(shift? - smaller?)
}

/// A game and the heap, of some cards less than n, that has the value of n.
pub(crate) fn at(game: impl fmt::Display, less: i128) -> String {
    match less {
        0 => game.to_string(),
        1.. => format!("{game} at n-{less}"),
        _ => format!("{game} at n+{}", -less),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_are_the_same() {
        let same = |a: &str, b: &str| same_game(a.parse().unwrap(), b.parse().unwrap());
        assert_eq!(same("0.07", "0.137"), Some(1));
        assert_eq!(same("0.137", "0.4"), Some(-2));
        assert_eq!(same("0.37", "0.6"), Some(-1));
        assert_eq!(same("0.37", "0.77"), None);
    }
}
