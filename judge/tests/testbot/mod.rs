//! The hostile bots, and what each of them does.

pub mod action;
pub mod bots;
