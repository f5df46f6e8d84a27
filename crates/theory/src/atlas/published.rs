//! Compares the results of the sweeps with published lists.

use std::io::{self, Write};

use itertools::Itertools;
use zeroxor::OctalCode;
use zeroxor::grundy::segment::Period;

use super::cells::{length_of, number};
use super::collection::Entry;
use crate::code_form::CodeForm;
use crate::period_status::ProvenPeriod;
use crate::published_codes;
use crate::published_codes::PublishedCode;
use crate::row_game::RowGame;
use crate::sweep::{Status, SweepGame};

/// The codes of the sweeps with their forms.
struct Codes<'a>(Vec<(&'a Entry, OctalCode, CodeForm)>);

impl<'a> Codes<'a> {
    fn of(entries: &[&'a Entry]) -> Self {
        let codes = entries.iter().filter_map(|&entry| match entry.game {
            SweepGame::Row(RowGame::Code(code)) => Some((entry, code, CodeForm::of(code)?)),
            _ => None,
        });
        Self(codes.collect())
    }

    /// Finds a game with the same values as `wanted`. Also returns by how many cards its heaps are larger than the
    /// heaps of `wanted` with the same value.
    fn find(&self, wanted: OctalCode) -> Option<(&'a Entry, i64)> {
        let wanted = CodeForm::of(wanted)?;
        self.0.iter().find_map(|(entry, _, form)| Some((*entry, form.more_than(&wanted)?)))
    }
}

/// Writes the comparison of the codes with the published lists.
pub(super) fn write(entries: &[&Entry], out: &mut impl Write) -> io::Result<()> {
    let codes = Codes::of(entries);
    writeln!(out, "\n## Comparison with the published lists\n\n### Long periods\n")?;
    writeln!(out, "| code | published period | here |\n|---|---|---|")?;
    for published in published_codes::long_periods() {
        if let Some((entry, more)) = codes.find(published.code) {
            write_period(&published, entry, more, out)?;
        }
    }
    write_open(&codes, out)
}

/// Compares the published list of games without a period with the games that are open here, and writes the result.
fn write_open(codes: &Codes<'_>, out: &mut impl Write) -> io::Result<()> {
    let is_solved = |entry: &Entry| entry.record.found.status == Status::Solved;
    let (mut open, mut solved, mut missing) = (0, Vec::new(), Vec::new());
    for code in published_codes::open() {
        match codes.find(code) {
            Some((entry, _)) if is_solved(entry) => solved.push(code),
            Some(_) => open += 1,
            None => missing.push(code),
        }
    }
    let listed =
        published_codes::open().chain(published_codes::long_periods().map(|published| published.code));
    let listed: Vec<CodeForm> = listed.filter_map(CodeForm::of).collect();
    let is_listed = |form: &CodeForm| listed.iter().any(|other| other.more_than(form).is_some());
    // The lists have only codes of up to three digits.
    let is_short = |name: &str| name.split(' ').next().is_some_and(|code| code.len() <= "0.777".len());
    let has_short_name = |entry: &Entry, code: OctalCode| {
        is_short(&code.to_string()) || entry.record.cousins.iter().any(|cousin| is_short(cousin))
    };
    let new = codes
        .0
        .iter()
        .filter(|(entry, code, form)| !is_solved(entry) && has_short_name(entry, *code) && !is_listed(form));
    let new: Vec<OctalCode> = new.map(|&(_, code, _)| code).collect();
    writeln!(out, "\n### Games without a published period\n")?;
    writeln!(out, "- in the list and open here: {open}")?;
    writeln!(out, "- in the list, period proven here: {}", list(&solved))?;
    writeln!(out, "- of up to three digits, open here, in no list: {}", list(&new))?;
    if !missing.is_empty() {
        writeln!(out, "- in the list, in no sweep: {}", list(&missing))?;
    }
    Ok(())
}

fn list(codes: &[OctalCode]) -> String {
    if codes.is_empty() { "none".to_owned() } else { codes.iter().join(" ") }
}

fn write_period(published: &PublishedCode, entry: &Entry, more: i64, out: &mut impl Write) -> io::Result<()> {
    let Period { start, length } = published.period;
    let expected = i128::from(start) + i128::from(more);
    let here = match entry.record.found.proven() {
        // Some sources number the heaps from 0, others from 1, so the starts may differ by 1.
        Some(ProvenPeriod { period, saltus: None })
            if period.length == length && (expected - i128::from(period.start)).abs() <= 1 =>
        {
            format!("proven: the same, from {} on", number(period.start))
        }
        Some(proven) => format!("proven: **{} from {} on**", length_of(proven), number(proven.period.start)),
        None => format!("not checked: the values up to {} show no period", number(entry.record.found.n)),
    };
    writeln!(
        out,
        "| {} | {} from {} on, by {}, {} | {here} |",
        published.code,
        number(length),
        number(start),
        published.by,
        published.year
    )
}
