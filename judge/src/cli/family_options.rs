//! The option for the families of random games.

use clap::Args;

use crate::matches::stress::family::GameFamily;

/// The families of games from which starts are drawn.
#[derive(Clone, Debug, Args)]
pub(crate) struct FamilyOptions {
    /// The family of games from which starts are drawn; several families, with commas between them, take turns
    #[arg(long, value_enum, default_value = "segment", value_name = "NAME", value_delimiter = ',')]
    pub(crate) family: Vec<GameFamily>,
}
