//! The descendants of a warden: its program and all processes that the program has started.
//!
//! A warden is a subreaper: a process of the program that has lost its parent becomes a child of the warden. So no
//! process that the program has started can leave the tree below the warden.

mod kill;
pub(crate) mod tree;

pub(crate) use kill::kill_all;
