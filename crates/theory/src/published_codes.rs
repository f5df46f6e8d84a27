//! Published facts about octal games: names, long periods, and the games without a known period.

use std::fmt;

use zeroxor::OctalCode;
use zeroxor::grundy::segment::Period;

/// A game with a long period, as published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedCode {
    pub code: OctalCode,
    pub period: Period,
    /// The people who found the period.
    pub by: &'static str,
    /// The year, or the first and the last year.
    pub(crate) year: &'static str,
    /// The publication.
    pub source: &'static str,
}

impl fmt::Display for PublishedCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { period: Period { start, length }, by, year, source, .. } = self;
        write!(f, "period {length} from n = {start} on, by {by}, {year} ({source})")
    }
}

const LONG_PERIODS: &str = include_str!("published_codes.tsv");

const NAMES: [(&str, &str); 7] = [
    ("0.77", "Kayles"),
    ("0.07", "Dawson's Kayles"),
    ("0.137", "Dawson's Chess"),
    ("0.007", "Treblecross, or James Bond"),
    ("0.6", "Officers"),
    ("4.7", "Daisies"),
    ("0.156", "Kenyon's game"),
];

/// Codes of up to three digits without a period in the list of github.com/tczajka/octal-games (2025). Four codes of
/// that list are omitted here, because others have solved them. Certificates in this repository prove the periods of
/// four of the codes here.
const OPEN: &str = "\
    .6 .04 .06 .14 .36 .64 .74 .76 .004 .005 .006 .014 .015 .016 .024 .026 .034 .064 .114 .125 .126 .135 .136 .142 .143 .146 \
    .161 .162 .163 .164 .166 .167 .172 .174 .204 .205 .206 .207 .224 .244 .245 .264 .314 .324 .334 .336 .342 .344 .346 .362 \
    .364 .366 .371 .374 .404 .414 .416 .444 .564 .604 .606 .744 .764 .774 .776 4.004 4.007 4.026 4.044 4.045 4.064 4.324 \
    4.327 4.344 4.364 4.367 4.404 4.406";

/// Codes without a known period that others have searched farther than the atlas. Each has the end of the last file of
/// its values in github.com/rogalski-wmii-uni-lodz-pl/octal (2023).
const SEARCHED: [(&str, &str); 5] = [
    ("0.014", "2^36, Rogalski 2023"),
    ("0.034", "2^37, Rogalski 2023"),
    ("0.161", "2^38, Rogalski 2023"),
    ("0.167", "2^40, Rogalski 2023"),
    ("0.172", "2^36, Rogalski 2023"),
];

/// Returns how far others have searched for the period of a code, without success, and who they are.
pub(crate) fn searched(code: OctalCode) -> Option<&'static str> {
    SEARCHED.iter().find(|(named, _)| named.parse() == Ok(code)).map(|&(_, to)| to)
}

/// Returns the games that have names.
pub fn names() -> impl Iterator<Item = (OctalCode, &'static str)> {
    NAMES.iter().filter_map(|&(code, name)| Some((code.parse().ok()?, name)))
}

/// Returns the name of a game.
pub fn name(code: OctalCode) -> Option<&'static str> {
    NAMES.iter().find(|(named, _)| named.parse() == Ok(code)).map(|&(_, name)| name)
}

/// Returns the games with long periods.
pub fn long_periods() -> impl Iterator<Item = PublishedCode> {
    LONG_PERIODS.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let code = fields.next()?.parse().ok()?;
        let (start, length) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        let (source, year, by) = (fields.next_back()?, fields.next_back()?, fields.next_back()?);
        Some(PublishedCode { code, period: Period { start, length }, by, year, source })
    })
}

/// Returns the codes without a published period.
pub fn open() -> impl Iterator<Item = OctalCode> {
    OPEN.split(' ').filter_map(|code| code.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_entries_are_parsed() {
        assert_eq!(long_periods().count(), 14);
        assert!(
            long_periods().all(|published| published.year.contains("19") || published.year.contains("20"))
        );
        assert_eq!(open().count(), OPEN.split(' ').count());
        assert!(
            NAMES.iter().all(|(code, _)| code.parse::<OctalCode>().is_ok_and(|code| name(code).is_some()))
        );
    }
}
