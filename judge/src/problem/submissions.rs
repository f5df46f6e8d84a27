//! The submissions of a problem package, and the verdicts that they are expected to get.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use itertools::Itertools;
use serde_json::Value;

use super::package::{Package, entries, is_readme, read_yaml};
use interactor::Verdict;

/// A submission of a package.
#[derive(Debug)]
pub(crate) struct Submission {
    /// The path below `submissions`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    rules: Vec<Rule>,
}

/// The verdicts of problem packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Accepted,
    Wrong,
    TooSlow,
    Crashed,
}

impl Outcome {
    const ALL: [Self; 4] = [Self::Accepted, Self::Wrong, Self::TooSlow, Self::Crashed];

    /// Returns the outcome of a verdict; `None` if the interactor failed.
    pub(crate) fn of(verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::Accepted | Verdict::Partial => Some(Self::Accepted),
            Verdict::WrongAnswer | Verdict::ExtraOutput | Verdict::ExitedEarly => Some(Self::Wrong),
            Verdict::TimeCpu | Verdict::TimeWall | Verdict::Idle | Verdict::NoExit => Some(Self::TooSlow),
            Verdict::Crashed | Verdict::Memory | Verdict::Processes | Verdict::OutputLimit => {
                Some(Self::Crashed)
            }
            Verdict::JudgeError => None,
        }
    }

    /// Returns the abbreviation of the format.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::Wrong => "WA",
            Self::TooSlow => "TLE",
            Self::Crashed => "RTE",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

/// What is expected of some tests.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    /// A pattern of the names of tests and their groups; `None` for all.
    tests: Option<String>,
    permitted: BTreeSet<Outcome>,
    required: BTreeSet<Outcome>,
}

impl Rule {
    fn all(permitted: &[Outcome], required: &[Outcome]) -> Self {
        Self {
            tests: None,
            permitted: permitted.iter().copied().collect(),
            required: required.iter().copied().collect(),
        }
    }

    fn applies_to(&self, test: &str) -> bool {
        self.tests.as_ref().is_none_or(|pattern| matches_with_parents(pattern, test))
    }
}

impl Submission {
    /// Returns whether its time is a lower bound of the computed time limit.
    pub(crate) fn bounds_time(&self) -> bool {
        self.name.starts_with("accepted/")
    }

    /// Returns what is expected, as in `AC or WA, at least one WA`.
    pub(crate) fn expected(&self) -> String {
        let names = |set: &BTreeSet<Outcome>| set.iter().map(|outcome| outcome.name()).join(" or ");
        let text = |rule: &Rule| {
            let mut text = names(&rule.permitted);
            if rule.permitted.len() > 1 && rule.required.len() < rule.permitted.len() {
                text += &format!(", at least one {}", names(&rule.required));
            }
            match &rule.tests {
                Some(tests) => format!("{tests}: {text}"),
                None => text,
            }
        };
        self.rules.iter().map(text).join("; ")
    }

    /// Returns why the verdicts are not the expected ones, with the index of the test that shows it, if one does; `None` if
    /// they are. `verdicts` has the name and the verdict of each test.
    pub(crate) fn unexpected(&self, verdicts: &[(&str, Verdict)]) -> Option<(Option<usize>, String)> {
        if let Some(at) = verdicts.iter().position(|(_, verdict)| Outcome::of(*verdict).is_none()) {
            return Some((Some(at), format!("the validator failed on {}", verdicts[at].0)));
        }
        for rule in &self.rules {
            let of_rule = verdicts.iter().enumerate().filter(|(_, (test, _))| rule.applies_to(test));
            let mut has_required = false;
            for (at, (test, verdict)) in of_rule.clone() {
                let Some(outcome) = Outcome::of(*verdict).filter(|outcome| rule.permitted.contains(outcome))
                else {
                    return Some((Some(at), format!("{verdict} on {test} is not expected")));
                };
                has_required |= rule.required.contains(&outcome);
            }
            if !has_required && of_rule.count() > 0 {
                let names = rule.required.iter().map(|outcome| outcome.name()).join(" or ");
                let among = rule.tests.as_ref().map_or_else(String::new, |tests| format!(" among {tests}"));
                return Some((None, format!("no test{among} has {names}")));
            }
        }
        None
    }
}

/// Returns the submissions of a package, sorted by folder and name; those of `accepted` come first.
///
/// # Errors
///
/// If a folder cannot be read, or `submissions.yaml` is malformed.
pub(crate) fn find(package: &Package) -> anyhow::Result<Vec<Submission>> {
    let folder = package.folder.join("submissions");
    ensure!(
        folder.is_dir(),
        "{}: expected the folder of the submissions, found none; a bot's command after \"--\" is run instead of them",
        folder.display()
    );
    let path = folder.join("submissions.yaml");
    let given: BTreeMap<String, Value> = read_yaml(&path)?.unwrap_or_default();
    let mut submissions = Vec::new();
    for class in entries(&folder)? {
        let Some(class_name) = class.file_name().and_then(|name| name.to_str()).filter(|_| class.is_dir())
        else {
            continue;
        };
        for program in entries(&class)? {
            let Some(name) = program.file_name().and_then(|name| name.to_str()) else {
                bail!("{}: expected a name that is UTF-8", program.display());
            };
            if is_readme(&program) || name == "submissions.yaml" {
                continue;
            }
            let name = format!("{class_name}/{name}");
            let mut rules = Vec::new();
            if !given.contains_key(class_name) {
                rules.extend(default_rule(class_name, package.is_legacy));
            }
            for (pattern, value) in &given {
                if matches_with_parents(pattern, &name) {
                    let default = default_rule(pattern, package.is_legacy);
                    add_rules(value, default, &mut rules)
                        .with_context(|| format!("{}: {pattern}", path.display()))?;
                }
            }
            submissions.push(Submission { name, path: program, rules });
        }
    }
    ensure!(
        submissions.iter().any(Submission::bounds_time),
        "{}: expected at least one submission in the folder accepted, found none",
        folder.display()
    );
    submissions.sort_by_key(|submission| !submission.bounds_time());
    Ok(submissions)
}

/// Returns what is expected of the submissions in a folder; `None` of an unknown one.
fn default_rule(class: &str, is_legacy: bool) -> Option<Rule> {
    use Outcome::{Accepted, Crashed, TooSlow, Wrong};
    Some(match class {
        "accepted" | "partially_accepted" => Rule::all(&[Accepted], &[Accepted]),
        "rejected" => Rule::all(&Outcome::ALL, &[Wrong, TooSlow, Crashed]),
        "wrong_answer" => Rule::all(&[Accepted, Wrong], &[Wrong]),
        // By `legacy`, such a submission may also be wrong.
        "time_limit_exceeded" if is_legacy => Rule::all(&[Accepted, Wrong, TooSlow], &[TooSlow]),
        "time_limit_exceeded" => Rule::all(&[Accepted, TooSlow], &[TooSlow]),
        "run_time_error" if is_legacy => Rule::all(&Outcome::ALL, &[Crashed]),
        "run_time_error" => Rule::all(&[Accepted, Crashed], &[Crashed]),
        "brute_force" => Rule::all(&[Accepted, TooSlow, Crashed], &[TooSlow, Crashed]),
        _ => return None,
    })
}

/// Adds the rules that `submissions.yaml` has under one pattern. `default` is the rule that they change.
fn add_rules(value: &Value, default: Option<Rule>, rules: &mut Vec<Rule>) -> anyhow::Result<()> {
    let map = value.as_object().context("expected a map")?;
    rules.extend(with_keys(value, default)?);
    for (key, inner) in map.iter().filter(|(key, inner)| inner.is_object() && *key != "authors") {
        if let Some(rule) = with_keys(inner, None).with_context(|| key.clone())? {
            rules.push(Rule { tests: Some(key.clone()), ..rule });
        }
    }
    Ok(())
}

/// Returns the rule `default` with the keys `permitted` and `required` of a map; `None` if there is neither.
fn with_keys(map: &Value, default: Option<Rule>) -> anyhow::Result<Option<Rule>> {
    let set = |key: &str| -> anyhow::Result<Option<BTreeSet<Outcome>>> {
        let Some(names) = map.get(key) else { return Ok(None) };
        let names: Vec<&str> = match names {
            Value::String(name) => vec![name],
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            _ => bail!("{key}: expected a list of AC, WA, TLE and RTE, found {names}"),
        };
        let outcome = |name: &&str| {
            Outcome::named(name).with_context(|| format!("{key}: expected AC, WA, TLE or RTE, found {name}"))
        };
        Ok(Some(names.iter().map(outcome).collect::<anyhow::Result<_>>()?))
    };
    let (permitted, required) = (set("permitted")?, set("required")?);
    if permitted.is_none() && required.is_none() {
        return Ok(default);
    }
    let mut rule = default.unwrap_or_else(|| Rule::all(&Outcome::ALL, &Outcome::ALL));
    rule.permitted = permitted.unwrap_or(rule.permitted);
    rule.required = required.unwrap_or(rule.required);
    Ok(Some(rule))
}

/// Returns whether a pattern matches a path or a folder of it. `*` matches within a name, and `{a,b}` matches `a` or `b`.
fn matches_with_parents(pattern: &str, path: &str) -> bool {
    let options = glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::default() };
    let patterns: Vec<glob::Pattern> =
        alternatives(pattern).iter().filter_map(|pattern| glob::Pattern::new(pattern).ok()).collect();
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.into_iter().any(|end| patterns.iter().any(|pattern| pattern.matches_with(&path[..end], options)))
}

/// Returns the patterns that a pattern with braces stands for, up to a fixed number.
fn alternatives(pattern: &str) -> Vec<String> {
    /// Maximum number of patterns.
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
mod tests {
    use super::*;
    use serde_json::json;

    fn submission(rules: Vec<Rule>) -> Submission {
        Submission { name: "x/a.py".to_owned(), path: "a.py".into(), rules }
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

    #[test]
    fn expected_verdicts_of_folders() {
        let verdicts =
            |verdicts: &[Verdict]| verdicts.iter().map(|verdict| ("secret/1", *verdict)).collect::<Vec<_>>();
        let is_expected = |class: &str, is_legacy, seen: &[Verdict]| {
            submission(vec![default_rule(class, is_legacy).unwrap()]).unexpected(&verdicts(seen)).is_none()
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
    fn rules_of_some_tests() {
        let mut rules = Vec::new();
        let value = json!({"secret/hard": {"permitted": ["AC", "TLE"], "required": ["TLE"]}, "sample": {"permitted": "AC"}});
        add_rules(&value, None, &mut rules).unwrap();
        let submission = submission(rules);
        let unexpected = |verdicts: &[(&str, Verdict)]| submission.unexpected(verdicts).map(|(_, why)| why);
        assert_eq!(unexpected(&[("sample/1", Verdict::Accepted), ("secret/hard/1", Verdict::TimeCpu)]), None);
        assert_eq!(
            unexpected(&[("sample/1", Verdict::WrongAnswer)]).unwrap(),
            "WRONG_ANSWER on sample/1 is not expected"
        );
        assert_eq!(
            unexpected(&[("secret/hard/1", Verdict::Accepted)]).unwrap(),
            "no test among secret/hard has TLE"
        );
        for wrong in [json!([]), json!({"permitted": ["NO"]}), json!({"required": 3})] {
            assert!(add_rules(&wrong, None, &mut Vec::new()).is_err(), "{wrong}");
        }
    }
}
