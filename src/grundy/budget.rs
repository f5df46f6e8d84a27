//! What may be spent on the Grundy tables of a game.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use super::cpu_time::cpu_time;

/// Steps and bytes that are left to spend.
///
/// A step is a nanosecond of one processor on the machine of docs/performance.md, whichever thread takes it: each
/// engine counts its work in a measure that was calibrated there. Unless asked for, no clock is read, so the same game
/// is always answered or always refused.
///
/// On another machine, or beside other work, a step may take longer. A program that must answer in time asks for
/// [`with_cpu_limit`](Self::with_cpu_limit): then the engines also compare the time that the steps so far have taken
/// with the limit, and refuse once it shows that the rest would pass it. Whether a game near the limit is answered then
/// depends on the machine, so it is no default.
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
    cpu: Option<CpuLimit>,
}

/// A time by which all must be done.
#[derive(Clone, Copy, Debug)]
struct CpuLimit {
    most: Duration,
    /// What the clock told when the time began.
    start: Duration,
    clock: Clock,
}

/// Tells the CPU time so far, from any moment on.
type Clock = fn() -> Duration;

impl PartialEq for CpuLimit {
    fn eq(&self, other: &Self) -> bool {
        (self.most, self.start) == (other.most, other.start)
    }
}

impl Eq for CpuLimit {}

impl Budget {
    /// What the tables of one game, a sum included, may cost where nothing else is asked for: ten seconds of
    /// processor time, and a quarter of the contest's memory.
    pub const GAME: Self = Self::new(10_000_000_000, 256 << 20);

    /// So many steps and bytes. Half as many bytes again are kept apart for tables that only serve to choose among
    /// lost moves.
    pub const fn new(steps: u128, bytes: u128) -> Self {
        Self { steps, bytes, optional: bytes / 2, limits: [steps, bytes], cpu: None }
    }

    /// The CPU time in which the contest bot answers or refuses.
    pub const GAME_TIME: Duration = Duration::from_secs(10);

    /// The same with a limit on the CPU time of this process, all its threads together, from now on. Where the system
    /// does not tell it, as everywhere but on Linux, it is the time that passes.
    ///
    /// A clock is read for each twentieth of a second of steps or so, and what a table will take is told from the time
    /// of its steps so far once these have taken half a second.
    #[must_use]
    pub fn with_cpu_limit(self, most: Duration) -> Self {
        self.with_clock(most, cpu_time)
    }

    fn with_clock(self, most: Duration, clock: Clock) -> Self {
        Self { cpu: Some(CpuLimit { most, start: clock(), clock }), ..self }
    }

    /// The same, with the time of its limit beginning now, if it has one.
    #[must_use]
    pub(crate) fn restarted(self) -> Self {
        Self { cpu: self.cpu.map(|cpu| CpuLimit { start: (cpu.clock)(), ..cpu }), ..self }
    }

    /// For a table that begins now.
    pub(crate) fn pace(&self) -> Pace {
        let began = self.cpu.map_or(Duration::ZERO, |cpu| (cpu.clock)());
        Pace { limit: self.cpu, began, next: LOOK }
    }

    /// The same with no more steps than `most`.
    #[must_use]
    pub(crate) fn with_steps(self, most: u128) -> Self {
        Self { steps: self.steps.min(most), ..self }
    }

    /// Takes the cost of a table from what is left.
    ///
    /// # Errors
    ///
    /// If more is asked for than is left; then nothing is taken.
    pub fn spend(&mut self, what: impl Fn() -> String, steps: u128, bytes: u128) -> Result<(), TooLarge> {
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
    pub fn spend_optional(&mut self, bytes: u128) -> bool {
        let left = self.optional.checked_sub(bytes);
        self.optional = left.unwrap_or(self.optional);
        left.is_some()
    }

    /// The steps that are left.
    #[must_use]
    pub fn steps(&self) -> u128 {
        self.steps
    }

    /// Whether it is no more than another in any respect.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.steps <= other.steps && self.bytes <= other.bytes && self.optional <= other.optional
    }

    /// What is left when `spent` is taken, nothing at least.
    #[must_use]
    pub fn less(&self, spent: &Self) -> Self {
        Self {
            steps: self.steps.saturating_sub(spent.steps),
            bytes: self.bytes.saturating_sub(spent.bytes),
            optional: self.optional.saturating_sub(spent.optional),
            ..*self
        }
    }

    /// What is left when `spent` is given back.
    #[must_use]
    pub fn plus(&self, spent: &Self) -> Self {
        Self {
            steps: self.steps + spent.steps,
            bytes: self.bytes + spent.bytes,
            optional: self.optional + spent.optional,
            ..*self
        }
    }
}

/// The steps between two looks at the clock.
const LOOK: u128 = 50_000_000;

/// The time after which the steps so far tell how fast they are.
const SHOWN: Duration = Duration::from_millis(500);

/// How fast a table is made, compared with the limit on CPU time, if there is one.
pub(crate) struct Pace {
    limit: Option<CpuLimit>,
    /// What the clock told when the table was begun.
    began: Duration,
    /// After so many steps the clock is read next.
    next: u128,
}

impl Pace {
    /// Whether the table will be done in time, where so many of the steps that are expected of it are done.
    ///
    /// # Errors
    ///
    /// If the time so far shows that it will not; `what` names the table.
    pub(crate) fn check(
        &mut self,
        what: impl Fn() -> String,
        done: u128,
        expected: u128,
    ) -> Result<(), TooLarge> {
        let Some(CpuLimit { most, start, clock }) = self.limit.filter(|_| done >= self.next) else {
            return Ok(());
        };
        self.next = done + LOOK;
        let took = clock().saturating_sub(self.began);
        let left = most.saturating_sub(self.began.saturating_sub(start));
        let all = took.as_millis() * expected.max(done) / done.max(1);
        if took <= left && (took < SHOWN || all <= left.as_millis()) {
            return Ok(());
        }
        let what = format!("{}, {done} steps of which took {} ms,", what(), took.as_millis());
        let [left, limit] = [left, most].map(|time| time.as_millis());
        Err(TooLarge { what, asked: all, left, limit, unit: "ms of CPU time" })
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

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, asked, left, limit, unit } = self;
        write!(f, "{what} takes {asked} {unit}, and the limit is {limit}")?;
        if left < limit { write!(f, ", of which {left} are left") } else { Ok(()) }
    }
}

impl Error for TooLarge {}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::grundy::{ValueKind, table};
    use crate::rules::Heap;
    use crate::{GameSpec, Position, Solver};

    thread_local! {
        static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
        static LOOKS: Cell<u32> = const { Cell::new(0) };
    }

    /// A clock that is a second later each time.
    fn a_second_a_look() -> Duration {
        LOOKS.set(LOOKS.get() + 1);
        NOW.replace(NOW.get() + Duration::from_secs(1))
    }

    fn stopped() -> Duration {
        Duration::from_secs(7)
    }

    const LIMIT: Duration = Duration::from_secs(10);

    /// Each engine reads the clock while it works: where a look takes a second, a few of them show that what is
    /// charged some tenths of a second will take far longer.
    #[test]
    fn engines_refuse_by_the_clock() {
        for (game, kind) in [
            ("square 200000000", ValueKind::Outcome),
            ("square 2000000", ValueKind::Nimber),
            ("subtract 30000000 take 1 3 4 8 20 100000 1000000 3000000 9000000 15000000", ValueKind::Nimber),
            ("divisor 5000000 ban 1 2", ValueKind::Nimber),
            ("segment 70000 3 3", ValueKind::Nimber),
            ("segment 60000 1 1000", ValueKind::Nimber),
        ] {
            let game: GameSpec = game.parse().unwrap();
            let heap = Position::new(&game).unwrap().heaps().next().unwrap().heap;
            let run =
                |clock| table(&game, heap, kind, &mut Budget::GAME.with_clock(LIMIT / 5, clock), &mut |_| ());
            LOOKS.set(0);
            let Err(error) = run(a_second_a_look) else { panic!("{game} was answered") };
            let crate::grundy::TableError::TooLarge(error) = error else { panic!("{error}") };
            assert_eq!((error.limit, error.unit), (2_000, "ms of CPU time"), "{game}");
            assert!(error.asked > 2_000 && error.to_string().contains(" steps of which took "), "{error}");
            assert!(LOOKS.get() <= 6, "{game}: {} looks", LOOKS.get());
            assert!(run(stopped).is_ok(), "{game}");
        }
    }

    /// What the rate shows is refused long before the time is over, and what is fast enough is not.
    #[test]
    fn the_rate_so_far() {
        let mut pace = Budget::GAME.with_clock(LIMIT, a_second_a_look).pace();
        let mut check =
            |done, all| pace.check(|| "a table".to_owned(), done, all).map_err(|error| error.to_string());
        assert_eq!(check(LOOK - 1, u128::MAX >> 64), Ok(()), "the clock is not read");
        assert_eq!(check(LOOK, 9 * LOOK), Ok(()));
        let error = "a table, 100000000 steps of which took 2000 ms, takes 18000 ms of CPU time, and the limit is 10000, \
                     of which 9000 are left";
        assert_eq!(check(2 * LOOK, 18 * LOOK), Err(error.to_owned()));
    }

    /// Without a limit no clock is read, and with one it starts anew when it is asked to.
    #[test]
    fn no_clock_and_a_new_start() {
        assert_eq!(Budget::GAME.restarted(), Budget::GAME);
        let budget = Budget::GAME.with_clock(LIMIT, a_second_a_look);
        assert_ne!(budget.restarted(), budget);
        let heap = Heap::of(100);
        assert!(
            table(&"nim 1".parse().unwrap(), heap, ValueKind::Nimber, &mut budget.clone(), &mut |_| ())
                .is_ok()
        );
        let position = Position::new(&"nim 1 2 4".parse().unwrap()).unwrap();
        assert!(Solver::with_budget(budget).outcome(&position).is_ok());
    }
}
