//! Tables of the nimbers or outcomes of a game's heaps: how they are computed, checked and written, and the
//! certificates of their periods.

mod all_windows;
pub(crate) mod atlas;
mod certificate;
mod certificate_file;
pub(crate) mod cousins;
mod definition;
mod difference;
mod excluded;
mod format;
mod heaps;
pub(crate) mod long;
pub(crate) mod period_status;
mod plot;
pub(crate) mod published_codes;
mod row_game;
mod rows;
pub(crate) mod sweep;
mod table;
mod totals;
mod value;
mod value_hash;
mod value_structure;

pub(crate) use all_windows::AllWindowsSummary;
pub(crate) use certificate::{CERTIFICATE, Certificate};
pub(crate) use certificate_file::CertificateFile;
pub(crate) use difference::Comparison;
pub(crate) use format::{Format, Summary};
pub(crate) use heaps::Heaps;
pub(crate) use plot::{Plot, windows_svg};
pub(crate) use row_game::RowGame;
pub(crate) use rows::Rows;
pub(crate) use table::Table;
pub(crate) use value_structure::rare_values;

use std::error::Error;
use std::fmt;

/// What is wrong with a table or a certificate: it does not say what the definition does.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Incorrect(String);

impl fmt::Display for Incorrect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Incorrect {}
