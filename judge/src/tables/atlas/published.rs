//! What the sweeps found beside what published lists have.

use std::io::{self, Write};

use zeroxor::OctalCode;
use zeroxor::grundy::segment::Period;

use super::cells::number;
use super::collection::Entry;
use crate::tables::cousins::same_game;
use crate::tables::published_codes::{self, PublishedCode};
use crate::tables::row_game::RowGame;
use crate::tables::sweep::{Status, SweepGame};

/// Compares codes with the published lists.
pub(super) fn write(codes: &[&Entry], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n## Beside the published lists\n\n### Long periods\n")?;
    writeln!(out, "| code | published period | here |\n|---|---|---|")?;
    for published in published_codes::long_periods() {
        if let Some((entry, more)) = find(codes, published.code) {
            write_period(&published, entry, more, out)?;
        }
    }
    writeln!(out, "\n### Games of which no period is published\n")?;
    let listed: Vec<&Entry> =
        published_codes::open().filter_map(|open| find(codes, open).map(|(entry, _)| entry)).collect();
    let list = |entries: &[&Entry]| {
        let names: Vec<String> =
            entries.iter().filter_map(|entry| code(entry)).map(|code| code.to_string()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" ") }
    };
    let is_solved = |entry: &&Entry| entry.record.found.status == Status::Solved;
    let solved: Vec<&Entry> = listed.iter().copied().filter(is_solved).collect();
    let is_published = |entry: &&Entry| {
        code(entry).is_some_and(|code| {
            published_codes::open().any(|open| same_game(open, code).is_some())
                || published_codes::long_periods().any(|published| same_game(published.code, code).is_some())
        })
    };
    let new: Vec<&Entry> =
        codes.iter().copied().filter(|entry| !is_solved(entry) && !is_published(entry)).collect();
    let missing: Vec<String> = published_codes::open()
        .filter(|&open| find(codes, open).is_none())
        .map(|code| code.to_string())
        .collect();
    writeln!(out, "- in the list and open here: {}", listed.len() - solved.len())?;
    writeln!(out, "- in the list, solved here: {}", list(&solved))?;
    writeln!(out, "- open here, in no list: {}", list(&new))?;
    if !missing.is_empty() {
        writeln!(out, "- in the list, not looked at: {}", missing.join(" "))?;
    }
    Ok(())
}

fn write_period(published: &PublishedCode, entry: &Entry, more: u64, out: &mut impl Write) -> io::Result<()> {
    let Period { start, length } = published.period;
    let here = match entry.record.found.proven() {
        // The sources number the heaps from 0 or from 1.
        Some(Period { start: from, length: found })
            if found == length && from.abs_diff(start.saturating_add(more)) <= 1 =>
        {
            format!("the same, from {} on", number(from))
        }
        Some(Period { start, length }) => {
            format!("**{} from {} on**", number(length), number(start))
        }
        None => format!("not reached, looked at up to {}", number(entry.record.found.n)),
    };
    writeln!(
        out,
        "| {} | {} from {} on, {} | {here} |",
        published.code,
        number(length),
        number(start),
        published.found_by
    )
}

/// The game with the values of a code, and how many cards more its heaps have.
fn find<'a>(codes: &[&'a Entry], wanted: OctalCode) -> Option<(&'a Entry, u64)> {
    codes.iter().find_map(|entry| {
        let more = same_game(code(entry)?, wanted)?;
        Some((*entry, u64::try_from(more).unwrap_or(0)))
    })
}

fn code(entry: &Entry) -> Option<OctalCode> {
    match entry.game {
        SweepGame::Row(RowGame::Code(code)) => Some(code),
        _ => None,
    }
}
