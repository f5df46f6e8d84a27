//! `judge replay`: a transcript refereed again.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use zeroxor::wire::protocol;

use crate::escape::{complain, printable};
use crate::matches::game::Outcome;
use crate::matches::replay_against::{Rehearsal, Script};
use crate::process::interrupt;
use crate::process::listener::bare;
use crate::referee::event::Event;
use crate::referee::game_state::GameState;
use crate::referee::limits::EARLY_LIMIT;
use crate::referee::transcript::read::Reader;
use crate::referee::transcript::{Closing, Opening};
use crate::report::console::Console;
use crate::report::json::Json;
use crate::report::{Record, Reporter};

/// Referee recorded games again
#[derive(Debug, Args)]
#[command(
    override_usage = "judge replay FILE [--json]\n       judge replay FILE --against -- BOT ARGS...",
    after_help = "\
Every game of the transcript is refereed from its events alone, and must come to the verdict, the side, the moves and \
the times that were recorded.

Examples:
  judge run 20 3 5 --transcript game.jsonl -- ./bot
  judge replay game.jsonl                        the same report and verdict
  judge replay game.jsonl --against -- ./other   does another bot say the same?

Exit codes:
  0  everything is as recorded; with --against: every line of the bot is
  1  something is not
  2  the transcript cannot be read or is damaged, the bot could not be started,
     or the judge was interrupted"
)]
pub(crate) struct ReplayArgs {
    /// The transcript, "-" for stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Send the judge's recorded lines to a bot instead, and show the first line in which it differs
    #[arg(long, requires = "bot", conflicts_with = "json")]
    pub(crate) against: bool,

    /// Print one JSON object a game
    #[arg(long)]
    pub(crate) json: bool,

    /// The bot's command and its arguments
    #[arg(last = true, value_name = "BOT", requires = "against")]
    pub(crate) bot: Vec<OsString>,
}

/// So many lines no judge takes before their turn: those of a full pipe come on top of [`EARLY_LIMIT`].
const MOST_EARLY: usize = EARLY_LIMIT + (2 << 20);

pub(crate) fn replay(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let mut games = Reader::new(open(&args.file)?);
    let mut reporter: Box<dyn Reporter> = if args.json {
        Box::new(Json::new(io::stdout()))
    } else {
        Box::new(Console::new(anstream::stdout()))
    };
    if args.against {
        interrupt::watch()?;
    }
    let name = || format!("the transcript {}", args.file.display());
    let (mut count, mut same) = (0, true);
    while let Some(opening) = games.opening().with_context(name)? {
        count += 1;
        let numbered = || format!("{}, game {count}", name());
        if args.against {
            let script = Script::read(opening, &mut games).with_context(numbered)?;
            match rehearse(script, &args.bot)? {
                Some(is_same) => same &= is_same,
                None => return Ok(ExitCode::from(2)),
            }
        } else {
            same &= referee(opening, &mut games, reporter.as_mut()).with_context(numbered)?;
        }
    }
    ensure!(count > 0, "{} is empty: expected the opening of a game", name());
    if !args.against {
        reporter.summary()?;
    }
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

/// Referees a game again from its events, and reports it; whether it is as was recorded.
fn referee(
    opening: Opening,
    games: &mut Reader<impl BufRead>,
    reporter: &mut dyn Reporter,
) -> anyhow::Result<bool> {
    let header = protocol::parse_header(opening.game.as_bytes()).context("the header is malformed")?;
    let mut course = GameState::new(&header, opening.terms.limits, opening.terms.profile)?;
    let (mut last, mut header_told) = (Duration::ZERO, None);
    let closing = games.events(|entry| {
        course.apply(entry);
        last = last.max(entry.at);
        if header_told.is_none() {
            header_told = told_header(&entry.event);
        }
        ensure!(course.early() <= MOST_EARLY, "expected at most {MOST_EARLY} lines ahead of their turn");
        Ok(())
    })?;
    // Of the time at which the process was gone the events give only the least.
    let outcome = Outcome::of(&course, closing.wall.max(last));
    let header_told = header_told.unwrap_or_else(|| "no header".to_owned());
    let given = claims(&header_told, &Closing::from(&outcome));
    let mut same = true;
    for (recorded, given) in claims(&opening.game, &closing).iter().zip(&given) {
        if recorded != given {
            same = false;
            let game = &opening.game;
            complain(format_args!("{game}: the transcript says {recorded}, its events give {given}"));
        }
    }
    reporter.game(&Record::new(opening, &header, outcome))?;
    Ok(same)
}

/// The header of the game, if the judge tells it here.
fn told_header(event: &Event) -> Option<String> {
    let Event::Sent(line) = event else { return None };
    let line = bare(&line.0);
    let opens_session = matches!(protocol::parse_opening(line), Ok(protocol::Opening::Games(_)));
    (!opens_session).then(|| String::from_utf8_lossy(line).into_owned())
}

/// All that is claimed of a game, in words.
fn claims(game: &str, closing: &Closing) -> [String; 9] {
    let Closing { verdict, reason, side, moves, wall, waited, used } = closing;
    let or_unknown = |number: Option<u128>, unit: &str| {
        number.map_or_else(|| format!("no {unit}"), |number| format!("{number} {unit}"))
    };
    [
        game.to_owned(),
        format!("{verdict} ({reason})"),
        side.as_ref().map_or("no side".to_owned(), |side| format!("the side {side}")),
        format!("{moves} moves"),
        format!("{} ns in all", wall.as_nanos()),
        format!("{} ns waited", waited.as_nanos()),
        or_unknown(used.cpu.map(|cpu| cpu.as_nanos()), "ns of CPU"),
        or_unknown(used.memory.map(u128::from), "bytes of memory"),
        or_unknown(used.processes.map(u128::from), "processes and threads"),
    ]
}

/// Feeds the judge's side of a game to a bot; whether it says the same, `None` after Ctrl-C.
fn rehearse(script: Script, bot: &[OsString]) -> anyhow::Result<Option<bool>> {
    let game = printable(script.game());
    let mut out = anstream::stdout();
    let same = match script.rehearse(bot)? {
        Rehearsal::Same(lines) => {
            writeln!(out, "SAME {game}: {lines} lines of the bot as recorded")?;
            true
        }
        Rehearsal::Different(difference) => {
            writeln!(out, "DIFFERENT {game}: {difference}")?;
            false
        }
        Rehearsal::Interrupted => {
            writeln!(out, "INTERRUPTED {game}")?;
            return Ok(None);
        }
    };
    Ok(Some(same).filter(|_| !interrupt::interrupted()))
}
