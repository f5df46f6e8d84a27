//! A line of a sweep: a game and its findings.

use anyhow::{Context, ensure};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::family::{Family, GameClass, SweepGame};
use super::findings::Findings;
use common::SCHEMA;
use common::record_file::Record;
use common::shards::RunLabel;

/// A line of a sweep in JSON. It can be read without the other lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepRecord {
    schema: u32,
    /// The sweep of the line; missing in a line that `grundy atlas --lines` wrote.
    #[serde(flatten, deserialize_with = "Origin::of_line")]
    pub origin: Option<Origin>,
    /// The rules without sizes, such as `segment 1 2`.
    pub game: String,
    /// The other games of the family with the same values, each with the heap that has the value of heap n of this
    /// game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) cousins: Vec<String>,
    #[serde(flatten)]
    pub found: Findings,
}

/// The sweep that a line belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The version of the program.
    judge: String,
    /// The family, as the arguments of `grundy sweep`.
    pub sweep: String,
    /// The identifier of the sweep.
    pub run: String,
    /// The game's number in the sweep, from 0.
    pub index: u64,
    /// Number of games of the sweep.
    pub games: u64,
    /// Number of lines of the whole sweep, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    /// The command that makes all lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

impl Origin {
    const KEYS: [&str; 7] = ["judge", "sweep", "run", "index", "games", "total", "command"];

    /// Deserializes the sweep of a line; `None` if the line has none of [`KEYS`](Self::KEYS). serde's own code for a
    /// flattened `Option` returns `None` even if a field is wrong or missing; here this is an error.
    fn of_line<'de, D: Deserializer<'de>>(line: D) -> Result<Option<Self>, D::Error> {
        let mut fields = Map::deserialize(line)?;
        if !Self::KEYS.iter().any(|&key| fields.contains_key(key)) {
            return Ok(None);
        }
        Ok(Some(Self {
            judge: field(&mut fields, "judge")?,
            sweep: field(&mut fields, "sweep")?,
            run: field(&mut fields, "run")?,
            index: field(&mut fields, "index")?,
            games: field(&mut fields, "games")?,
            total: field(&mut fields, "total")?,
            command: field(&mut fields, "command")?,
        }))
    }
}

/// Deserializes the value of a key. The key may be missing if `T` is an `Option`.
fn field<T: DeserializeOwned, E: Error>(fields: &mut Map<String, Value>, key: &'static str) -> Result<T, E> {
    let value = fields.remove(key);
    let is_missing = value.is_none();
    let named =
        |error| if is_missing { E::missing_field(key) } else { E::custom(format_args!("{key}: {error}")) };
    T::deserialize(value.unwrap_or_default()).map_err(named)
}

impl Record for SweepRecord {
    const WHAT: &str = "a game of grundy sweep";

    fn check(&self) -> anyhow::Result<()> {
        ensure!(self.schema == SCHEMA, "expected schema {SCHEMA}, got {}, in {}", self.schema, self.game);
        self.found.check()
    }
}

impl SweepRecord {
    /// Makes the line of a class of games, with its number and the number of all classes.
    pub(super) fn new(
        family: &Family,
        label: &RunLabel,
        (index, games): (u64, u64),
        class: &GameClass,
        found: Findings,
    ) -> Self {
        let RunLabel { judge, run, total, command } = label.clone();
        let sweep = family.to_string();
        Self {
            schema: SCHEMA,
            origin: Some(Origin { judge, sweep, run, index, games, total, command }),
            game: class.game.to_string(),
            cousins: class.cousins.clone(),
            found,
        }
    }

    /// Parses the rules of the game.
    ///
    /// # Errors
    ///
    /// If the rules are invalid.
    pub fn rules(&self) -> anyhow::Result<SweepGame> {
        SweepGame::read(&self.game)
            .with_context(|| format!("expected a game of grundy sweep, got {:?}", self.game))
    }
}
