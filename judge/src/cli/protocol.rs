//! `judge protocol`: prints the specification of the protocol.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;

use common::output::Output;

/// Print the specification of the protocol between judge and bot
///
/// It is the text of docs/protocol.md, in Markdown.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  judge protocol
  judge protocol | less

Exit codes:
  0  the specification was printed
  2  wrong usage, or it could not be written")]
pub(crate) struct ProtocolArgs {}

const SPECIFICATION: &str = include_str!("../../../docs/protocol.md");

pub(crate) fn protocol() -> anyhow::Result<ExitCode> {
    Output::stdout().write(|out| out.write_all(SPECIFICATION.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}
