//! What proves a period, in a file.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroxor::MAX_SIZE;
use zeroxor::grundy::segment::{Period, Window};

use super::{segment, wrong};

/// The version of the format.
const SCHEMA: u32 = 1;

/// No certificate is longer, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// A period of a game, and the table that proves it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Certificate {
    schema: u32,
    /// The rules in the header's words, sizes left out.
    game: String,
    period: u64,
    pre_period: u64,
    /// How many values from n = 0 on prove it.
    values: u128,
    /// Their hash, each as four bytes, little-endian.
    sha256: String,
}

/// What every schema has.
#[derive(Deserialize)]
struct Versioned {
    schema: u32,
}

impl Certificate {
    /// For a period that these values of a window prove.
    pub(super) fn new(window: Window, period: Period, values: &[u32]) -> Self {
        let needed = period.values_needed(window);
        let proof = &values[..values.len().min(usize::try_from(needed).unwrap_or(usize::MAX))];
        Self {
            schema: SCHEMA,
            game: segment::game(window),
            period: period.length,
            pre_period: period.start,
            values: needed,
            sha256: hash(proof),
        }
    }

    fn read(path: &Path) -> anyhow::Result<Self> {
        let mut text = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut text));
        read.with_context(|| format!("{} could not be read", path.display()))?;
        ensure!(
            text.len() as u64 <= MAX_BYTES,
            "{} is no certificate of a period: expected at most {MAX_BYTES} bytes, got more",
            path.display()
        );
        Self::parse(&text).with_context(|| format!("{} is no certificate of a period", path.display()))
    }

    fn parse(text: &[u8]) -> anyhow::Result<Self> {
        // It comes first: another schema may have other fields.
        let Versioned { schema } = serde_json::from_slice(text)?;
        ensure!(schema == SCHEMA, "expected schema {SCHEMA}, got {schema}");
        Ok(serde_json::from_slice(text)?)
    }

    fn window(&self) -> Option<Window> {
        let (l, r) = self.game.strip_prefix("segment ")?.split_once(' ')?;
        let window = Window::new(l.parse().ok()?, r.parse().ok()?)?;
        (segment::game(window) == self.game).then_some(window)
    }

    fn period(&self) -> Period {
        Period { start: self.pre_period, length: self.period }
    }

    /// What is wrong with a certificate of a window, if anything is.
    fn flaw(&self, window: Window) -> anyhow::Result<Option<String>> {
        let claimed = self.period();
        if claimed.length == 0 {
            return Ok(Some("a period is at least 1, it has 0".to_owned()));
        }
        let needed = claimed.values_needed(window);
        if self.values != needed {
            return Ok(Some(format!("it takes {needed} values to prove its period, it has {}", self.values)));
        }
        let to = u64::try_from(needed - 1).ok().filter(|&to| to <= MAX_SIZE).with_context(|| {
            let game = &self.game;
            format!("the table is too large: {game} up to {}, and the limit is {MAX_SIZE}", needed - 1)
        })?;
        let values = segment::values(window, to, true)?;
        let proven = Period::proven(window, values.values());
        let hash = hash(values.values());
        Ok(match proven {
            None => Some("its values prove no period".to_owned()),
            Some(Period { start, length }) if proven != Some(claimed) => {
                Some(format!("the period is {length} from n = {start} on"))
            }
            Some(_) if !hash.eq_ignore_ascii_case(&self.sha256) => {
                Some(format!("the values hash to {hash}, it has {:?}", self.sha256))
            }
            Some(_) => None,
        })
    }
}

fn hash(values: &[u32]) -> String {
    let mut hash = Sha256::new();
    for chunk in values.chunks(1 << 12) {
        let bytes: Vec<u8> = chunk.iter().flat_map(|value| value.to_le_bytes()).collect();
        hash.update(&bytes);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).join("")
}

/// Proves once more what a certificate says.
pub(super) fn verify(path: &Path) -> anyhow::Result<ExitCode> {
    let certificate = Certificate::read(path)?;
    let window = certificate.window();
    let window =
        window.with_context(|| format!("expected a game \"segment L R\", got {:?}", certificate.game))?;
    if let Some(flaw) = certificate.flaw(window)? {
        return Ok(wrong(format_args!("the certificate is wrong: {flaw}")));
    }
    let proven = segment::proven(window, certificate.period());
    writeln!(io::stdout(), "{}: period {proven}", certificate.game)?;
    Ok(ExitCode::SUCCESS)
}
