//! What the headers, the help and the pages say of a game. Each file of a game has its entry.

/// What is known of a game besides its rules.
#[derive(Debug)]
pub(crate) struct GameEntry {
    /// The word that a header begins with.
    pub(crate) name: &'static str,
    /// The form of the header.
    pub(crate) form: &'static str,
    /// What a move does, in one line.
    pub(crate) help: &'static str,
    /// What only the pages and the tables show.
    #[cfg(feature = "analysis")]
    pub(crate) about: About,
}

/// What the pages and the help of `grundy table` say of a game.
#[cfg(feature = "analysis")]
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Games that the pages offer to play; none if the game has no page.
    pub examples: &'static [Example],
    /// The arguments of tables, as examples for `grundy table`; none if there is no table.
    pub tables: &'static [&'static str],
}

/// A game that the pages offer to play.
#[cfg(feature = "analysis")]
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Its name for people.
    pub title: &'static str,
    /// Its header.
    pub header: &'static str,
    /// What a move does, and how a header is written.
    pub text: &'static str,
}
