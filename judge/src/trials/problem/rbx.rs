//! Packages of rbx: `problem.rbx.yml` names the interactor, the checker, the limits, the tests, and the solutions with the
//! outcomes that they promise.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use itertools::Itertools;
use runner::message::print_error;
use serde::Deserialize;
use serde_json::Value;

use crate::referee::interactor::style::TestCase;
use crate::trials::problem::expected::OutcomeRule;
use crate::trials::problem::inputs;
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::package::{OnlyCompared, Package};
use crate::trials::problem::yaml::NumberText;

pub(crate) const FILE: &str = "problem.rbx.yml";

/// The folder in which rbx puts the tests of each group.
const BUILT_TESTS: &str = "build/tests";

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct RbxProblem {
    #[serde(rename = "type")]
    kind: String,
    /// In milliseconds.
    time_limit: Option<NumberText<u32>>,
    /// In MiB.
    memory_limit: Option<NumberText<u32>>,
    interactor: Option<ProgramEntry>,
    checker: Option<ProgramEntry>,
    testcases: Vec<Group>,
    generator_script: Value,
    solutions: Vec<Solution>,
    /// The limits of single languages.
    modifiers: Value,
}

#[derive(Deserialize)]
struct ProgramEntry {
    path: String,
    /// Of an interactor: `true` if a checker decides after it.
    #[serde(default)]
    legacy: String,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Group {
    name: String,
    testcases: Vec<Testcase>,
    testcase_glob: Option<String>,
    generators: Vec<Value>,
    generator_script: Value,
    subgroups: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Testcase {
    input_path: String,
    output_path: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Solution {
    /// A path or a pattern.
    path: String,
    #[serde(default)]
    outcome: String,
    /// The outcomes on the tests of single groups. The key `*` stands for all other groups.
    #[serde(default)]
    outcome_per_group: BTreeMap<String, String>,
}

pub(crate) fn read(package: &mut Package, file: &RbxProblem) -> anyhow::Result<()> {
    if !file.kind.eq_ignore_ascii_case("communication") {
        let found = if file.kind.is_empty() { "none" } else { &file.kind };
        return Err(OnlyCompared(format!("expected the type COMMUNICATION, found {found}")).into());
    }
    let interactor = file.interactor.as_ref().context("expected an interactor, found none")?;
    let checker = file.checker.as_ref().filter(|_| interactor.legacy.eq_ignore_ascii_case("true"));
    package.checker = checker.map(|checker| package.file(&checker.path)).transpose()?;
    package.validator = Some(package.file(&interactor.path)?);
    package.limits = PackageLimits::of_bot(
        file.time_limit.map(|NumberText(ms)| Duration::from_millis(ms.into())),
        file.memory_limit.map(|NumberText(mib)| u64::from(mib) << 20),
    )?;
    if !file.modifiers.is_null() {
        print_error(format_args!("{FILE}: modifiers: the judge applies no limits of single languages"));
    }
    let mut missing = Vec::new();
    for group in &file.testcases {
        match group.tests(package, !file.generator_script.is_null())? {
            Some(found) => package.tests.extend(found),
            None => missing.push(&*group.name),
        }
    }
    let missing = missing.iter().join(" and ");
    ensure!(
        !package.tests.is_empty() || missing.is_empty(),
        "expected tests, found none: \"rbx build\" generates those of {missing}"
    );
    if !missing.is_empty() {
        print_error(format_args!(
            "{FILE}: the tests of {missing} are not there: \"rbx build\" generates them in {BUILT_TESTS}"
        ));
    }
    if package.checker.is_some() && package.tests.iter().any(|test| test.answer.is_none()) {
        print_error(format_args!(
            "{FILE}: tests have no answer, which the checker may need: \"rbx build\" makes the answers in {BUILT_TESTS}"
        ));
    }
    for solution in &file.solutions {
        let promised = solution.promised(&file.testcases, &package.root);
        let mut paths = vec![package.root.join(&solution.path)];
        if !paths[0].exists() {
            let pattern = inputs::in_pattern(&package.root, &solution.path);
            paths = glob::glob(&pattern.to_string_lossy())
                .with_context(|| solution.path.clone())?
                .collect::<Result<_, _>>()?;
        }
        for path in paths {
            package.add_solution(&path, promised.clone(), (None, None))?;
        }
    }
    Ok(())
}

impl Group {
    /// Returns the tests of the group: those that rbx has built, or else the files of the group. Returns `None` if the group
    /// has generated tests that are not built. `is_scripted` says whether groups without tests of their own are generated.
    fn tests(&self, package: &Package, is_scripted: bool) -> anyhow::Result<Option<Vec<TestCase>>> {
        let built = package.root.join(BUILT_TESTS).join(&self.name);
        if let Ok(tests) = inputs::find(&[built]) {
            return Ok(Some(tests));
        }
        if self.is_generated(is_scripted) {
            return Ok(None);
        }
        let mut tests = Vec::new();
        for group in self.with_subgroups() {
            for test in &group.testcases {
                let answer = test.output_path.as_ref().map(|answer| package.file(answer)).transpose()?;
                tests.push(TestCase::new(package.file(&test.input_path)?, answer));
            }
            if let Some(pattern) = &group.testcase_glob {
                tests.extend(inputs::find(&[inputs::in_pattern(&package.root, pattern)])?);
            }
        }
        Ok(Some(tests))
    }

    fn with_subgroups(&self) -> impl Iterator<Item = &Self> {
        [self].into_iter().chain(&self.subgroups)
    }

    /// Returns a pattern for the names of the tests.
    fn pattern(&self, root: &Path) -> String {
        let built = format!("{BUILT_TESTS}/{}", self.name);
        let inputs = self.with_subgroups().flat_map(|group| {
            group.testcases.iter().map(|test| &test.input_path).chain(&group.testcase_glob)
        });
        let names = inputs.map(|input| input.strip_suffix(".in").unwrap_or(input)).join(",");
        if names.is_empty() || root.join(&built).is_dir() { built } else { format!("{{{names}}}") }
    }

    fn is_generated(&self, is_scripted: bool) -> bool {
        let has_files = !self.testcases.is_empty() || self.testcase_glob.is_some();
        !self.generators.is_empty()
            || !self.generator_script.is_null()
            || is_scripted && !has_files && self.subgroups.is_empty()
            || self.subgroups.iter().any(|group| group.is_generated(is_scripted))
    }
}

impl Solution {
    /// Returns what is promised about all tests, and about those of `groups`; an outcome that the judge cannot check is the
    /// error.
    fn promised(&self, groups: &[Group], root: &Path) -> Result<Vec<OutcomeRule>, &str> {
        let mut rules = rules_of(&self.outcome)?;
        for group in groups {
            let outcome = self.outcome_per_group.get(&group.name).or_else(|| self.outcome_per_group.get("*"));
            let of_group = rules_of(outcome.map_or("", |outcome| outcome))?;
            rules.extend(
                of_group.into_iter().map(|rule| OutcomeRule { tests: Some(group.pattern(root)), ..rule }),
            );
        }
        Ok(rules)
    }
}

/// Returns the rule that the outcome `name` of rbx promises; none if nothing is promised.
fn rules_of(name: &str) -> Result<Vec<OutcomeRule>, &str> {
    let is_any = name.is_empty() || name.eq_ignore_ascii_case("any");
    OutcomeRule::of_words(Some(name).filter(|_| !is_any))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::problem::format::tests::{assert_fault, described, read, with_files};

    const TEXT: &str = "type: communication\ntimeLimit: 1500\nmemoryLimit: 64\ninteractor: {path: i.py, legacy: true}\n\
                        checker: {path: c.py}\ntestcases:\n- {name: samples, testcaseGlob: 'samples/*.in'}\n\
                        - name: more\n  subgroups:\n  - {name: a, testcases: [{inputPath: x.in, outputPath: x.ans}]}\n\
                        - {name: built, generatorScript: {path: plan.txt}}\n- {name: missing, generators: [{name: g}]}\n\
                        solutions:\n- {path: s/a.py, outcome: ac}\n- {path: 's/wa*.py', outcome: WRONG_ANSWER}\n\
                        - {path: s/b.py, outcome: 'AC/TLE'}\n- {path: s/c.py}\n- {path: s/d.py, outcome: JF}\n\
                        - {path: s/e.py, outcome: fail, outcomePerGroup: {'*': ac, built: wa, more: any}}\n\
                        - {path: s/e.py, outcomePerGroup: {built: CE}}\n";
    const FILES: &str =
        "i.py c.py samples/1.in samples/1.ans x.in x.ans s/a.py s/wa1.py s/wa2.py s/b.py s/c.py s/e.py";

    #[test]
    fn parts_of_a_package() {
        let built = "build/tests/built/000.in build/tests/built/000.out";
        let folder = with_files(FILE, TEXT, &format!("{FILES} {built}"));
        assert_eq!(
            described(&read(folder.path()).unwrap()),
            "testlib i.py c.py 1.5s 64 MiB\n\
             test samples/1: samples/1.in samples/1.ans\n\
             test x: x.in x.ans\n\
             test build/tests/built/000: build/tests/built/000.in build/tests/built/000.out\n\
             s/a.py: AC\n\
             s/wa1.py: AC or WA, at least one WA\n\
             s/wa2.py: AC or WA, at least one WA\n\
             s/b.py: AC or TLE\n\
             s/c.py: \n\
             s/e.py: AC or WA or TLE or RTE, at least one WA or TLE or RTE; {samples/*}: AC; \
             build/tests/built: AC or WA, at least one WA; build/tests/missing: AC\n"
        );
        // Without `legacy` there is no checker.
        let text = TEXT.replace(", legacy: true", "");
        std::fs::write(folder.path().join(FILE), text).unwrap();
        assert!(read(folder.path()).unwrap().checker.is_none());
    }

    #[test]
    fn faults_and_other_problems() {
        for fault in [
            ("communication", "BATCH", "expected the type COMMUNICATION, found BATCH"),
            ("type: communication", "name: a", "expected the type COMMUNICATION, found none"),
            ("interactor: {path: i.py, legacy: true}\n", "", "expected an interactor, found none"),
            ("i.py", "j.py", "expected the file j.py, found none"),
            ("c.py", "d.py", "expected the file d.py, found none"),
            ("x.ans", "y.ans", "expected the file y.ans, found none"),
            ("x.in", "../x.in", "expected the file ../x.in, found none"),
            ("samples/*.in", "none/*.in", "expected an input, found no such file"),
            ("1500", "fast", "expected a number in its range, found fast"),
            ("s/b.py", "/etc/passwd", "expected a file of the package"),
        ] {
            assert_fault(FILE, TEXT, FILES, fault);
        }
        let generated = "type: communication\ninteractor: {path: i.py}\ngeneratorScript: {path: a}\ntestcases: [{name: b}]\n";
        let built = "expected tests, found none: \"rbx build\" generates those of b";
        assert_fault(FILE, generated, FILES, ("name: b", "name: b", built));
    }
}
