//! Whole numbers as typed: `1000`, `1_000`, `1e3` or `10^3`.

use std::ops::RangeInclusive;

pub(crate) fn parse_number(text: &str) -> Option<u64> {
    let (factor, base, exponent) = match (text.split_once('^'), text.split_once(['e', 'E'])) {
        (Some((base, exponent)), _) => (1, digits(base)?, digits(exponent)?),
        (None, Some((factor, exponent))) => (digits(factor)?, 10, digits(exponent)?),
        (None, None) => return digits(text),
    };
    base.checked_pow(u32::try_from(exponent).ok()?)?.checked_mul(factor)
}

/// Parses digits, which may have `_` between them.
fn digits(text: &str) -> Option<u64> {
    let is_grouped =
        text.split('_').all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    is_grouped.then(|| text.replace('_', "").parse().ok())?
}

/// Returns a parser of an argument that is a number in `range`.
pub(crate) fn number_in(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        parse_number(text).filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("expected a number from {least} to {most}, as in 1000, 1_000, 1e3 or 2^10")
        })
    }
}

/// Joins the words of a header, with numbers such as `1e3` in plain digits. A word with a point may be the code of a
/// game, and is not changed.
pub(crate) fn header_text(words: &[String]) -> String {
    let text = words.join(" ");
    let words = text.split(' ').map(|word| match parse_number(word) {
        Some(number) if !word.bytes().all(|byte| byte.is_ascii_digit()) => number.to_string(),
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_what_is_none() {
        for (text, number) in [("0", 0), ("1_000", 1000), ("1e6", 1_000_000), ("2^10", 1024), ("3E2", 300)] {
            assert_eq!(parse_number(text), Some(number), "{text}");
        }
        for text in ["", "_1", "1__0", "1_", "-1", "+1", "1e", "e3", "1.5", "2^64", "1e20", "1e2^2", "0.77"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
        assert_eq!(
            header_text(&["square 1e3".to_owned(), "ban".to_owned(), "4".to_owned()]),
            "square 1000 ban 4"
        );
        assert_eq!(header_text(&["octal".to_owned(), "4.7".to_owned()]), "octal 4.7");
    }
}
