//! What a package expects of a submission, and whether its verdicts or its grade are as expected.

use std::collections::BTreeSet;
use std::fmt;

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::conversation::verdict::Verdict;
use crate::report::run::RunReport;
use crate::trials::problem::grading::Graded;

#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) rules: Vec<OutcomeRule>,
    /// The folder that says what the grade has to be, in place of the rules for the verdicts; `None` if submissions are not
    /// graded, or if the format does not know the folder.
    pub(crate) grade: Option<&'static Folder>,
}

/// A folder of submissions, and the outcomes one of which they promise.
type Folder = (&'static str, &'static [TestOutcome]);

/// The folder whose submissions must not have the best score.
const PARTIAL: &str = "partially_accepted";

/// The folders that the format knows.
pub(crate) static FOLDERS: [Folder; 7] = {
    use TestOutcome::{Accepted, Crashed, TooSlow, Wrong};
    [
        ("accepted", &[Accepted]),
        (PARTIAL, &[Accepted]),
        ("rejected", &[Wrong, TooSlow, Crashed]),
        ("wrong_answer", &[Wrong]),
        ("time_limit_exceeded", &[TooSlow]),
        ("run_time_error", &[Crashed]),
        ("brute_force", &[TooSlow, Crashed]),
    ]
};

/// Returns the folder `class`; `None` if the format does not know it.
pub(crate) fn known_folder(class: &str) -> Option<&'static Folder> {
    FOLDERS.iter().find(|(name, _)| *name == class)
}

/// The verdicts that the format of problem packages knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum TestOutcome {
    #[serde(rename = "AC")]
    Accepted,
    #[serde(rename = "WA")]
    Wrong,
    #[serde(rename = "TLE")]
    TooSlow,
    #[serde(rename = "RTE")]
    Crashed,
}

impl fmt::Display for TestOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl TestOutcome {
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

    /// Returns the outcomes of which a solution gets one on a test, by a word of one of the [`PROMISES`]. Only the letters
    /// and digits of the word count.
    pub(crate) fn promised(word: &str) -> Option<&'static [Self]> {
        let word = word.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "");
        PROMISES.iter().find(|(words, _)| words.contains(&&*word)).map(|(_, outcomes)| *outcomes)
    }
}

/// The words of Polygon, rbx, DMOJ and `DOMjudge` for what a solution promises.
const PROMISES: [(&[&str], &[TestOutcome]); 11] = {
    use TestOutcome::{Accepted, Crashed, TooSlow, Wrong};
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
pub(crate) struct OutcomeRule {
    /// A pattern for the names of the tests or of their groups; `None` for all tests.
    pub(crate) tests: Option<String>,
    pub(crate) permitted: BTreeSet<TestOutcome>,
    pub(crate) required: BTreeSet<TestOutcome>,
    /// A text that the message for the judges must contain on at least one test.
    pub(crate) message: Option<String>,
    pub(crate) bounds_time: bool,
}

impl OutcomeRule {
    pub(crate) fn all(permitted: &[TestOutcome], required: &[TestOutcome]) -> Self {
        Self {
            tests: None,
            permitted: permitted.iter().copied().collect(),
            required: required.iter().copied().collect(),
            message: None,
            bounds_time: true,
        }
    }

    /// Returns the rule that one of the outcomes `required` is on a test, and else `AC`.
    pub(crate) fn promising(required: &[TestOutcome]) -> Self {
        Self::all(&[required, &[TestOutcome::Accepted]].concat(), required)
    }

    /// Returns the rule that a solution promises by words that name outcomes; none without words. A word that names no
    /// outcome is the error.
    pub(crate) fn of_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Vec<Self>, &'a str> {
        let outcomes = words.into_iter().map(|word| TestOutcome::promised(word).ok_or(word));
        let required = outcomes.collect::<Result<Vec<_>, _>>()?.concat();
        Ok(if required.is_empty() { Vec::new() } else { vec![Self::promising(&required)] })
    }

    /// Returns the rule for the submissions in the folder `class`; `None` if the format does not know this folder.
    pub(crate) fn of_folder(class: &str, is_legacy: bool) -> Option<Self> {
        let (_, required) = known_folder(class)?;
        let mut rule = Self::promising(required);
        if *required == [TestOutcome::Accepted] {
            // If `submissions.yaml` permits more, none of it has to be accepted.
            rule.required.extend(TestOutcome::ALL);
        }
        if is_legacy {
            rule.permitted.extend(match class {
                "time_limit_exceeded" => &[TestOutcome::Wrong][..],
                "run_time_error" => &TestOutcome::ALL,
                _ => &[],
            });
            // Only accepted submissions bound the time limit.
            rule.bounds_time = class == "accepted";
        }
        Some(rule)
    }

    pub(crate) fn applies_to(&self, test: &str) -> bool {
        self.tests.as_ref().is_none_or(|pattern| matches_with_parents(pattern, test))
    }
}

/// What a submission has shown on a test.
pub(crate) struct Seen {
    pub(crate) test: String,
    /// `None` if the validator failed.
    pub(crate) outcome: Option<TestOutcome>,
    /// The validator's message for the judges.
    pub(crate) message: String,
    pub(crate) report: RunReport,
}

impl Seen {
    fn is_one_of(&self, outcomes: &BTreeSet<TestOutcome>) -> bool {
        self.outcome.is_some_and(|outcome| outcomes.contains(&outcome))
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
    /// Whether a message of the validator is of interest.
    pub(crate) fn has_message(&self) -> bool {
        self.rules.iter().any(|rule| rule.message.is_some())
    }

    pub(crate) fn of_rules(rules: Vec<OutcomeRule>) -> Self {
        Self { rules, grade: None }
    }

    pub(crate) fn is_stated(&self) -> bool {
        !self.rules.is_empty() || self.grade.is_some()
    }

    /// Returns the rules for tests none of which may be too slow, so that the time limit has to be large enough for all.
    pub(crate) fn rules_below(&self) -> impl Iterator<Item = &OutcomeRule> {
        self.rules.iter().filter(|rule| rule.bounds_time && !rule.permitted.contains(&TestOutcome::TooSlow))
    }

    /// Returns the rules for tests one of which has to be too slow, so that the time limit has to be small enough for one.
    pub(crate) fn rules_above(&self) -> impl Iterator<Item = &OutcomeRule> {
        self.rules.iter().filter(|rule| rule.bounds_time && rule.required.iter().eq([&TestOutcome::TooSlow]))
    }

    /// Returns what is expected, as in `AC or WA, at least one WA`.
    pub(crate) fn text(&self) -> String {
        if let Some((class, outcomes)) = self.grade {
            let without = if *class == PARTIAL { " without the best score" } else { "" };
            return format!("the grade {}{without}", outcomes.iter().join(" or "));
        }
        let text = |rule: &OutcomeRule| {
            let mut text = rule.permitted.iter().join(" or ");
            if rule.permitted.len() > 1 && rule.required.len() < rule.permitted.len() {
                text += &format!(", at least one {}", rule.required.iter().join(" or "));
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

    /// Returns how the verdicts, or the grade if one is expected, differ from what is expected; `None` if they do not.
    pub(crate) fn difference(&self, seen: &[Seen], grade: Option<&Graded>) -> Option<Difference> {
        if let Some(at) = seen.iter().position(|seen| seen.outcome.is_none()) {
            let why = format!("the validator failed on {}", seen[at].test);
            return Some(Difference::Unexpected(Some(at), why));
        }
        if let Some((class, outcomes)) = self.grade {
            let grade = grade?;
            let is_expected = outcomes.contains(&grade.outcome) && !(*class == PARTIAL && grade.is_best());
            let why = format!("the grade {grade} is not expected");
            return (!is_expected).then_some(match grade.outcome {
                // With more tests, the grade can become worse.
                TestOutcome::Accepted => Difference::Missing(why),
                _ => Difference::Unexpected(None, why),
            });
        }
        let mut missing = None;
        for rule in &self.rules {
            let of_rule = || seen.iter().enumerate().filter(|(_, seen)| rule.applies_to(&seen.test));
            if let Some((at, seen)) = of_rule().find(|(_, seen)| !seen.is_one_of(&rule.permitted)) {
                let why = format!("{} on {} is not expected", seen.report.ruling.verdict, seen.test);
                return Some(Difference::Unexpected(Some(at), why));
            }
            let among = rule.tests.as_ref().map_or_else(String::new, |tests| format!(" among {tests}"));
            let message = rule.message.as_deref().unwrap_or_default();
            let why = if !of_rule().any(|(_, seen)| seen.is_one_of(&rule.required)) {
                format!("no test{among} has {}", rule.required.iter().join(" or "))
            } else if !of_rule().any(|(_, seen)| seen.message.contains(message)) {
                format!("the validator wrote {message:?} on no test{among}")
            } else {
                continue;
            };
            if of_rule().next().is_some() {
                missing.get_or_insert(why);
            }
        }
        missing.map(Difference::Missing)
    }
}

/// Returns the folders that contain a path, beginning with the outermost, and then the path itself.
pub(crate) fn with_parents(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.map(|end| &path[..end])
}

/// Returns whether a pattern matches a path or a folder that contains it. `*` matches within a name, and `{a,b}`
/// matches `a` or `b`.
pub(crate) fn matches_with_parents(pattern: &str, path: &str) -> bool {
    let options = glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::default() };
    let patterns: Vec<glob::Pattern> =
        alternatives(pattern).iter().filter_map(|pattern| glob::Pattern::new(pattern).ok()).collect();
    with_parents(path).any(|path| patterns.iter().any(|pattern| pattern.matches_with(path, options)))
}

/// Expands the braces of a pattern. Returns the resulting patterns, up to a fixed number.
fn alternatives(pattern: &str) -> Vec<String> {
    const MAX: usize = 256;
    let mut done = Vec::new();
    let mut waiting = vec![pattern.to_owned()];
    while let Some(pattern) = waiting.pop() {
        let parts = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
        match parts {
            Some((before, (inner, after))) if waiting.len() + done.len() < MAX => {
                waiting.extend(inner.split(',').map(|inner| format!("{before}{inner}{after}")));
            }
            _ => done.push(pattern),
        }
    }
    done
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::conversation::verdict::Class;

    pub(crate) fn seen(test: &str, verdict: Verdict, message: &str) -> Seen {
        let mut report = RunReport::uncompiled(Class::Accepted, String::new(), Vec::new());
        report.ruling.verdict = verdict;
        let (test, message) = (test.to_owned(), message.to_owned());
        Seen { test, outcome: TestOutcome::of(verdict), message, report }
    }

    #[test]
    fn expected_verdicts_of_folders() {
        let is_expected = |class: &str, is_legacy, verdicts: &[Verdict]| {
            let expected = Expected::of_rules(vec![OutcomeRule::of_folder(class, is_legacy).unwrap()]);
            let seen: Vec<_> = verdicts.iter().map(|&verdict| seen("secret/1", verdict, "")).collect();
            expected.difference(&seen, None).is_none()
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
        use TestOutcome::{Accepted, Crashed, TooSlow, Wrong};
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
            assert_eq!(TestOutcome::promised(word), expected, "{word}");
        }
    }

    #[test]
    fn folders_that_bound_the_time_limit() {
        let of_class = |class: &str, is_legacy| {
            let expected = Expected::of_rules(vec![OutcomeRule::of_folder(class, is_legacy).unwrap()]);
            (expected.rules_below().count() == 1, expected.rules_above().count() == 1)
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

    #[test]
    fn patterns_of_paths() {
        for (pattern, path, expected) in [
            ("accepted", "accepted/a.py", true),
            ("accepted/*", "accepted/a.py", true),
            ("*", "accepted/a.py", true),
            ("*.py", "accepted/a.py", false),
            ("accepted/{a,b}.{py,cpp}", "accepted/b.py", true),
            ("accepted/{a,b}.cpp", "accepted/b.py", false),
            ("secret/*-easy", "secret/1-easy", true),
            ("secret/group1", "secret/group1/7", true),
            ("secret/group1", "secret/group10/7", false),
        ] {
            assert_eq!(matches_with_parents(pattern, path), expected, "{pattern} {path}");
        }
    }
}
