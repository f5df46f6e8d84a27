//! What a package expects of a submission, and whether its verdicts or its grade are as expected.

use std::collections::BTreeSet;

use itertools::Itertools;

use crate::conversation::verdict::Verdict;
use crate::trials::problem::grading::Graded;
use crate::trials::problem::patterns::matches_with_parents;

#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) rules: Vec<Rule>,
    /// What the grade has to be, in place of the rules for the verdicts; `None` if submissions are not graded, or if the
    /// format does not know the folder.
    pub(crate) grade: Option<ExpectedGrade>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpectedGrade {
    Is(Outcome),
    /// Accepted, but without the best score.
    Partial,
    Rejected,
}

impl ExpectedGrade {
    /// Returns the grade of a submission in the folder `class`; `None` if the format does not know this folder.
    pub(crate) fn of_folder(class: &str) -> Option<Self> {
        Some(match class {
            "accepted" => Self::Is(Outcome::Accepted),
            "partially_accepted" => Self::Partial,
            "wrong_answer" => Self::Is(Outcome::Wrong),
            "time_limit_exceeded" => Self::Is(Outcome::TooSlow),
            "run_time_error" => Self::Is(Outcome::Crashed),
            "rejected" => Self::Rejected,
            _ => return None,
        })
    }
}

/// The verdicts that the format of problem packages knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Accepted,
    Wrong,
    TooSlow,
    Crashed,
}

impl Outcome {
    pub(crate) const ALL: [Self; 4] = [Self::Accepted, Self::Wrong, Self::TooSlow, Self::Crashed];

    /// Returns the outcome of a verdict; `None` if the interactor failed.
    pub(crate) fn of(verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::Accepted | Verdict::Partial | Verdict::Won => Some(Self::Accepted),
            Verdict::WrongAnswer
            | Verdict::Lost
            | Verdict::Resigned
            | Verdict::Illegal
            | Verdict::Malformed
            | Verdict::ExtraOutput
            | Verdict::ExitedEarly => Some(Self::Wrong),
            Verdict::TimeCpu | Verdict::TimeWall | Verdict::Idle | Verdict::NoExit => Some(Self::TooSlow),
            Verdict::Crashed | Verdict::Memory | Verdict::Processes | Verdict::OutputLimit => {
                Some(Self::Crashed)
            }
            Verdict::CompileError | Verdict::JudgeError | Verdict::Interrupted => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::Wrong => "WA",
            Self::TooSlow => "TLE",
            Self::Crashed => "RTE",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    /// Returns the outcomes of which a solution gets one on a test, by a word of one of the [`PROMISES`]. Only the letters
    /// and digits of the word count.
    pub(crate) fn promised(word: &str) -> Option<&'static [Self]> {
        let word = word.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "");
        PROMISES.iter().find(|(words, _)| words.contains(&&*word)).map(|(_, outcomes)| *outcomes)
    }
}

/// The words of Polygon, rbx, DMOJ and `DOMjudge` for what a solution promises.
const PROMISES: [(&[&str], &[Outcome]); 11] = {
    use Outcome::{Accepted, Crashed, TooSlow, Wrong};
    [
        (&["main", "accepted", "ac", "correct"], &[Accepted]),
        (&["wronganswer", "wa", "presentationerror", "nooutput"], &[Wrong]),
        (&["timelimitexceeded", "timelimit", "timeout", "tle", "tl"], &[TooSlow]),
        (&["runtimeerror", "runerror", "rte", "re", "ir"], &[Crashed]),
        (&["memorylimitexceeded", "memorylimit", "mle", "ml"], &[Crashed]),
        (&["outputlimitexceeded", "outputlimit", "ole", "ol"], &[Crashed]),
        (&["timelimitexceededoraccepted", "acceptedortimelimitexceeded"], &[Accepted, TooSlow]),
        (&["acceptedortle", "acortle", "actle"], &[Accepted, TooSlow]),
        (&["timelimitexceededormemorylimitexceeded"], &[TooSlow, Crashed]),
        (&["tleorrte", "tlerte", "tleorre", "tlere"], &[TooSlow, Crashed]),
        (&["rejected", "incorrect", "fail", "failed"], &[Wrong, TooSlow, Crashed]),
    ]
};

/// The verdicts that a submission is expected to get on some tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    /// A pattern for the names of the tests or of their groups; `None` for all tests.
    pub(crate) tests: Option<String>,
    pub(crate) permitted: BTreeSet<Outcome>,
    pub(crate) required: BTreeSet<Outcome>,
    /// A text that the message for the judges must contain on at least one test.
    pub(crate) message: Option<String>,
    /// Whether the times of the tests bound the time limit.
    pub(crate) bounds_time: bool,
}

impl Rule {
    pub(crate) fn all(permitted: &[Outcome], required: &[Outcome]) -> Self {
        Self {
            tests: None,
            permitted: permitted.iter().copied().collect(),
            required: required.iter().copied().collect(),
            message: None,
            bounds_time: true,
        }
    }

    /// Returns the rule that one of the outcomes `required` is on a test, and else `AC`.
    pub(crate) fn promising(required: &[Outcome]) -> Self {
        Self::all(&[required, &[Outcome::Accepted]].concat(), required)
    }

    /// Returns the rule for the submissions in the folder `class`; `None` if the format does not know this folder.
    pub(crate) fn of_folder(class: &str, is_legacy: bool) -> Option<Self> {
        use Outcome::{Accepted, Crashed, TooSlow, Wrong};
        let rule = match class {
            "accepted" | "partially_accepted" => Self::all(&[Accepted], &Outcome::ALL),
            "rejected" => Self::all(&Outcome::ALL, &[Wrong, TooSlow, Crashed]),
            "wrong_answer" => Self::all(&[Accepted, Wrong], &[Wrong]),
            // In the format `legacy`, such a submission may also be wrong.
            "time_limit_exceeded" if is_legacy => Self::all(&[Accepted, Wrong, TooSlow], &[TooSlow]),
            "time_limit_exceeded" => Self::all(&[Accepted, TooSlow], &[TooSlow]),
            "run_time_error" if is_legacy => Self::all(&Outcome::ALL, &[Crashed]),
            "run_time_error" => Self::all(&[Accepted, Crashed], &[Crashed]),
            "brute_force" => Self::all(&[Accepted, TooSlow, Crashed], &[TooSlow, Crashed]),
            _ => return None,
        };
        // In the format `legacy`, only accepted submissions bound the time limit.
        Some(Self { bounds_time: !is_legacy || class == "accepted", ..rule })
    }

    pub(crate) fn applies_to(&self, test: &str) -> bool {
        self.tests.as_ref().is_none_or(|pattern| matches_with_parents(pattern, test))
    }

    /// Returns whether no test may be too slow, so that the time limit has to be large enough for all of them.
    pub(crate) fn bounds_below(&self) -> bool {
        self.bounds_time && !self.permitted.contains(&Outcome::TooSlow)
    }

    /// Returns whether a test has to be too slow, so that the time limit has to be small enough for one of them.
    pub(crate) fn bounds_above(&self) -> bool {
        self.bounds_time && self.required.iter().eq([&Outcome::TooSlow])
    }
}

/// How the verdicts of a submission differ from what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// They are not the expected ones. The index is that of the test that shows it, if there is one.
    Unexpected(Option<usize>, String),
    /// Something is missing that another test may show.
    Missing(String),
}

impl Expected {
    pub(crate) fn of_rules(rules: Vec<Rule>) -> Self {
        Self { rules, grade: None }
    }

    pub(crate) fn is_stated(&self) -> bool {
        !self.rules.is_empty() || self.grade.is_some()
    }

    pub(crate) fn rules_below(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(|rule| rule.bounds_below())
    }

    pub(crate) fn rules_above(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(|rule| rule.bounds_above())
    }

    pub(crate) fn messages(&self, test: &str) -> impl Iterator<Item = &str> {
        self.rules.iter().filter(|rule| rule.applies_to(test)).filter_map(|rule| rule.message.as_deref())
    }

    /// Returns what is expected, as in `AC or WA, at least one WA`.
    pub(crate) fn text(&self) -> String {
        if let Some(expected) = self.grade {
            return match expected {
                ExpectedGrade::Is(outcome) => format!("the grade {}", outcome.name()),
                ExpectedGrade::Partial => "the grade AC without the best score".to_owned(),
                ExpectedGrade::Rejected => "a grade other than AC".to_owned(),
            };
        }
        let names = |set: &BTreeSet<Outcome>| set.iter().map(|outcome| outcome.name()).join(" or ");
        let text = |rule: &Rule| {
            let mut text = names(&rule.permitted);
            if rule.permitted.len() > 1 && rule.required.len() < rule.permitted.len() {
                text += &format!(", at least one {}", names(&rule.required));
            }
            if let Some(message) = &rule.message {
                text += &format!(", the message {message:?}");
            }
            match &rule.tests {
                Some(tests) => format!("{tests}: {text}"),
                None => text,
            }
        };
        self.rules.iter().map(text).join("; ")
    }

    /// Returns how the grade differs from the expected one; `None` if it does not, or if no grade is expected.
    pub(crate) fn difference_of_grade(&self, grade: &Graded) -> Option<Difference> {
        let is_expected = match self.grade? {
            ExpectedGrade::Is(outcome) => grade.outcome == outcome,
            ExpectedGrade::Partial => grade.outcome == Outcome::Accepted && !grade.is_best(),
            ExpectedGrade::Rejected => grade.outcome != Outcome::Accepted,
        };
        let why = || format!("the grade {grade} is not expected");
        (!is_expected).then(|| match grade.outcome {
            // With more tests, the grade can become worse.
            Outcome::Accepted => Difference::Missing(why()),
            _ => Difference::Unexpected(None, why()),
        })
    }

    /// Returns how the verdicts differ from the expected ones; `None` if they do not. `verdicts` has the name, the verdict
    /// and the outcome of each test. `messages` has the pairs of a test and an expected message that the validator wrote
    /// on this test.
    pub(crate) fn difference(
        &self,
        verdicts: &[(&str, Verdict, Option<Outcome>)],
        messages: &BTreeSet<(String, String)>,
    ) -> Option<Difference> {
        if let Some(at) = verdicts.iter().position(|(.., outcome)| outcome.is_none()) {
            let why = format!("the validator failed on {}", verdicts[at].0);
            return Some(Difference::Unexpected(Some(at), why));
        }
        if self.grade.is_some() {
            return None;
        }
        let mut missing = None;
        for rule in &self.rules {
            let of_rule = verdicts.iter().enumerate().filter(|(_, (test, ..))| rule.applies_to(test));
            let mut has_required = false;
            for (at, (test, verdict, outcome)) in of_rule.clone() {
                let Some(outcome) = outcome.filter(|outcome| rule.permitted.contains(outcome)) else {
                    let why = format!("{verdict} on {test} is not expected");
                    return Some(Difference::Unexpected(Some(at), why));
                };
                has_required |= rule.required.contains(&outcome);
            }
            if of_rule.count() == 0 {
                continue;
            }
            let among = rule.tests.as_ref().map_or_else(String::new, |tests| format!(" among {tests}"));
            if !has_required {
                let names = rule.required.iter().map(|outcome| outcome.name()).join(" or ");
                missing.get_or_insert_with(|| format!("no test{among} has {names}"));
            } else if let Some(message) = &rule.message
                && !messages.iter().any(|(test, seen)| seen == message && rule.applies_to(test))
            {
                missing.get_or_insert_with(|| format!("the validator wrote {message:?} on no test{among}"));
            }
        }
        missing.map(Difference::Missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_verdicts_of_folders() {
        let verdicts = |verdicts: &[Verdict]| -> Vec<_> {
            verdicts.iter().map(|&verdict| ("secret/1", verdict, Outcome::of(verdict))).collect()
        };
        let is_expected = |class: &str, is_legacy, seen: &[Verdict]| {
            let expected = Expected::of_rules(vec![Rule::of_folder(class, is_legacy).unwrap()]);
            expected.difference(&verdicts(seen), &BTreeSet::new()).is_none()
        };
        for (class, seen, by_2025, by_legacy) in [
            ("accepted", &[Verdict::Accepted, Verdict::Partial][..], true, true),
            ("accepted", &[Verdict::Accepted, Verdict::Idle], false, false),
            ("wrong_answer", &[Verdict::Accepted, Verdict::WrongAnswer], true, true),
            ("wrong_answer", &[Verdict::Accepted], false, false),
            ("wrong_answer", &[Verdict::WrongAnswer, Verdict::Crashed], false, false),
            ("time_limit_exceeded", &[Verdict::Idle, Verdict::WrongAnswer], false, true),
            ("time_limit_exceeded", &[Verdict::NoExit], true, true),
            ("run_time_error", &[Verdict::Crashed, Verdict::WrongAnswer], false, true),
            ("run_time_error", &[Verdict::Memory], true, true),
            ("rejected", &[Verdict::TimeCpu], true, true),
            ("accepted", &[Verdict::JudgeError], false, false),
            ("rejected", &[Verdict::JudgeError], false, false),
        ] {
            assert_eq!(is_expected(class, false, seen), by_2025, "{class} {seen:?}");
            assert_eq!(is_expected(class, true, seen), by_legacy, "{class} {seen:?} legacy");
        }
    }

    #[test]
    fn words_that_promise_outcomes() {
        use Outcome::{Accepted, Crashed, TooSlow, Wrong};
        for (word, expected) in [
            ("main", Some(&[Accepted][..])),
            ("accepted or tle", Some(&[Accepted, TooSlow])),
            ("presentation-error", Some(&[Wrong])),
            ("wrong answer", Some(&[Wrong])),
            ("INCORRECT", Some(&[Wrong, TooSlow, Crashed])),
            ("TLE_OR_RTE", Some(&[TooSlow, Crashed])),
            ("time-limit-exceeded-or-accepted", Some(&[Accepted, TooSlow])),
            ("memory-limit-exceeded", Some(&[Crashed])),
            ("compilation error", None),
            ("accept", None),
        ] {
            assert_eq!(Outcome::promised(word), expected, "{word}");
        }
    }

    #[test]
    fn folders_that_bound_the_time_limit() {
        let of_class = |class: &str, is_legacy| {
            let rule = Rule::of_folder(class, is_legacy).unwrap();
            (rule.bounds_below(), rule.bounds_above())
        };
        for (class, by_2025, by_legacy) in [
            ("accepted", (true, false), (true, false)),
            ("wrong_answer", (true, false), (false, false)),
            ("run_time_error", (true, false), (false, false)),
            ("time_limit_exceeded", (false, true), (false, false)),
            ("rejected", (false, false), (false, false)),
            ("brute_force", (false, false), (false, false)),
        ] {
            assert_eq!((of_class(class, false), of_class(class, true)), (by_2025, by_legacy), "{class}");
        }
    }
}
