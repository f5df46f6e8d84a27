//! Serde for some public types. A nimber is a number; each other type is its text in the protocol or in messages.

use std::fmt::Display;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::wire::protocol::{parse_bot_turn, parse_side};
use crate::{GameSpec, Move, Nimber, Outcome, Side};

/// Writes the text of the header. Fails if the game is not [valid](GameSpec::validate).
impl Serialize for GameSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.validate().map_err(ser::Error::custom)?;
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GameSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, str::parse)
    }
}

/// Writes a line of the protocol, such as `"3 2"`.
impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mv = read(deserializer, |text| parse_bot_turn(text.as_bytes()))?;
        mv.ok_or_else(|| de::Error::custom("expected a move, got none"))
    }
}

/// Writes a line of the protocol, `"First"` or `"Second"`.
impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, |text| parse_side(text.as_bytes()))
    }
}

/// Writes the letter, `"N"` or `"P"`.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, |text| match text {
            "N" => Ok(Self::N),
            "P" => Ok(Self::P),
            _ => Err(format!("expected \"N\" or \"P\", got {text:?}")),
        })
    }
}

/// Writes the number.
impl Serialize for Nimber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Nimber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(Self)
    }
}

/// Deserializes a string and parses it.
fn read<'de, D: Deserializer<'de>, T, E: Display>(
    deserializer: D,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, D::Error> {
    parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
}
