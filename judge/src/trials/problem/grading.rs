//! The default grader of the format `legacy`: how the results of the tests in a folder make the result of the folder.
//!
//! Source: Kattis and ICPC, Problem Package Format, version legacy, "Graders".

use std::collections::HashMap;
use std::fmt;

use itertools::Itertools;
use serde::Serialize;
use serde_json::Value;

use crate::keys::{Keys, names};
use crate::trials::problem::expected::TestOutcome;

#[derive(Clone, Debug)]
pub(crate) struct Grading {
    /// Whether the tests after a rejected one do not count.
    breaks_on_reject: bool,
    /// Each is one of [`VERDICT_FLAGS`], [`SCORE_FLAGS`] and [`OTHER_FLAGS`].
    flags: Vec<String>,
    accept_score: f64,
    reject_score: f64,
    /// The least and the largest score; infinite if it is not known.
    range: [f64; 2],
}

/// The flags for the verdict and for the score of a folder. The last one of each counts; the first one is the default.
const VERDICT_FLAGS: &[&str] = &["worst_error", "no_errors", "first_error", "always_accept"];
const SCORE_FLAGS: &[&str] = &["sum", "avg", "min", "max"];
const OTHER_FLAGS: &[&str] = &["ignore_sample", "accept_if_any_accepted"];

/// The result of a test, of a folder, or of a submission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grade {
    pub(crate) outcome: TestOutcome,
    pub(crate) score: f64,
}

/// The result of a test: its outcome, and the score that the validator gave.
type TestResult<'a> = (&'a str, TestOutcome, Option<f64>);

impl Default for Grading {
    fn default() -> Self {
        Self {
            breaks_on_reject: true,
            flags: Vec::new(),
            accept_score: 1.0,
            reject_score: 0.0,
            range: [f64::NEG_INFINITY, f64::INFINITY],
        }
    }
}

impl Grading {
    /// Returns the grading of a folder below this one, whose `testdata.yaml` has these keys.
    pub(crate) fn inherited(&self, keys: &mut Keys) -> anyhow::Result<Self> {
        let on_reject = |text: &str| match text {
            "break" => Ok(true),
            "continue" => Ok(false),
            _ => Err("expected break or continue"),
        };
        let flags = |value: &Value| {
            let (flags, known) = (names(value)?, [VERDICT_FLAGS, SCORE_FLAGS, OTHER_FLAGS].concat());
            let unknown = flags.iter().find(|flag| !known.contains(&flag.as_str()));
            unknown.map_or(Ok(()), |flag| Err(format!("the flag {flag:?} is unknown")))?;
            Ok::<_, String>(flags)
        };
        let number = |text: &str| text.parse::<f64>().map_err(|_| "expected a number");
        let range = |value: &Value| {
            let numbers = names(value)?.iter().map(|end| end.parse().ok()).collect::<Option<Vec<f64>>>();
            match numbers.as_deref() {
                Some(&[least, largest]) if least <= largest => Ok([least, largest]),
                _ => Err("expected two numbers, the smaller one first"),
            }
        };
        Ok(Self {
            breaks_on_reject: keys.parsed("on_reject", on_reject)?.unwrap_or(self.breaks_on_reject),
            flags: keys.read("grader_flags", flags)?.unwrap_or_else(|| self.flags.clone()),
            accept_score: keys.parsed("accept_score", number)?.unwrap_or(self.accept_score),
            reject_score: keys.parsed("reject_score", number)?.unwrap_or(self.reject_score),
            range: keys.read("range", range)?.unwrap_or(self.range),
        })
    }

    /// Returns the last of the flags that is one of `flags`.
    fn last_of(&self, flags: &[&str]) -> Option<&str> {
        self.flags.iter().map(String::as_str).rfind(|flag| flags.contains(flag))
    }

    /// Returns the grade of a folder with these results, one for each test and each folder in it. Only the folder of all
    /// data can ignore its samples.
    fn grade(&self, mut results: &[Grade], has_all_data: bool) -> Grade {
        if has_all_data && self.last_of(&["ignore_sample"]).is_some() {
            results = &results[results.len().saturating_sub(1)..];
        }
        let outcomes = results.iter().map(|grade| grade.outcome);
        let rejected = outcomes.clone().filter(|&outcome| outcome != TestOutcome::Accepted);
        let has_accepted = outcomes.clone().contains(&TestOutcome::Accepted);
        let error = match self.last_of(VERDICT_FLAGS) {
            _ if has_accepted && self.last_of(&["accept_if_any_accepted"]).is_some() => None,
            Some("always_accept") => None,
            Some("first_error") => rejected.clone().next(),
            _ => rejected.clone().max(),
        };
        let scores = results.iter().map(|grade| grade.score);
        let score = match self.last_of(SCORE_FLAGS) {
            _ if results.is_empty() => 0.0,
            #[expect(clippy::cast_precision_loss, reason = "there are far fewer than 2^52 tests")]
            Some("avg") => scores.sum::<f64>() / results.len() as f64,
            Some("min") => scores.fold(f64::INFINITY, f64::min),
            Some("max") => scores.fold(f64::NEG_INFINITY, f64::max),
            _ => scores.sum(),
        };
        Grade { outcome: error.unwrap_or(TestOutcome::Accepted), score }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Graders {
    /// The gradings by the path of the folder below `data`, which is empty for `data` itself.
    pub(crate) gradings: HashMap<String, Grading>,
    pub(crate) minimizes: bool,
    /// Whether the validator gives scores.
    pub(crate) by_validator: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Graded {
    #[serde(rename = "verdict")]
    pub(crate) outcome: TestOutcome,
    pub(crate) score: f64,
    pub(crate) best: Option<f64>,
}

impl Graders {
    /// Returns the result of a submission with these results of its tests, in the order of the package; `None` if the
    /// validator failed on one.
    pub(crate) fn grade<'a>(
        &self,
        results: impl Iterator<Item = (&'a str, Option<TestOutcome>, Option<f64>)>,
    ) -> Option<Graded> {
        let tests: Option<Vec<_>> =
            results.map(|(name, outcome, score)| Some((name, outcome?, score))).collect();
        let tests = tests?;
        // Sums of decimal fractions have small errors.
        let rounded = |score: f64| (score * 1e6).round() / 1e6;
        let Grade { outcome, score } = self.folder("", &tests, false);
        let by_validator = self.by_validator.then_some(f64::INFINITY);
        let accepted: Vec<TestResult<'_>> =
            tests.iter().map(|&(name, ..)| (name, TestOutcome::Accepted, by_validator)).collect();
        let best = self.folder("", &accepted, true).score;
        let best = Some(rounded(best)).filter(|best| best.is_finite());
        Some(Graded { outcome, score: rounded(score), best })
    }

    fn grading(&self, folder: &str) -> Grading {
        self.gradings.get(folder).cloned().unwrap_or_default()
    }

    /// Returns the grade of a folder. `tests` are all tests in it, those of a folder below one after the other. `is_best` is
    /// whether their results are the best ones, so that the end of the range counts.
    fn folder<'a>(&self, folder: &str, tests: &[TestResult<'a>], is_best: bool) -> Grade {
        let grading = self.grading(folder);
        let end = grading.range[usize::from(!self.minimizes)];
        if is_best && end.is_finite() {
            return Grade { outcome: TestOutcome::Accepted, score: end };
        }
        let start = if folder.is_empty() { 0 } else { folder.len() + 1 };
        // The folder directly below this one that has the test; `None` if the test is directly in this folder.
        let below = |&(test, ..): &TestResult<'a>| test[start..].find('/').map(|end| &test[..start + end]);
        let mut grades = Vec::new();
        for part in tests.chunk_by(|one, other| below(one).is_some() && below(one) == below(other)) {
            let (_, outcome, score) = part[0];
            let by_default = match outcome {
                TestOutcome::Accepted => grading.accept_score,
                _ => grading.reject_score,
            };
            let grade = match below(&part[0]) {
                Some(folder) => self.folder(folder, part, is_best),
                None => Grade { outcome, score: score.unwrap_or(by_default) },
            };
            grades.push(grade);
            if grading.breaks_on_reject && grade.outcome != TestOutcome::Accepted {
                break;
            }
        }
        grading.grade(&grades, folder.is_empty())
    }
}

/// Writes the grade as in `AC, 40 of 100`.
impl fmt::Display for Graded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.outcome, self.score)?;
        self.best.map_or(Ok(()), |best| write!(f, " of {best}"))
    }
}

impl Graded {
    pub(crate) fn is_best(&self) -> bool {
        self.best == Some(self.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Places;
    use crate::trials::problem::yaml::parse;

    fn keys(yaml: &str) -> Keys {
        Keys::new("", parse(yaml).unwrap(), Places::new())
    }

    /// Returns graders by the texts of the `testdata.yaml` of folders, which are in the order of the paths.
    fn graders(files: &[(&str, &str)]) -> Graders {
        let mut graders = Graders::default();
        for (folder, text) in files {
            let parent = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
            let grading = graders.grading(parent).inherited(&mut keys(text)).unwrap();
            graders.gradings.insert((*folder).to_owned(), grading);
        }
        graders
    }

    fn graded(graders: &Graders, tests: &[TestResult<'_>]) -> Graded {
        graders.grade(tests.iter().map(|&(name, outcome, score)| (name, Some(outcome), score))).unwrap()
    }

    use TestOutcome::{Accepted, Crashed, TooSlow, Wrong};

    #[test]
    fn groups_of_an_olympiad() {
        let graders = graders(&[
            ("", "on_reject: continue\nrange: 0 100\ngrader_flags: always_accept ignore_sample"),
            ("sample", "accept_score: 0\ngrader_flags: worst_error sum"),
            ("secret", "grader_flags: always_accept"),
            ("secret/g1", "on_reject: break\naccept_score: 40\ngrader_flags: min"),
            ("secret/g2", "on_reject: break\naccept_score: 60\ngrader_flags: min"),
        ]);
        let result = |sample, g1, g2: [TestOutcome; 2]| {
            let tests = [
                ("sample/1", sample, None),
                ("secret/g1/1", g1, None),
                ("secret/g2/1", g2[0], None),
                ("secret/g2/2", g2[1], None),
            ];
            let Graded { outcome, score, best } = graded(&graders, &tests);
            assert_eq!(best, Some(100.0));
            (outcome, score)
        };
        assert_eq!(result(Accepted, Accepted, [Accepted; 2]), (Accepted, 100.0));
        assert_eq!(result(Wrong, Accepted, [Accepted; 2]), (Accepted, 100.0));
        assert_eq!(result(Accepted, Accepted, [Accepted, TooSlow]), (Accepted, 40.0));
        assert_eq!(result(Accepted, Crashed, [Accepted; 2]), (Accepted, 60.0));
        assert_eq!(result(Accepted, Wrong, [Wrong; 2]), (Accepted, 0.0));
    }

    #[test]
    fn verdicts_and_scores_of_a_folder() {
        let tests = [
            ("sample/1", Accepted, Some(5.0)),
            ("secret/1", TooSlow, None),
            ("secret/2", Crashed, Some(1.0)),
        ];
        for (root, outcome, score) in [
            ("", TooSlow, 5.0),
            ("on_reject: continue", Crashed, 6.0),
            ("on_reject: continue\ngrader_flags: first_error", TooSlow, 6.0),
            ("on_reject: continue\ngrader_flags: accept_if_any_accepted max", Accepted, 5.0),
            ("on_reject: continue\ngrader_flags: [min, always_accept]", Accepted, 0.0),
            ("on_reject: continue\ngrader_flags: avg", Crashed, 2.75),
            ("on_reject: continue\nreject_score: -3", Crashed, 3.0),
            ("on_reject: continue\ngrader_flags: ignore_sample", Crashed, 1.0),
        ] {
            let graded = graded(&graders(&[("", root), ("sample", ""), ("secret", "")]), &tests);
            assert_eq!((graded.outcome, graded.score), (outcome, score), "{root}");
        }
    }

    #[test]
    fn the_best_score() {
        let tests = [("secret/1", Wrong, None), ("secret/2", Wrong, None)];
        let best = |text: &str, by_validator, minimizes| {
            let graders = graders(&[("", text), ("secret", "")]);
            graded(&Graders { minimizes, by_validator, ..graders }, &tests).best
        };
        assert_eq!(best("accept_score: 25", false, false), Some(50.0));
        assert_eq!(best("accept_score: 25", true, false), None);
        assert_eq!(best("range: 3 inf", true, true), Some(3.0));
        assert_eq!(best("range: -inf +inf", true, false), None);
    }

    #[test]
    fn wrong_keys_are_refused() {
        for wrong in ["on_reject: stop", "grader_flags: best", "range: 1", "range: 5 1", "range: 1 2 x"] {
            assert!(Grading::default().inherited(&mut keys(wrong)).is_err(), "{wrong}");
        }
    }
}
