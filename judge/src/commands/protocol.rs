//! `judge protocol`: the specification of the protocol.

use std::io::Write;
use std::process::ExitCode;

use crate::output::Output;

const SPECIFICATION: &str = include_str!("../../../docs/protocol.md");

pub(crate) fn protocol() -> anyhow::Result<ExitCode> {
    Output::open(None)?.write(|out| out.write_all(SPECIFICATION.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}
