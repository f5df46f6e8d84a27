//! `judge replay`: referees recorded games again.

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

use super::bot;
use super::complete;
use crate::escape::{complain, printable};
use crate::matches::replay_against::{Comparison, RecordedGame};
use crate::process::interrupt;
use crate::process::listener::bare;
use crate::referee::config::BuildOptions;
use crate::referee::event::Event;
use crate::referee::finished_game::FinishedGame;
use crate::referee::game_state::GameState;
use crate::referee::limits::EARLY_LIMIT;
use crate::referee::result::GameResult;
use crate::referee::transcript::read::TranscriptReader;
use crate::referee::transcript::{ResultLine, SetupLine, VERSION};
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::settings::Settings;

/// Referee recorded games again
#[derive(Debug, Args)]
#[command(
    override_usage = "judge replay FILE [--json]\n       judge replay FILE --against -- BOT ARGS...",
    after_help = "\
Every game of the transcript is refereed from its events alone. The verdict, the side, the moves and the times must \
be the recorded ones.

Examples:
  judge run 20 3 5 --transcript game.jsonl -- ./bot
  judge replay game.jsonl                        the same report and verdict
  judge replay game.jsonl --against -- ./other   does another bot differ?

Exit codes:
  0  everything is as recorded; with --against: every line of the bot is
  1  something is not as recorded
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

    /// Print one JSON object for each game
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) build: BuildOptions,

    /// Print the command that compiles a source
    #[arg(short, long, requires = "against")]
    pub(crate) verbose: bool,

    /// The bot's command and its arguments, or a source such as bot.cpp, which is compiled
    #[arg(add = complete::bot(), last = true, value_name = "BOT", requires = "against")]
    pub(crate) bot: Vec<OsString>,
}

/// More early lines than any judge reads: [`EARLY_LIMIT`], and all that a full pipe can have.
const MAX_EARLY: usize = EARLY_LIMIT + (2 << 20);

pub(crate) fn replay(args: &ReplayArgs, settings: &Settings) -> anyhow::Result<ExitCode> {
    let mut games = TranscriptReader::new(open(&args.file)?);
    let mut reporter: Box<dyn Reporter> = if args.json {
        Box::new(Json::new(io::stdout()))
    } else {
        Box::new(Console::new(anstream::stdout()))
    };
    let started =
        if args.against { bot::started(&args.bot, &args.build, args.verbose, settings)? } else { None };
    let bot = started.as_ref().unwrap_or(&args.bot);
    let name = || format!("the transcript {}", args.file.display());
    let (mut count, mut same) = (0, true);
    // A game whose time is in doubt. It is reported only if it was not played again.
    let mut doubtful: Option<FinishedGame> = None;
    while let Some(setup) = games.setup().with_context(name)? {
        count += 1;
        doubtful.take().filter(|_| !setup.game.repeat).map_or(Ok(()), |game| reporter.game(&game))?;
        let numbered = || format!("{}, game {count}", name());
        if args.against {
            let game = RecordedGame::read(setup, &mut games).with_context(numbered)?;
            match compare(game, bot)? {
                Some(is_same) => same &= is_same,
                None => return Ok(ExitCode::from(2)),
            }
        } else {
            let (game, is_same) = referee(setup, &mut games).with_context(numbered)?;
            same &= is_same;
            if game.result.doubtful {
                doubtful = Some(game);
            } else {
                reporter.game(&game)?;
            }
        }
    }
    ensure!(count > 0, "{} is empty: expected the set-up of a game", name());
    if !args.against {
        doubtful.map_or(Ok(()), |game| reporter.game(&game))?;
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

/// Referees a game again from its events. The second value is whether it is as recorded.
fn referee(
    setup: SetupLine,
    games: &mut TranscriptReader<impl BufRead>,
) -> anyhow::Result<(FinishedGame, bool)> {
    let mut state = GameState::new(&setup.game.header, setup.config.limits, setup.config.profile)?;
    let start = state.position().clone();
    let (mut last, mut sent_header) = (Duration::ZERO, None);
    let recorded = games.events(|event| {
        state.apply(event);
        last = last.max(event.at);
        if sent_header.is_none() {
            sent_header = sent_header_of(&event.event);
        }
        ensure!(
            state.early_lines() <= MAX_EARLY,
            "expected at most {MAX_EARLY} lines that were received early, got more"
        );
        Ok(())
    })?;
    // The events give only a lower bound for the time at which the process had ended.
    let result = GameResult::new(&state, recorded.wall.max(last));
    let sent_header = sent_header.unwrap_or_else(|| "no header".to_owned());
    // The words of a reason are those of the judge that wrote it.
    let mut computed = ResultLine::from(&result);
    if setup.transcript < VERSION {
        computed.reason.clone_from(&recorded.reason);
    }
    let computed = facts(&sent_header, &computed);
    let header = &setup.game.header;
    let mut same = true;
    for (recorded, computed) in facts(header.text(), &recorded).iter().zip(&computed) {
        if recorded != computed {
            same = false;
            complain(format_args!(
                "{header}: the recorded result is {recorded}, but the recorded events give {computed}"
            ));
        }
    }
    Ok((FinishedGame::new(setup, start, result), same))
}

/// The header of the game, if this event is the judge sending it.
fn sent_header_of(event: &Event) -> Option<String> {
    let Event::Sent(line) = event else { return None };
    let line = bare(&line.0);
    let announces_games = matches!(protocol::parse_opening(line), Ok(protocol::Opening::Games(_)));
    (!announces_games).then(|| String::from_utf8_lossy(line).into_owned())
}

/// All that is recorded of a game, as texts.
fn facts(header: &str, result: &ResultLine) -> [String; 9] {
    let ResultLine { verdict, reason, side, moves, wall, waited, used } = result;
    let or_unknown = |number: Option<u128>, unit: &str| {
        number.map_or_else(|| format!("no {unit}"), |number| format!("{number} {unit}"))
    };
    [
        header.to_owned(),
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

/// Plays a recorded game against a bot. Returns whether its lines are the recorded ones; `None` after Ctrl-C.
fn compare(game: RecordedGame, bot: &[OsString]) -> anyhow::Result<Option<bool>> {
    let header = printable(game.header().text());
    let mut out = anstream::stdout();
    let same = match game.replay_against(bot)? {
        Comparison::Same(lines) => {
            writeln!(out, "SAME {header}: {lines} lines of the bot as recorded")?;
            true
        }
        Comparison::Different(difference) => {
            writeln!(out, "DIFFERENT {header}: {difference}")?;
            false
        }
        Comparison::Interrupted => {
            writeln!(out, "INTERRUPTED {header}")?;
            return Ok(None);
        }
    };
    Ok(Some(same).filter(|_| !interrupt::interrupted()))
}
