//! The standings: the results of each bot, and their tables as text and as CSV.

use std::collections::{BTreeMap, BTreeSet};

use itertools::{Itertools, chain};
use runner::escape::printable;
use zeroxor::Side;

use crate::arena::games::{Games, games_won};
use crate::arena::record::{GameRecord, SeatRecord, is_clean};
use crate::arena::starts;
use crate::arena::statistics::{
    Accepted, EloEstimate, Hypotheses, PairCounts, Proportion, Sprt, superiority,
};
use crate::json::from_ms;
use crate::report::summary::{Times, VerdictCounts};

#[derive(Debug, Default)]
pub(crate) struct Standing<'a> {
    pub(crate) name: &'a str,
    pub(crate) won: u32,
    pub(crate) pairs: PairCounts,
    pub(crate) pairs_against: BTreeMap<&'a str, PairCounts>,
    pub(crate) verdicts: VerdictCounts,
    /// The proportion of games won without a blunder, among the bot's games with a won position at some point.
    pub(crate) held: Proportion,
    pub(crate) held_by_class: BTreeMap<String, Proportion>,
    pub(crate) first_blunder: Option<u64>,
    answers: Times,
    /// The first game in which the bot broke a rule, and its side in that game.
    pub(crate) violation: Option<(&'a GameRecord, Side)>,
}

#[derive(Debug)]
pub(crate) struct Standings<'a> {
    pub(crate) rows: Vec<Standing<'a>>,
    /// The bot that an SPRT tests: with two bots, the bot that moves first in games with even numbers.
    tested: Option<&'a str>,
}

impl<'a> Standings<'a> {
    /// Computes the standings after `games`. A pair with only one game played does not count for Elo.
    pub(crate) fn of(games: &'a Games) -> Self {
        let mut bots: BTreeMap<&str, Standing<'_>> = BTreeMap::new();
        for game in games.iter() {
            let class = starts::class(game.game.game());
            for side in [Side::First, Side::Second] {
                let name = game.seat(side).bot.as_str();
                let row = bots.entry(name).or_insert_with(|| Standing { name, ..Standing::default() });
                row.add(game, side, &class);
            }
        }
        for pair in games.pairs() {
            let (a, b) = (pair[0].first.bot.as_str(), pair[0].second.bot.as_str());
            let won = games_won(pair);
            for (name, opponent, won) in [(a, b, won), (b, a, 2 - won)] {
                bots.entry(name).and_modify(|row| {
                    row.pairs.add(won);
                    row.pairs_against.entry(opponent).or_default().add(won);
                });
            }
        }
        let tested = games.iter().next().map(|game| {
            let side = if game.index.is_multiple_of(2) { Side::First } else { Side::Second };
            game.seat(side).bot.as_str()
        });
        let mut rows: Vec<Standing<'_>> = bots.into_values().collect();
        // Half a pair more on each side keeps the odds finite.
        let odds = |pairs: PairCounts| (f64::from(pairs.won) + 0.5) / (f64::from(pairs.lost) + 0.5);
        // Bots that are equal stay in the order of their names.
        rows.sort_by(|a, b| odds(b.pairs).total_cmp(&odds(a.pairs)).then(b.won.cmp(&a.won)));
        Self { rows, tested }
    }

    pub(crate) fn tested(&self) -> Option<&Standing<'a>> {
        self.rows.iter().find(|row| Some(row.name) == self.tested)
    }
}

impl<'a> Standing<'a> {
    fn add(&mut self, game: &'a GameRecord, side: Side, class: &str) {
        let result = game.seat(side);
        let has_won = game.first_won() == (side == Side::First);
        self.won = self.won.saturating_add(u32::from(has_won));
        self.verdicts.extend([result.verdict]);
        self.answers.add_all(&result.answer_times, result.slowest_ms.map(from_ms));
        // Games of several runs are not in the order of their numbers.
        if !is_clean(result.verdict) && self.violation.is_none_or(|(known, _)| game.index < known.index) {
            self.violation = Some((game, side));
        }
        let Some(review) = &result.review else { return };
        let blunder = review.blunders.first().copied();
        self.first_blunder = self.first_blunder.into_iter().chain(blunder).min();
        if review.start_won_by == side.to_string() || review.opponent_blunders > 0 {
            let is_held = has_won && blunder.is_none();
            self.held.add(is_held);
            self.held_by_class.entry(class.to_owned()).or_default().add(is_held);
        }
    }
}

/// Maximum number of bots for which the crosstable fits on a page.
const MAX_CROSSTABLE_BOTS: usize = 16;

/// Maximum number of meetings that are listed. With more meetings, none is listed.
const MAX_LISTED_MEETINGS: usize = 28;

const PAIRS: &str = "pairs +/=/-";

/// The tables. Each function returns lines.
impl Standings<'_> {
    pub(crate) fn tables(&self, sprt: Option<Sprt>) -> String {
        let mut lines = self.ranking();
        lines.extend(self.crosstable());
        lines.extend(self.meetings());
        lines.extend(sprt.and_then(|sprt| self.sprt(sprt)));
        lines.extend(self.play());
        lines.extend(self.verdicts());
        lines.join("\n") + "\n"
    }

    fn name_width(&self) -> usize {
        self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(3)
    }

    fn ranking(&self) -> Vec<String> {
        let width = self.name_width();
        // For two bots, `meetings` has their difference.
        let elo = |elo: &str| if self.rows.len() > 2 { format!("  {elo}") } else { String::new() };
        let head = elo("Elo, 95 %");
        let head = format!("{:>3}  {:<width$}  {:>6}  {:>6}  {PAIRS:>15}{head}", "", "bot", "games", "won");
        let row = |(place, Standing { name, verdicts, won, pairs, .. }): (u32, &Standing<'_>)| {
            let (games, cell) = (verdicts.total(), pairs.as_cell());
            let elo = elo(&EloEstimate::of(*pairs).to_string());
            format!("{place:>3}  {name:<width$}  {games:>6}  {won:>6}  {cell:>15}{elo}")
        };
        chain!([head], (1..).zip(&self.rows).map(row)).collect()
    }

    fn crosstable(&self) -> Vec<String> {
        let rows = &self.rows;
        if !(3..=MAX_CROSSTABLE_BOTS).contains(&rows.len()) {
            return Vec::new();
        }
        let cell = |row: &Standing<'_>, column: &Standing<'_>| match row.pairs_against.get(column.name) {
            Some(pairs) => pairs.as_cell(),
            None => if row.name == column.name { "-" } else { "" }.to_owned(),
        };
        let cells = |row| rows.iter().map(|column| cell(row, column)).collect_vec();
        let head = (String::new(), PAIRS, (1..=rows.len()).map(|place| place.to_string()).collect());
        let table = (1..).zip(rows).map(|(place, row)| (place.to_string(), row.name, cells(row)));
        let table = chain!([head], table).collect_vec();
        let cell_width =
            table.iter().flat_map(|(.., cells)| cells).map(String::len).max().unwrap_or(0).max(3);
        // The rows are aligned with the heading, which may be wider than the names.
        let width = PAIRS.len().max(self.name_width());
        let line = |(place, name, cells): &(String, &str, Vec<String>)| {
            let cells = cells.iter().format_with("", |cell, f| f(&format_args!("  {cell:>cell_width$}")));
            format!("{place:>3}  {name:<width$}{cells}")
        };
        chain!([String::new()], table.iter().map(line)).collect()
    }

    fn meetings(&self) -> Vec<String> {
        let bots = self.rows.iter().tuple_combinations();
        let meetings = bots.filter_map(|(a, b)| Some((a.name, b.name, *a.pairs_against.get(b.name)?)));
        let meetings = meetings.collect_vec();
        if meetings.is_empty() || meetings.len() > MAX_LISTED_MEETINGS {
            return Vec::new();
        }
        let line = |(a, b, pairs): (&str, &str, PairCounts)| {
            let (decided, count, elo) = (pairs.decided(), pairs.pairs(), EloEstimate::of(pairs));
            let los = 100.0 * superiority(pairs);
            format!("{a} against {b}: {decided} of {count} pairs decided, {pairs}, Elo {elo}, LOS {los:.1} %")
        };
        chain!([String::new()], meetings.into_iter().map(line)).collect()
    }

    fn sprt(&self, sprt: Sprt) -> Option<String> {
        let Standing { name, pairs, .. } = self.tested()?;
        let Sprt { hypotheses: Hypotheses { elo0, elo1 }, alpha, beta } = sprt;
        let ((low, high), ratio) = (sprt.bounds(), sprt.log_ratio(*pairs));
        let end = match sprt.accepted(*pairs) {
            Some(Accepted::Elo1) => format!("{elo1} Elo accepted, {elo0} rejected"),
            Some(Accepted::Elo0) => format!("{elo0} Elo accepted, {elo1} rejected"),
            None => "more pairs are needed".to_owned(),
        };
        Some(format!(
            "SPRT of {name}, {elo0} against {elo1} Elo (alpha {alpha}, beta {beta}): LLR {ratio:.2}, bounds {low:.2} and \
             {high:.2}: {end}"
        ))
    }

    /// Returns a heading, and below it a line for each bot, indented by `indent`.
    fn list(&self, heading: &str, indent: &str, text: impl Fn(&Standing<'_>) -> String) -> Vec<String> {
        let width = self.name_width();
        let line = |row: &Standing<'_>| format!("{indent}{:<width$}  {}", row.name, text(row));
        chain!([heading.to_owned()], self.rows.iter().map(line)).collect()
    }

    fn play(&self) -> Vec<String> {
        let mut lines = self.list("\ntime per answer, for sides and moves", "  ", |row| {
            let times = row.answers.spread().map(|times| [times.p50, times.p95, times.max]);
            let shown = |at: usize| times.map_or("-".to_owned(), |times| format!("{:.2} ms", times[at]));
            format!("p50 {}, p95 {}, slowest {}", shown(0), shown(1), shown(2))
        });
        let heading = "\ngames won without a blunder, of those with a won position, and the earliest blunder";
        lines.extend(self.list(heading, "  ", |row| {
            let blunder = row.first_blunder.map_or_else(String::new, |ply| format!(", move {ply}"));
            format!("{}{blunder}", row.held)
        }));
        let classes: BTreeSet<_> = self.rows.iter().flat_map(|row| row.held_by_class.keys()).collect();
        if classes.len() > 1 {
            lines.push("\ngames won without a blunder, by game and largest number in the start".to_owned());
            lines.extend(classes.into_iter().flat_map(|class| {
                let held = |row: &Standing<'_>| row.held_by_class.get(class).copied().unwrap_or_default();
                self.list(&format!("  {class}"), "    ", |row| held(row).to_string())
            }));
        }
        lines
    }

    fn verdicts(&self) -> Vec<String> {
        self.list("\nverdicts", "  ", |row| {
            let mut text = row.verdicts.to_string();
            if let Some((game, side)) = row.violation {
                let SeatRecord { verdict, reason, again, .. } = game.seat(side);
                let (start, reason) = (printable(game.game.text()), printable(reason));
                text += &format!("\n      game {}: {verdict} {start} as {side}: {reason}", game.index);
                text.extend(again.as_ref().map(|again| format!("\n      again: {}", printable(again))));
            }
            text
        })
    }

    pub(crate) fn csv(&self) -> String {
        const HEAD: &str = "place,bot,games,won,pairs_won,pairs_split,pairs_lost,elo,elo_low,elo_high,held,won_at_some_point,p50_ms,p95_ms,slowest_ms";
        let line = |(place, row): (u32, &Standing<'_>)| {
            let Standing { name, verdicts, won, pairs, held: Proportion { part, total }, .. } = row;
            let (games, PairCounts { won: pairs_won, split, lost }) = (verdicts.total(), pairs);
            let number =
                |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.1}"));
            let EloEstimate { elo, low, high } = EloEstimate::of(*pairs);
            let elo = [elo, low, high].map(number).join(",");
            let times = row.answers.spread();
            let times = times.map(|times| format!("{:.3},{:.3},{:.3}", times.p50, times.p95, times.max));
            let times = times.as_deref().unwrap_or(",,");
            format!("{place},{name},{games},{won},{pairs_won},{split},{lost},{elo},{part},{total},{times}\n")
        };
        format!("{HEAD}\n{}", (1..).zip(&self.rows).map(line).format(""))
    }
}
