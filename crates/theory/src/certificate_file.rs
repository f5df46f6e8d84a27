//! Files of certificates.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, ensure};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::certificate::{Certificate, from_json};
use super::sweep::SweepRecord;
use common::record_file::Record;
use common::text::without_mark;

/// Maximum length of a file, in bytes. A sweep of all codes with five digits has some million bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The certificates of a file. Each is a JSON object of its own, or part of a sweep line.
#[derive(Debug)]
pub(crate) struct CertificateFile {
    pub certificates: Vec<Certificate>,
    /// Number of sweep games without a certificate.
    pub without: u64,
}

impl CertificateFile {
    /// Reads the certificates of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has another format.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let mut text = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut text));
        let path = path.display();
        read.with_context(|| format!("{path} could not be read"))?;
        ensure!(
            text.len() as u64 <= MAX_BYTES,
            "{path} is not a certificate of a period: expected at most {MAX_BYTES} bytes, got more"
        );
        Self::parse(without_mark(&text)).with_context(|| format!("{path} is not a certificate of a period"))
    }

    fn parse(text: &[u8]) -> anyhow::Result<Self> {
        let mut file = Self { certificates: Vec::new(), without: 0 };
        let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
        let mut from = 0;
        while let Some(value) = values.next() {
            value?;
            let value = text.get(from..values.byte_offset()).unwrap_or_default();
            from = values.byte_offset();
            match parse_one(value).with_context(|| format!("line {}", lines_to(text, from)))? {
                Some(certificate) => file.certificates.push(certificate),
                None => file.without += 1,
            }
        }
        ensure!(
            !file.certificates.is_empty(),
            "expected a certificate, or a line of grundy sweep with one, got none"
        );
        Ok(file)
    }
}

/// Parses a certificate or a sweep line; returns `None` if the sweep line has no certificate.
fn parse_one(value: &[u8]) -> anyhow::Result<Option<Certificate>> {
    let Kind { sweep } = from_json(value)?;
    if sweep.is_none() {
        return Certificate::parse(value).map(Some);
    }
    let record: SweepRecord = from_json(value)?;
    record.check()?;
    let SweepRecord { game, found, .. } = record;
    let proof = found.proven().zip(found.sha256);
    Ok(proof.map(|(proven, sha256)| Certificate::new(game, proven, u128::from(found.n) + 1, sha256)))
}

/// Returns the number of the line in which a value ends at byte `end`.
fn lines_to(text: &[u8], end: usize) -> usize {
    1 + text.iter().take(end).filter(|&&byte| byte == b'\n').count()
}

/// The field that distinguishes a line of a sweep from a certificate.
#[derive(Deserialize)]
struct Kind {
    sweep: Option<IgnoredAny>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;
    use proptest::test_runner::TestRunner;

    use super::*;
    use crate::row_game::RowGame;
    use crate::rows::Rows;

    /// Returns the certificate of Kayles and its proof in words.
    fn kayles() -> (String, String) {
        let rows = Rows::compute(RowGame::read("segment 1 2").unwrap(), 300, true).unwrap();
        let certificate = Certificate::of(&rows).unwrap();
        let mut text = Vec::new();
        certificate.write(&mut text).unwrap();
        (String::from_utf8(text).unwrap(), certificate.verify().unwrap())
    }

    /// Checks for `cases` damaged certificates that each is refused or proves the same period.
    fn read_damaged(cases: u32) {
        let (text, proven) = kayles();
        let text = text.into_bytes();
        let changes = prop::collection::vec((any::<Index>(), any::<u8>()), 1..3);
        let damaged = (changes, any::<Index>()).prop_map(|(changes, end)| {
            let mut text = text.clone();
            for (at, byte) in changes {
                let at = at.index(text.len());
                text[at] = byte;
            }
            // About one certificate in four is truncated as well.
            let end = end.index(4 * text.len());
            text.truncate(end.max(1));
            text
        });
        let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
        let read = |text: Vec<u8>| {
            for certificate in CertificateFile::parse(&text).map(|file| file.certificates).unwrap_or_default()
            {
                if let Ok(accepted) = certificate.verify() {
                    prop_assert_eq!(accepted, proven.as_str());
                }
            }
            Ok(())
        };
        TestRunner::new(config).run(&damaged, read).unwrap();
    }

    #[test]
    fn damaged_certificates() {
        read_damaged(2000);
    }

    #[test]
    #[ignore = "takes a minute"]
    fn many_damaged_certificates() {
        read_damaged(300_000);
    }
}
