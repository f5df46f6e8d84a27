//! `judge bundle`: the bot as one file.

use std::io::Write;
use std::process::ExitCode;

use crate::bundle;
use crate::cli::bundle::BundleArgs;
use crate::output::Output;

pub(crate) fn bundle(args: &BundleArgs) -> anyhow::Result<ExitCode> {
    let out = Output::open(args.output.as_deref())?;
    let text = bundle::text(args.target)?;
    out.write(|out| out.write_all(text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}
