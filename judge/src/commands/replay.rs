//! `judge replay`: a transcript refereed again.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use zeroxor::protocol;

use crate::cli::replay::ReplayArgs;
use crate::conversation::Outcome;
use crate::course::Course;
use crate::interrupt;
use crate::rehearsal::{Rehearsal, rehearse};
use crate::report::console::Console;
use crate::report::json::Json;
use crate::report::{Record, Reporter};
use crate::transcript::read::{Reader, Recorded};

pub(crate) fn replay(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let mut games = Reader::new(open(&args.file)?);
    let name = || format!("the transcript {}", args.file.display());
    if args.against {
        return rehearse_all(&mut games, &args.bot).with_context(name);
    }
    let mut reporter: Box<dyn Reporter> = if args.json {
        Box::new(Json::new(io::stdout()))
    } else {
        Box::new(Console::new(anstream::stdout()))
    };
    let (mut count, mut same) = (0, true);
    while let Some(recorded) = games.game().with_context(name)? {
        count += 1;
        same &= referee(recorded, reporter.as_mut()).with_context(|| format!("{}, game {count}", name()))?;
    }
    ensure!(count > 0, "{} is empty: expected the opening of a game", name());
    reporter.summary()?;
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file =
        File::open(path).with_context(|| format!("the transcript {} cannot be opened", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}

/// Referees a game again from its events, and reports it; whether the verdict is the one that was recorded.
fn referee(recorded: Recorded, reporter: &mut dyn Reporter) -> anyhow::Result<bool> {
    let Recorded { opening, entries, closing } = recorded;
    let header = protocol::parse_header(opening.game.as_bytes()).context("the header is malformed")?;
    let mut course = Course::new(&header, opening.terms.limits, opening.terms.profile)?;
    for entry in &entries {
        course.hear(entry);
    }
    let outcome = Outcome::of(&course, closing.wall);
    let same = (outcome.verdict, &outcome.reason) == (closing.verdict, &closing.reason);
    if !same {
        // Nobody may be left to read it.
        let _ = writeln!(
            io::stderr(),
            "judge: {}: the transcript says {} ({}), its events give {} ({})",
            opening.game,
            closing.verdict,
            closing.reason,
            outcome.verdict,
            outcome.reason
        );
    }
    reporter.game(&Record::new(opening, &header, outcome))?;
    Ok(same)
}

/// Feeds the judge's side of every game to a bot.
fn rehearse_all(games: &mut Reader<impl BufRead>, bot: &[OsString]) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let (mut out, mut same) = (anstream::stdout(), true);
    while let Some(recorded) = games.game()? {
        let game = &recorded.opening.game;
        match rehearse(&recorded, bot)? {
            Rehearsal::Same(lines) => writeln!(out, "SAME {game}: {lines} lines of the bot as recorded")?,
            Rehearsal::Different(difference) => {
                same = false;
                writeln!(out, "DIFFERENT {game}: {difference}")?;
            }
        }
        if interrupt::interrupted() {
            break;
        }
    }
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
