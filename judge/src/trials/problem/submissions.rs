//! The submissions of a problem package, and the verdicts that they are expected to get.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use itertools::Itertools;
use runner::message::print_error;
use runner::sources::folder::entries;
use serde_json::{Map, Value};

use crate::conversation::verdict::Verdict;
use crate::suggestions::did_you_mean;
use crate::trials::problem::grading::Graded;
use crate::trials::problem::package::{Package, ensure_inside, is_readme, named_entries};
use crate::trials::problem::yaml::{YamlFile, warn_of_unknown};

/// A submission of a package.
#[derive(Clone, Debug)]
pub(crate) struct Submission {
    /// The path below `submissions`, or in a package of Polygon.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    is_accepted: bool,
    rules: Vec<Rule>,
    /// What the grade has to be, in place of the rules for the verdicts; `None` if submissions are not graded, or if the
    /// format does not know the folder.
    expected_grade: Option<ExpectedGrade>,
}

/// The grades that a folder of submissions allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExpectedGrade {
    Is(Outcome),
    /// Accepted, but without the best score.
    Partial,
    Rejected,
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
    const ALL: [Self; 4] = [Self::Accepted, Self::Wrong, Self::TooSlow, Self::Crashed];

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

    /// Returns the abbreviation that the format uses.
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

/// The verdicts that a submission is expected to get on some tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    /// A pattern for the names of the tests or of their groups; `None` for all tests.
    tests: Option<String>,
    permitted: BTreeSet<Outcome>,
    required: BTreeSet<Outcome>,
    /// A text that the message for the judges must contain on at least one test.
    message: Option<String>,
    /// Whether the times of the tests bound the time limit.
    bounds_time: bool,
}

impl Rule {
    fn all(permitted: &[Outcome], required: &[Outcome]) -> Self {
        Self {
            tests: None,
            permitted: permitted.iter().copied().collect(),
            required: required.iter().copied().collect(),
            message: None,
            bounds_time: true,
        }
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

impl Submission {
    /// Returns whether the submission has to be accepted.
    pub(crate) fn is_accepted(&self) -> bool {
        self.is_accepted
    }

    /// Returns the solution of a package of Polygon with this tag; `None` if the tag is not known.
    pub(crate) fn of_tag(tag: &str, name: &str, path: PathBuf) -> Option<Self> {
        use Outcome::{Accepted, Crashed, TooSlow, Wrong};
        let is_accepted = ["main", "accepted"].contains(&tag);
        let rule = match tag {
            "main" | "accepted" => Rule::all(&[Accepted], &[Accepted]),
            "wrong-answer" | "presentation-error" => Rule::all(&[Accepted, Wrong], &[Wrong]),
            "time-limit-exceeded" => Rule::all(&[Accepted, TooSlow], &[TooSlow]),
            "time-limit-exceeded-or-accepted" => Rule::all(&[Accepted, TooSlow], &[Accepted, TooSlow]),
            "memory-limit-exceeded" => Rule::all(&[Accepted, Crashed], &[Crashed]),
            "time-limit-exceeded-or-memory-limit-exceeded" => {
                Rule::all(&[Accepted, TooSlow, Crashed], &[TooSlow, Crashed])
            }
            "rejected" | "failed" => Rule::all(&Outcome::ALL, &[Wrong, TooSlow, Crashed]),
            _ => return None,
        };
        Some(Self { name: name.to_owned(), path, is_accepted, rules: vec![rule], expected_grade: None })
    }

    /// Returns whether the package says anything about the verdicts.
    pub(crate) fn is_compared(&self) -> bool {
        !self.rules.is_empty() || self.expected_grade.is_some()
    }

    /// Returns the rules by which the submission's times bound the time limit from below.
    pub(crate) fn rules_below(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(|rule| rule.bounds_below())
    }

    /// Returns the rules by which the submission's times bound the time limit from above.
    pub(crate) fn rules_above(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(|rule| rule.bounds_above())
    }

    /// Returns the messages that are expected on a test.
    pub(crate) fn expected_messages(&self, test: &str) -> impl Iterator<Item = &str> {
        self.rules.iter().filter(|rule| rule.applies_to(test)).filter_map(|rule| rule.message.as_deref())
    }

    /// Returns what is expected, as in `AC or WA, at least one WA`.
    pub(crate) fn expected(&self) -> String {
        if let Some(expected) = self.expected_grade {
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

    /// Returns why the grade is not the expected one; `None` if it is, or if no grade is expected.
    pub(crate) fn unexpected_grade(&self, grade: &Graded) -> Option<String> {
        let is_expected = match self.expected_grade? {
            ExpectedGrade::Is(outcome) => grade.outcome == outcome,
            ExpectedGrade::Partial => grade.outcome == Outcome::Accepted && !grade.is_best(),
            ExpectedGrade::Rejected => grade.outcome != Outcome::Accepted,
        };
        (!is_expected).then(|| format!("the grade {grade} is not expected"))
    }

    /// Returns `None` if the verdicts are the expected ones. Otherwise returns the reason why they are not, with the
    /// index of the test that shows it, if there is one. `verdicts` has the name, the verdict and the outcome of each test.
    /// `messages` has the pairs of a test and an expected message that the validator wrote on this test.
    pub(crate) fn unexpected(
        &self,
        verdicts: &[(&str, Verdict, Option<Outcome>)],
        messages: &BTreeSet<(String, String)>,
    ) -> Option<(Option<usize>, String)> {
        if let Some(at) = verdicts.iter().position(|(.., outcome)| outcome.is_none()) {
            return Some((Some(at), format!("the validator failed on {}", verdicts[at].0)));
        }
        if self.expected_grade.is_some() {
            return None;
        }
        for rule in &self.rules {
            let of_rule = verdicts.iter().enumerate().filter(|(_, (test, ..))| rule.applies_to(test));
            let mut has_required = false;
            for (at, (test, verdict, outcome)) in of_rule.clone() {
                let Some(outcome) = outcome.filter(|outcome| rule.permitted.contains(outcome)) else {
                    return Some((Some(at), format!("{verdict} on {test} is not expected")));
                };
                has_required |= rule.required.contains(&outcome);
            }
            if of_rule.count() == 0 {
                continue;
            }
            let among = rule.tests.as_ref().map_or_else(String::new, |tests| format!(" among {tests}"));
            if !has_required {
                let names = rule.required.iter().map(|outcome| outcome.name()).join(" or ");
                return Some((None, format!("no test{among} has {names}")));
            }
            if let Some(message) = &rule.message
                && !messages.iter().any(|(test, seen)| seen == message && rule.applies_to(test))
            {
                return Some((None, format!("the validator wrote {message:?} on no test{among}")));
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
    if let Some(solutions) = &package.solutions {
        ensure!(!solutions.is_empty(), "{}: expected solutions, found none", package.folder.display());
        return Ok(solutions.clone());
    }
    let folder = package.folder.join("submissions");
    ensure!(
        folder.is_dir(),
        "{}: expected the folder of the submissions, found none; a bot's command after \"--\" is run instead of them",
        folder.display()
    );
    let given = GivenRules::read(&folder.join("submissions.yaml"))?;
    let mut submissions = Vec::new();
    for (class, path) in named_entries(&folder)?.into_iter().filter(|(_, path)| path.is_dir()) {
        for (name, program) in named_entries(&path)? {
            if is_readme(&name) || name == "submissions.yaml" {
                continue;
            }
            ensure_inside(&package.root, &program)?;
            let name = format!("{class}/{name}");
            let mut rules = given.of(&class, &name, package.is_legacy)?;
            let by_source = expected_results(&program)?.filter(|_| !given.has_rules_for(&name));
            let is_graded = package.graders.is_some() && by_source.is_none();
            let expected_grade = is_graded.then(|| expected_grade(&class)).flatten();
            if let Some(rule) = by_source {
                rules = vec![rule];
            }
            let is_accepted = class == "accepted";
            submissions.push(Submission { name, path: program, is_accepted, rules, expected_grade });
        }
        let mut inside = submissions.iter().filter(|submission| is_in_folder(&submission.name, &class));
        if inside.any(|submission| !submission.is_compared()) && !given.maps.contains_key(&class) {
            print_error(format_args!(
                "{}: the format has no folder of this name, so nothing is expected of its submissions{}",
                path.display(),
                did_you_mean(&class, FOLDERS)
            ));
        }
    }
    let names: Vec<&str> = submissions.iter().map(|submission| &*submission.name).collect();
    let tests: Vec<&str> = package.tests.iter().map(|test| &*test.name).collect();
    given.warn_of_unused(&names, &tests);
    ensure!(
        submissions.iter().any(Submission::is_accepted),
        "{}: expected at least one submission in the folder accepted, found none",
        folder.display()
    );
    submissions.sort_by_key(|submission| !submission.is_accepted());
    Ok(submissions)
}

/// The folders of submissions that the format has.
const FOLDERS: [&str; 7] = [
    "accepted",
    "partially_accepted",
    "rejected",
    "wrong_answer",
    "time_limit_exceeded",
    "run_time_error",
    "brute_force",
];

fn is_in_folder(name: &str, folder: &str) -> bool {
    name.split_once('/').is_some_and(|(first, _)| first == folder)
}

/// Returns the rule that a source gives by `@EXPECTED_RESULTS@:` and a list of results, as `DOMjudge` reads it; `None` if
/// it gives none. `program` is a source or a folder of sources.
fn expected_results(program: &Path) -> anyhow::Result<Option<Rule>> {
    /// Number of bytes at the beginning of a source in which the list is looked for.
    const SEARCHED: u64 = 1 << 20;
    let sources = if program.is_dir() { entries(program)? } else { vec![program.to_owned()] };
    for source in sources.iter().filter(|source| source.is_file()) {
        let mut text = Vec::new();
        let file = File::open(source).and_then(|file| file.take(SEARCHED).read_to_end(&mut text));
        file.with_context(|| format!("{} cannot be read", source.display()))?;
        let Some(start) = memchr::memmem::find(&text, MARK) else { continue };
        let list = text[start + MARK.len()..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        let list = String::from_utf8_lossy(list).to_uppercase().replace('_', "-");
        let results = list.split([',', ' ', '\t', '\r']).filter_map(result_named);
        let results: Vec<Outcome> = results.collect();
        if !results.is_empty() {
            return Ok(Some(Rule::all(&[&results[..], &[Outcome::Accepted]].concat(), &results)));
        }
    }
    Ok(None)
}

/// The mark before the list of results in a source.
const MARK: &[u8] = b"@EXPECTED_RESULTS@:";

/// Returns the result that `DOMjudge` calls `name`.
fn result_named(name: &str) -> Option<Outcome> {
    Some(match name {
        "CORRECT" | "ACCEPTED" => Outcome::Accepted,
        "WRONG-ANSWER" | "NO-OUTPUT" => Outcome::Wrong,
        "TIMELIMIT" | "TIME-LIMIT-EXCEEDED" => Outcome::TooSlow,
        "RUN-ERROR" | "RUN-TIME-ERROR" | "OUTPUT-LIMIT" | "MEMORY-LIMIT" => Outcome::Crashed,
        _ => return None,
    })
}

/// Returns what the grade of a submission in the folder `class` has to be; `None` if the format does not know this
/// folder.
fn expected_grade(class: &str) -> Option<ExpectedGrade> {
    Some(match class {
        "accepted" => ExpectedGrade::Is(Outcome::Accepted),
        "partially_accepted" => ExpectedGrade::Partial,
        "wrong_answer" => ExpectedGrade::Is(Outcome::Wrong),
        "time_limit_exceeded" => ExpectedGrade::Is(Outcome::TooSlow),
        "run_time_error" => ExpectedGrade::Is(Outcome::Crashed),
        "rejected" => ExpectedGrade::Rejected,
        _ => return None,
    })
}

/// Returns the rule for the submissions in the folder `class`; `None` if the format does not know this folder.
fn default_rule(class: &str, is_legacy: bool) -> Option<Rule> {
    use Outcome::{Accepted, Crashed, TooSlow, Wrong};
    let rule = match class {
        "accepted" | "partially_accepted" => Rule::all(&[Accepted], &Outcome::ALL),
        "rejected" => Rule::all(&Outcome::ALL, &[Wrong, TooSlow, Crashed]),
        "wrong_answer" => Rule::all(&[Accepted, Wrong], &[Wrong]),
        // In the format `legacy`, such a submission may also be wrong.
        "time_limit_exceeded" if is_legacy => Rule::all(&[Accepted, Wrong, TooSlow], &[TooSlow]),
        "time_limit_exceeded" => Rule::all(&[Accepted, TooSlow], &[TooSlow]),
        "run_time_error" if is_legacy => Rule::all(&Outcome::ALL, &[Crashed]),
        "run_time_error" => Rule::all(&[Accepted, Crashed], &[Crashed]),
        "brute_force" => Rule::all(&[Accepted, TooSlow, Crashed], &[TooSlow, Crashed]),
        _ => return None,
    };
    // In the format `legacy`, only accepted submissions bound the time limit.
    Some(Rule { bounds_time: !is_legacy || class == "accepted", ..rule })
}

/// The contents of `submissions.yaml`.
struct GivenRules {
    path: PathBuf,
    /// The map below each pattern of submissions.
    maps: BTreeMap<String, Map<String, Value>>,
}

/// The keys that are allowed only below a pattern of submissions, and the keys that are also allowed below a pattern of
/// tests. Any other key below a pattern of submissions is a pattern of tests.
const KEYS: &[&str] = &["language", "entrypoint", "authors", "model_solution"];
const TEST_KEYS: &[&str] = &["permitted", "required", "score", "message", "use_for_time_limit"];

/// The keys that would change what is run or expected, but are not supported.
const UNSUPPORTED: [&str; 3] = ["language", "entrypoint", "score"];

impl GivenRules {
    /// Reads the file `path`, if it exists. Warns of keys that are unknown or not supported.
    fn read(path: &Path) -> anyhow::Result<Self> {
        let yaml = YamlFile::read(path)?;
        let given: BTreeMap<String, Value> =
            yaml.as_ref().map(YamlFile::parse).transpose()?.unwrap_or_default();
        let mut maps = BTreeMap::new();
        for (pattern, value) in given {
            let map = match value {
                Value::Object(map) => map,
                Value::Null => Map::new(),
                _ => bail!("{}: {pattern}: expected a map", path.display()),
            };
            let place = format!("{pattern}: ");
            // The keys of the map that are not patterns of tests.
            let plain = map.iter().filter(|(key, value)| !is_pattern(key, value)).map(|(key, _)| &**key);
            warn_of_keys(path, &place, plain, &[KEYS, TEST_KEYS]);
            for (tests, inner) in map.iter().filter(|(key, value)| is_pattern(key, value)) {
                let keys = inner.as_object().into_iter().flat_map(Map::keys).map(String::as_str);
                warn_of_keys(path, &format!("{place}{tests}: "), keys, &[TEST_KEYS]);
            }
            maps.insert(pattern, map);
        }
        Ok(Self { path: path.to_owned(), maps })
    }

    /// Returns the rules for the submission `name` in the folder `class`.
    fn of(&self, class: &str, name: &str, is_legacy: bool) -> anyhow::Result<Vec<Rule>> {
        let mut rules = Vec::new();
        if !self.maps.contains_key(class) {
            rules.extend(default_rule(class, is_legacy));
        }
        for (pattern, map) in self.maps.iter().filter(|(pattern, _)| matches_with_parents(pattern, name)) {
            add_rules(map, default_rule(pattern, is_legacy), &mut rules)
                .with_context(|| format!("{}: {pattern}", self.path.display()))?;
        }
        Ok(rules)
    }

    fn has_rules_for(&self, name: &str) -> bool {
        self.maps.keys().any(|pattern| matches_with_parents(pattern, name))
    }

    /// Warns of patterns that match none of the submissions or tests with these names.
    fn warn_of_unused(&self, submissions: &[&str], tests: &[&str]) {
        let path = self.path.display();
        let meant = |pattern: &str, names: &[&str]| {
            did_you_mean(pattern, names.iter().flat_map(|name| with_parents(name)))
        };
        for (pattern, map) in &self.maps {
            if default_rule(pattern, false).is_none()
                && !submissions.iter().any(|name| matches_with_parents(pattern, name))
            {
                let meant = meant(pattern, submissions);
                print_error(format_args!("{path}: no submission matches {pattern:?}{meant}"));
            }
            for (key, _) in map.iter().filter(|(key, value)| is_pattern(key, value)) {
                if !tests.iter().any(|name| matches_with_parents(key, name)) {
                    let meant = meant(key, tests);
                    print_error(format_args!("{path}: {pattern}: no test matches {key:?}{meant}"));
                }
            }
        }
    }
}

/// Warns of keys that are not known, or known but not supported.
fn warn_of_keys<'a>(
    path: &Path,
    place: &str,
    keys: impl Iterator<Item = &'a str> + Clone,
    known: &[&[&str]],
) {
    warn_of_unknown(path, place, keys.clone(), known);
    for key in keys.filter(|key| UNSUPPORTED.contains(key)) {
        print_error(format_args!("{}: {place}the key {key:?} is ignored", path.display()));
    }
}

/// Returns whether a key below a pattern of submissions is a pattern of tests.
fn is_pattern(key: &str, value: &Value) -> bool {
    value.is_object() && !KEYS.contains(&key)
}

/// Adds the rules that `submissions.yaml` has under one pattern. `default` is the rule that the keys of the map change.
fn add_rules(map: &Map<String, Value>, default: Option<Rule>, rules: &mut Vec<Rule>) -> anyhow::Result<()> {
    rules.extend(with_keys(map, None, default)?);
    for (tests, inner) in map.iter().filter(|(key, value)| is_pattern(key, value)) {
        let inner = inner.as_object().context("expected a map")?;
        rules.extend(with_keys(inner, Some(tests), None).with_context(|| tests.clone())?);
    }
    Ok(())
}

/// Returns the rules of a map for the tests that match a pattern: the rule `default`, changed by the keys of the map,
/// and a rule for `use_for_time_limit: lower` or `upper`.
fn with_keys(
    map: &Map<String, Value>,
    tests: Option<&String>,
    default: Option<Rule>,
) -> anyhow::Result<Vec<Rule>> {
    let set = |key: &str| -> anyhow::Result<Option<BTreeSet<Outcome>>> {
        let Some(names) = map.get(key) else { return Ok(None) };
        let expected = || format!("{key}: expected a list of AC, WA, TLE and RTE, found {names}");
        let names = match names {
            Value::String(_) => std::slice::from_ref(names),
            Value::Array(names) => names,
            _ => bail!(expected()),
        };
        let outcome = |name: &Value| name.as_str().and_then(Outcome::named).with_context(expected);
        Ok(Some(names.iter().map(outcome).collect::<anyhow::Result<_>>()?))
    };
    let (permitted, required) = (set("permitted")?, set("required")?);
    let message = match map.get("message") {
        None | Some(Value::Null) => None,
        Some(Value::String(message)) => Some(message.clone()).filter(|message| !message.is_empty()),
        Some(other) => bail!("message: expected a text, found {other}"),
    };
    let (bounds_time, bound) = match map.get("use_for_time_limit") {
        None => (true, None),
        Some(Value::String(bound)) if bound == "true" => (true, None),
        Some(Value::String(bound)) if bound == "false" => (false, None),
        Some(Value::String(bound)) if bound == "lower" => {
            let permitted = [Outcome::Accepted, Outcome::Wrong, Outcome::Crashed];
            (true, Some(Rule::all(&permitted, &Outcome::ALL)))
        }
        Some(Value::String(bound)) if bound == "upper" => {
            (true, Some(Rule::all(&Outcome::ALL, &[Outcome::TooSlow])))
        }
        Some(other) => bail!("use_for_time_limit: expected true, false, lower or upper, found {other}"),
    };
    let is_given = permitted.is_some() || required.is_some() || message.is_some();
    let rule = default.or_else(|| is_given.then(|| Rule::all(&Outcome::ALL, &Outcome::ALL)));
    let rule = rule.map(|rule| Rule {
        permitted: permitted.unwrap_or(rule.permitted),
        required: required.unwrap_or(rule.required),
        bounds_time: rule.bounds_time && bounds_time,
        tests: None,
        message,
    });
    Ok(rule.into_iter().chain(bound).map(|rule| Rule { tests: tests.cloned(), ..rule }).collect())
}

/// Returns the folders that contain a path, beginning with the outermost, and then the path itself.
fn with_parents(path: &str) -> impl Iterator<Item = &str> {
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
        let (name, path) = ("x/a.py".to_owned(), "a.py".into());
        Submission { name, path, is_accepted: false, rules, expected_grade: None }
    }

    fn with_outcomes<'a>(verdicts: &[(&'a str, Verdict)]) -> Vec<(&'a str, Verdict, Option<Outcome>)> {
        verdicts.iter().map(|&(test, verdict)| (test, verdict, Outcome::of(verdict))).collect()
    }

    /// Returns the rules that `submissions.yaml` has under a pattern.
    fn rules(value: &Value) -> Vec<Rule> {
        let mut rules = Vec::new();
        add_rules(value.as_object().unwrap(), None, &mut rules).unwrap();
        rules
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
            let submission = submission(vec![default_rule(class, is_legacy).unwrap()]);
            submission.unexpected(&with_outcomes(&verdicts(seen)), &BTreeSet::new()).is_none()
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
    fn results_that_a_source_names() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("a.py");
        for (text, expected) in [
            ("# @EXPECTED_RESULTS@: WRONG-ANSWER\n1", Some("AC or WA, at least one WA")),
            (
                "/* @EXPECTED_RESULTS@: TIMELIMIT, RUN-ERROR */",
                Some("AC or TLE or RTE, at least one TLE or RTE"),
            ),
            ("@EXPECTED_RESULTS@: correct", Some("AC")),
            ("@EXPECTED_RESULTS@: CHECK-MANUALLY", None),
            ("print(1)", None),
        ] {
            std::fs::write(&source, text).unwrap();
            for program in [&source, folder.path()] {
                let rule = expected_results(program).unwrap();
                let shown = rule.map(|rule| submission(vec![rule]).expected());
                assert_eq!(shown.as_deref(), expected, "{text}");
            }
        }
    }

    #[test]
    fn rules_of_some_tests() {
        let submission = submission(rules(&json!({
            "secret/hard": {"permitted": ["AC", "TLE"], "required": ["TLE"]},
            "sample": {"permitted": "AC"}
        })));
        let unexpected = |verdicts: &[(&str, Verdict)]| {
            submission.unexpected(&with_outcomes(verdicts), &BTreeSet::new()).map(|(_, why)| why)
        };
        assert_eq!(unexpected(&[("sample/1", Verdict::Accepted), ("secret/hard/1", Verdict::TimeCpu)]), None);
        assert_eq!(
            unexpected(&[("sample/1", Verdict::WrongAnswer)]).unwrap(),
            "WRONG_ANSWER on sample/1 is not expected"
        );
        assert_eq!(
            unexpected(&[("secret/hard/1", Verdict::Accepted)]).unwrap(),
            "no test among secret/hard has TLE"
        );
        for wrong in [
            json!({"permitted": ["NO"]}),
            json!({"permitted": [1]}),
            json!({"required": 3}),
            json!({"message": 3}),
            json!({"use_for_time_limit": "no"}),
            json!({"secret": {"use_for_time_limit": 1}}),
        ] {
            assert!(add_rules(wrong.as_object().unwrap(), None, &mut Vec::new()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn messages_of_the_validator() {
        let submission = submission(rules(&json!({"secret": {"message": "too many"}})));
        let verdicts = [("sample/1", Verdict::WrongAnswer), ("secret/1", Verdict::WrongAnswer)];
        assert_eq!(submission.expected_messages("sample/1").next(), None);
        assert_eq!(submission.expected_messages("secret/1").collect::<Vec<_>>(), ["too many"]);
        let unexpected = |test: &str| {
            let messages = BTreeSet::from([(test.to_owned(), "too many".to_owned())]);
            submission.unexpected(&with_outcomes(&verdicts), &messages).map(|(_, why)| why)
        };
        assert_eq!(unexpected("secret/1"), None);
        assert_eq!(
            unexpected("sample/1").unwrap(),
            "the validator wrote \"too many\" on no test among secret"
        );
    }

    #[test]
    fn rules_that_bound_the_time_limit() {
        let of_class = |class: &str, is_legacy| {
            let rule = default_rule(class, is_legacy).unwrap();
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
        let bounds = |value: Value| {
            let submission = submission(rules(&value));
            (submission.rules_below().count(), submission.rules_above().count())
        };
        assert_eq!(bounds(json!({"permitted": ["AC"]})), (1, 0));
        assert_eq!(bounds(json!({"permitted": ["AC"], "use_for_time_limit": "false"})), (0, 0));
        assert_eq!(bounds(json!({"required": ["TLE"], "use_for_time_limit": "true"})), (0, 1));
        assert_eq!(bounds(json!({"required": ["TLE", "RTE"]})), (0, 0));
        assert_eq!(bounds(json!({"use_for_time_limit": "lower"})), (1, 0));
        assert_eq!(bounds(json!({"secret": {"use_for_time_limit": "upper"}})), (0, 1));
    }
}
