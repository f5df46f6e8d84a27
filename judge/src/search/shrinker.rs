//! The shrinker: from a candidate with which a bot fails to a smaller one with which it fails in the same way.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::time::{Duration, Instant};

use runner::event::Exit;
use runner::interrupt::interrupted;

use crate::conversation::verdict::{Class, Ruling, Verdict};
use crate::progress::GamesProgress;

/// Maximum number of runs, and maximum time to shrink a candidate. An invalid candidate counts as a run too.
pub(crate) const MAX_RUNS: u32 = 1000;
pub(crate) const MAX_TIME: Duration = Duration::from_secs(120);

/// Number of times that a candidate is run again to test whether the bot fails each time.
const REPEATS: u32 = 3;

/// The way in which a run failed. Two runs with equal values failed in the same way.
type Failure = (Verdict, Option<Rejection>);

/// How an interactor ended that rejected, and whether its stderr shows an exception. In the style `plain` a crash, for
/// example because the input is invalid, looks like a rejection.
pub(crate) type Rejection = (Option<Exit>, bool);

pub(crate) trait CandidateRun {
    fn ruling(&self) -> &Ruling;

    fn rejected(&self) -> Option<Rejection> {
        None
    }

    fn has_failed(&self) -> bool {
        let Ruling { verdict, score, .. } = self.ruling();
        verdict.is_failure(*score, None)
    }
}

fn failure(run: &impl CandidateRun) -> Option<Failure> {
    let verdict = match run.ruling().verdict {
        // Whether a bot first uses up its CPU time or its wall time depends on the load of the machine.
        Verdict::TimeWall => Verdict::TimeCpu,
        verdict => verdict,
    };
    run.has_failed().then(|| (verdict, run.rejected()))
}

/// What a bot is run on, such as a game or an input. `R` is the result of a run.
pub(crate) trait Shrinkable<R: CandidateRun>: Clone + Hash {
    /// Returns a short text that shows how small the candidate is.
    fn size(&self) -> String;

    /// Offers candidates that are smaller than that of [`Shrinker::result`], until the bot fails with none of them.
    fn shrink(shrinker: &mut Shrinker<'_, Self, R>) -> Result<(), StopReason>;
}

/// A function that runs the bot on a candidate. It returns `None` if the candidate is not valid.
pub(crate) type Runner<'a, C, R> = Box<dyn FnMut(&C) -> anyhow::Result<Option<R>> + 'a>;

#[derive(Debug)]
pub(crate) enum StopReason {
    Limit,
    Interrupted,
    Failed(anyhow::Error),
}

pub(crate) struct Shrunk<C, R> {
    /// The smallest candidate with which the bot failed in the same way as at first.
    pub(crate) smallest: C,
    /// The last failed run of the smallest candidate.
    pub(crate) run: R,
    pub(crate) runs: u32,
    /// How often the bot was run again on the same candidate, in the last test of whether it fails each time.
    pub(crate) repeats: u32,
    /// The classes of those of these runs that did not fail in the same way.
    pub(crate) different: Vec<Class>,
    /// Why the shrinker ended early; `None` if no smaller candidate fails.
    pub(crate) stopped: Option<StopReason>,
}

impl<C, R> Shrunk<C, R> {
    pub(crate) fn unchanged(smallest: C, run: R) -> Self {
        Self { smallest, run, runs: 0, repeats: 0, different: Vec::new(), stopped: None }
    }

    pub(crate) fn is_flaky(&self) -> bool {
        !self.different.is_empty()
    }
}

pub(crate) struct Shrinker<'a, C, R> {
    runner: Runner<'a, C, R>,
    /// The name of the first candidate.
    name: &'a str,
    progress: GamesProgress,
    failure: Option<Failure>,
    deadline: Instant,
    max_runs: u32,
    pub(crate) result: Shrunk<C, R>,
    /// The hashes of the candidates that were run.
    tried: HashSet<u64>,
}

impl<'a, C: Shrinkable<R>, R: CandidateRun> Shrinker<'a, C, R> {
    /// Creates a search for candidates that are smaller than `candidate`, which is called `name` and failed in `run`.
    pub(crate) fn new(
        name: &'a str,
        (candidate, run): (C, R),
        runner: Runner<'a, C, R>,
        deadline: Option<Instant>,
    ) -> Self {
        let latest = Instant::now() + MAX_TIME;
        Self {
            runner,
            name,
            progress: GamesProgress::new(None, "runs"),
            failure: failure(&run),
            deadline: deadline.map_or(latest, |deadline| deadline.min(latest)),
            max_runs: MAX_RUNS,
            tried: HashSet::from([hash(&candidate)]),
            result: Shrunk::unchanged(candidate, run),
        }
    }

    /// Repeats the failure, and shrinks the candidate if it fails each time.
    pub(crate) fn shrink(mut self) -> Shrunk<C, R> {
        let stopped = self.search().err();
        Shrunk { stopped, ..self.result }
    }

    fn search(&mut self) -> Result<(), StopReason> {
        self.repeat()?;
        if self.result.is_flaky() {
            return Ok(());
        }
        C::shrink(self)?;
        self.repeat()
    }

    fn repeat(&mut self) -> Result<(), StopReason> {
        let candidate = self.result.smallest.clone();
        (self.result.repeats, self.result.different) = (0, Vec::new());
        while self.result.repeats < REPEATS {
            let run = self.play(&candidate)?;
            self.result.repeats += 1;
            match run {
                Some(run) if self.fails_alike(&run) => self.result.run = run,
                Some(run) => self.result.different.push(run.ruling().class),
                // The validator accepted the candidate before.
                None => self.result.different.push(Class::BadTest),
            }
        }
        Ok(())
    }

    pub(crate) fn runs_left(&self) -> u32 {
        self.max_runs.saturating_sub(self.result.runs)
    }

    /// Runs a new candidate, and keeps it if it fails in the same way. Returns whether it is kept.
    pub(crate) fn attempt(&mut self, candidate: C) -> Result<bool, StopReason> {
        if !self.tried.insert(hash(&candidate)) {
            return Ok(false);
        }
        let run = self.play(&candidate)?;
        Ok(run.is_some_and(|run| self.keep(candidate, run)))
    }

    /// Runs a candidate; the result is `None` if it is not valid.
    pub(crate) fn play(&mut self, candidate: &C) -> Result<Option<R>, StopReason> {
        if self.runs_left() == 0 || Instant::now() >= self.deadline {
            return Err(StopReason::Limit);
        }
        let Shrunk { smallest, runs, .. } = &self.result;
        self.progress.update((*runs).into(), format_args!("shrinking {}: {}", self.name, smallest.size()));
        let run = if interrupted() { Ok(None) } else { (self.runner)(candidate) };
        if interrupted() {
            return Err(StopReason::Interrupted);
        }
        self.result.runs += 1;
        run.map_err(StopReason::Failed)
    }

    /// Keeps a candidate as the smallest one if its run failed in the same way. Returns whether it is kept.
    pub(crate) fn keep(&mut self, candidate: C, run: R) -> bool {
        let fails = self.fails_alike(&run);
        if fails {
            (self.result.smallest, self.result.run) = (candidate, run);
        }
        fails
    }

    fn fails_alike(&self, run: &R) -> bool {
        failure(run) == self.failure
    }
}

fn hash(candidate: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::new().hash_one(candidate)
}

#[cfg(test)]
pub(crate) mod tests {
    use anyhow::bail;

    use super::*;

    impl CandidateRun for Ruling {
        fn ruling(&self) -> &Ruling {
            self
        }
    }

    /// A number, which is shrunk to smaller ones.
    impl Shrinkable<Ruling> for u64 {
        fn size(&self) -> String {
            self.to_string()
        }

        fn shrink(shrinker: &mut Shrinker<'_, Self, Ruling>) -> Result<(), StopReason> {
            while let smaller @ 1.. = shrinker.result.smallest
                && (shrinker.attempt(smaller / 2)? || shrinker.attempt(smaller - 1)?)
            {}
            Ok(())
        }
    }

    /// Shrinks a candidate that fails, with at most `max_runs` runs.
    pub(crate) fn shrunk<C: Shrinkable<Ruling>>(
        candidate: C,
        max_runs: u32,
        mut run: impl FnMut(&C) -> anyhow::Result<Option<Ruling>>,
    ) -> Shrunk<C, Ruling> {
        let runner = Box::new(move |candidate: &C| run(candidate));
        let shrinker = Shrinker::new("", (candidate, ruling(true)), runner, None);
        Shrinker { max_runs, ..shrinker }.shrink()
    }

    /// The ruling if a candidate fails, or passes.
    pub(crate) fn ruling(fails: bool) -> Ruling {
        Ruling::new(if fails { Class::WrongAnswer } else { Class::Accepted }, "")
    }

    #[test]
    fn the_smallest_candidate_is_run_again() {
        let mut runs = Vec::new();
        let result = shrunk(100, 50, |&number| {
            runs.push(number);
            Ok(Some(ruling(number >= 20)))
        });
        assert_eq!((result.smallest, result.is_flaky()), (20, false));
        assert!(result.stopped.is_none());
        assert_eq!(runs, [100, 100, 100, 50, 25, 12, 24, 23, 11, 22, 21, 10, 20, 19, 20, 20, 20]);
        assert_eq!((result.runs, result.repeats), (17, 3));
    }

    /// Another failure, and a candidate that is not valid, are no smaller candidates.
    #[test]
    fn other_failures_are_not_kept() {
        let result = shrunk(100, 99, |&number| {
            let failure = if number < 80 { Ruling::new(Class::Crash, "") } else { ruling(true) };
            Ok((number >= 60).then_some(failure))
        });
        assert_eq!((result.smallest, result.run), (80, ruling(true)));
    }

    #[test]
    fn a_failure_that_does_not_happen_each_time_is_not_shrunk() {
        let mut runs = 0;
        let result = shrunk(100, 50, |_| {
            runs += 1;
            Ok(Some(ruling(runs != 2)))
        });
        assert_eq!((result.smallest, result.runs, result.repeats), (100, 3, 3));
        assert_eq!(result.different, [Class::Accepted]);
        assert!(result.is_flaky() && result.stopped.is_none());
    }

    #[test]
    fn a_limit_or_an_error_ends_the_search() {
        let limited = shrunk(100, 5, |&number| Ok(Some(ruling(number >= 20))));
        assert!(matches!(
            (limited.smallest, limited.runs, limited.stopped),
            (25, 5, Some(StopReason::Limit))
        ));
        let failed =
            shrunk(100, 50, |&number| if number < 50 { bail!("no") } else { Ok(Some(ruling(true))) });
        assert!(matches!((failed.smallest, failed.stopped), (50, Some(StopReason::Failed(_)))));
        let runner = Box::new(|_: &u64| Ok(Some(ruling(true))));
        let late = Shrinker::new("", (100, ruling(true)), runner, Some(Instant::now())).shrink();
        assert!(matches!((late.runs, late.stopped), (0, Some(StopReason::Limit))));
    }

    #[test]
    fn failures() {
        let failure = |class, score| failure(&Ruling { score, ..Ruling::new(class, "") });
        assert_eq!(failure(Class::TimeCpu, None), failure(Class::TimeWall, None));
        assert_ne!(failure(Class::Lost, None), failure(Class::TimeCpu, None));
        assert_eq!(failure(Class::Partial, Some(0.5)), None);
        assert!(failure(Class::Partial, Some(0.0)).is_some());
    }
}
