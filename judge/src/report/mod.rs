//! Reports of games and other results, for a person or for a program.

pub(crate) mod conversation_rows;
pub(crate) mod page;
pub(crate) mod picture;
pub(crate) mod reporter;
pub(crate) mod run;
pub(crate) mod summary;
pub(crate) mod transcript;
