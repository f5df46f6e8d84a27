//! The page with the results of a run.

use std::io;

use super::standings::{Meeting, Standing, Standings};
use super::tables;
use crate::report::results_page::{Estimate, Estimates, ResultRow, ResultsPage, TimesMs};
use common::statistics::elo::EloEstimate;
use common::statistics::proportion::Proportion;
use common::statistics::sprt::Sprt;
use common::text::counted;

/// Returns the page with the results of a run. `command` is the command that made the page.
pub(crate) fn results_page(
    standings: &Standings,
    sprt: Option<Sprt>,
    command: Option<String>,
) -> io::Result<ResultsPage> {
    let games = standings.rows.iter().map(|row| u64::from(row.games)).sum::<u64>() / 2;
    let mut text = Vec::new();
    tables::write_all(&mut text, standings, sprt)?;
    let elo = if standings.rows.len() > 2 { ratings(standings) } else { differences(standings) };
    Ok(ResultsPage {
        title: format!("{} of {}", counted(games, "game"), counted(standings.rows.len() as u64, "bot")),
        command,
        row_heading: "bot",
        rows: standings.rows.iter().map(row).collect(),
        estimates: vec![elo, held(standings)],
        times_title: "Time per answer, for sides and moves",
        text: String::from_utf8_lossy(&text).into_owned(),
    })
}

fn row(standing: &Standing) -> ResultRow {
    let Standing { name, games, won, times, verdicts, violation, .. } = standing;
    let percentile = |per_cent| times.answers.percentile(per_cent);
    let notes = violation.iter().flat_map(|violation| {
        let first = format!(
            "game {}: {} {} as {}: {}",
            violation.index, violation.verdict, violation.game, violation.side, violation.reason
        );
        [first].into_iter().chain(violation.again.iter().map(|again| format!("again: {again}")))
    });
    ResultRow {
        name: name.clone(),
        games: (*games).into(),
        won: (*won).into(),
        times: times.slowest_ms.and_then(|slowest| TimesMs::limited_to(percentile, slowest)),
        verdicts: verdicts.clone(),
        notes: notes.collect(),
    }
}

/// Returns the ratings of three bots or more.
fn ratings(standings: &Standings) -> Estimates {
    let list = standings.rows.iter().map(|row| {
        let [low, high] = row.interval;
        Estimate {
            name: row.name.clone(),
            value: Some(row.rating),
            low,
            high,
            text: format!("{:+.0}, 95 %: {}", row.rating, row.interval_text()),
        }
    });
    Estimates {
        title: "Standings: ratings with 95 % intervals; the mean is 0",
        axis: "Elo",
        required_range: (-50.0, 50.0),
        list: list.collect(),
    }
}

/// Returns the Elo differences of bots that met.
fn differences(standings: &Standings) -> Estimates {
    let list = standings.meetings.iter().map(|Meeting { bots: (a, b), pairs }| {
        let estimate = EloEstimate::of(*pairs);
        let (value, low, high) = match estimate {
            EloEstimate::Interval { elo, margin } => (Some(elo), Some(elo - margin), Some(elo + margin)),
            EloEstimate::AtLeast(bound) => (None, Some(bound), None),
            EloEstimate::AtMost(bound) => (None, None, Some(bound)),
            EloEstimate::Unknown => (None, None, None),
        };
        let name = format!("{} against {}", standings.rows[*a].name, standings.rows[*b].name);
        let text = format!("{estimate}; {} of {} pairs decided", pairs.decided(), pairs.pairs());
        Estimate { name, value, low, high, text }
    });
    Estimates {
        title: "Standings: Elo differences with 95 % intervals",
        axis: "Elo",
        required_range: (-50.0, 50.0),
        list: list.collect(),
    }
}

/// Returns the share of games that each bot won without a blunder, among its games with a won position.
fn held(standings: &Standings) -> Estimates {
    let list = standings.rows.iter().map(|row| share(&row.name, row.held)).collect();
    Estimates {
        title: "Games won without a blunder, of those with a won position, with 95 % intervals",
        axis: "per cent",
        required_range: (0.0, 100.0),
        list,
    }
}

/// Returns a share of games in per cent, with its interval.
pub(crate) fn share(name: &str, games: Proportion) -> Estimate {
    let interval = Some(games).filter(|games| games.total > 0).map(Proportion::interval);
    Estimate {
        name: name.to_owned(),
        value: interval.map(|_| 100.0 * f64::from(games.part) / f64::from(games.total)),
        low: interval.map(|(low, _)| 100.0 * low),
        high: interval.map(|(_, high)| 100.0 * high),
        text: games.to_string(),
    }
}
