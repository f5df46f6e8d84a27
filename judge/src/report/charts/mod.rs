//! What all plots share: their colours for light and dark, and a chart with a row for each name.

mod row_chart;
pub(crate) mod text;
pub(crate) mod theme;

pub(crate) use row_chart::{RowChart, RowMark, Scale};
