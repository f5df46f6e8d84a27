//! `judge bundle`: the bot as one file.

use std::io::Write;
use std::process::ExitCode;

use crate::bundle;
use crate::cli::bundle::BundleArgs;
use crate::file;

pub(crate) fn bundle(args: &BundleArgs) -> anyhow::Result<ExitCode> {
    let text = bundle::text(args.target)?;
    match &args.output {
        Some(path) => file::write(path, &text)?,
        None => std::io::stdout().write_all(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}
