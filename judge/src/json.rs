//! JSON: numbers that JavaScript reads exactly, times, and a bound on the number of values.

use std::fmt;
use std::time::Duration;

use anyhow::ensure;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};

/// A 64-bit number for JSON. Numbers from 2^53 on are written as JSON strings, because JavaScript reads JSON numbers as
/// floating-point numbers, which are exact only up to 2^53.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) u64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 < 1 << 53 { serializer.serialize_u64(self.0) } else { serializer.collect_str(&self.0) }
    }
}

/// Returns a time in milliseconds, rounded to microseconds.
pub(crate) fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// Returns the time of a number of milliseconds; zero if the number is not a time.
pub(crate) fn from_ms(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default()
}

/// Checks an optional time in milliseconds.
///
/// # Errors
///
/// If the time is negative or not finite.
pub(crate) fn check_ms(name: &str, time: Option<f64>) -> anyhow::Result<()> {
    let is_time = |&ms: &f64| ms.is_finite() && ms >= 0.0;
    let wrong = time.filter(|ms| !is_time(ms));
    ensure!(wrong.is_none(), "expected {name} to be at least 0 ms, got {} ms", wrong.unwrap_or_default());
    Ok(())
}

/// Checks that a JSON text has at most `max` values, including those inside lists and objects. Stores none of the
/// values.
///
/// # Errors
///
/// If the text is not JSON, or has more values.
pub(crate) fn bound_values(text: &[u8], max: u64) -> serde_json::Result<()> {
    let mut counter = Counter { remaining: max, max };
    let mut json = serde_json::Deserializer::from_slice(text);
    counter.deserialize(&mut json)?;
    json.end()
}

struct Counter {
    remaining: u64,
    max: u64,
}

impl<'de> DeserializeSeed<'de> for &mut Counter {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        self.remaining = self
            .remaining
            .checked_sub(1)
            .ok_or_else(|| Error::custom(format_args!("expected at most {} values, got more", self.max)))?;
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Counter {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(&mut *self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while object.next_key::<IgnoredAny>()?.is_some() {
            object.next_value_seed(&mut *self)?;
        }
        Ok(())
    }
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
