//! Code that the programs share: output that is written completely or not at all, files of records, transcripts and
//! pages, numbers with units, text from outside, Ctrl-C, progress bars and charts.

#![allow(missing_docs, missing_debug_implementations, reason = "only programs of this workspace use it")]

pub mod charts;
pub mod escape;
pub mod file_kind;
pub mod generated;
pub mod interrupt;
pub mod json;
pub mod lint;
pub mod output;
pub mod page;
pub mod parallel;
pub mod program;
pub mod progress;
pub mod record_file;
pub mod safe_file;
pub mod shards;
pub mod signals;
pub mod stdout;
pub mod suggestions;
pub mod text;
pub mod threads;
pub mod transcript;
pub mod units;

/// The version of the JSON that is written for other programs. It is the same for all objects.
pub const SCHEMA: u32 = 1;
