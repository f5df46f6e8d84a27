//! The checks of `judge lint`: of bots, and of interactors.

pub(crate) mod bot;
pub(crate) mod finding;
pub(crate) mod interactor;
