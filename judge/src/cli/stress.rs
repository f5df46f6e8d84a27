//! `judge stress`: searches for a game that a bot does not win.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Duration;
use std::time::Instant;

use clap::Args;
use zeroxor::MAX_SIZE;

use super::bot;
use super::complete;
use super::corpus_options::CorpusOptions;
use super::match_options::MatchOptions;
use super::stderr_options::StderrOptions;
use super::typed_command::typed_command;
use crate::escape::complain;
use crate::matches::corpus::CorpusKeeper;
use crate::matches::match_report::MatchReport;
use crate::matches::match_runner::MatchRunner;
use crate::matches::session::BotSession;
use crate::matches::stress::family::GameFamily;
use crate::matches::stress::plan::Plan;
use crate::matches::stress::results::results_page;
use crate::matches::stress::search_state::{ConfigWords, SearchState};
use crate::matches::stress::shrink::Shrinker;
use crate::matches::stress::summary::{self, KeptJson, PlayedFields};
use crate::matches::stress::{StopCondition, ensure_uninterrupted, search};
use crate::matches::worker::WorkerStderr;
use crate::process::descendants;
use crate::process::interrupt;
use crate::process::start::Start;
use crate::referee::config::MatchConfig;
use crate::referee::setup::GameSetup;
use crate::referee::verdict::Verdict;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::games_progress::GamesProgress;
use crate::report::output::Output;
use crate::report::stderr_files::StderrFiles;
use crate::settings::Settings;
use crate::units::{number_in, time_limit};

/// Search for a game that a bot does not win, and shrink it
#[derive(Debug, Args)]
#[command(
    override_usage = "judge stress [OPTIONS] [-- BOT ARGS...]\n       judge stress [OPTIONS] SOURCE [ARGS...]",
    after_help = "\
The extreme starts are played first: the largest of each kind, the smallest, and large ones that Second wins. Then \
follow small starts, the smallest first, with a larger one after each two. Every extreme and every small start is \
played against every opponent. The first game that was not won is played again, to see whether it fails each time, and \
shrunk: to a smaller start that fails in the same way, then to the fewest moves of the opponent. The same seed gives \
the same games with any number of jobs.

The smallest game that was not won is kept in the corpus, the directory .judge/corpus, and played first for the same bot \
the next time, with \"kept\" in its line of --json; \"judge corpus\" lists and removes such games. Of a game of the corpus the \
file of --stderr is kept-seed-S.txt; the games that are played to shrink one have none.

Each line of --json has the bot's command and options. With --resume they must be the same. The output may be \
appended to the file that is resumed. A line that was cut off is ignored.

Examples:
  judge stress -- ./bot
  judge stress bot.cpp --time 1m
  judge stress --family square --games 10000 --jobs 4 -- python3 my_bot.py
  judge stress --time 600 --json -- ./bot > games.jsonl
  judge stress --games 50000 --json --resume games.jsonl -- ./bot >> games.jsonl

Exit codes:
  0  the bot won every game
  1  the bot did not win every game
  2  wrong usage, the bot could not be started, or the judge could not continue
     or was interrupted"
)]
pub(crate) struct StressArgs {
    /// The family of games to play
    #[arg(long, value_enum, default_value_t = GameFamily::Segment, value_name = "NAME")]
    pub(crate) family: GameFamily,

    /// The largest row, pile or number
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = number_in(1..=MAX_SIZE))]
    pub(crate) max_n: u64,

    /// How many games to play [default: 2000, or no limit if --time is given]
    #[arg(short = 'n', long, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    pub(crate) games: Option<u64>,

    /// How long to play and to shrink, in seconds if there is no unit; a game that has begun is played to its end. With
    /// --keep-going a quarter is left to shrink the first game that was not won
    #[arg(long, value_name = "TIME", value_parser = time_limit)]
    pub(crate) time: Option<Duration>,

    /// How many games to play at the same time; with more games than processors bots may wait for a processor and use
    /// up their wall time [default: one for each processor]
    #[arg(short, long, value_name = "J", value_parser = number_in(1..=1024_u16))]
    pub(crate) jobs: Option<u16>,

    /// The seed of game 0; game k has the seed S+k
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Continue when a game was not won, and count such games
    #[arg(long)]
    pub(crate) keep_going: bool,

    /// Continue the search whose --json output is in this file; its games are not played again
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: MatchOptions,

    #[command(flatten)]
    pub(crate) stderr: StderrOptions,

    #[command(flatten)]
    pub(crate) corpus: CorpusOptions,

    /// Print one JSON object for each game when it ends, and then one for the game that the first failure was shrunk to
    #[arg(long)]
    pub(crate) json: bool,

    /// Write the games won, the times and the verdicts as one page for a browser to this file, before the first game that was
    /// not won is shrunk
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Print the command that compiles a source
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// The bot's source, such as bot.cpp, which is compiled, and its arguments
    #[arg(add = complete::bot(), value_name = "SOURCE", conflicts_with = "bot")]
    pub(crate) source: Vec<OsString>,

    /// The bot's command and its arguments; without it the bundled bot plays
    #[arg(add = complete::bot(), last = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}

/// How many games are played without --games and --time.
const DEFAULT_GAMES: u64 = 2000;

pub(crate) fn stress(args: &StressArgs, settings: &Settings) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    // Before the first worker is started, so that a second Ctrl-C ends all descendants of this process.
    descendants::become_subreaper()?;
    let started = Instant::now();
    let deadline = args.time.map(|time| started + time);
    let html = args.html.as_deref().map(|path| Output::open(Some(path))).transpose()?;
    let plan = Plan::new(args.family, args.max_n, args.seed);
    let bot = bot::chosen("stress", &args.source, &args.bot, settings)?;
    let config = args.options.config(bot, args.verbose, settings)?;
    let words = ConfigWords::from(&config);
    let mut state = match &args.resume {
        Some(file) => SearchState::resume(file, &plan, &words)?,
        None => SearchState::default(),
    };
    // Each worker would refuse a bot that cannot be started, with its own message.
    Start::new(&config)?;
    let mut out = anstream::stdout();
    if args.json && state.is_truncated {
        // The line that was cut off stays a line of its own.
        writeln!(out)?;
    }
    let kept = if args.json {
        play_kept_games(args, &config, deadline, KeptJson { out: io::stdout(), config: &words })?
    } else {
        let console = Console::new(anstream::stdout()).quiet(true).show_stderr(args.stderr.show_stderr);
        play_kept_games(args, &config, deadline, console)?
    };
    if let Some(code) = kept.filter(|_| !args.keep_going) {
        if code == ExitCode::FAILURE {
            complain(format_args!(
                "not searched for more: what was not won before still is not; --keep-going goes on"
            ));
        }
        return Ok(code);
    }
    let until = StopCondition {
        games: args.games.or(Some(DEFAULT_GAMES).filter(|_| args.time.is_none())),
        deadline,
        keep_going: args.keep_going,
        shrink_from: args.time.map(|time| started + time * 3 / 4),
    };
    let played = play(args, &plan, &config, &words, &until, &mut state)?;
    if !args.keep_going {
        state.end_at_first_failure();
    }
    let mut text = Vec::new();
    summary::write_summary(&mut text, &state, &plan, &config.bot_name(), played, started.elapsed())?;
    if !args.json {
        out.write_all(&text)?;
    }
    if let Some(html) = html {
        let text = String::from_utf8_lossy(&text);
        let page = results_page(&state, &plan, &config.bot_name(), &text, typed_command()).page()?;
        html.write(|out| out.write_all(page.as_bytes()))?;
    }
    let code = shrink(args, &plan, config, &words, &state, deadline, &mut out)?;
    Ok(kept.unwrap_or(code))
}

/// Plays the games of the corpus, as far as the time allows, and reports those that are not won. Returns the exit code
/// if there are any.
fn play_kept_games(
    args: &StressArgs,
    config: &MatchConfig,
    deadline: Option<Instant>,
    reporter: impl Reporter,
) -> anyhow::Result<Option<ExitCode>> {
    let games = args.corpus.games_to_play_first(&[config.bot_name()])?;
    let files =
        args.stderr.stderr.as_deref().filter(|_| !games.is_empty()).map(StderrFiles::new).transpose()?;
    let log = files.map(|files| files.with_prefix("kept-"));
    let session = BotSession::new(config.clone(), games.len() as u64, log)?;
    let mut runner = MatchRunner::new(session, MatchReport::new(reporter));
    for game in games {
        if runner.is_stopped() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        runner.play(game, &mut ())?;
    }
    if runner.all_won() { Ok(None) } else { runner.end().map(Some) }
}

/// Plays the games of the search that are not in the state yet, and returns how many.
fn play(
    args: &StressArgs,
    plan: &Plan,
    config: &MatchConfig,
    words: &ConfigWords,
    until: &StopCondition,
    state: &mut SearchState,
) -> anyhow::Result<u32> {
    let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let progress = GamesProgress::new(until.games, state.played.len() as u64);
    let mut played = 0_u32;
    let stderr = WorkerStderr { is_shown: args.stderr.show_stderr, folder: args.stderr.stderr.clone() };
    search(config, &stderr, plan, jobs, until, state, |index, line, report, state| {
        // 2^32 games take weeks.
        played = played.saturating_add(1);
        if args.json {
            progress.print(&summary::with_fields(&PlayedFields { index, config: words }, line)?)?;
        } else if args.keep_going && report.verdict != Verdict::Won || !report.stderr.is_empty() {
            progress.print(&summary::with_stderr(index, report))?;
        }
        progress.update(state.played.len() as u64, summary::status(state));
        Ok(())
    })?;
    Ok(played)
}

/// Shrinks the first game that was not won, if there is one, and writes the result. Returns the exit code.
fn shrink(
    args: &StressArgs,
    plan: &Plan,
    config: MatchConfig,
    words: &ConfigWords,
    state: &SearchState,
    deadline: Option<Instant>,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let Some((first, report)) = &state.first else {
        ensure_uninterrupted()?;
        return Ok(ExitCode::SUCCESS);
    };
    if args.json && state.shrunk.contains(first) {
        // The result is in the file that is resumed.
        ensure_uninterrupted()?;
        return Ok(ExitCode::FAILURE);
    }
    let mut session = BotSession::new(config, u64::MAX, ())?;
    let progress = GamesProgress::new(None, 0);
    let mut show = |smallest: &GameSetup, runs: u32| {
        progress.update(runs.into(), format_args!("shrinking game {first}: {}", smallest.header));
    };
    let shrunk = Shrinker::new(&mut session, report.verdict, deadline, &mut show).shrink(plan.game(*first));
    drop(progress);
    if shrunk.is_err() && !args.json {
        summary::write_failure(out, *first, report)?;
    }
    let shrunk = shrunk?;
    if args.json {
        summary::write_shrunk_json(out, *first, report, &shrunk, words)?;
    } else {
        summary::write_shrunk(out, *first, report, &shrunk)?;
    }
    let mut keeper = CorpusKeeper::new(args.corpus.corpus());
    shrunk.game.iter().for_each(|game| keeper.keep(game));
    keeper.tell();
    Ok(ExitCode::FAILURE)
}
