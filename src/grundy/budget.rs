//! The budget for the Grundy tables of a game: steps, bytes and CPU time.

use std::error::Error;
use std::fmt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The steps and bytes that remain for Grundy tables, and optionally a limit on CPU time.
///
/// A step is a nanosecond of CPU time, in any thread, on the machine of docs/performance.md. Each engine counts its
/// operations and converts them to steps by constants that were measured there. Without a limit on CPU time no clock
/// is read, so a game is either always answered or always refused.
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
    /// Bytes for tables that are only needed to choose a delaying move.
    optional: u128,
    /// The steps and bytes before any cost was subtracted.
    limits: [u128; 2],
    cpu: Option<CpuLimit>,
    /// The number of steps after which the computation of a table stops with an error. [`TooLarge::asked`] is then the
    /// expected total of the steps.
    pub(super) probe: Option<u128>,
    /// The expected steps of the tables that are computed after the current one.
    pub(super) pending: u128,
    /// Whether this budget is [`refusing_late`](Self::refusing_late).
    is_refused_late: bool,
    stop: Option<Stop>,
}

impl Budget {
    /// The default budget of one game or sum: 256 MiB, a quarter of the contest's memory, and 6 s of steps. The time is
    /// less than [`GAME_TIME`](Self::GAME_TIME), because a step may take longer than a nanosecond.
    pub const GAME: Self = Self::new(6_000_000_000, 256 << 20);

    /// Maximum number of steps for a table that may turn out to be useless: a twelfth of the steps of
    /// [`GAME`](Self::GAME).
    pub(crate) const MAX_SPECULATIVE_STEPS: u128 = 500_000_000;

    /// Returns a budget of `steps` steps and `bytes` bytes. It has `bytes / 2` more bytes for tables that are only
    /// needed to choose a delaying move.
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
            stop: None,
        }
    }

    /// Returns this budget with at most `most` steps.
    #[must_use]
    pub(crate) fn with_steps(self, most: u128) -> Self {
        Self { steps: self.steps.min(most), ..self }
    }

    /// Subtracts the cost of a table. `what` names the table in the error.
    ///
    /// # Errors
    ///
    /// If the cost exceeds the remaining steps or bytes. In this case nothing is subtracted.
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

    /// Checks that a cost is within the budget, without subtracting it.
    ///
    /// # Errors
    ///
    /// If the cost exceeds the remaining steps or bytes.
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

    /// Returns the error of an unfinished table that would need `steps` steps in total.
    pub(crate) fn too_many_steps(&self, what: String, steps: u128) -> TooLarge {
        TooLarge { what, asked: steps, left: self.steps, limit: self.limits[0], unit: "steps" }
    }

    /// Subtracts `bytes` from the bytes for optional tables. Returns `false` and subtracts nothing if too few are left.
    pub(crate) fn spend_optional(&mut self, bytes: u128) -> bool {
        let left = self.optional.checked_sub(bytes);
        self.optional = left.unwrap_or(self.optional);
        left.is_some()
    }

    /// Returns the remaining steps.
    #[must_use]
    pub fn steps(&self) -> u128 {
        self.steps
    }

    /// Returns the remaining bytes.
    pub(crate) fn bytes(&self) -> u128 {
        self.bytes
    }

    /// Returns whether `other` has at least as many steps, bytes and optional bytes as this budget.
    #[must_use]
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.steps <= other.steps && self.bytes <= other.bytes && self.optional <= other.optional
    }

    /// Returns this budget minus `spent`, with 0 as the minimum of each part.
    #[must_use]
    pub(crate) fn less(&self, spent: &Self) -> Self {
        Self {
            steps: self.steps.saturating_sub(spent.steps),
            bytes: self.bytes.saturating_sub(spent.bytes),
            optional: self.optional.saturating_sub(spent.optional),
            ..*self
        }
    }

    /// Returns this budget plus `spent`.
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
    /// The CPU time within which the contest bot answers or refuses a game.
    pub const GAME_TIME: Duration = Duration::from_secs(10);

    /// Returns this budget with a limit on the CPU time that the process uses from now on, summed over all threads. On
    /// systems other than Linux, elapsed time is measured instead.
    ///
    /// A step may take longer on another machine or under load. With this limit, the engines extrapolate from the time
    /// of their first steps. During the first tenth of the limit, a table is refused if it would take more than four
    /// fifths of the limit. Later, a table is refused only when the limit is reached. The limit is not the default,
    /// because then the speed of the machine decides whether a game is answered.
    #[must_use]
    pub fn with_cpu_limit(self, most: Duration) -> Self {
        self.with_clock(most, cpu_time)
    }

    pub(super) fn with_clock(self, most: Duration, clock: Clock) -> Self {
        Self { cpu: Some(CpuLimit::new(most, clock)), ..self }
    }

    /// Returns this budget for computations of minutes or hours: the cost of a table is estimated after an eighth of
    /// the budget instead of after a tenth of a second. The reason is that early estimates are too high for a sparse
    /// space in which rare values keep appearing.
    #[must_use]
    pub fn refusing_late(self) -> Self {
        Self { is_refused_late: true, ..self }
    }

    /// Returns this budget for computations that a user may interrupt. The engines call `must_stop` about every 20
    /// million steps. Once it returns `true`, they stop with the error [`TooLarge`]. From then on, `must_stop` must
    /// return `true` until the computation has ended.
    ///
    /// ```
    /// use zeroxor::grundy::Budget;
    /// use zeroxor::{Position, Solver};
    ///
    /// let row = Position::new(&"20000 3 3".parse()?)?;
    /// assert!(Solver::with_budget(Budget::GAME.stopping_if(|| true)).outcome(&row).is_err());
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    #[must_use]
    pub const fn stopping_if(self, must_stop: fn() -> bool) -> Self {
        Self { stop: Some(Stop(must_stop)), ..self }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|Stop(must_stop)| must_stop())
    }

    pub(super) fn is_refused_late(&self) -> bool {
        self.is_refused_late
    }

    /// Returns this budget; its limit on CPU time, if any, starts again with the next table.
    #[must_use]
    pub(crate) fn restarted(self) -> Self {
        Self { cpu: self.cpu.map(CpuLimit::restarted), ..self }
    }

    /// Starts the limit on CPU time, if there is one that has not started.
    pub(super) fn start_clock(&mut self) {
        self.cpu = self.cpu.map(CpuLimit::started);
    }

    /// Copies the limit on CPU time from `part`, a copy of this budget in which the limit may have started.
    pub(crate) fn keep_clock(&mut self, part: &Self) {
        self.cpu = part.cpu;
    }

    /// Returns a watch for a table whose computation begins now.
    pub(crate) fn watch_cpu(&self) -> CpuWatch {
        CpuWatch::new(self)
    }

    /// Returns this budget with a probe: the computation of a table stops after `probe` steps with an error.
    /// [`TooLarge::asked`] is then the expected total of the steps.
    #[must_use]
    pub(super) fn probing(self, probe: Option<u128>) -> Self {
        Self { probe, ..self }
    }
}

/// The error of a table, or of a search in misère play, that costs more than the budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The name of the table or search.
    pub what: String,
    /// The cost in `unit`.
    pub asked: u128,
    /// The remaining budget, in `unit`.
    pub left: u128,
    /// The whole budget, in `unit`.
    pub limit: u128,
    /// The unit of the three numbers, such as steps, bytes, ms of CPU time, piles, or plies in misère play.
    pub unit: &'static str,
}

impl TooLarge {
    /// Returns whether this is the end of a probe rather than a refusal.
    pub(super) fn is_within_limit(&self) -> bool {
        self.asked <= self.left
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, asked, left, limit, unit } = self;
        write!(f, "{what} needs {asked} {unit}; the limit is {limit}")?;
        if left < limit { write!(f, ", of which {left} are left") } else { Ok(()) }
    }
}

impl Error for TooLarge {}

/// Number of steps between two readings of the clock.
const INTERVAL: u128 = 20_000_000;

/// Checks the running computation of a table against the limit on CPU time and the probe, if the budget has them.
pub(crate) struct CpuWatch {
    budget: Budget,
    /// The CPU time when the computation began.
    began: Duration,
    /// The number of steps after which the clock is read next.
    next: u128,
    /// Whether the final estimate has been made. From then on, the table is refused only when the limit is reached.
    is_admitted: bool,
}

impl CpuWatch {
    /// Returns a watch for a table whose computation begins now.
    fn new(budget: &Budget) -> Self {
        let began = budget.cpu.map_or(Duration::ZERO, |cpu| (cpu.clock)());
        Self { budget: *budget, began, next: INTERVAL, is_admitted: false }
    }

    /// Checks a table after `done` of the `expected` steps.
    ///
    /// Between a twentieth and a tenth of the limit, the time per step so far gives an estimate: the table is refused
    /// if this table and the pending tables would take more than four fifths of the limit. The last fifth is a reserve.
    ///
    /// # Errors
    ///
    /// If the table is refused, or its probe ends; `what` names the table.
    pub(crate) fn check(
        &mut self,
        what: impl Fn() -> String,
        done: u128,
        expected: u128,
    ) -> Result<(), TooLarge> {
        let expected = expected.max(done);
        let is_due = done >= self.next;
        if is_due {
            self.next = done + INTERVAL;
        }
        let is_over = self.budget.probe.is_some_and(|probe| done >= probe);
        let is_over = is_over || is_due && self.budget.is_stopped();
        if is_over {
            return Err(self.budget.too_many_steps(what(), expected));
        }
        let Some(CpuLimit { most, start, clock }) = self.budget.cpu.filter(|_| is_due) else {
            return Ok(());
        };
        let took = clock().saturating_sub(self.began);
        let before = self.began.saturating_sub(start.unwrap_or(self.began));
        let (asked, limit) = if self.is_admitted {
            (took.as_millis(), most)
        } else {
            // The first reading after a twelfth of the limit gives the final estimate.
            self.is_admitted = before + took >= most / 12;
            let all = took.as_millis() * (expected + self.budget.pending) / done.max(1);
            (if took < most / 20 { 0 } else { all }, most * 4 / 5)
        };
        let left = limit.saturating_sub(before).as_millis();
        if asked <= left {
            return Ok(());
        }
        let what = format!("{} (its first {done} steps took {} ms)", what(), took.as_millis());
        Err(TooLarge { what, asked, left, limit: limit.as_millis(), unit: "ms of CPU time" })
    }
}

/// A function that returns whether the computation has to stop.
#[derive(Clone, Copy, Debug)]
struct Stop(fn() -> bool);

/// Equality ignores the function, so that budgets are compared only by their numbers.
impl PartialEq for Stop {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Stop {}

/// A limit on CPU time.
#[derive(Clone, Copy, Debug)]
struct CpuLimit {
    most: Duration,
    /// The CPU time at which the limit began; `None` before it begins.
    start: Option<Duration>,
    clock: Clock,
}

/// A function that returns the CPU time since some fixed moment.
type Clock = fn() -> Duration;

impl CpuLimit {
    /// Returns a limit of `most` from now on.
    fn new(most: Duration, clock: Clock) -> Self {
        Self { most, start: Some(clock()), clock }
    }

    /// Returns this limit, to begin with the next table. The clock is not read here, because that would take longer
    /// than most replies of the bot.
    fn restarted(self) -> Self {
        Self { start: None, ..self }
    }

    /// Returns this limit, beginning now unless it has begun.
    fn started(self) -> Self {
        Self { start: Some(self.start.unwrap_or_else(self.clock)), ..self }
    }
}

impl PartialEq for CpuLimit {
    fn eq(&self, other: &Self) -> bool {
        (self.most, self.start) == (other.most, other.start)
    }
}

impl Eq for CpuLimit {}

/// Returns the CPU time of this process, summed over its threads; if the system does not report it, the time since
/// the first call.
fn cpu_time() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    of_process().unwrap_or_else(|| FIRST.get_or_init(Instant::now).elapsed())
}

/// Returns the sum of user and system time: the 14th and 15th words of /proc/self/stat, which are in hundredths of a
/// second. The second word is the program's name in parentheses, which may contain blanks.
#[cfg(target_os = "linux")]
fn of_process() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut words = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let mut ticks = || words.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * ticks()?.checked_add(ticks()?)?))
}

#[cfg(not(target_os = "linux"))]
fn of_process() -> Option<Duration> {
    None
}

// The tests use games that need the engines.
#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::grundy::{Budget, ValueKind, table};
    use crate::rules::Heap;
    use crate::{GameSpec, Position, Solver};

    thread_local! {
        static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
        static READINGS: Cell<u32> = const { Cell::new(0) };
    }

    /// A clock that advances by `MILLIS` with each reading.
    fn ticking<const MILLIS: u64>() -> Duration {
        READINGS.set(READINGS.get() + 1);
        NOW.replace(NOW.get() + Duration::from_millis(MILLIS))
    }

    const LIMIT: Duration = Duration::from_secs(10);

    fn position(game: &str) -> Position {
        Position::new(&game.parse().unwrap()).unwrap()
    }

    /// Each of these tables reads the clock while it is computed. If the clock advances by a second per reading, the
    /// first reading refuses the table; if the clock stands still, the table is computed.
    #[test]
    fn engines_refuse_by_the_clock() {
        for (game, kind) in [
            ("square 20000000", ValueKind::Outcome),
            ("square 300000", ValueKind::Nimber),
            ("subtract 8000000 take 1 3 4 8 20 100000 1000000 3000000 5000000 7000000", ValueKind::Nimber),
            ("divisor 500000 ban 1 2", ValueKind::Nimber),
            ("segment 24000 3 3", ValueKind::Nimber),
            ("segment 24000 1 1000", ValueKind::Nimber),
        ] {
            let game: GameSpec = game.parse().unwrap();
            let heap = Position::new(&game).unwrap().heaps().next().unwrap().heap;
            let run =
                |clock| table(&game, heap, kind, &mut Budget::GAME.with_clock(LIMIT / 5, clock), &mut |_| ());
            READINGS.set(0);
            let Err(error) = run(ticking::<1000>) else { panic!("{game} was answered") };
            let crate::grundy::TableError::TooLarge(error) = error else { panic!("{error}") };
            assert_eq!((error.limit, error.unit), (1_600, "ms of CPU time"), "{game}");
            assert!(error.asked > error.left && error.to_string().contains(" steps took "), "{error}");
            // One reading when the limit begins, one when the table begins, and one during the computation.
            assert_eq!(READINGS.get(), 3, "{game}");
            assert!(run(ticking::<0>).is_ok(), "{game}");
        }
    }

    /// The computation of each of these tables calls `must_stop` several times, but not again once the result is
    /// `true`.
    #[test]
    fn engines_stop() {
        thread_local! {
            static ASKED: Cell<u32> = const { Cell::new(0) };
            static STOP_AT: Cell<u32> = const { Cell::new(0) };
        }
        for game in [
            "square 300000",
            "subtract 8000000 take 1 3 4 8 20 100000 1000000 3000000 5000000 7000000",
            "divisor 500000 ban 1 2",
            "segment 24000 3 3",
            "segment 24000 1 1000",
            "octal 0.106 1000000",
            "octal 8.7 5000",
            "grundy 30000",
        ] {
            let game: GameSpec = game.parse().unwrap();
            let run = |stop_at| {
                ASKED.set(0);
                STOP_AT.set(stop_at);
                let must_stop = || {
                    ASKED.set(ASKED.get() + 1);
                    ASKED.get() == STOP_AT.get()
                };
                let budget = &mut Budget::GAME.stopping_if(must_stop);
                table(&game, Heap::of(game.size()), ValueKind::Nimber, budget, &mut |_| ()).is_ok()
            };
            assert!(run(0), "{game} is answered if nothing stops it");
            let all = ASKED.get();
            assert!(all > 1, "{game} asked {all} times");
            assert!(!run(1), "{game} stops");
            assert_eq!(ASKED.get(), 1, "{game}");
        }
    }

    /// Returns the number of the reading that refuses a table, and the error. The clock advances by `MILLIS` with each
    /// reading. For the number of a reading, `expected` returns the expected total of the steps, in intervals.
    fn refusal<const MILLIS: u64>(pending: u128, expected: impl Fn(u128) -> u128) -> (u128, String) {
        let mut budget = Budget::GAME.with_clock(LIMIT, ticking::<MILLIS>);
        budget.pending = pending * INTERVAL;
        let mut cpu_watch = budget.watch_cpu();
        let what = || "a table".to_owned();
        let refused = (1..).find_map(|reading| {
            let error = cpu_watch.check(what, reading * INTERVAL, expected(reading) * INTERVAL).err()?;
            Some((reading, error.to_string()))
        });
        refused.unwrap()
    }

    /// The time per step can refuse a table between a twentieth and a tenth of the limit. Later, a table is refused
    /// only when the limit is reached.
    #[test]
    fn the_time_per_step_decides_in_the_first_tenth() {
        // The table begins after a tenth of a second, when 7.9 of the 8 seconds remain.
        let refused = "a table (its first 100000000 steps took 500 ms) needs 8000 ms of CPU time; the limit is \
                       8000, of which 7900 are left";
        assert_eq!(refusal::<100>(0, |_| 80), (5, refused.to_owned()));
        assert_eq!(refusal::<100>(40, |_| 40), (5, refused.to_owned()), "with the tables to come");
        let ended = "a table (its first 2000000000 steps took 10000 ms) needs 10000 ms of CPU time; the limit is \
                     10000, of which 9900 are left";
        assert_eq!(refusal::<100>(0, |_| 79), (100, ended.to_owned()));
        assert_eq!(
            refusal::<100>(0, |reading| if reading < 5 { 160 } else { 79 }).0,
            100,
            "slow first steps"
        );
        assert_eq!(
            refusal::<100>(0, |reading| if reading > 8 { 1000 } else { 79 }).0,
            100,
            "admitted before"
        );
        assert_eq!(refusal::<2000>(0, |_| 4).0, 1, "the first reading decides, however late it is");
        assert_eq!(refusal::<2000>(0, |_| 3).0, 5);
    }

    /// A table that needs more than the allowed steps is refused after at most a tenth of these steps, in a single game
    /// and in a sum.
    #[test]
    fn too_many_steps_are_refused_in_the_first_tenth() {
        for game in [
            "square 1000000000",
            "square 30000000 7",
            "1000000 7 7",
            "150000 1 42 + 150000 1 59",
            "150000 1 42 + square 5000000",
            "150000 1 42 + divisor 20000000 ban 1",
        ] {
            READINGS.set(0);
            let mut solver = Solver::with_budget(Budget::GAME.with_clock(LIMIT, ticking::<0>));
            let error = solver.outcome(&position(game)).unwrap_err();
            assert_ne!(error.unit, "ms of CPU time", "{error}");
            let tenth = Budget::GAME.steps() / 10;
            assert!(u128::from(READINGS.get()) * INTERVAL <= tenth, "{game}: {} readings", READINGS.get());
        }
    }

    /// Tables of some sizes promised in docs/games.md need at most half of the steps. The clock advances 2.5 ns per
    /// step here.
    #[test]
    #[ignore = "takes a minute"]
    fn promised_sizes() {
        for game in [
            "100000 1 42 + nim 1",
            "100000 1 1000 + nim 1",
            "100000 3 3 + nim 1",
            "5000000 1 3 + nim 1",
            "square 300000000",
            "square 1000000 999999 7",
            "divisor 10000000 9999998 ban 1 2",
            "octal 0.6 100000",
            "octal 0.354 5000000 3",
        ] {
            READINGS.set(0);
            let mut solver = Solver::with_budget(Budget::GAME.with_clock(LIMIT, ticking::<50>));
            solver.outcome(&position(game)).unwrap();
            let half = Budget::GAME.steps() / 2;
            assert!(u128::from(READINGS.get()) * INTERVAL <= half, "{game}: {} readings", READINGS.get());
        }
    }

    /// `restarted` changes only a budget with a limit on CPU time. With such a budget, nim is answered by `table` and
    /// by `Solver`.
    #[test]
    fn restarting_the_limit() {
        assert_eq!(Budget::GAME.restarted(), Budget::GAME);
        let budget = Budget::GAME.with_clock(LIMIT, ticking::<1000>);
        assert_ne!(budget.restarted(), budget);
        let heap = Heap::of(100);
        assert!(
            table(&"nim 1".parse().unwrap(), heap, ValueKind::Nimber, &mut budget.clone(), &mut |_| ())
                .is_ok()
        );
        assert!(Solver::with_budget(budget).outcome(&position("nim 1 2 4")).is_ok());
    }

    #[test]
    fn cpu_time_advances() {
        let start = cpu_time();
        let mut sum = 1_u64;
        // The loop ends with the first tick of the clock.
        while cpu_time() == start {
            (0..1 << 20).for_each(|at| sum = std::hint::black_box(sum.wrapping_mul(at | 1)));
        }
        assert!(cpu_time() > start);
    }
}
