//! JSON: numbers that JavaScript reads exactly, times, and a bound on the number of values.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use serde::de::Error;
use serde_json::Value;

/// Returns a number for JSON. Numbers from 2^53 on are JSON strings, because JavaScript reads JSON numbers as floating-point
/// numbers, which are exact only up to 2^53.
pub(crate) fn js_number(number: u64) -> Value {
    if number < 1 << 53 { number.into() } else { number.to_string().into() }
}

/// Writes and flushes a line with a value, so that a killed judge leaves only complete lines.
pub(crate) fn write_line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(value)?;
    text.push(b'\n');
    out.write_all(&text)?;
    out.flush()
}

/// Returns a time in milliseconds, rounded to microseconds.
pub(crate) fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// Returns the time of a number of milliseconds; zero if the number is not a time.
pub(crate) fn from_ms(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default()
}

/// Checks that a JSON text has at most `max` values, including those inside lists and objects, before they are stored. An
/// empty list or object counts as two values. Other errors are left to the parser.
pub(crate) fn bound_values(text: &[u8], max: u64) -> serde_json::Result<()> {
    let (mut values, mut is_in_string) = (1, false);
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_in_string = !is_in_string,
            b'\\' => {
                bytes.next();
            }
            // Each value but the first follows the start of its list or object, or a comma.
            b'[' | b'{' | b',' if !is_in_string => values += 1,
            _ => {}
        }
    }
    if values > max {
        return Err(Error::custom(format_args!("expected at most {max} values, got more")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_text() {
        assert_eq!(js_number((1 << 53) - 1).to_string(), "9007199254740991");
        assert_eq!(js_number(1 << 53).to_string(), "\"9007199254740992\"");
    }

    #[test]
    fn values_are_counted_outside_of_strings() {
        for (text, count) in
            [("7", 1), (r#"{"a": [1, "[,{\\"], "b\",": null}"#, 5), ("[]", 2), ("[[1], 2]", 4)]
        {
            assert!(bound_values(text.as_bytes(), count).is_ok(), "{text}");
            assert!(bound_values(text.as_bytes(), count - 1).is_err(), "{text}");
        }
    }
}
