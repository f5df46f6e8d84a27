//! The hidden role in which the judge plays its own bundled bot, so that one command is enough.

use std::ffi::OsString;

use anyhow::Context;

/// How the judge starts itself in this role.
pub(crate) fn bundled() -> anyhow::Result<Vec<OsString>> {
    let judge =
        std::env::current_exe().context("the judge does not know its own path to start the bundled bot")?;
    Ok(vec![judge.into(), "bot".into()])
}
