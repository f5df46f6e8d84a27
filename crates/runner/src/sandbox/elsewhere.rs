//! There is no sandbox on other systems than Linux, and no launcher.

use anyhow::bail;

pub fn check() -> anyhow::Result<()> {
    bail!("--sandbox needs Linux: its guards, Landlock and seccomp, are missing here")
}
