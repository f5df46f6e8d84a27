//! `judge selftest`.

use clap::Args;

use crate::selftest::bots;

/// Judge hostile bots, and see that each gets exactly its verdict in its time
#[derive(Debug, Args)]
#[command(
    override_usage = "judge selftest [NAMES] [OPTIONS]",
    after_help = "\
Each bot is a process of its own that plays a game by \"judge run\". No game may take a second longer than its wall \
limit, and when all are over nothing that a bot has started may be left.

Examples:
  judge selftest
  judge selftest memory-hog never-reads

Exit codes:
  0  everything is as it must be
  1  it is not
  2  wrong usage, or the judge could not start itself"
)]
pub(crate) struct SelftestArgs {
    /// Only these bots
    #[arg(value_name = "NAMES", value_parser = known)]
    pub(crate) names: Vec<String>,

    /// How many games to play at a time [default: twice the processors]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
}

fn known(name: &str) -> Result<String, String> {
    let is_known = bots::all().iter().any(|bot| bot.name == name);
    is_known
        .then(|| name.to_owned())
        .ok_or_else(|| "expected a bot's name; without one \"judge selftest\" shows them all".to_owned())
}
