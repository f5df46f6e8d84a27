//! What proves a period, in a file.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroxor::games::segment::{Period, Window};

use super::segment;

/// The version of the format.
const SCHEMA: u32 = 1;

/// A period of a game, and the table that proves it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
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
        let text = fs::read(path).with_context(|| format!("{} could not be read", path.display()))?;
        let certificate: Self = serde_json::from_slice(&text)
            .with_context(|| format!("{} is no certificate of a period", path.display()))?;
        let schema = certificate.schema;
        ensure!(schema == SCHEMA, "expected a certificate of schema {SCHEMA}, got {schema}");
        Ok(certificate)
    }

    fn window(&self) -> Option<Window> {
        let (l, r) = self.game.strip_prefix("segment ")?.split_once(' ')?;
        let window = Window::new(l.parse().ok()?, r.parse().ok()?)?;
        (segment::game(window) == self.game).then_some(window)
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
    let claimed = Period { start: certificate.pre_period, length: certificate.period };
    let needed = claimed.values_needed(window);
    ensure!(
        certificate.values == needed && claimed.length > 0,
        "expected a period with the {needed} values that prove it, got {}",
        certificate.values
    );
    let to = u64::try_from(needed - 1).context("the certificate's table is too large")?;
    let values = segment::values(window, to)?;
    let proven = Period::proven(window, values.values());
    if proven == Some(claimed) && Certificate::new(window, claimed, values.values()) == certificate {
        writeln!(io::stdout(), "{}: period {}", certificate.game, segment::proven(window, claimed))?;
        return Ok(ExitCode::SUCCESS);
    }
    let reason = match proven {
        Some(proven) if proven == claimed => "it is of another table".to_owned(),
        Some(Period { start, length }) => format!("the period is {length} from n = {start} on"),
        None => "its values prove no period".to_owned(),
    };
    // Nobody may be left to read it.
    let _ = writeln!(io::stderr(), "judge: the certificate is wrong: {reason}");
    Ok(ExitCode::FAILURE)
}
