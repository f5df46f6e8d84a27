//! The guards that this machine has for programs under the judge.

use std::fmt::{self, Display, Formatter};

use itertools::Itertools;
use runner::limits::LimitsBy;
use runner::message::print_error;
use runner::sandbox::{Guard, MissingGuards, Sandbox, ensure_complete, report_missing};
use runner::warden::{Confinement, Warden};
use serde::Serialize;

const SIGNALS_NEED: &str = "this needs Linux 6.12 with Landlock";

pub(crate) struct MachineGuards {
    /// An error says why there is no control group.
    cgroup: anyhow::Result<()>,
    missing: Vec<MissingGuards>,
    refuses_signals: bool,
}

/// The names of the guards that a program has, and of those that it should have but this machine lacks.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct GuardNames {
    guards: Vec<String>,
    missing_guards: Vec<String>,
}

/// Checks that each program in the sandbox can have a process namespace of its own.
pub(crate) fn ensure_fresh() -> anyhow::Result<()> {
    let confinement = Confinement { sandbox: Sandbox::Best, fresh: true, ..Confinement::default() };
    Warden::start("a program", &confinement).map(drop)
}

impl MachineGuards {
    /// Finds the guards by starting wardens.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let start = |limits_by, sandbox| {
            Warden::start("a program", &Confinement { limits_by, sandbox, ..Confinement::default() })
        };
        Ok(Self {
            cgroup: start(LimitsBy::Cgroup, Sandbox::None).map(drop),
            missing: start(LimitsBy::Proc, Sandbox::Best)?.missing_guards(),
            refuses_signals: start(LimitsBy::Proc, Sandbox::None)?.refuses_signals(),
        })
    }

    pub(crate) fn ensure_complete(&self) -> anyhow::Result<()> {
        ensure_complete(&self.missing)
    }

    /// Names on stderr what is missing.
    pub(crate) fn report_missing(&self) {
        report_missing(&self.missing);
        if !self.refuses_signals {
            print_error(format_args!("signals to other programs are not refused: {SIGNALS_NEED}"));
        }
        if let Err(reason) = &self.cgroup {
            print_error(format_args!("limits are enforced by /proc: {reason:#}"));
        }
    }

    pub(crate) fn names(&self, sandbox: Sandbox, limits_by: Option<LimitsBy>) -> GuardNames {
        let of_sandbox = Guard::ALL.into_iter().filter(|_| sandbox != Sandbox::None);
        let mut wanted = of_sandbox.map(|guard| (guard.to_string(), self.has(guard))).collect_vec();
        if limits_by != Some(LimitsBy::Proc) {
            wanted.push(("cgroup".to_owned(), self.cgroup.is_ok()));
        }
        wanted.push(("signals".to_owned(), self.refuses_signals));
        let (there, missing): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|(_, is_there)| *is_there);
        let names = |guards: Vec<(String, bool)>| guards.into_iter().map(|(name, _)| name).collect();
        GuardNames { guards: names(there), missing_guards: names(missing) }
    }

    fn has(&self, guard: Guard) -> bool {
        !self.missing.iter().any(|missing| missing.guards.contains(&guard))
    }
}

impl Display for MachineGuards {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.cgroup {
            Ok(()) => writeln!(f, "limits: cgroup, proc")?,
            Err(reason) => writeln!(f, "limits: proc ({reason:#})")?,
        }
        let guards = Guard::ALL.into_iter().filter(|guard| self.has(*guard)).join(", ");
        write!(f, "sandbox: {}", if guards.is_empty() { "none" } else { &guards })?;
        if !self.missing.is_empty() {
            write!(f, " ({})", self.missing.iter().map(|missing| &missing.reason).join("; "))?;
        }
        write!(f, "\nsignals to other programs: ")?;
        if self.refuses_signals {
            writeln!(f, "refused")
        } else {
            writeln!(f, "not refused ({SIGNALS_NEED})")
        }
    }
}
