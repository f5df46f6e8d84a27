//! Output compared with the same facts computed in another way.

use zeroxor::{GameSpec, Nimber, OctalCode, nimbers};

use crate::printed;

/// Compares the printed cousins of some codes with all codes whose values without the leading zeros agree up to 700
/// cards.
#[test]
fn cousins_of_codes() {
    let values = |code: &OctalCode, to: u64| {
        let values = nimbers(&GameSpec::of_code(*code), 0..=to).unwrap();
        let zeros = values.iter().take_while(|value| value.0 == 0).count();
        (i64::try_from(zeros).unwrap(), values[zeros..].to_vec())
    };
    let digits =
        (0..1024).map(|k: u16| [k >> 9 << 2, k >> 6 & 7, k >> 3 & 7, k & 7].map(|digit| digit as u8));
    let codes: Vec<OctalCode> = digits.filter_map(|digits| OctalCode::new(&digits)).collect();
    assert_eq!(codes.len(), 1023);
    // Most codes differ in these values. Only codes that agree in them are compared further.
    let first: Vec<_> = codes.iter().map(|code| values(code, 60)).collect();
    for text in ["0.313", "0.71", "0.3", "0.137", "0.6", "0.161", "0.16", "4.0", "4.7", "0.01", "0.f"] {
        let code: OctalCode = text.parse().unwrap();
        let (zeros, mine) = values(&code, 700);
        let equal = codes.iter().zip(&first).filter_map(|(other, (their_zeros, theirs))| {
            let agrees = |theirs: &[Nimber]| mine.iter().zip(theirs).all(|(a, b)| a == b);
            let is_equal = *other != code && agrees(theirs) && agrees(&values(other, 700).1);
            is_equal.then(|| match zeros - their_zeros {
                0 => other.to_string(),
                less @ 1.. => format!("{other} at n-{less}"),
                more => format!("{other} at n+{}", -more),
            })
        });
        let printed = printed(&format!("octal {text} --to 700"));
        let listed = printed.lines().find_map(|line| line.strip_prefix("cousins: "));
        assert_eq!(listed.unwrap_or_default(), equal.collect::<Vec<_>>().join(", "), "{text}");
    }
}
