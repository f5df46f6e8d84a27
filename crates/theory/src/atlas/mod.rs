//! The atlas: a page about the games of one or more sweeps, with what is known of each.

mod cells;
mod collection;
mod equal;
mod page;
mod published;

pub(crate) use collection::Collection;
