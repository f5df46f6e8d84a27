//! Reads files of certificates.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, ensure};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::certificate::{Certificate, from_json, parse};
use super::quotient_certificate::QuotientCertificate;
use super::sweep::SweepRecord;
use common::record_file::Record;
use common::text::without_byte_order_mark;

/// Maximum length of a file, in bytes. The output of a sweep of all codes with five digits has some million bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The certificates of a file. Each is a JSON object of its own, or part of a sweep line.
#[derive(Debug)]
pub(crate) struct CertificateFile {
    pub certificates: Vec<AnyCertificate>,
    /// Number of sweep lines without a certificate.
    pub uncertified: u64,
}

/// A certificate of any kind.
#[derive(Debug)]
pub(crate) enum AnyCertificate {
    Period(Certificate),
    Quotient(QuotientCertificate),
}

impl AnyCertificate {
    /// Verifies the certificate, and returns a text that says what it proves.
    ///
    /// # Errors
    ///
    /// `Incorrect` if the certificate is wrong; another error if it cannot be verified.
    pub(crate) fn verify(&self) -> anyhow::Result<String> {
        match self {
            Self::Period(certificate) => certificate.verify(),
            Self::Quotient(certificate) => certificate.verify(),
        }
    }
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
            "{path} is not a certificate: expected at most {MAX_BYTES} bytes, got more"
        );
        Self::parse(without_byte_order_mark(&text)).with_context(|| format!("{path} is not a certificate"))
    }

    fn parse(text: &[u8]) -> anyhow::Result<Self> {
        let mut file = Self { certificates: Vec::new(), uncertified: 0 };
        let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
        let mut from = 0;
        while let Some(value) = values.next() {
            value?;
            let value = text.get(from..values.byte_offset()).unwrap_or_default();
            from = values.byte_offset();
            match parse_one(value).with_context(|| format!("line {}", line_number(text, from)))? {
                Some(certificate) => file.certificates.push(certificate),
                None => file.uncertified += 1,
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
fn parse_one(value: &[u8]) -> anyhow::Result<Option<AnyCertificate>> {
    let Kind { status, quotient } = from_json(value)?;
    if quotient.is_some() {
        return parse(value).map(AnyCertificate::Quotient).map(Some);
    }
    if status.is_none() {
        return parse(value).map(AnyCertificate::Period).map(Some);
    }
    let record: SweepRecord = from_json(value)?;
    record.check()?;
    let SweepRecord { game, found, .. } = record;
    let proof = found.proven().zip(found.sha256);
    let certificate = |(proven, sha256)| Certificate::new(game, proven, u128::from(found.n) + 1, sha256);
    Ok(proof.map(certificate).map(AnyCertificate::Period))
}

/// Returns the number, from 1, of the line in which a value ends at byte `end`.
fn line_number(text: &[u8], end: usize) -> usize {
    1 + text.iter().take(end).filter(|&&byte| byte == b'\n').count()
}

/// The fields that distinguish the kinds of objects: only a sweep line has `status`, and only the certificate of a
/// quotient has `quotient`.
#[derive(Deserialize)]
struct Kind {
    status: Option<IgnoredAny>,
    quotient: Option<IgnoredAny>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;
    use proptest::test_runner::TestRunner;

    use zeroxor::misere::{Budget, Quotient};

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

    /// Returns the certificate of a misère quotient of all heaps and its proof in words.
    fn quotient() -> (String, String) {
        let quotient = Quotient::compute("0.123".parse().unwrap(), 100, Budget::PER_HEAP).unwrap();
        let certificate = QuotientCertificate::of(&quotient);
        let mut text = Vec::new();
        certificate.write(&mut text).unwrap();
        (String::from_utf8(text).unwrap(), certificate.verify().unwrap())
    }

    /// Checks for `cases` damaged certificates that each is refused or proves the same as the original.
    fn read_damaged((text, proven): (String, String), cases: u32) {
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

    /// Checks that a quotient with any other number in its tables is refused.
    #[test]
    fn damaged_numbers_of_quotients() {
        let (text, _) = quotient();
        let digits = text.char_indices().filter(|(at, digit)| {
            let is_first = !text[..*at].ends_with(|before: char| before.is_ascii_digit());
            *at > text.find("quotient").unwrap() && digit.is_ascii_digit() && is_first
        });
        let mut damaged = 0;
        for (at, _) in digits {
            let end = at + text[at..].find(|end: char| !end.is_ascii_digit()).unwrap();
            let number: u64 = text[at..end].parse().unwrap();
            for other in [number.wrapping_sub(1), number + 1, 0, 7] {
                if other != number {
                    let text = format!("{}{other}{}", &text[..at], &text[end..]);
                    let file = CertificateFile::parse(text.as_bytes());
                    assert!(file.is_err() || file.unwrap().certificates[0].verify().is_err(), "{text}");
                    damaged += 1;
                }
            }
        }
        assert!(damaged > 100, "{damaged}");
    }

    #[test]
    fn damaged_certificates() {
        read_damaged(kayles(), 2000);
        read_damaged(quotient(), 2000);
    }

    #[test]
    #[ignore = "takes a minute"]
    fn many_damaged_certificates() {
        read_damaged(kayles(), 300_000);
        read_damaged(quotient(), 300_000);
    }
}
