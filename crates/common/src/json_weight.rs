//! A bound on the number of values in a JSON text, because a value takes much more memory than text.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Checks that a JSON text has at most `max` values, including those inside lists and objects. It keeps none of
/// them.
///
/// # Errors
///
/// If the text is not JSON, or has more values.
pub fn bound_values(text: &[u8], max: u64) -> serde_json::Result<()> {
    let mut counter = Counter { left: max, max };
    let mut json = serde_json::Deserializer::from_slice(text);
    counter.deserialize(&mut json)?;
    json.end()
}

struct Counter {
    left: u64,
    max: u64,
}

impl<'de> DeserializeSeed<'de> for &mut Counter {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        self.left = self
            .left
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
