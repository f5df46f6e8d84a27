//! A certificate: the period of a window or a code, and the hash of the values that prove it.

use std::io::{self, Write};
use std::num::NonZeroU64;

use anyhow::{Context, anyhow, ensure};
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use zeroxor::grundy::segment::Period;
use zeroxor::{MAX_SIZE, Nimber};

use super::definition::Incorrect;
use super::period_status::ProvenPeriod;
use super::row_game::RowGame;
use super::row_stream::{self, RowStream};
use super::rows::Rows;
use super::value::ValueHash;
use common::file_kind::FileKind;
use common::progress::Progress;

/// The version of the format. It is not the version of the other JSON, because later versions of the program read
/// certificates again.
pub(super) const VERSION: u32 = 1;

/// The kind of a certificate file.
pub const CERTIFICATE: FileKind = FileKind {
    later_text: "\",\"period\":",
    ..FileKind::new("a certificate", &["{\"schema\":1,\"game\":\""])
};

/// A period of a window or a code, and the hash of the values that prove it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    schema: u32,
    /// The rules, without sizes: `segment L R` or `octal CODE`.
    game: String,
    period: u64,
    pre_period: u64,
    /// The increase of each value after one period; absent if the values repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    saltus: Option<NonZeroU64>,
    /// Number of values, from n = 0 on, that prove the period.
    values: u128,
    /// The hash of these values, each as four bytes, little-endian.
    sha256: String,
}

/// Parses a part of a file. Errors omit the position, which is relative to the part and not to the file.
///
/// # Errors
///
/// If the part has another format.
pub(super) fn from_json<'a, T: Deserialize<'a>>(text: &'a [u8]) -> anyhow::Result<T> {
    serde_json::from_slice(text).map_err(|error| {
        let text = error.to_string();
        anyhow!("{}", text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what))
    })
}

/// The field that certificates of all versions have.
#[derive(Deserialize)]
struct Versioned {
    schema: u32,
}

/// Parses a certificate of a period or of a quotient.
///
/// # Errors
///
/// If the text has another format.
pub(super) fn parse<'a, T: Deserialize<'a>>(text: &'a [u8]) -> anyhow::Result<T> {
    // Read the version first: other versions may have other fields.
    let Versioned { schema } = from_json(text)?;
    ensure!(schema == VERSION, "expected schema {VERSION}, got {schema}");
    from_json(text)
}

impl Certificate {
    /// Makes the certificate of the period that `rows` prove; `None` if they prove no period.
    pub fn of(rows: &Rows) -> Option<Self> {
        let proven = rows.proven_period()?;
        let values = match proven.saltus {
            Some(_) => rows.len().into(),
            None => proven.period.values_needed(rows.game.move_bounds()),
        };
        let sha256 = hash(rows.first_values(values)?);
        Some(Self::new(rows.game.to_string(), proven, values, sha256))
    }

    /// Makes the certificate of the period that the values of a stream prove; `None` if they prove no period. If not
    /// all values are in memory, computes the values again and shows the progress as a bar on a terminal.
    ///
    /// # Errors
    ///
    /// If a value cannot be determined.
    pub(crate) fn of_stream(rows: &RowStream) -> anyhow::Result<Option<Self>> {
        if let Some(rows) = rows.rows() {
            return Ok(Self::of(rows));
        }
        let Some(period) = rows.period() else { return Ok(None) };
        let needed = period.values_needed(rows.game.move_bounds());
        let progress = Progress::new(u64::try_from(needed).unwrap_or(u64::MAX));
        Self::of_unbounded(rows.game, period, &mut |n| progress.reach(n)).map(Some)
    }

    /// Makes the certificate of a proven period. Computes again the values that prove it, and keeps only some of them
    /// in memory. `progress` is regularly called with the number of known values.
    ///
    /// # Errors
    ///
    /// If a value cannot be determined.
    pub(crate) fn of_unbounded(
        game: RowGame,
        period: Period,
        progress: &mut dyn FnMut(u64),
    ) -> anyhow::Result<Self> {
        let values = period.values_needed(game.move_bounds());
        let to = u64::try_from(values - 1).context("the period is too long")?;
        let mut rows = RowStream::unbounded(game)?.context("the values are in no sparse space")?;
        let sha256 = row_stream::hash(&mut rows, to, progress)?;
        Ok(Self::new(game.to_string(), ProvenPeriod { period, saltus: None }, values, sha256))
    }

    /// Returns the hash of the values that prove the period.
    pub(super) fn into_sha256(self) -> String {
        self.sha256
    }

    /// Makes the certificate of a period of `game`, such as `segment 1 2`. `values` is the number of values that prove
    /// the period, and `sha256` is the hash of these values.
    pub(super) fn new(game: String, proven: ProvenPeriod, values: u128, sha256: String) -> Self {
        let ProvenPeriod { period: Period { start, length }, saltus } = proven;
        Self { schema: VERSION, game, period: length, pre_period: start, saltus, values, sha256 }
    }

    /// Writes the certificate as one line of JSON.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        writeln!(out)
    }

    /// Computes the values again, and returns a text that says what they prove.
    ///
    /// # Errors
    ///
    /// `Incorrect` if the certificate is wrong; another error if the certificate is not about a window or a code, or
    /// the values need more memory than a table may use.
    pub fn verify(&self) -> anyhow::Result<String> {
        let expected = "expected a game \"segment L R\" or \"octal CODE\"";
        let game = RowGame::read(&self.game).with_context(|| format!("{expected}, got {:?}", self.game))?;
        let period = Period { start: self.pre_period, length: self.period };
        let claimed = ProvenPeriod { period, saltus: self.saltus };
        if let Some(flaw) = self.flaw(game, claimed)? {
            return Err(Incorrect(format!("the certificate of {game} is wrong: {flaw}")).into());
        }
        Ok(format!("{game}: {}", claimed.proof(game)))
    }

    /// Returns the first error in the certificate, if there is one.
    fn flaw(&self, game: RowGame, claimed: ProvenPeriod) -> anyhow::Result<Option<String>> {
        if claimed.period.length == 0 {
            return Ok(Some("expected a period of at least 1, got 0".to_owned()));
        }
        let needed = match claimed.saltus {
            Some(_) => self.values.max(1),
            None => claimed.period.values_needed(game.move_bounds()),
        };
        if self.values != needed {
            return Ok(Some(format!("proving its period needs {needed} values, got {}", self.values)));
        }
        let to = u64::try_from(needed - 1).ok().filter(|&to| to <= MAX_SIZE).with_context(|| {
            format!("the table is too large: {game} up to {}; the limit is {MAX_SIZE}", needed - 1)
        })?;
        let long = if claimed.saltus.is_none() { row_stream::prove(game, to)? } else { None };
        let (proven, hash) = if let Some((period, hash)) = long {
            (period.map(|period| ProvenPeriod { period, saltus: None }), hash)
        } else {
            let rows = Rows::compute(game, to, true)?;
            (rows.proven_period(), rows.first_values(needed).map(hash).unwrap_or_default())
        };
        Ok(match proven {
            None => Some("its values prove no period".to_owned()),
            Some(ProvenPeriod { period: Period { start, length }, saltus }) if proven != Some(claimed) => {
                let what = saltus.map_or_else(
                    || "period is".to_owned(),
                    |saltus| format!("arithmetic period has the saltus {saltus} and is"),
                );
                Some(format!("the {what} {length} from n = {start} on"))
            }
            Some(_) if !hash.eq_ignore_ascii_case(&self.sha256) => {
                Some(format!("expected the hash {hash:?}, got {:?}", self.sha256))
            }
            Some(_) => None,
        })
    }
}

fn hash(values: impl Iterator<Item = Nimber>) -> String {
    let mut hash = ValueHash::default();
    for chunk in &values.chunks(1 << 12) {
        hash.enter(chunk);
    }
    hash.finish()
}
