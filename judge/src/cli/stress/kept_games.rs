//! The games of the corpus, which are played before others are searched for.

use std::io;
use std::process::ExitCode;
use std::time::Instant;

use super::StressArgs;
use crate::matches::match_runner::{MatchReport, MatchRunner};
use crate::matches::session::BotSession;
use crate::matches::stress::search_state::ConfigWords;
use crate::matches::stress::summary::KeptJson;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::stderr::StderrFiles;
use referee::config::MatchConfig;

/// Plays the games that the bot did not win before, as far as the time allows, and reports those that are not won.
/// Returns the exit code if there are any.
pub(super) fn play_kept_games(
    args: &StressArgs,
    config: &MatchConfig,
    words: &ConfigWords,
    deadline: Option<Instant>,
) -> anyhow::Result<Option<ExitCode>> {
    if args.json {
        play(args, config, deadline, KeptJson { out: io::stdout(), config: words })
    } else {
        let console = Console::new(anstream::stdout()).quiet(true).show_stderr(args.stderr.show_stderr);
        play(args, config, deadline, console)
    }
}

fn play(
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
        runner.play(&game, &mut ())?;
    }
    if runner.all_won() { Ok(None) } else { runner.end().map(Some) }
}
