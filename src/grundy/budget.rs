//! What may be spent on the Grundy tables of a game: steps, bytes and CPU time.

use std::error::Error;
use std::fmt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

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
    cpu: Option<CpuLimit>,
    /// The number of steps after which a table ends with the error that has its expected cost.
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
    pub(crate) const MAX_SPECULATIVE_STEPS: u128 = 500_000_000;

    /// A budget of `steps` steps and `bytes` bytes. Half as many bytes again are kept apart for tables that only serve to
    /// choose among lost moves.
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
    /// If this is more than is left; then nothing is spent.
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

    /// Whether this cost is left; nothing is spent.
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

    /// The error that a table takes `steps` steps, more than are left.
    pub(crate) fn too_many_steps(&self, what: String, steps: u128) -> TooLarge {
        TooLarge { what, asked: steps, left: self.steps, limit: self.limits[0], unit: "steps" }
    }

    /// Takes the memory of an optional table from what is kept for those, and returns whether there was enough.
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
    /// does not report it, as everywhere but on Linux, it is the time that passes.
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

    /// This budget with the time of its limit beginning again, with the next table.
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

/// Steps between two readings of the clock.
const INTERVAL: u128 = 20_000_000;

/// What a table is expected to take, compared with the limit on CPU time, if there is one, and with a probe.
pub(crate) struct CpuWatch {
    budget: Budget,
    /// The clock's reading when the table was begun.
    began: Duration,
    /// The number of steps after which the clock is read next.
    next: u128,
    /// Whether only the end of the time can refuse the table now.
    is_admitted: bool,
}

impl CpuWatch {
    /// For a table that begins now.
    fn new(budget: &Budget) -> Self {
        let began = budget.cpu.map_or(Duration::ZERO, |cpu| (cpu.clock)());
        Self { budget: *budget, began, next: INTERVAL, is_admitted: false }
    }

    /// Checks a table of which `done` steps of the `expected` ones are done.
    ///
    /// The rate so far decides once, in the first tenth of the time: a table that would take more than four fifths of
    /// it, together with those that are still to come, is refused then. The last fifth is for a machine that gets slower.
    ///
    /// # Errors
    ///
    /// If the table is refused, or its probe ends; `what` names it.
    pub(crate) fn check(
        &mut self,
        what: impl Fn() -> String,
        done: u128,
        expected: u128,
    ) -> Result<(), TooLarge> {
        let expected = expected.max(done);
        if self.budget.probe.is_some_and(|probe| done >= probe) {
            return Err(self.budget.too_many_steps(what(), expected));
        }
        let Some(CpuLimit { most, start, clock }) = self.budget.cpu.filter(|_| done >= self.next) else {
            return Ok(());
        };
        self.next = done + INTERVAL;
        let took = clock().saturating_sub(self.began);
        let before = self.began.saturating_sub(start.unwrap_or(self.began));
        let (asked, limit) = if self.is_admitted {
            (took.as_millis(), most)
        } else {
            // An interval before the tenth is over, or with the first reading.
            self.is_admitted = before + took >= most / 12;
            let all = took.as_millis() * (expected + self.budget.pending) / done.max(1);
            (if took < most / 20 { 0 } else { all }, most * 4 / 5)
        };
        let left = limit.saturating_sub(before).as_millis();
        if asked <= left {
            return Ok(());
        }
        let what = format!("{}, {done} steps of which took {} ms,", what(), took.as_millis());
        Err(TooLarge { what, asked, left, limit: limit.as_millis(), unit: "ms of CPU time" })
    }
}

/// A time by which all must be done.
#[derive(Clone, Copy, Debug)]
struct CpuLimit {
    most: Duration,
    /// What the clock told when the time began, once it has.
    start: Option<Duration>,
    clock: Clock,
}

/// Returns the CPU time so far, counted from any moment.
type Clock = fn() -> Duration;

impl CpuLimit {
    /// A limit of `most` from now on.
    fn new(most: Duration, clock: Clock) -> Self {
        Self { most, start: Some(clock()), clock }
    }

    /// As much time, from the next table on: to read the clock takes longer than most replies.
    fn restarted(self) -> Self {
        Self { start: None, ..self }
    }

    /// This limit with its time beginning now, unless it has begun.
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

/// The CPU time that this process has taken so far, all its threads together; if the system does not report it, the time
/// since the first call.
fn cpu_time() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    of_process().unwrap_or_else(|| FIRST.get_or_init(Instant::now).elapsed())
}

/// User and system time, the 14th and the 15th word of /proc/self/stat, in hundredths of a second. The second word is
/// the program's name, in parentheses, and may have blanks.
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

// Without the engines other games are out of reach.
#[cfg(test)]
#[cfg(feature = "engines")]
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

    /// A clock that is `MILLIS` later each time it is read: the steps between two readings take as long.
    fn ticking<const MILLIS: u64>() -> Duration {
        READINGS.set(READINGS.get() + 1);
        NOW.replace(NOW.get() + Duration::from_millis(MILLIS))
    }

    const LIMIT: Duration = Duration::from_secs(10);

    fn position(game: &str) -> Position {
        Position::new(&game.parse().unwrap()).unwrap()
    }

    /// Each engine reads the clock while it works. If a reading takes a second, the first one shows that a table that is
    /// charged less than a tenth of a second will take far longer.
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
            assert!(
                error.asked > error.left && error.to_string().contains(" steps of which took "),
                "{error}"
            );
            // When the limit begins, when the table does, and once while it is made.
            assert_eq!(READINGS.get(), 3, "{game}");
            assert!(run(ticking::<0>).is_ok(), "{game}");
        }
    }

    /// Reads a clock that is `MILLIS` later each time after each interval of a table, until it is refused; `expected` tells
    /// the intervals that are expected then. The reading that refuses it, and why.
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

    /// The rate decides from a twentieth to a tenth of the time, and then only its end.
    #[test]
    fn the_rate_decides_in_the_first_tenth() {
        // The table begins after a tenth of a second, and 79 readings are left of eight seconds.
        let refused = "a table, 100000000 steps of which took 500 ms, takes 8000 ms of CPU time, and the limit is 8000, \
                       of which 7900 are left";
        assert_eq!(refusal::<100>(0, |_| 80), (5, refused.to_owned()));
        assert_eq!(refusal::<100>(40, |_| 40), (5, refused.to_owned()), "with the tables to come");
        let ended = "a table, 2000000000 steps of which took 10000 ms, takes 10000 ms of CPU time, and the limit is 10000, \
                     of which 9900 are left";
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

    /// What is refused by its steps is refused in the first tenth of them, whether it is one game or a sum.
    #[test]
    fn refused_in_the_first_tenth() {
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

    /// The sizes of docs/games.md take no more than half of the steps, and are answered where a step takes twice as long.
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

    /// Without a limit no clock is read, and with one the time begins again on request.
    #[test]
    fn no_clock_and_a_new_start() {
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
    fn work_takes_time() {
        let start = cpu_time();
        let mut sum = 1_u64;
        // Bounded: it ends with the first tick.
        while cpu_time() == start {
            (0..1 << 20).for_each(|at| sum = std::hint::black_box(sum.wrapping_mul(at | 1)));
        }
        assert!(cpu_time() > start);
    }
}
