//! What a table of a window or a code is written to.

use super::args::{ListingArgs, PeriodArgs};
use crate::CERTIFICATE;
use common::output::Output;

/// Where the table and the certificate of its period are written. They are opened before anything is computed, so that a bad path
/// costs no time.
pub(super) struct Outputs {
    pub(super) table: Output,
    pub(super) certificate: Option<Output>,
}

impl Outputs {
    pub(super) fn open(listing: &ListingArgs, periods: &PeriodArgs) -> anyhow::Result<Self> {
        let table = listing.open()?;
        let open = |path| Output::open(Some(path), CERTIFICATE, listing.force.force);
        let certificate = periods.certificate.as_deref().map(open).transpose()?;
        Ok(Self { table, certificate })
    }
}
