//! The option to replace files.

use clap::Args;

/// Whether files that the judge did not write are replaced.
#[derive(Clone, Copy, Debug, Args)]
pub struct ForceOption {
    /// Replace files that exist, also those that the judge did not write; by default it replaces only empty ones and those
    /// that it wrote for the same option
    #[arg(long)]
    pub force: bool,
}
