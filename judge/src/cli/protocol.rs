//! `judge protocol`.

use clap::Args;

/// Print the specification of the protocol that the judge and a bot speak
///
/// It is the text of docs/protocol.md, in Markdown.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  judge protocol
  judge protocol | less

Exit codes:
  0  it was printed
  2  wrong usage, or it could not be written")]
pub(crate) struct ProtocolArgs {}
