//! Messages of the judge on stderr.

use std::fmt::Display;
use std::io::{self, Write};

use crate::escape::printable;

/// Prints a message on stderr, escaped and in one write, because several processes may write there at the same time.
pub fn print_error(message: impl Display) {
    let line = format!("judge: {}\n", printable(&message.to_string()));
    // Ignore an error, because the reader may have closed stderr.
    let _ = io::stderr().write_all(line.as_bytes());
}
