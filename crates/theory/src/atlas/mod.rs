//! The atlas: a Markdown page about the games of one or more sweeps, with the findings for each game.

mod cells;
mod collection;
mod equal;
mod published;

use std::io::{self, Write};

use crate::period_status;
use crate::published_codes;
use crate::sweep::{Status, SweepGame};
use cells::{cousins, effort, largest, length_of, name, number, rares};
pub use collection::Collection;
use collection::{Entry, Kind};
use equal::EqualGames;

impl Collection {
    /// Writes the page, including the command that makes it.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
    pub fn write(&self, command: &str, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "# Atlas\n\nMade by `{command}`; do not edit. [Sweeps](sweeps.md) explains the columns.\n"
        )?;
        self.write_sweeps(out)?;
        let equal = EqualGames::of(&self.all());
        for kind in Kind::ALL {
            let games = self.of(kind);
            if !games.is_empty() {
                write_kind(kind, &games, &equal, out)?;
            }
        }
        equal.write(out)?;
        let codes = self.of(Kind::Code);
        if codes.is_empty() { Ok(()) } else { published::write(&codes, out) }
    }

    fn write_sweeps(&self, out: &mut impl Write) -> io::Result<()> {
        let (of_one, of_many): (Vec<_>, Vec<_>) = self.sweeps().partition(|&(_, games)| games == 1);
        for (words, games) in of_many {
            writeln!(
                out,
                "- `grundy sweep {words}`: {} games; games with equal values are counted once",
                number(games)
            )?;
        }
        match of_one.as_slice() {
            [] => Ok(()),
            [(words, _)] => writeln!(out, "- `grundy sweep {words}`: one game"),
            [(words, _), ..] => {
                writeln!(out, "- {} sweeps of one game each, such as `grundy sweep {words}`", of_one.len())
            }
        }
    }
}

fn write_kind(kind: Kind, games: &[&Entry], equal: &EqualGames<'_>, out: &mut impl Write) -> io::Result<()> {
    let (solved, mut open): (Vec<&Entry>, Vec<&Entry>) =
        games.iter().copied().partition(|entry| entry.record.found.status == Status::Solved);
    open.sort_by_key(|entry| entry.record.found.obstacles());
    let published = open.iter().filter(|entry| is_published(entry)).count();
    let with_cousins = games.iter().map(|entry| 1 + entry.record.cousins.len()).sum::<usize>();
    writeln!(
        out,
        "\n## {}\n\n{} games, {} without their cousins: {} periods are proven here, {} are published and not checked \
         here, {} are open.",
        kind.heading(),
        number(with_cousins as u64),
        number(games.len() as u64),
        number(solved.len() as u64),
        number(published as u64),
        number((open.len() - published) as u64)
    )?;
    if !open.is_empty() {
        writeln!(
            out,
            "\n### {}: no period proven here\n\nGames with few rare values come first, then games with a new rare value or a new \
             largest value in the last nine tenths of the heaps, and then games without a sparse space. The time is an estimate for \
             one core, from heap 0 to the next power of ten.\n",
            kind.heading()
        )?;
        writeln!(
            out,
            "| game | searched up to | elsewhere | time to | rare values, last | largest value | least period not excluded | cousins |"
        )?;
        writeln!(out, "|---|---|---|---|---|---|---|---|")?;
        open.iter().try_for_each(|entry| write_open(entry, out))?;
    }
    if !solved.is_empty() {
        writeln!(out, "\n### {}: period proven here\n", kind.heading())?;
        writeln!(
            out,
            "| game | period | from | rare values, last | largest value | cousins | equal by the first period |\n\
             |---|---|---|---|---|---|---|"
        )?;
        for entry in solved {
            if let Some(others) = equal.others(entry) {
                write_solved(entry, &others, out)?;
            }
        }
    }
    Ok(())
}

/// Checks whether a period of the game is published.
fn is_published(entry: &Entry) -> bool {
    matches!(entry.game, SweepGame::Row(game) if period_status::published(game).is_some())
}

fn write_open(entry: &Entry, out: &mut impl Write) -> io::Result<()> {
    let found = &entry.record.found;
    let least = found.least_period_not_excluded.map_or("-".to_owned(), number);
    let elsewhere = entry.code().and_then(published_codes::searched).unwrap_or("-");
    let published = if is_published(entry) { " (published, not checked here)" } else { "" };
    let (name, n) = (name(&entry.game) + published, number(found.n));
    writeln!(
        out,
        "| {name} | {n} | {elsewhere} | {} | {} | {} | {least} | {} |",
        effort(found),
        rares(&entry.record),
        largest(&entry.record),
        cousins(&entry.record)
    )
}

fn write_solved(entry: &Entry, others: &str, out: &mut impl Write) -> io::Result<()> {
    let Some(proven) = entry.record.found.proven() else { return Ok(()) };
    let (name, length, start) = (name(&entry.game), length_of(proven), number(proven.period.start));
    writeln!(
        out,
        "| {name} | {length} | {start} | {} | {} | {} | {others} |",
        rares(&entry.record),
        largest(&entry.record),
        cousins(&entry.record)
    )
}
