//! The entry of a game: its texts for headers, help and pages. Each game defines its entry in its own file.

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

/// The texts and examples of a game, for the pages and for `grundy table`.
#[cfg(feature = "analysis")]
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Games that the pages offer to play.
    pub examples: &'static [Example],
    /// Example arguments of `grundy table`. May be empty.
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
