//! The options of `judge run` and `judge test`, and what they do with the games that are to be played.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use super::corpus_options::CorpusOptions;
use super::match_options::MatchOptions;
use super::stderr_options::StderrOptions;
use crate::matches::corpus::KeepingReporter;
use crate::matches::match_runner::MatchRunner;
use crate::matches::session::BotSession;
use crate::referee::config::MatchConfig;
use crate::referee::setup::{GameSetup, MoveLine, OpponentKind, parse_moves};
use crate::referee::spectator::Spectator;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::report::picture::Picture;
use crate::report::stderr_files::StderrFiles;
use crate::report::transcript::TranscriptWriter;
use crate::settings::Settings;
use crate::units::number_in;

/// The options of a command that plays games one after the other.
#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// Who plays against the bot
    #[arg(long, value_enum, default_value_t = OpponentKind::Perfect, value_name = "NAME")]
    pub(crate) opponent: OpponentKind,

    /// How many games to play from each start, with the seeds S, S+1, ...
    #[arg(short = 'n', long, default_value_t = 1, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    pub(crate) games: u64,

    /// The seed of the first game
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) options: MatchOptions,

    /// The opponent's first moves, "x y, x y". After them, or from a move on that is not legal, it plays by itself
    #[arg(long, value_name = "MOVES", value_parser = parse_line, default_value = "", hide_default_value = true)]
    pub(crate) line: Arc<MoveLine>,

    /// Write every line of the games with its time as JSON lines, "-" for stdout; the report then goes to
    /// stderr
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,

    #[command(flatten)]
    stderr: StderrOptions,

    /// Print one JSON object for each game and nothing else
    #[arg(long, conflicts_with_all = ["verbose", "quiet"])]
    json: bool,

    /// Print only the games that were not won, and nothing at all if all are won and none was excused
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,

    /// Draw each game, with a line for each move, and print the command that compiles a source
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    pub(crate) corpus: CorpusOptions,
}

fn parse_line(text: &str) -> Result<Arc<MoveLine>, String> {
    parse_moves(text).map(Arc::new)
}

impl RunOptions {
    /// The seeds of the games from a start with this seed.
    ///
    /// # Errors
    ///
    /// If there are not so many seeds.
    pub(crate) fn seeds(&self, first: u64) -> anyhow::Result<impl Iterator<Item = u64> + use<>> {
        let last = first.checked_add(self.games - 1).with_context(|| {
            format!("expected seeds of at most {}, but the seed of the last game would be larger", u64::MAX)
        })?;
        Ok(first..=last)
    }

    /// Plays this number of games against the bot of this command, and reports them.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started, or a game cannot be played or reported.
    pub(crate) fn play(
        &self,
        bot: &[OsString],
        settings: &Settings,
        count: u64,
        games: impl Iterator<Item = GameSetup>,
    ) -> anyhow::Result<ExitCode> {
        let config = self.options.config(bot, self.verbose, settings)?;
        // If the transcript is written to stdout, the report and the drawing are written to stderr.
        let to_stderr = self.transcript.as_deref() == Some(Path::new("-"));
        if self.json {
            let out: Box<dyn Write> = if to_stderr { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
            return self.report(config, count, games, Json::new(out), &mut ());
        }
        let out = || -> Box<dyn Write> {
            if to_stderr { Box::new(anstream::stderr()) } else { Box::new(anstream::stdout()) }
        };
        let mut spectator: Box<dyn Spectator> =
            if self.verbose { Box::new(Picture::new(out())) } else { Box::new(()) };
        let console = Console::new(out()).quiet(self.quiet).show_stderr(self.stderr.show_stderr);
        self.report(config, count, games, console, spectator.as_mut())
    }

    /// Plays the games and reports them here; those that are not won are kept.
    fn report(
        &self,
        config: MatchConfig,
        count: u64,
        games: impl Iterator<Item = GameSetup>,
        reporter: impl Reporter,
        spectator: &mut dyn Spectator,
    ) -> anyhow::Result<ExitCode> {
        let transcript = self.transcript.as_deref().map(TranscriptWriter::new);
        let stderr = self.stderr.stderr.as_deref().map(StderrFiles::new).transpose()?;
        let session = BotSession::new(config, count, (transcript, stderr))?;
        let mut runner = MatchRunner::new(session, KeepingReporter::new(reporter, self.corpus.corpus()));
        for game in games {
            if runner.is_stopped() {
                break;
            }
            runner.play(game, spectator)?;
        }
        runner.end()
    }
}
