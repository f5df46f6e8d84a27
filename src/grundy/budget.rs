//! What may be spent on the Grundy tables of a game.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use super::cpu_limit::{Clock, CpuLimit, CpuWatch, cpu_time};

/// Steps and bytes that are left to spend.
///
/// A step is a nanosecond of one processor on the machine of docs/performance.md, whichever thread takes it: each
/// engine counts its work in a measure that was calibrated there. Unless asked for, no clock is read, so the same game
/// is always answered or always refused.
///
/// ```
/// use zeroxor::grundy::Budget;
/// use zeroxor::{Position, Solver};
///
/// // A tenth of a second, and a megabyte.
/// let mut solver = Solver::with_budget(Budget::new(100_000_000, 1 << 20));
/// let error = solver.outcome(&Position::new(&"100000 3 3".parse()?)?).unwrap_err();
/// assert_eq!((error.limit, error.unit), (100_000_000, "steps"));
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    steps: u128,
    bytes: u128,
    /// Bytes for tables that only serve to choose among lost moves.
    optional: u128,
    /// The steps and bytes there were at first.
    limits: [u128; 2],
    pub(super) cpu: Option<CpuLimit>,
    /// The number of steps after which a table ends with the error that tells what it is expected to take.
    pub(super) probe: Option<u128>,
    /// The steps that are expected of the tables after the one that is made.
    pub(super) pending: u128,
    is_refused_late: bool,
}

impl Budget {
    /// The default cost limit of all tables of one game or sum: six of the ten seconds of
    /// [`GAME_TIME`](Self::GAME_TIME), for a step may take longer than a nanosecond, and a quarter of the contest's memory.
    pub const GAME: Self = Self::new(6_000_000_000, 256 << 20);

    /// Maximum steps of tables that may not lead to an answer. With the steps that show that they are needed it is about a
    /// tenth of [`GAME`](Self::GAME).
    pub(crate) const IN_VAIN: u128 = 500_000_000;

    /// So many steps and bytes. Half as many bytes again are kept apart for tables that only serve to choose among
    /// lost moves.
    pub const fn new(steps: u128, bytes: u128) -> Self {
        Self {
            steps,
            bytes,
            optional: bytes / 2,
            limits: [steps, bytes],
            cpu: None,
            probe: None,
            pending: 0,
            is_refused_late: false,
        }
    }

    /// This budget with no more steps than `most`.
    #[must_use]
    pub(crate) fn with_steps(self, most: u128) -> Self {
        Self { steps: self.steps.min(most), ..self }
    }

    /// Takes the cost of a table from what is left.
    ///
    /// # Errors
    ///
    /// If more is asked for than is left; then nothing is taken.
    pub(crate) fn spend(
        &mut self,
        what: impl Fn() -> String,
        steps: u128,
        bytes: u128,
    ) -> Result<(), TooLarge> {
        self.allows(what, steps, bytes)?;
        self.steps -= steps;
        self.bytes -= bytes;
        Ok(())
    }

    /// Whether so much is left; nothing is taken.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn allows(&self, what: impl Fn() -> String, steps: u128, bytes: u128) -> Result<(), TooLarge> {
        let [all_steps, all_bytes] = self.limits;
        let units = [(steps, self.steps, all_steps, "steps"), (bytes, self.bytes, all_bytes, "bytes")];
        for (asked, left, limit, unit) in units {
            if asked > left {
                return Err(TooLarge { what: what(), asked, left, limit, unit });
            }
        }
        Ok(())
    }

    /// The error that a table takes so many steps, more than are left.
    pub(crate) fn too_many_steps(&self, what: String, steps: u128) -> TooLarge {
        TooLarge { what, asked: steps, left: self.steps, limit: self.limits[0], unit: "steps" }
    }

    /// Takes the memory of an optional table from what is kept for those, and says whether there was so much.
    /// What is needed is not touched.
    pub(crate) fn spend_optional(&mut self, bytes: u128) -> bool {
        let left = self.optional.checked_sub(bytes);
        self.optional = left.unwrap_or(self.optional);
        left.is_some()
    }

    /// The steps that are left.
    #[must_use]
    pub fn steps(&self) -> u128 {
        self.steps
    }

    /// The bytes that are left.
    pub(crate) fn bytes(&self) -> u128 {
        self.bytes
    }

    /// Whether it is no more than another in any respect.
    #[must_use]
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.steps <= other.steps && self.bytes <= other.bytes && self.optional <= other.optional
    }

    /// What is left when `spent` is taken, nothing at least.
    #[must_use]
    pub(crate) fn less(&self, spent: &Self) -> Self {
        Self {
            steps: self.steps.saturating_sub(spent.steps),
            bytes: self.bytes.saturating_sub(spent.bytes),
            optional: self.optional.saturating_sub(spent.optional),
            ..*self
        }
    }

    /// What is left when `spent` is given back.
    #[must_use]
    pub(crate) fn plus(&self, spent: &Self) -> Self {
        Self {
            steps: self.steps + spent.steps,
            bytes: self.bytes + spent.bytes,
            optional: self.optional + spent.optional,
            ..*self
        }
    }
}

impl Budget {
    /// The CPU time in which the contest bot answers or refuses.
    pub const GAME_TIME: Duration = Duration::from_secs(10);

    /// This budget with a limit on the CPU time of the process, all its threads together, from now on. Where the system
    /// does not tell it, as everywhere but on Linux, it is the time that passes.
    ///
    /// On another machine, or beside other work, a step may take longer than it did where it was measured. With this
    /// limit the engines also compare the time of their first steps with it: a table that would take more than four
    /// fifths of the time is refused in the first tenth of it, or else not before the time is over. Whether a game is
    /// answered then depends on the machine, so this is no default.
    #[must_use]
    pub fn with_cpu_limit(self, most: Duration) -> Self {
        self.with_clock(most, cpu_time)
    }

    pub(super) fn with_clock(self, most: Duration, clock: Clock) -> Self {
        Self { cpu: Some(CpuLimit::new(most, clock)), ..self }
    }

    /// This budget for a computation of minutes or hours: a table that will cost too much may be refused after an eighth of
    /// what is left, not after a tenth of a second. In a sparse space the costs of a long table are foreseen too high as long
    /// as rare values keep coming.
    #[must_use]
    pub fn refusing_late(self) -> Self {
        Self { is_refused_late: true, ..self }
    }

    pub(super) fn is_refused_late(&self) -> bool {
        self.is_refused_late
    }

    /// This budget with the time of its limit beginning anew, with the next table.
    #[must_use]
    pub(crate) fn restarted(self) -> Self {
        Self { cpu: self.cpu.map(CpuLimit::restarted), ..self }
    }

    /// Lets the time of the limit begin now, if there is one that has not begun.
    pub(super) fn start_clock(&mut self) {
        self.cpu = self.cpu.map(CpuLimit::started);
    }

    /// Takes over from a part of this budget when the time of its limit began.
    pub(crate) fn keep_clock(&mut self, part: &Self) {
        self.cpu = part.cpu;
    }

    /// For a table that begins now.
    pub(crate) fn watch_cpu(&self) -> CpuWatch {
        CpuWatch::new(self)
    }

    /// This budget for a table that ends after `probe` steps, with the error that tells what it is expected to take.
    #[must_use]
    pub(super) fn probing(self, probe: Option<u128>) -> Self {
        Self { probe, ..self }
    }
}

/// A table of Grundy values that is larger than memory or a sane time allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// What was to be computed.
    pub what: String,
    /// How much of `unit` it takes.
    pub asked: u128,
    /// How much of `unit` is left to it.
    pub left: u128,
    /// How much of `unit` a whole game may take.
    pub limit: u128,
    /// What is counted: steps, bytes, ms of CPU time.
    pub unit: &'static str,
}

impl TooLarge {
    /// Whether this is the end of a probe, and no refusal.
    pub(super) fn is_within_limit(&self) -> bool {
        self.asked <= self.left
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, asked, left, limit, unit } = self;
        write!(f, "{what} takes {asked} {unit}, and the limit is {limit}")?;
        if left < limit { write!(f, ", of which {left} are left") } else { Ok(()) }
    }
}

impl Error for TooLarge {}
