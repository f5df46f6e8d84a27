//! The guards that this machine has for programs under the judge.

use std::fmt::{self, Display, Formatter};

use itertools::Itertools;
use runner::limits::{DEFAULT_LIMITS, LimitsBy};
use runner::sandbox::{Guard, MissingGuards, Sandbox};
use runner::warden::{Confinement, Warden};

/// What is possible here.
pub(crate) struct Guards {
    /// An error says why there is no control group.
    cgroup: anyhow::Result<()>,
    missing: Vec<MissingGuards>,
    refuses_signals: bool,
}

impl Guards {
    /// Finds the guards by starting wardens.
    ///
    /// # Errors
    ///
    /// If no warden can be started.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let start = |limits_by, sandbox| {
            let limits = DEFAULT_LIMITS;
            Warden::start("a program", &Confinement { limits, limits_by, sandbox, writable: None })
        };
        Ok(Self {
            cgroup: start(LimitsBy::Cgroup, Sandbox::None).map(drop),
            missing: start(LimitsBy::Proc, Sandbox::Best)?.missing_guards(),
            refuses_signals: start(LimitsBy::Proc, Sandbox::None)?.refuses_signals(),
        })
    }

    /// Returns the guards of the sandbox that this machine has.
    fn in_sandbox(&self) -> impl Iterator<Item = Guard> {
        let is_missing = |guard: &Guard| self.missing.iter().any(|missing| missing.guards.contains(guard));
        Guard::ALL.into_iter().filter(move |guard| !is_missing(guard))
    }
}

impl Display for Guards {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.cgroup {
            Ok(()) => writeln!(f, "limits: cgroup, proc")?,
            Err(reason) => writeln!(f, "limits: proc ({reason:#})")?,
        }
        let guards = self.in_sandbox().join(", ");
        write!(f, "sandbox: {}", if guards.is_empty() { "none" } else { &guards })?;
        if !self.missing.is_empty() {
            write!(f, " ({})", self.missing.iter().map(|missing| &missing.reason).join("; "))?;
        }
        let signals = if self.refuses_signals {
            "refused"
        } else {
            "not refused (this needs Linux 6.12 with Landlock)"
        };
        writeln!(f, "\nsignals to other programs: {signals}")
    }
}
