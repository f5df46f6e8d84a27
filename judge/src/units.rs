//! Numbers, times and sizes with their units: parsed from the command line and `judge.toml`, and formatted.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Parses digits such as `1_000`, with a fraction and a power of ten as in `1.5e6`; or a power as in `2^20`. Returns the
/// digits as a number, and the power of ten by which it is to be multiplied.
fn decimal(text: &str) -> Option<(u128, i32)> {
    if let Some((base, exponent)) = text.split_once('^') {
        return Some((plain(base)?.checked_pow(u32::try_from(plain(exponent)?).ok()?)?, 0));
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_separators_in_place = !fraction.contains('_') && (whole.is_empty() || plain(whole).is_some());
    let digits = plain(&[whole, fraction].concat()).filter(|_| has_separators_in_place)?;
    Some((digits, exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?))
}

/// Returns the product of a number and a unit, rounded down; `None` if it is too large, or with `exact` not whole.
fn product(number: &str, unit: u64, exact: bool) -> Option<u64> {
    let (digits, exponent) = decimal(number)?;
    let product = digits.checked_mul(unit.into())?;
    let product = match 10_u128.checked_pow(exponent.unsigned_abs()) {
        Some(power) if exponent >= 0 => product.checked_mul(power)?,
        Some(power) if exact && !product.is_multiple_of(power) => return None,
        Some(power) => product / power,
        None if product == 0 || (exponent < 0 && !exact) => 0,
        None => return None,
    };
    u64::try_from(product).ok()
}

pub(crate) fn parse_score(text: &str) -> Result<f64, String> {
    let score = text.parse().ok().filter(|score: &f64| score.is_finite());
    score.ok_or_else(|| "expected a number such as 100".to_owned())
}

/// Parses digits, which may have `_` between them.
fn plain(text: &str) -> Option<u128> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let has_misplaced_separator = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    text.replace('_', "").parse().ok().filter(|_| is_plain && !has_misplaced_separator)
}

/// Parses a number in the unit `default`, or the sum of numbers that are each followed by a unit.
fn quantity(text: &str, default: u64, unit: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    if let Some(product) = product(text, default, false) {
        return Some(product);
    }
    let (mut sum, mut rest) = (0_u64, text);
    loop {
        let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '_' | '^');
        let (number, after) = rest.split_at(rest.find(|c| !is_number(c)).unwrap_or(rest.len()));
        let (name, after) = after.split_at(after.find(is_number).unwrap_or(after.len()));
        sum = sum.checked_add(product(number, unit(name.trim())?, false)?)?;
        if after.is_empty() {
            return Some(sum);
        }
        rest = after;
    }
}

/// Parses a whole number: `1000`, `1_000`, `1e3` or `10^3`.
pub(crate) fn parse_number(text: &str) -> Option<u64> {
    product(text, 1, true)
}

/// Parses a time: seconds, or with units, as in `2s`, `500ms` or `1m30s`.
pub(crate) fn parse_time(text: &str) -> Option<Duration> {
    let nanos = |unit: &str| match unit {
        "ns" => Some(1),
        "us" | "µs" => Some(1_000),
        "ms" => Some(1_000_000),
        "s" => Some(1_000_000_000),
        "m" | "min" => Some(60_000_000_000),
        "h" => Some(3_600_000_000_000),
        _ => None,
    };
    quantity(text, 1_000_000_000, nanos).map(Duration::from_nanos)
}

/// Formats a measured time with about three digits: in seconds, or in milliseconds if it is less than 0.1 s.
pub(crate) fn measured(time: Duration) -> String {
    match time.as_secs_f64() * 1e3 {
        ms @ ..10.0 => format!("{ms:.2} ms"),
        ms @ 10.0..100.0 => format!("{ms:.1} ms"),
        ms => format!("{:.2} s", ms / 1e3),
    }
}

/// Formats a time limit exactly: in seconds, or in milliseconds if it is less than 0.1 s.
pub(crate) fn time_limit(time: Duration) -> String {
    if time < Duration::from_millis(100) {
        format!("{} ms", (time * 1000).as_secs_f64())
    } else {
        format!("{} s", time.as_secs_f64())
    }
}

/// Formats a measured time for a report: in milliseconds, with one decimal below 10 ms.
pub(crate) fn in_ms(time: Duration) -> String {
    match time.as_secs_f64() * 1e3 {
        ms @ ..10.0 => format!("{ms:.1} ms"),
        ms => format!("{ms:.0} ms"),
    }
}

/// Formats an amount of memory in MiB, rounded down to a tenth.
pub(crate) fn in_mib(bytes: u64) -> String {
    format!("{}.{} MiB", bytes >> 20, (bytes >> 10) % 1024 * 10 / 1024)
}

/// Parses a size and returns it in bytes. Without a unit the number is in MiB; examples with a unit are `256M`, `1GiB`
/// and `4096B`. `M` and `MiB` are 2^20 bytes, `MB` is 10^6.
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    let bytes = |unit: &str| match unit.to_ascii_lowercase().as_str() {
        "b" => Some(1),
        "k" | "kib" => Some(1 << 10),
        "m" | "mib" => Some(1 << 20),
        "g" | "gib" => Some(1 << 30),
        "t" | "tib" => Some(1 << 40),
        "kb" => Some(1_000),
        "mb" => Some(1_000_000),
        "gb" => Some(1_000_000_000),
        "tb" => Some(1_000_000_000_000),
        _ => None,
    };
    quantity(text, 1 << 20, bytes)
}

/// Replaces each number that is not in plain digits, such as `1e3`, by its plain digits, so that a typed header or move
/// becomes the text to send. A word with a point is not changed, because it may be the code of a game.
pub(crate) fn plain_numbers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split_inclusive([' ', '\t']) {
        let (word, blank) = word.split_at(word.trim_end_matches([' ', '\t']).len());
        let is_typed = word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains('.');
        match parse_number(word).filter(|_| is_typed && !word.bytes().all(|byte| byte.is_ascii_digit())) {
            Some(number) => plain.push_str(&number.to_string()),
            None => plain.push_str(word),
        }
        plain.push_str(blank);
    }
    plain
}

/// Returns a parser of an argument that is a whole number in `range`.
pub(crate) fn number_in<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    // `Into` prevents an untyped literal from becoming an `i32`, which no argument uses.
    T: TryFrom<u64> + Into<u64> + PartialOrd + fmt::Display + Send + Sync + Clone + 'static,
{
    move |text| {
        let number = parse_number(text).and_then(|number| T::try_from(number).ok());
        let (first, last) = (range.start(), range.end());
        let expected = || format!("expected a number from {first} to {last}, as in 1000, 1_000, 1e3 or 2^10");
        number.filter(|number| range.contains(number)).ok_or_else(expected)
    }
}

pub(crate) fn parse_time_limit(text: &str) -> Result<Duration, String> {
    let limits = Duration::from_millis(1)..=Duration::from_secs(86400);
    parse_time(text).filter(|time| limits.contains(time)).ok_or_else(|| {
        "expected a time from 1ms to 24h, as in 2, 2s, 500ms or 1m30s; without a unit it is in seconds"
            .to_owned()
    })
}

pub(crate) fn parse_memory_limit(text: &str) -> Result<u64, String> {
    parse_size(text).filter(|size| (1 << 20..=1 << 60).contains(size)).ok_or_else(|| {
        "expected a size from 1M to 1048576T, as in 256, 256M or 1GiB; without a unit it is in MiB".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("0", 0),
            ("007", 7),
            ("1e6", 1_000_000),
            ("1.5E3", 1500),
            ("1e+2", 100),
            ("2500e-2", 25),
            ("2^20", 1 << 20),
            ("10^18", 1_000_000_000_000_000_000),
            ("1_000_000", 1_000_000),
            ("18_446_744_073_709_551_615", u64::MAX),
            ("0e99999", 0),
        ] {
            assert_eq!(parse_number(text), Some(expected), "{text}");
        }
        for text in
            ",-1,+1,1.5,1e-1,1e20,2^64,2^-1,_1,1_,1__0,1e,e3,1k,^2,2^,.,1.2.3,1 2,٣,1e99999999999,1e-99999"
                .split(',')
        {
            assert_eq!(parse_number(text), None, "{text:?}");
        }
    }

    #[test]
    fn times() {
        for (text, millis) in [
            ("2", 2000),
            ("0.5", 500),
            (".5", 500),
            ("1e-3", 1),
            ("2s", 2000),
            ("500ms", 500),
            ("1m30s", 90_000),
            ("1 min 30 s", 90_000),
            ("1.5h", 5_400_000),
            ("1500us", 1),
        ] {
            assert_eq!(parse_time(text).map(|time| time.as_millis()), Some(millis), "{text}");
        }
        for text in ["", "s", "2x", "1m30", "-1s", "2S", "inf", "NaN", "1e30s", "2 3", "1s+2s"] {
            assert_eq!(parse_time(text), None, "{text:?}");
        }
    }

    #[test]
    fn times_as_text() {
        for (text, as_measured, as_limit) in [
            ("1ms", "1.00 ms", "1 ms"),
            ("1.5ms", "1.50 ms", "1.5 ms"),
            ("33.333ms", "33.3 ms", "33.333 ms"),
            ("99ms", "99.0 ms", "99 ms"),
            ("0.1", "0.10 s", "0.1 s"),
            ("1m30s", "90.00 s", "90 s"),
        ] {
            let time = parse_time(text).unwrap();
            assert_eq!(
                (measured(time).as_str(), time_limit(time).as_str()),
                (as_measured, as_limit),
                "{text}"
            );
        }
    }

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("256", 256 << 20),
            ("256M", 256 << 20),
            ("256m", 256 << 20),
            ("256 MiB", 256 << 20),
            ("256MB", 256_000_000),
            ("1GiB", 1 << 30),
            ("0.5G", 1 << 29),
            ("2^30B", 1 << 30),
        ] {
            assert_eq!(parse_size(text), Some(expected), "{text}");
        }
        for text in ["", "M", "1X", "1M1", "1MM", "-1M", "1e30T"] {
            assert_eq!(parse_size(text), None, "{text:?}");
        }
    }

    #[test]
    fn plain_numbers_in_headers() {
        assert_eq!(plain_numbers("1e3 1_0  2^3 + nim\t2^2 seat first"), "1000 10  8 + nim\t4 seat first");
        assert_eq!(plain_numbers("007 .5 x 1e99 1.5 0.7e1"), "007 .5 x 1e99 1.5 0.7e1");
    }
}
