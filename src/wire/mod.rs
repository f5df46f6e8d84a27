//! The wire protocol: its lines, and one conversation over any reader and writer.

pub mod protocol;
pub mod session;

pub use crate::core::protocol::quoted;
pub use session::run_on_stdio;
