//! The common parts of all plots: colours for light and dark, text, and a chart with a row for each name.

mod row_chart;
pub mod text;
pub mod theme;

pub use row_chart::{RowChart, RowMark, Scale};
