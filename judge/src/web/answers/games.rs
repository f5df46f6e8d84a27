//! The answer to `games`: the known games, and their periods.

use itertools::Itertools;
use serde::Serialize;
use zeroxor::grundy::segment::{Period, Window};

use common::json::Number;
use theory::period_status::{CertifiedPeriod, PeriodStatus, certificates};
use theory::{RowGame, Rows, published_codes};

/// Size up to which values are computed to find a period.
const MAX_COMPUTED: u64 = 20_000;

/// Maximum R of the listed windows.
const MAX_R: u64 = 6;

#[derive(Serialize)]
struct Answer {
    named: Vec<KnownGame>,
    windows: Vec<KnownGame>,
    codes: Vec<KnownGame>,
    /// Codes for which no period is known.
    open: Vec<String>,
    /// The size up to which the judge searched for a period.
    to: u64,
}

/// A game of rows.
#[derive(Serialize)]
struct KnownGame {
    name: Option<&'static str>,
    /// The rules as `grundy table` accepts them.
    rules: String,
    /// Whether no move leaves three heaps, so that two numbers "x y" describe each move.
    playable: bool,
    period: Option<PeriodOnPage>,
    /// What is known about the period, and who has proven it.
    status: String,
}

#[derive(Serialize)]
struct PeriodOnPage {
    length: Number,
    start: Number,
}

pub(super) fn answer(_request: &[u8]) -> anyhow::Result<String> {
    let named = published_codes::names()
        .map(|(code, name)| Ok(KnownGame { name: Some(name), ..known(RowGame::Code(code))? }));
    let windows = (1..=MAX_R).flat_map(|r| (1..=r).filter_map(move |l| Window::new(l, r)));
    let windows = windows.map(|window| known(RowGame::Window(window)));
    let answer = Answer {
        named: named.collect::<anyhow::Result<_>>()?,
        windows: windows.collect::<anyhow::Result<_>>()?,
        codes: long_periods().map(|(game, status)| on_page(game, &status)).collect(),
        open: published_codes::open()
            .filter(|&code| PeriodStatus::known(RowGame::Code(code)).is_none())
            .map(|code| code.to_string())
            .collect(),
        to: MAX_COMPUTED,
    };
    Ok(serde_json::to_string(&answer)?)
}

/// Returns the codes with published long periods, and those with a certificate and a pre-period of at least
/// `MAX_COMPUTED`.
fn long_periods() -> impl Iterator<Item = (RowGame, PeriodStatus)> {
    let published = published_codes::long_periods().map(|published| RowGame::Code(published.code));
    let certified = certificates()
        .iter()
        .filter(|certified| certified.period.start >= MAX_COMPUTED)
        .map(CertifiedPeriod::game);
    let codes = published.chain(certified).filter(|game| matches!(game, RowGame::Code(_))).unique();
    codes.filter_map(|game| Some((game, PeriodStatus::known(game)?)))
}

/// Returns a game with the period that its computed values prove; if they prove none, with the known period.
fn known(game: RowGame) -> anyhow::Result<KnownGame> {
    let rows = Rows::compute(game, MAX_COMPUTED, true)?;
    let known = on_page(game, &rows.period_status());
    Ok(KnownGame { period: rows.period.map(Into::into).or(known.period), ..known })
}

fn on_page(game: RowGame, status: &PeriodStatus) -> KnownGame {
    KnownGame {
        name: match game {
            RowGame::Code(code) => published_codes::name(code),
            RowGame::Window(_) => None,
        },
        rules: game.to_string(),
        playable: is_playable(game),
        period: status.period().map(Into::into),
        status: status.to_string(),
    }
}

fn is_playable(game: RowGame) -> bool {
    match game {
        RowGame::Window(_) => true,
        RowGame::Code(code) => code.is_playable(),
    }
}

impl From<Period> for PeriodOnPage {
    fn from(Period { start, length }: Period) -> Self {
        Self { length: Number(length), start: Number(start) }
    }
}
