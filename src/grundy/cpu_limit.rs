//! A limit on CPU time, and how fast a table is made.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::TooLarge;

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

/// The steps between two looks at the clock.
const LOOK: u128 = 50_000_000;

/// The time after which the steps so far tell how fast they are.
const SHOWN: Duration = Duration::from_millis(500);

/// A table's first steps may be twice as slow as the rest. Until this part of the time is over, it is refused only if
/// it would take twice the time that is left.
const FIRST_PART: u32 = 4;

/// How fast a table is made, compared with the limit on CPU time, if there is one.
pub(crate) struct CpuWatch {
    limit: Option<CpuLimit>,
    /// What the clock told when the table was begun.
    began: Duration,
    /// After so many steps the clock is read next.
    next: u128,
}

impl CpuWatch {
    /// For a table that begins now.
    pub(super) fn new(limit: Option<CpuLimit>) -> Self {
        let began = limit.map_or(Duration::ZERO, |cpu| (cpu.clock)());
        Self { limit, began, next: LOOK }
    }

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
        let start = start.unwrap_or(self.began);
        let left = most.saturating_sub(self.began.saturating_sub(start));
        let all = took.as_millis() * expected.max(done) / done.max(1);
        let slack = if took < left / FIRST_PART { 2 } else { 1 };
        if took <= left && (took < SHOWN || all <= slack * left.as_millis()) {
            return Ok(());
        }
        let what = format!("{}, {done} steps of which took {} ms,", what(), took.as_millis());
        let [left, limit] = [left, most].map(|time| time.as_millis());
        Err(TooLarge { what, asked: all, left, limit, unit: "ms of CPU time" })
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::grundy::{Budget, ValueKind, table};
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
        let mut cpu_watch = Budget::GAME.with_clock(LIMIT, a_second_a_look).watch_cpu();
        let mut check = |done, all| {
            cpu_watch.check(|| "a table".to_owned(), done, all).map_err(|error| error.to_string())
        };
        assert_eq!(check(LOOK - 1, u128::MAX >> 64), Ok(()), "the clock is not read");
        assert_eq!(check(LOOK, 9 * LOOK), Ok(()));
        let error = "a table, 100000000 steps of which took 2000 ms, takes 19000 ms of CPU time, and the limit is 10000, \
                     of which 9000 are left";
        assert_eq!(check(2 * LOOK, 19 * LOOK), Err(error.to_owned()));
    }

    /// Slow first steps do not refuse a table whose other steps are faster.
    #[test]
    fn slow_first_steps() {
        let mut cpu_watch = Budget::GAME.with_clock(LIMIT, a_second_a_look).watch_cpu();
        let mut is_in_time =
            |done, all| cpu_watch.check(|| "a table".to_owned(), done * LOOK, all * LOOK).is_ok();
        // Of ten seconds, nine are left when the table begins.
        assert!(is_in_time(1, 18), "twice too slow in the first second");
        assert!(is_in_time(3, 18), "still too slow after two");
        assert!(is_in_time(6, 18), "just in time after three");
        assert!(!is_in_time(7, 18), "too slow after four");
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
