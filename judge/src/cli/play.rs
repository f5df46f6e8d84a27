//! `judge play`.

use clap::Args;

/// Play a game yourself, against the bot or another person
#[derive(Debug, Args)]
#[command(
    override_usage = "judge play [HEADER WORDS] [OPTIONS]",
    after_help = "\
Examples:
  judge play                            subtract-a-square from 20 with the bot
  judge play square 100 ban 1 --first   without taking 1, and you begin
  judge play 20 3 5 --players 2         two people and a row of cards
  judge play nim 3 5 7 + euclid 14 6    a sum: move in one of the games

In play:
  hint, moves, undo, resign, help, quit

Exit codes:
  0  the game ended, or the input did
  2  wrong usage"
)]
pub(crate) struct PlayArgs {
    /// The game, in the protocol's words; who cannot move loses. Without it the classic game is played,
    /// "square 20"
    #[arg(value_name = "HEADER WORDS")]
    pub(crate) header: Vec<String>,

    /// How many people play; one plays against the bot
    #[arg(long, default_value_t = 1, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) players: u8,

    /// Move first against the bot; without --first and --second you are asked
    #[arg(long, conflicts_with = "second")]
    pub(crate) first: bool,

    /// Move second against the bot
    #[arg(long)]
    pub(crate) second: bool,
}
