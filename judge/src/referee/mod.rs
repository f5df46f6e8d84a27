//! The referees: the games of the judge, and the interactors of problems.

pub(crate) mod game;
pub(crate) mod interactor;
