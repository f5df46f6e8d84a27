//! The hidden role in which the judge plays its own bundled bot, so that one command is enough.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;

/// How the judge starts itself in this role.
pub(crate) fn bundled() -> anyhow::Result<Vec<OsString>> {
    let judge =
        std::env::current_exe().context("the judge does not know its own path to start the bundled bot")?;
    Ok(vec![judge.into(), "bot".into()])
}

/// Plays the bot's side of a conversation on stdin and stdout.
pub(crate) fn bot() -> ExitCode {
    match zeroxor::session::run(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be left to read it.
            let _ = writeln!(io::stderr(), "zeroxor: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
