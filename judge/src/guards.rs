//! The guards that this machine has for programs under the judge.

use std::fmt::{self, Display, Formatter};

use runner::limits::{DEFAULT_LIMITS, LimitsBy};
use runner::warden::{Confinement, Warden};

/// What is possible here. An error says what is missing.
pub(crate) struct Guards {
    cgroup: anyhow::Result<()>,
    sandbox: anyhow::Result<()>,
    refuses_signals: bool,
}

impl Guards {
    /// Finds the guards by starting wardens.
    pub(crate) fn find() -> Self {
        let start = |limits_by, sandbox| {
            let limits = DEFAULT_LIMITS;
            Warden::start("a program", &Confinement { limits, limits_by, sandbox, writable: None })
        };
        let plain = start(LimitsBy::Proc, false);
        Self {
            cgroup: start(LimitsBy::Cgroup, false).map(drop),
            sandbox: start(LimitsBy::Proc, true).map(drop),
            refuses_signals: plain.is_ok_and(|warden| warden.refuses_signals()),
        }
    }
}

impl Display for Guards {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.cgroup {
            Ok(()) => writeln!(f, "limits: cgroup, proc")?,
            Err(reason) => writeln!(f, "limits: proc ({reason:#})")?,
        }
        match &self.sandbox {
            Ok(()) => writeln!(f, "sandbox: files, network, privileges, processes, terminals")?,
            Err(reason) => writeln!(f, "sandbox: none ({reason:#})")?,
        }
        let signals = if self.refuses_signals {
            "refused"
        } else {
            "not refused (this needs Linux 6.12 with Landlock)"
        };
        writeln!(f, "signals to other programs: {signals}")
    }
}
