//! The page with the results of a search.

use super::plan::Plan;
use super::search_state::SearchState;
use super::summary::failure_line;
use crate::matches::arena::results::share;
use crate::report::results_page::{Estimates, ResultRow, ResultsPage, TimesMs};
use crate::report::verdict_counts::VerdictCounts;
use common::statistics::proportion::Proportion;
use common::text::shortened;
use referee::verdict::Verdict;

/// The games against one opponent, or all games.
#[derive(Default)]
struct Group {
    verdicts: VerdictCounts,
    slowest_ms: Vec<f64>,
    games: u32,
}

impl Group {
    fn add(&mut self, verdict: Verdict, slowest_ms: Option<f64>) {
        self.games = self.games.saturating_add(1);
        self.verdicts.extend([verdict]);
        self.slowest_ms.extend(slowest_ms);
    }

    fn won(&self) -> u32 {
        self.verdicts.count(Verdict::Won).try_into().unwrap_or(u32::MAX)
    }
}

/// Returns the page of a search that this command has run. The page has a row for all games, and one for each opponent.
pub(crate) fn results_page(
    state: &SearchState,
    plan: &Plan,
    bot: &str,
    summary: &str,
    command: Option<String>,
) -> ResultsPage {
    let mut groups: Vec<(String, Group)> = vec![("all games".to_owned(), Group::default())];
    for (&index, game) in &state.played {
        let opponent = plan.game(index).opponent.name().to_owned();
        let verdict = state.failures.get(&index).copied().unwrap_or(Verdict::Won);
        let at = groups.iter().position(|(name, _)| *name == opponent).unwrap_or_else(|| {
            groups.push((opponent, Group::default()));
            groups.len() - 1
        });
        groups[0].1.add(verdict, game.slowest_ms);
        groups[at].1.add(verdict, game.slowest_ms);
    }
    groups[1..].sort_by(|(a, _), (b, _)| a.cmp(b));
    let won =
        groups.iter().map(|(name, group)| share(name, Proportion { part: group.won(), total: group.games }));
    let won = Estimates {
        title: "Games won against each opponent, with 95 % intervals",
        axis: "per cent",
        required_range: (0.0, 100.0),
        list: won.collect(),
    };
    let first = state.first.iter().flat_map(|(index, report)| {
        let again = report.again.iter().map(|again| format!("again: {again}"));
        [failure_line(*index, report)].into_iter().chain(again).collect::<Vec<_>>()
    });
    let mut rows: Vec<ResultRow> = groups.into_iter().map(row).collect();
    rows[0].notes.extend(first);
    ResultsPage {
        title: format!("Search for a game that is not won by {}", shortened(bot)),
        command,
        row_heading: "opponent",
        rows,
        estimates: vec![won],
        times_title: "Longest answer of each game",
        text: summary.to_owned(),
    }
}

fn row((name, group): (String, Group)) -> ResultRow {
    ResultRow {
        name,
        games: group.games.into(),
        won: group.won().into(),
        verdicts: group.verdicts,
        times: TimesMs::of(group.slowest_ms),
        notes: Vec::new(),
    }
}
