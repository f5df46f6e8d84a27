//! There is no sandbox on other systems than Linux, and no launcher.

use std::convert::Infallible;
use std::ffi::OsStr;

use anyhow::bail;

pub(crate) fn check() -> anyhow::Result<()> {
    bail!("--sandbox needs Linux: its guards, Landlock and seccomp, are missing here")
}

pub(crate) fn find(_program: &OsStr) -> anyhow::Result<Infallible> {
    bail!("programs are looked for on Linux alone")
}
