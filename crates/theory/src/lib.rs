//! The program `grundy`: tables of nimbers and outcomes with their checks and formats, certificates of periods, sweeps
//! of families of games, the atlas, and the commands.

#![allow(missing_docs, missing_debug_implementations, reason = "only programs of this workspace use it")]

pub mod atlas;
mod certificate;
mod certificate_file;
mod classic;
mod code_form;
mod commands;
pub mod complete;
mod cousins;
mod definition;
mod difference;
mod excluded;
mod format;
mod heaps;
pub mod period_status;
mod plot;
pub mod program;
pub mod published_codes;
mod quotient_certificate;
mod row_game;
pub mod row_stream;
mod rows;
pub mod sweep;
mod table;
mod totals;
mod value;

pub use certificate::{CERTIFICATE, Certificate};
pub(crate) use certificate_file::CertificateFile;
pub use difference::Comparison;
pub use format::{Format, Summary};
pub use heaps::Heaps;
pub use plot::{Plot, windows_svg};
pub use quotient_certificate::QuotientCertificate;
pub(crate) use quotient_certificate::{MonoidTable, QUOTIENT_CERTIFICATE};
pub use row_game::RowGame;
pub use rows::Rows;
pub use table::Table;
pub(crate) use value::rare_values;
