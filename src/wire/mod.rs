//! The wire protocol: its lines, and one conversation over any reader and writer.

pub mod protocol;
pub mod session;
mod stdio;

pub use crate::words::quoted;
pub use stdio::run_on_stdio;
