//! Numbers of JSON.

use std::time::Duration;

use anyhow::ensure;
use serde::{Serialize, Serializer};

/// A number of up to 64 bits. JavaScript reads numbers of JSON as floating-point numbers, which are exact up to 2^53:
/// larger ones are written as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub u64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 < 1 << 53 { serializer.serialize_u64(self.0) } else { serializer.collect_str(&self.0) }
    }
}

/// A time in milliseconds, rounded to microseconds.
pub fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// Checks a time that was read, in milliseconds, if there is one.
///
/// # Errors
///
/// If it is negative or not finite.
pub fn check_ms(name: &str, time: Option<f64>) -> anyhow::Result<()> {
    let is_time = |&ms: &f64| ms.is_finite() && ms >= 0.0;
    let wrong = time.filter(|ms| !is_time(ms));
    ensure!(
        wrong.is_none(),
        "expected {name} as a time of 0 ms or more, got {} ms",
        wrong.unwrap_or_default()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_text() {
        let text = |number| serde_json::to_string(&Number(number)).unwrap();
        assert_eq!(text((1 << 53) - 1), "9007199254740991");
        assert_eq!(text(1 << 53), "\"9007199254740992\"");
    }
}
