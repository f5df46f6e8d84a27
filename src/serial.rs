//! Serde for specifications and moves, which are their text in the protocol.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::wire::protocol::parse_bot_turn;
use crate::{GameSpec, Move};

/// Writes the text of the header. Fails if the game is not [valid](GameSpec::validate).
impl Serialize for GameSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.validate().map_err(ser::Error::custom)?;
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GameSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
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
        let mv = parse_bot_turn(String::deserialize(deserializer)?.as_bytes()).map_err(de::Error::custom)?;
        mv.ok_or_else(|| de::Error::custom("expected a move, got none"))
    }
}
