//! What may be typed, one file a subcommand.

use clap::{Parser, Subcommand};

pub(crate) mod bundle;
pub(crate) mod conditions;
pub(crate) mod count;
#[cfg(target_os = "linux")]
pub(crate) mod launch;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod solve;
pub(crate) mod stress;
pub(crate) mod worker;

/// A local judge for impartial subtraction games: it referees any bot that speaks the protocol of AtCoder
/// ABC278 G over its stdin and stdout, in any language, and says what went wrong and why.
///
/// Without a command it plays a short demonstration.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(run::RunArgs),
    Stress(stress::StressArgs),
    Replay(replay::ReplayArgs),
    Play(play::PlayArgs),
    Solve(solve::SolveArgs),
    Count(count::CountArgs),
    Bundle(bundle::BundleArgs),
    /// The bundled bot: plays the contestant's side of one conversation on stdin and stdout
    #[command(hide = true)]
    Bot,
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    Launch(launch::LaunchArgs),
    /// Plays the games that another judge sends
    #[command(hide = true)]
    Worker(worker::WorkerArgs),
}
