//! The games that are known, and their periods.

use serde::Serialize;
use zeroxor::OctalCode;
use zeroxor::grundy::segment::{Period, Window, known_period};

use crate::report::number::Number;
use crate::tables::published_codes::{self, PublishedCode};
use crate::tables::{RowGame, Rows};

/// Up to which size values are computed to find a period.
const COMPUTED: u64 = 20_000;

/// The largest R of the windows that are listed.
const MAX_R: u64 = 6;

#[derive(Serialize)]
struct Answer {
    named: Vec<KnownGame>,
    windows: Vec<KnownGame>,
    codes: Vec<KnownGame>,
    /// Codes of which no period is known.
    open: Vec<String>,
    /// Up to which size a period was looked for.
    to: u64,
}

/// A game of rows.
#[derive(Serialize)]
struct KnownGame {
    name: Option<&'static str>,
    /// As `judge table` takes it.
    rules: String,
    /// Whether its moves can be written as "x y".
    playable: bool,
    period: Option<PeriodOnPage>,
    /// Who has found the period, if it is not proven here.
    found_by: Option<&'static str>,
}

#[derive(Serialize)]
struct PeriodOnPage {
    length: Number,
    start: Number,
}

pub(super) fn answer(_request: &[u8]) -> anyhow::Result<String> {
    let named =
        published_codes::names().map(|(code, name)| Ok(KnownGame { name: Some(name), ..computed(code)? }));
    let windows = (1..=MAX_R).flat_map(|r| (1..=r).filter_map(move |l| Window::new(l, r)));
    let windows = windows.map(|window| known(RowGame::Window(window)));
    let answer = Answer {
        named: named.collect::<anyhow::Result<_>>()?,
        windows: windows.collect::<anyhow::Result<_>>()?,
        codes: published_codes::long_periods().map(published).collect(),
        open: published_codes::open()
            .filter(|&code| long_period(code).is_none())
            .map(|code| code.to_string())
            .collect(),
        to: COMPUTED,
    };
    Ok(serde_json::to_string(&answer)?)
}

/// A code with the period that its values prove.
fn computed(code: OctalCode) -> anyhow::Result<KnownGame> {
    match long_period(code) {
        Some(code) => Ok(published(code)),
        None => known(RowGame::Code(code)),
    }
}

/// A game with the period that its values prove.
fn known(game: RowGame) -> anyhow::Result<KnownGame> {
    let rows = Rows::compute(game, COMPUTED, true)?;
    let longer = match game {
        RowGame::Window(window) if rows.period.is_none() => known_period(window),
        _ => None,
    };
    Ok(KnownGame {
        name: None,
        rules: game.to_string(),
        playable: is_playable(game),
        period: rows.period.or(longer).map(Into::into),
        found_by: longer.map(|_| "proven from longer rows"),
    })
}

/// The long period of a code, if one is known. Some were found after the list of open ones.
fn long_period(code: OctalCode) -> Option<PublishedCode> {
    published_codes::long_periods().find(|published| published.code == code)
}

fn is_playable(game: RowGame) -> bool {
    match game {
        RowGame::Window(_) => true,
        RowGame::Code(code) => code.is_playable(),
    }
}

fn published(PublishedCode { code, period, found_by }: PublishedCode) -> KnownGame {
    KnownGame {
        name: published_codes::name(code),
        rules: RowGame::Code(code).to_string(),
        playable: is_playable(RowGame::Code(code)),
        period: Some(period.into()),
        found_by: Some(found_by),
    }
}

impl From<Period> for PeriodOnPage {
    fn from(Period { start, length }: Period) -> Self {
        Self { length: Number(length), start: Number(start) }
    }
}
