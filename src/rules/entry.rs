//! The entry of a game: its texts for headers, help and pages. The file of each game defines its entry.

/// The name and the texts of a game.
#[derive(Debug)]
pub(crate) struct GameEntry {
    /// The word that a header begins with.
    pub(crate) name: &'static str,
    /// The form of the header.
    pub(crate) form: &'static str,
    /// The description of a move, in one line.
    pub(crate) help: &'static str,
    /// The texts for pages and tables.
    #[cfg(feature = "analysis")]
    pub(crate) about: About,
}

/// The texts about a game on the pages and in the help of `grundy table`.
#[cfg(feature = "analysis")]
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Games that the pages offer to play. Empty if the game cannot be played.
    pub examples: &'static [Example],
    /// Arguments of `grundy table`, as examples. Empty if the game has no tables.
    pub tables: &'static [&'static str],
}

/// A game that the pages offer to play.
#[cfg(feature = "analysis")]
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The title of the game on the pages.
    pub title: &'static str,
    /// The header of the game.
    pub header: &'static str,
    /// The description of a move and of the header.
    pub text: &'static str,
}
