//! The submissions of a problem package: where they are, and which files say what is expected of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use runner::message::print_error;
use runner::sources::folder::entries;
use serde_json::{Map, Value};

use crate::keys::{Keys, Places, names, text};
use crate::text::did_you_mean;
use crate::trials::problem::expected::{
    Expected, FOLDERS, OutcomeRule, TestOutcome, known_folder, matches_with_parents, with_parents,
};
use crate::trials::problem::icpc::{is_readme, named_entries};
use crate::trials::problem::package::Package;
use crate::trials::problem::yaml::{YamlFile, warn_of_unknown};

#[derive(Clone, Debug)]
pub(crate) struct Submission {
    /// The path below `submissions`, or in a package of Polygon.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) is_accepted: bool,
    pub(crate) expected: Expected,
    /// The CPU time and the memory in bytes that only this submission may use, in place of the limits of the package.
    pub(crate) limits: (Option<Duration>, Option<u64>),
}

/// Returns the submissions of a package, sorted by folder and name; those of `accepted` come first.
pub(crate) fn find(package: &Package) -> anyhow::Result<Vec<Submission>> {
    if let Some(solutions) = &package.solutions {
        ensure!(
            !solutions.is_empty(),
            "{}: expected solutions, found none: type the command of a bot after \"--\"",
            package.folder.display()
        );
        return Ok(solutions.clone());
    }
    let folder = package.root.join("submissions");
    ensure!(
        folder.is_dir(),
        "{}: expected the folder of the submissions, found none; a bot's command after \"--\" is run instead of them",
        folder.display()
    );
    let tests: Vec<&str> = package.tests.iter().map(|test| &*test.name).collect();
    let file = folder.join("submissions.yaml");
    let given = given_rules(&file, &tests, package.is_legacy)?;
    let mut submissions = Vec::new();
    for (class, path) in named_entries(&folder)?.into_iter().filter(|(_, path)| path.is_dir()) {
        let by_folder =
            OutcomeRule::of_folder(&class, package.is_legacy).filter(|_| !given.contains_key(&class));
        let mut is_unknown = false;
        for (name, program) in named_entries(&path)? {
            if is_readme(&name) || name == "submissions.yaml" {
                continue;
            }
            package.ensure_inside(&program)?;
            let name = format!("{class}/{name}");
            let mut own = given.iter().filter(|(pattern, _)| matches_with_parents(pattern, &name)).peekable();
            let by_source = expected_results(&program)?.filter(|_| own.peek().is_none());
            // The format `legacy`, which alone has grades, does not know the folder `brute_force`.
            let is_graded = package.graders.is_some() && by_source.is_none() && class != "brute_force";
            let grade = known_folder(&class).filter(|_| is_graded);
            let rules = match by_source {
                Some(rule) => vec![rule],
                None => by_folder.iter().chain(own.flat_map(|(_, rules)| rules)).cloned().collect(),
            };
            let (is_accepted, expected) = (class == "accepted", Expected { rules, grade });
            is_unknown |= !expected.is_stated();
            submissions.push(Submission { name, path: program, is_accepted, expected, limits: (None, None) });
        }
        if is_unknown && !given.contains_key(&class) {
            print_error(format_args!(
                "{}: the format has no folder of this name, so nothing is expected of its submissions{}",
                path.display(),
                did_you_mean(&class, FOLDERS.map(|(name, _)| name))
            ));
        }
    }
    let names: Vec<&str> = submissions.iter().map(|submission| &*submission.name).collect();
    for pattern in given.keys().filter(|pattern| OutcomeRule::of_folder(pattern, false).is_none()) {
        if let Some(meant) = unmatched(pattern, &names) {
            print_error(format_args!("{}: no submission matches {pattern:?}{meant}", file.display()));
        }
    }
    ensure!(
        submissions.iter().any(|submission| submission.is_accepted),
        "{}: expected at least one submission in the folder accepted, found none",
        folder.display()
    );
    submissions.sort_by_key(|submission| !submission.is_accepted);
    Ok(submissions)
}

/// Returns the rule that a source gives by `@EXPECTED_RESULTS@:` and a list of results, as `DOMjudge` reads it; `None` if
/// it gives none. `program` is a source or a folder of sources.
fn expected_results(program: &Path) -> anyhow::Result<Option<OutcomeRule>> {
    /// Number of bytes at the beginning of a source in which the list is looked for.
    const SEARCHED: u64 = 1 << 20;
    let sources = if program.is_dir() { entries(program)? } else { vec![program.to_owned()] };
    for source in sources.iter().filter(|source| source.is_file()) {
        let mut text = Vec::new();
        let file = File::open(source).and_then(|file| file.take(SEARCHED).read_to_end(&mut text));
        file.with_context(|| format!("{} cannot be read", source.display()))?;
        let Some(start) = memchr::memmem::find(&text, MARK) else { continue };
        let list = text[start + MARK.len()..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        let list = String::from_utf8_lossy(list);
        let results: Vec<_> = list.split([',', ' ', '\t', '\r']).filter_map(TestOutcome::promised).collect();
        if !results.is_empty() {
            return Ok(Some(OutcomeRule::promising(&results.concat())));
        }
    }
    Ok(None)
}

const MARK: &[u8] = b"@EXPECTED_RESULTS@:";

/// The keys that are allowed only below a pattern of submissions, and the keys that are also allowed below a pattern of
/// tests. Any other key below a pattern of submissions is a pattern of tests.
const KEYS: &[&str] = &["language", "entrypoint", "authors", "model_solution"];
const TEST_KEYS: &[&str] = &["permitted", "required", "score", "message", "use_for_time_limit"];

/// The keys that would change what is run or expected, but are not supported.
const UNSUPPORTED: [&str; 3] = ["language", "entrypoint", "score"];

/// Returns the rules that `submissions.yaml` has below each pattern of submissions.
fn given_rules(
    path: &Path,
    tests: &[&str],
    is_legacy: bool,
) -> anyhow::Result<BTreeMap<String, Vec<OutcomeRule>>> {
    let Some(yaml) = YamlFile::read(path)? else { return Ok(BTreeMap::new()) };
    let mut rules = BTreeMap::new();
    for (pattern, value) in yaml.parse::<BTreeMap<String, Value>>()? {
        let place = format!("{}: {pattern}", path.display());
        let Ok(map) = serde_json::from_value::<Option<Map<_, _>>>(value) else {
            bail!("{place}: expected a map");
        };
        let default = OutcomeRule::of_folder(&pattern, is_legacy);
        rules.insert(pattern, rules_of(&place, map.unwrap_or_default(), default, tests)?);
    }
    Ok(rules)
}

/// Returns the rules that `submissions.yaml` has under one pattern. `default` is the rule that the keys of the map change.
/// Warns of keys that are unknown or not supported, and of patterns that match none of `tests`.
fn rules_of(
    place: &str,
    map: Map<String, Value>,
    default: Option<OutcomeRule>,
    tests: &[&str],
) -> anyhow::Result<Vec<OutcomeRule>> {
    let is_own = |(key, value): &(String, Value)| {
        !value.is_object() || [KEYS, TEST_KEYS].concat().contains(&key.as_str())
    };
    let (own, of_tests): (Map<_, _>, Map<_, _>) = map.into_iter().partition(is_own);
    warn_of_keys(place, &own, &[KEYS, TEST_KEYS]);
    let mut rules = with_keys(&own, None, default).with_context(|| place.to_owned())?;
    for (pattern, inner) in &of_tests {
        let Some(inner) = inner.as_object() else { continue };
        let place_of_tests = format!("{place}: {pattern}");
        warn_of_keys(&place_of_tests, inner, &[TEST_KEYS]);
        if let Some(meant) = unmatched(pattern, tests) {
            print_error(format_args!("{place}: no test matches {pattern:?}{meant}"));
        }
        rules.extend(with_keys(inner, Some(pattern), None).context(place_of_tests)?);
    }
    Ok(rules)
}

/// Returns a suggestion for a pattern that matches none of the names; `None` if it matches one.
fn unmatched(pattern: &str, names: &[&str]) -> Option<String> {
    let is_matched = names.iter().any(|name| matches_with_parents(pattern, name));
    (!is_matched).then(|| did_you_mean(pattern, names.iter().flat_map(|name| with_parents(name))))
}

/// Warns of keys that are not known, or known but not supported.
fn warn_of_keys(place: &str, map: &Map<String, Value>, known: &[&[&str]]) {
    warn_of_unknown(place, map.keys(), known);
    for key in map.keys().filter(|key| UNSUPPORTED.contains(&key.as_str())) {
        print_error(format_args!("{place}: the key {key:?} is ignored"));
    }
}

/// Returns the rules of a map for the tests that match a pattern: the rule `default`, changed by the keys of the map,
/// and a rule for `use_for_time_limit: lower` or `upper`.
fn with_keys(
    map: &Map<String, Value>,
    tests: Option<&String>,
    default: Option<OutcomeRule>,
) -> anyhow::Result<Vec<OutcomeRule>> {
    let mut keys = Keys::new("", map.clone(), Places::new());
    let outcomes = |value: &Value| {
        let named = serde_json::from_value(names(value)?.into());
        named.map_err(|_| "expected a list of AC, WA, TLE and RTE")
    };
    let (permitted, required) = (keys.read("permitted", outcomes)?, keys.read("required", outcomes)?);
    let message = keys.read("message", text)?.filter(|message| !message.is_empty());
    let not_slow = || {
        OutcomeRule::all(
            &[TestOutcome::Accepted, TestOutcome::Wrong, TestOutcome::Crashed],
            &TestOutcome::ALL,
        )
    };
    let use_for_time_limit = |text: &str| match text {
        "true" => Ok((true, None)),
        "false" => Ok((false, None)),
        "lower" => Ok((true, Some(not_slow()))),
        "upper" => Ok((true, Some(OutcomeRule::all(&TestOutcome::ALL, &[TestOutcome::TooSlow])))),
        _ => Err("expected true, false, lower or upper"),
    };
    let (bounds_time, bound) = keys.parsed("use_for_time_limit", use_for_time_limit)?.unwrap_or((true, None));
    let is_given = permitted.is_some() || required.is_some() || message.is_some();
    let rule = default.or_else(|| is_given.then(|| OutcomeRule::all(&TestOutcome::ALL, &TestOutcome::ALL)));
    let rule = rule.map(|rule| OutcomeRule {
        permitted: permitted.unwrap_or(rule.permitted),
        required: required.unwrap_or(rule.required),
        bounds_time: rule.bounds_time && bounds_time,
        tests: None,
        message,
    });
    Ok(rule.into_iter().chain(bound).map(|rule| OutcomeRule { tests: tests.cloned(), ..rule }).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::conversation::verdict::Verdict;
    use crate::trials::problem::expected::Difference;
    use crate::trials::problem::expected::tests::seen;

    fn rules(value: &Value) -> anyhow::Result<Vec<OutcomeRule>> {
        rules_of("a.yaml: b", value.as_object().unwrap().clone(), None, &["sample/1", "secret/hard/1"])
    }

    /// Returns what `submissions.yaml` expects under a pattern.
    fn expected(value: &Value) -> Expected {
        Expected::of_rules(rules(value).unwrap())
    }

    #[test]
    fn results_that_a_source_names() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("a.py");
        for (text, expected) in [
            ("# @EXPECTED_RESULTS@: WRONG-ANSWER\n1", Some("AC or WA, at least one WA")),
            ("@EXPECTED_RESULTS@: TIMEOUT, RTE */", Some("AC or TLE or RTE, at least one TLE or RTE")),
            ("@EXPECTED_RESULTS@: correct", Some("AC")),
            ("@EXPECTED_RESULTS@: CHECK-MANUALLY", None),
            ("print(1)", None),
        ] {
            std::fs::write(&source, text).unwrap();
            for program in [&source, folder.path()] {
                let rule = expected_results(program).unwrap();
                let shown = rule.map(|rule| Expected::of_rules(vec![rule]).text());
                assert_eq!(shown.as_deref(), expected, "{text}");
            }
        }
    }

    #[test]
    fn rules_of_some_tests() {
        let expected = expected(&json!({
            "secret/hard": {"permitted": ["AC", "TLE"], "required": ["TLE"], "message": "too many"},
            "sample": {"permitted": "AC"}
        }));
        let unexpected =
            |at| Difference::Unexpected(Some(at), "WRONG_ANSWER on sample/1 is not expected".to_owned());
        let missing = |why: &str| Difference::Missing(why.to_owned());
        let [right, wrong] = [Verdict::Accepted, Verdict::WrongAnswer].map(|verdict| ("sample/1", verdict));
        let [easy, slow] = [Verdict::Accepted, Verdict::TimeCpu].map(|verdict| ("secret/hard/1", verdict));
        let unwritten = missing("the validator wrote \"too many\" on no test among secret/hard");
        for (verdicts, has_message, difference) in [
            (&[right, slow][..], "secret/hard/1", None),
            (&[right, slow], "sample/1", Some(unwritten)),
            (&[wrong], "", Some(unexpected(0))),
            (&[easy], "", Some(missing("no test among secret/hard has TLE"))),
            // What another test may show does not hide what this test shows.
            (&[easy, wrong], "", Some(unexpected(1))),
        ] {
            let seen = verdicts.iter().map(|&(test, verdict)| {
                seen(test, verdict, if test == has_message { "too many queries" } else { "" })
            });
            assert_eq!(expected.difference(&seen.collect::<Vec<_>>(), None), difference);
        }
    }

    #[test]
    fn wrong_values() {
        let list = "expected a list of AC, WA, TLE and RTE";
        let limit = "expected true, false, lower or upper";
        for (wrong, expected) in [
            (json!({"permitted": ["OK"]}), format!("invalid value [\"OK\"] for \"permitted\": {list}")),
            (
                json!({"required": {"a": "b"}}),
                "invalid value {\"a\":\"b\"} for \"required\": expected".to_owned(),
            ),
            (json!({"message": ["a"]}), "invalid value [\"a\"] for \"message\": expected a text".to_owned()),
            (
                json!({"sample": {"use_for_time_limit": "no"}}),
                format!("sample: invalid value \"no\" for \"use_for_time_limit\": {limit}"),
            ),
        ] {
            let error = format!("{:#}", rules(&wrong).unwrap_err());
            assert!(error.starts_with(&format!("a.yaml: b: {expected}")), "{error}");
        }
    }

    #[test]
    fn rules_that_bound_the_time_limit() {
        let bounds = |value: Value| {
            let expected = expected(&value);
            (expected.rules_below().count(), expected.rules_above().count())
        };
        assert_eq!(bounds(json!({"permitted": ["AC"]})), (1, 0));
        assert_eq!(bounds(json!({"permitted": ["AC"], "use_for_time_limit": "false"})), (0, 0));
        assert_eq!(bounds(json!({"required": ["TLE"], "use_for_time_limit": "true"})), (0, 1));
        assert_eq!(bounds(json!({"required": ["TLE", "RTE"]})), (0, 0));
        assert_eq!(bounds(json!({"use_for_time_limit": "lower"})), (1, 0));
        assert_eq!(bounds(json!({"secret": {"use_for_time_limit": "upper"}})), (0, 1));
    }
}
