//! Finds games that have the same values without being cousins.

use std::collections::BTreeMap;
use std::io::{self, Write};

use itertools::Itertools;
use zeroxor::grundy::segment::Period;
use zeroxor::{Nimber, nimbers};

use super::cells::{cousins, name, number};
use super::collection::Entry;
use crate::code_form::CodeForm;
use crate::cousins::at;
use crate::period_status::ProvenPeriod;
use crate::row_game::RowGame;
use crate::sweep::SweepGame;

/// Number of values compared for games without a known period.
const COMPARED: u64 = 10_000;

/// Number of values that are compared first: most games differ in these values.
const FIRST_COMPARED: u64 = 1_000;

/// Maximum end of a first period that is compared as a whole. Games whose first period ends at a larger heap are
/// compared like games without a known period.
const MAX_END: u64 = 100_000;

/// Maximum number of values that are printed for games that are equal for no known reason.
const MAX_PRINTED: usize = 24;

/// The values by which games are compared, without leading zeros.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Values {
    /// The length of the period, if the first period ends at [`MAX_END`] or earlier.
    period: Option<u64>,
    /// The values up to the end of the first period; without `period`, the first [`COMPARED`] values.
    first: Vec<Nimber>,
}

/// The games with equal values, each with the number of its leading zeros.
#[derive(Default)]
pub(super) struct EqualGames<'a>(BTreeMap<Values, Vec<(&'a Entry, i64)>>);

impl<'a> EqualGames<'a> {
    pub(super) fn of(entries: &[&'a Entry]) -> Self {
        let mut groups = Self::default();
        for entry in with_equal_start(entries) {
            if let Some((values, zeros)) = values(entry) {
                groups.0.entry(values).or_default().push((entry, zeros));
            }
        }
        groups.0.retain(|_, games| games.len() > 1);
        groups
    }

    /// Lists the other games of the same kind whose first period proves that they have the values of `entry`, each with
    /// its cousins. Returns `None` if an earlier game lists `entry`.
    pub(super) fn others(&self, entry: &Entry) -> Option<String> {
        let is_same = |other: &Entry| other.game == entry.game;
        let proven = self.0.iter().filter(|(values, _)| values.period.is_some());
        let group =
            proven.map(|(_, games)| games).find(|games| games.iter().any(|(other, _)| is_same(other)));
        let mut games = group.into_iter().flatten().filter(|(other, _)| other.kind() == entry.kind());
        let Some(&(first, zeros)) = games.next() else { return Some(String::new()) };
        let other = |&(other, more): &(&Entry, i64)| {
            let cousins = cousins(&other.record);
            let cousins = if cousins.is_empty() { cousins } else { format!(" ({cousins})") };
            at(name(&other.game), zeros - more) + &cousins
        };
        is_same(first).then(|| games.map(other).join("; "))
    }

    /// Writes the groups of games with the same values that have two or more rows in the tables, each with the reason.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let groups = self.0.iter().filter_map(|(values, games)| {
            // Games of one kind that are proven equal share one row.
            let is_listed =
                |(entry, _): &&(&Entry, i64)| values.period.is_none() || self.others(entry).is_some();
            let rows = games.iter().filter(is_listed).copied().collect_vec();
            (rows.len() > 1).then_some((values, rows))
        });
        let groups = groups.collect_vec();
        if groups.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "\n## Equal values\n\nGames in different rows of the tables above that have the same values after their leading \
             zeros. If the first period ends by n = {}, all values are proven to be the same. Otherwise the first {} values \
             were compared.\n",
            number(MAX_END),
            number(COMPARED)
        )?;
        for (values, rows) in groups {
            let least = rows.iter().map(|&(_, zeros)| zeros).min().unwrap_or(0);
            let rows = rows.into_iter().sorted_by_key(|&(_, zeros)| zeros).collect_vec();
            let names = rows.iter().map(|&(entry, zeros)| at(name(&entry.game), least - zeros)).join(", ");
            let reason = match values.period {
                _ if have_one_form(&rows) => "they have the same standard form".to_owned(),
                Some(period) => format!("proven by the period, {}", number(period)),
                None => format!(
                    "no reason is known; the values are {} ...",
                    values.first.iter().take(MAX_PRINTED).map(|value| value.0).format(" ")
                ),
            };
            writeln!(out, "- {names}: {reason}")?;
        }
        Ok(())
    }
}

/// Checks whether all games have the same standard form, as a window and its code do.
fn have_one_form(rows: &[(&Entry, i64)]) -> bool {
    let form = |(entry, _): &(&Entry, i64)| match entry.game {
        SweepGame::Row(RowGame::Code(code)) => CodeForm::of(code),
        SweepGame::Row(RowGame::Window(window)) => CodeForm::of(window.code()?),
        SweepGame::Subtract(_) => None,
    };
    let mut forms = rows.iter().map(form);
    let Some(Some(first)) = forms.next() else { return false };
    forms.all(|form| form.is_some_and(|form| form.more_than(&first).is_some()))
}

/// Returns the windows and codes whose period length and first values are those of another game. Only these games are
/// compared further.
fn with_equal_start<'a>(entries: &[&'a Entry]) -> Vec<&'a Entry> {
    let start = |entry: &&'a Entry| {
        let SweepGame::Row(game) = entry.game else { return None };
        let period = early_period(entry).map(|proven| proven.period.length);
        let start =
            leading(game, FIRST_COMPARED, FIRST_COMPARED).or_else(|| leading(game, FIRST_COMPARED, MAX_END));
        Some((*entry, (period, start.map(|(values, _)| values))))
    };
    let games = entries.iter().filter_map(start).collect_vec();
    let counts = games.iter().map(|(_, start)| start).counts();
    games.iter().filter(|(_, start)| counts[start] > 1).map(|&(entry, _)| entry).collect()
}

/// Returns the first `count` values after the leading zeros, and the number of leading zeros; `None` if there are more
/// than `most_zeros` zeros, or the values cannot be computed.
fn leading(game: RowGame, count: u64, most_zeros: u64) -> Option<(Vec<Nimber>, i64)> {
    let (values, zeros) = without_zeros(first(game, count + most_zeros)?)?;
    let count = usize::try_from(count).ok()?;
    (values.len() >= count).then(|| (values[..count].to_vec(), zeros))
}

/// Returns the values of a game and the number of its leading zeros; `None` if the game is not compared.
fn values(entry: &Entry) -> Option<(Values, i64)> {
    let SweepGame::Row(game) = entry.game else { return None };
    match early_period(entry) {
        Some(ProvenPeriod { period, saltus: None }) => periodic(game, period),
        Some(_) => None,
        None => {
            let (first, zeros) = leading(game, COMPARED, COMPARED)?;
            Some((Values { period: None, first }, zeros))
        }
    }
}

/// Returns the period of a game if its first period ends at [`MAX_END`] or earlier. Later periods do not count, because
/// such a game may equal a game whose period is not found yet.
fn early_period(entry: &Entry) -> Option<ProvenPeriod> {
    let proven = entry.record.found.proven()?;
    (proven.period.start + proven.period.length <= MAX_END).then_some(proven)
}

fn periodic(game: RowGame, Period { start, length }: Period) -> Option<(Values, i64)> {
    let (_, zeros) = without_zeros(first(game, start + length)?)?;
    // The leading zeros may extend into the first period, so compare one whole period after them.
    let end = start.max(u64::try_from(zeros).ok()?) + length;
    let (first, _) = without_zeros(first(game, end)?)?;
    Some((Values { period: Some(length), first }, zeros))
}

fn without_zeros(mut values: Vec<Nimber>) -> Option<(Vec<Nimber>, i64)> {
    let zeros = values.iter().take_while(|&&value| value == Nimber::ZERO).count();
    Some((values.split_off(zeros), i64::try_from(zeros).ok()?))
}

/// Returns the first `count` values; `None` if they cannot be computed.
fn first(game: RowGame, count: u64) -> Option<Vec<Nimber>> {
    nimbers(&game.spec(), 0..=count.checked_sub(1)?).ok()
}
