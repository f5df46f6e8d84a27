//! Games that are not cousins but have the same values.

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

/// Number of values that are compared for games without a period.
const COMPARED: u64 = 10_000;

/// Games with a period are compared if the first period ends by this heap.
const MOST: u64 = 100_000;

/// The values by which games are compared, without the zeros before the first other value.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Values {
    period: Option<u64>,
    /// To the end of the first period, or as many as are compared.
    first: Vec<Nimber>,
}

/// Lists the games with the same values.
pub(super) fn write(entries: &[&Entry], out: &mut impl Write) -> io::Result<()> {
    let mut groups: BTreeMap<Values, Vec<(&Entry, u64)>> = BTreeMap::new();
    for entry in entries {
        if let Some((values, zeros)) = values(entry) {
            groups.entry(values).or_default().push((*entry, zeros));
        }
    }
    let groups = groups.into_iter().filter(|(_, games)| games.len() > 1);
    let (solved, open): (Vec<_>, Vec<_>) = groups.partition(|(values, _)| values.period.is_some());
    if solved.is_empty() && open.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## Equal values\n\nGames that are no cousins and have the same values all the same.")?;
    writeln!(
        out,
        "\nProven, for their first periods are the same (those that begin to repeat by {}):\n",
        number(MOST)
    )?;
    write_groups(solved, out)?;
    writeln!(out, "\nOpen, with the same {} values after the first zeros:\n", number(COMPARED))?;
    write_groups(open, out)
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

/// The values of a game, and the number of zeros before them; `None` if they are not compared.
fn values(entry: &Entry) -> Option<(Values, u64)> {
    let SweepGame::Row(game) = entry.game else { return None };
    match entry.record.found.proven() {
        Some(ProvenPeriod { period, saltus: None }) if period.start + period.length <= MOST => {
            periodic(game, period)
        }
        Some(_) => None,
        None => {
            // The same number for each game, however many zeros come first.
            let values = first(game, 2 * COMPARED)?;
            let zeros = values.iter().take_while(|&&value| value == Nimber::ZERO).count();
            let compared = usize::try_from(COMPARED).ok()?;
            let first: Vec<Nimber> = values.into_iter().skip(zeros).take(compared).collect();
            (first.len() == compared).then_some((Values { period: None, first }, zeros as u64))
        }
    }
}

fn periodic(game: RowGame, Period { start, length }: Period) -> Option<(Values, u64)> {
    let values = first(game, start + length)?;
    let zeros = values.iter().take_while(|&&value| value == Nimber::ZERO).count() as u64;
    // The zeros may be part of the first period.
    let end = start.max(zeros) + length;
    let first = first(game, end)?.into_iter().skip(usize::try_from(zeros).ok()?).collect();
    Some((Values { period: Some(length), first }, zeros))
}

/// The first `count` values.
fn first(game: RowGame, count: u64) -> Option<Vec<Nimber>> {
    nimbers(&game.spec(), 0..=count.checked_sub(1)?).ok()
}
