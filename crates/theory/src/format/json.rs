//! One JSON object on one line.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};
use zeroxor::Nimber;
use zeroxor::grundy::ValueKind;

use super::{Heaps, Table, terms};
use common::SCHEMA;

/// Writes the object value by value: it may be longer than memory.
pub(super) fn write(table: &Table, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Object(table))?;
    writeln!(out)
}

/// The object: the nimbers of sizes, the sizes that are P-positions, or for pairs a word for each first number with
/// a letter for each second.
struct Object<'a>(&'a Table);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(table) = self;
        let mut object = serializer.serialize_map(Some(4))?;
        object.serialize_entry("schema", &SCHEMA)?;
        object.serialize_entry("game", &table.game)?;
        object.serialize_entry("to", &table.heaps.to())?;
        match (table.heaps, table.kind) {
            (Heaps::Sizes(_), ValueKind::Nimber) => {
                object.serialize_entry("nimbers", &List(|| terms(table).1))?;
            }
            (Heaps::Sizes(_), ValueKind::Outcome) => {
                object.serialize_entry("p_positions", &List(|| terms(table).1))?;
            }
            (Heaps::Pairs(_), _) => {
                let letter = |nimber| if nimber == Nimber::ZERO { 'P' } else { 'N' };
                let words = || table.groups().map(|pairs| pairs.into_iter().map(letter).collect::<String>());
                object.serialize_entry("outcomes", &List(words))?;
            }
        }
        object.end()
    }
}

/// A list whose items are made one by one.
struct List<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for List<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
