//! A limit on CPU time, and how fast a table is made.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::{Budget, TooLarge};

/// A time by which all must be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct CpuLimit {
    most: Duration,
    /// What the clock told when the time began, once it has.
    start: Option<Duration>,
    clock: Clock,
}

/// Tells the CPU time so far, from any moment on.
pub(super) type Clock = fn() -> Duration;

impl CpuLimit {
    /// So much time from now on.
    pub(super) fn new(most: Duration, clock: Clock) -> Self {
        Self { most, start: Some(clock()), clock }
    }

    /// As much time, from the next table on: to read the clock takes longer than most replies.
    pub(super) fn restarted(self) -> Self {
        Self { start: None, ..self }
    }

    /// This limit with its time beginning now, unless it has begun.
    pub(super) fn started(self) -> Self {
        Self { start: Some(self.start.unwrap_or_else(self.clock)), ..self }
    }
}

impl PartialEq for CpuLimit {
    fn eq(&self, other: &Self) -> bool {
        (self.most, self.start) == (other.most, other.start)
    }
}

impl Eq for CpuLimit {}

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
    pub(super) fn new(budget: &Budget) -> Self {
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

/// The CPU time that this process has taken so far, all its threads together; where the system does not tell, the time
/// since the first call.
pub(super) fn cpu_time() -> Duration {
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

    /// Each engine reads the clock while it works: where a reading takes a second, the first shows that what is
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

    /// Without a limit no clock is read, and with one the time begins anew when it is asked to.
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
