//! Games that have the same values without being cousins.

use std::collections::BTreeMap;
use std::io::{self, Write};

use itertools::Itertools;
use zeroxor::grundy::segment::Period;
use zeroxor::{Nimber, nimbers};

use super::cells::{name, number};
use super::collection::Entry;
use crate::period_status::ProvenPeriod;
use crate::row_game::RowGame;
use crate::sweep::SweepGame;

/// Number of values compared for games without a period.
const COMPARED: u64 = 10_000;

/// Number of values that are compared first, because most games differ in these values.
const START: u64 = 1_000;

/// Games with a period are compared only if their first period ends at this heap or earlier.
const MAX_END: u64 = 100_000;

/// The values by which games are compared, without leading zeros.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Values {
    period: Option<u64>,
    /// The values up to the end of the first period; without a period, the first [`COMPARED`] values.
    first: Vec<Nimber>,
}

/// Writes the lists of games with the same values.
pub(super) fn write(entries: &[&Entry], out: &mut impl Write) -> io::Result<()> {
    let mut groups: BTreeMap<Values, Vec<(&Entry, u64)>> = BTreeMap::new();
    for entry in with_equal_start(entries) {
        if let Some((values, zeros)) = values(entry) {
            groups.entry(values).or_default().push((entry, zeros));
        }
    }
    let groups = groups.into_iter().filter(|(_, games)| games.len() > 1);
    let (solved, open): (Vec<_>, Vec<_>) = groups.partition(|(values, _)| values.period.is_some());
    if solved.is_empty() && open.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## Equal values\n\nGames with the same values that are not cousins.")?;
    writeln!(
        out,
        "\nProven by equal first periods (only games whose first period ends by {}):\n",
        number(MAX_END)
    )?;
    write_groups(solved, out)?;
    writeln!(out, "\nOpen, with the same {} values after the first zeros:\n", number(COMPARED))?;
    write_groups(open, out)
}

/// Returns the windows and codes that share the length of their period and their first values with another game. Only
/// these games are compared further.
fn with_equal_start<'a>(entries: &[&'a Entry]) -> Vec<&'a Entry> {
    let mut groups: BTreeMap<_, Vec<&Entry>> = BTreeMap::new();
    for &entry in entries {
        let SweepGame::Row(game) = entry.game else { continue };
        let period = entry.record.found.proven().map(|proven| proven.period.length);
        let start = leading(game, START, START).or_else(|| leading(game, START, MAX_END));
        groups.entry((period, start.map(|(values, _)| values))).or_default().push(entry);
    }
    groups.into_values().filter(|games| games.len() > 1).flatten().collect()
}

/// Returns the first `count` values after the leading zeros, and the number of leading zeros; `None` if there are more
/// than `most_zeros` zeros, or the values cannot be computed.
fn leading(game: RowGame, count: u64, most_zeros: u64) -> Option<(Vec<Nimber>, u64)> {
    let values = first(game, count + most_zeros)?;
    let zeros = values.iter().take_while(|&&value| value == Nimber::ZERO).count();
    let count = usize::try_from(count).ok()?;
    let leading: Vec<Nimber> = values.into_iter().skip(zeros).take(count).collect();
    (leading.len() == count).then_some((leading, zeros as u64))
}

fn write_groups(groups: Vec<(Values, Vec<(&Entry, u64)>)>, out: &mut impl Write) -> io::Result<()> {
    if groups.is_empty() {
        return writeln!(out, "- none");
    }
    for (values, games) in groups {
        let least = games.iter().map(|&(_, zeros)| zeros).min().unwrap_or(0);
        let names =
            games.iter().sorted_by_key(|&&(_, zeros)| zeros).map(|&(entry, zeros)| match zeros - least {
                0 => name(&entry.game),
                more => format!("{} at n+{more}", name(&entry.game)),
            });
        let period = values.period.map_or(String::new(), |period| format!(" (period {})", number(period)));
        writeln!(out, "- {}{period}", names.format(", "))?;
    }
    Ok(())
}

/// Returns the values of a game and the number of its leading zeros; `None` if the game is not compared.
fn values(entry: &Entry) -> Option<(Values, u64)> {
    let SweepGame::Row(game) = entry.game else { return None };
    match entry.record.found.proven() {
        Some(ProvenPeriod { period, saltus: None }) if period.start + period.length <= MAX_END => {
            periodic(game, period)
        }
        Some(_) => None,
        None => {
            let (first, zeros) = leading(game, COMPARED, COMPARED)?;
            Some((Values { period: None, first }, zeros))
        }
    }
}

fn periodic(game: RowGame, Period { start, length }: Period) -> Option<(Values, u64)> {
    let values = first(game, start + length)?;
    let zeros = values.iter().take_while(|&&value| value == Nimber::ZERO).count() as u64;
    // The leading zeros may extend into the first period, so compare one whole period after them.
    let end = start.max(zeros) + length;
    let first = first(game, end)?.into_iter().skip(usize::try_from(zeros).ok()?).collect();
    Some((Values { period: Some(length), first }, zeros))
}

/// Returns the first `count` values; `None` if they cannot be computed.
fn first(game: RowGame, count: u64) -> Option<Vec<Nimber>> {
    nimbers(&game.spec(), 0..=count.checked_sub(1)?).ok()
}
