//! Problems of Hydro and of judges with its format, such as that of Frontier-CS: `config.yaml` names the interactor, the limits
//! and the tests.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use itertools::Itertools;
use runner::message::print_error;
use serde::Deserialize;
use serde_json::Value;

use crate::referee::interactor::seats::MAX_PROCESSES_OF_BOT;
use crate::referee::interactor::style::{Style, TestCase};
use crate::text::shortened;
use crate::trials::problem::inputs;
use crate::trials::problem::limits::{PackageLimits, number_from};
use crate::trials::problem::package::{MAX_TESTS, OnlyCompared, Package, is_header};
use crate::trials::problem::yaml::NumberText;
use crate::units::{parse_memory_limit, parse_time_limit};

/// The file of a problem, at the top of its folder or among its tests.
pub(crate) const FILES: [&str; 4] =
    ["config.yaml", "testdata/config.yaml", "config.yml", "testdata/config.yml"];

/// The folders of tests beside `config.yaml`.
const TEST_FOLDERS: [&str; 3] = ["testdata", "input", ""];

const DEFAULT_TIME: &str = "1s";
const DEFAULT_MEMORY: &str = "256m";

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    #[serde(rename = "type")]
    kind: String,
    interactor: Option<SourceName>,
    /// In place of the interactor, in the type communication.
    manager: Option<SourceName>,
    num_processes: Option<String>,
    multi_pass: Option<String>,
    user_extra_files: Option<Vec<Value>>,
    /// Files for the interactor.
    judge_extra_files: Option<Vec<String>>,
    /// Factors of the limits of single languages.
    time_limit_rate: Value,
    memory_limit_rate: Value,
    /// The limits of the problem, and the tests that are in no subtask.
    #[serde(flatten)]
    whole: Subtask,
    subtasks: Option<Vec<Subtask>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name of a source, or a map with the key file")]
enum SourceName {
    Name(String),
    WithLanguage { file: String },
}

/// The limits of a problem, a subtask or a case.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LimitTexts {
    #[serde(alias = "time_limit")]
    time: Option<String>,
    #[serde(alias = "memory_limit")]
    memory: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Subtask {
    #[serde(flatten)]
    limits: LimitTexts,
    cases: Option<Vec<Case>>,
    /// The number of tests with consecutive numbers as names.
    n_cases: Option<NumberText<u64>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Case {
    input: Option<String>,
    output: Option<String>,
    #[serde(flatten)]
    limits: LimitTexts,
}

pub(crate) fn read(package: &mut Package, folder: &Path, config: &Config) -> anyhow::Result<()> {
    if !matches!(&*config.kind, "interactive" | "communication") {
        let expected = "expected the type interactive or communication, found ";
        return Err(OnlyCompared(format!("{expected}{}", shortened(&config.kind))).into());
    }
    ensure!(
        config.multi_pass.is_none(),
        "multi_pass: expected a problem with one pass: the judge does not run the passes of Hydro"
    );
    ensure!(
        config.user_extra_files.as_ref().is_none_or(Vec::is_empty),
        "user_extra_files: expected none: the judge compiles a bot without files of the problem"
    );
    for (key, rate) in
        [("time_limit_rate", &config.time_limit_rate), ("memory_limit_rate", &config.memory_limit_rate)]
    {
        if !rate.is_null() {
            print_error(format_args!("config.yaml: {key}: the judge applies no limits of single languages"));
        }
    }
    if let Some(file) = config.judge_extra_files.iter().flatten().find(|file| !is_header(file)) {
        print_error(format_args!(
            "config.yaml: judge_extra_files: {file} is not in the folder in which the judge starts the interactor"
        ));
    }
    let (source, by_default, role) = if config.kind == "communication" {
        package.style = Style::Cms;
        (&config.manager, "manager.cc", "the manager")
    } else {
        (&config.interactor, "interactor.cc", "the interactor")
    };
    let source = match source {
        Some(SourceName::Name(name) | SourceName::WithLanguage { file: name }) => name,
        None => by_default,
    };
    // A file is in the folder of `config.yaml`, or among the tests.
    package.places = vec![folder.to_owned(), folder.join("testdata")];
    package.validator = Some(package.file(source).context(role)?);
    if package.style == Style::Cms {
        let count = config.num_processes.as_deref().unwrap_or("none");
        let parsed = number_from("a number", 1..=MAX_PROCESSES_OF_BOT)(count);
        package.seats.count = parsed.map_err(|error| anyhow!("num_processes: {error}, found {count}"))?;
    }
    read_tests(package, config)
}

/// Reads the tests that the configuration lists, or else those of the folder, and the largest limits of a test.
fn read_tests(package: &mut Package, config: &Config) -> anyhow::Result<()> {
    let (mut tests, mut all_limits, mut numbered) = (Vec::new(), Vec::new(), 0);
    let (whole, subtasks) = (&config.whole, config.subtasks.as_deref().unwrap_or_default());
    let has_own = whole.cases.is_some() || whole.n_cases.is_some() || subtasks.is_empty();
    for subtask in Some(whole).filter(|_| has_own).into_iter().chain(subtasks) {
        let cases = subtask.cases.as_deref().unwrap_or_default();
        for case in cases {
            all_limits.push(limits_of(&[&case.limits, &subtask.limits, &whole.limits])?);
            let input = case.input.as_deref().context("cases: expected the key input in each case")?;
            let answer = case.output.as_deref().filter(|output| *output != "/dev/null");
            let answer = answer.map(|answer| package.file(answer)).transpose()?;
            tests.push(TestCase::new(package.file(input)?, answer));
        }
        if cases.is_empty() {
            all_limits.push(limits_of(&[&subtask.limits, &whole.limits])?);
            for _ in 0..subtask.n_cases.map_or(0, |NumberText(count)| count.min(MAX_TESTS)) {
                numbered += 1;
                tests.extend(inputs::find(&[package.file(&format!("{numbered}.in"))?])?);
            }
        }
    }
    if tests.is_empty() {
        let mut folders = TEST_FOLDERS.iter().map(|folder| package.places[0].join(folder));
        let found = folders.find_map(|folder| inputs::find(&[folder]).ok());
        tests = found.context("expected tests, found none: neither the key cases nor a file NAME.in")?;
        // Where all files are in one folder, some without an ending are no tests.
        tests.retain(|test| test.input.as_ref().is_some_and(|input| input.extension().is_some()));
    }
    package.tests = tests;
    if !all_limits.iter().all_equal() {
        print_error(
            "config.yaml: the tests have different limits; the judge applies the largest ones to all tests",
        );
    }
    let (times, memories): (Vec<_>, Vec<_>) = all_limits.into_iter().unzip();
    let (time, memory) = (times.into_iter().max(), memories.into_iter().max());
    package.limits = PackageLimits::of_bot(time, memory)?.with_interactor();
    Ok(())
}

/// Returns the CPU time and the memory in bytes of a test: in each case the first limit that one of the texts gives.
fn limits_of(texts: &[&LimitTexts]) -> anyhow::Result<(Duration, u64)> {
    let time = texts.iter().find_map(|texts| texts.time.as_deref()).unwrap_or(DEFAULT_TIME);
    let memory = texts.iter().find_map(|texts| texts.memory.as_deref()).unwrap_or(DEFAULT_MEMORY);
    // Hydro's megabyte has 2^20 bytes.
    let bytes = parse_memory_limit(memory.trim_end_matches(['b', 'B']));
    Ok((
        parse_time_limit(time).map_err(|error| anyhow!("time: {error}, found {time}"))?,
        bytes.map_err(|error| anyhow!("memory: {error}, found {memory}"))?,
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::trials::problem::format::tests::{assert_fault, described, read, with_files};

    /// Checks the programs, the limits of the bot and of the interactor, the number of processes, and the tests.
    #[test]
    fn parts_of_problems() {
        let all = "interactor.cc testdata/1.in testdata/1.ans testdata/2.in testdata/10.in";
        let first = "test testdata/1: testdata/1.in testdata/1.ans\n";
        let second = "test testdata/2: testdata/2.in -\n";
        let tenth = "test testdata/10: testdata/10.in -\n";
        let largest = "type: interactive\ntime: 500ms\nmemory: 64MB\nsubtasks:\n- time: 300ms\n  cases:\n  \
                       - {input: 1.in, output: 1.ans}\n  \
                       - {input: 10.in, output: /dev/null, time: 400ms, memory: 32m}\n";
        let of_frontier_cs =
            "type: interactive\ntime: 5s\nmemory: 1024m\nsubtasks:\n  - score: 100\n    n_cases: 2\n";
        let with_language = "type: interactive\ninteractor: {file: interactor.cc, lang: cc.cc17o2}\n";
        let numbered = "type: interactive\nn_cases: 2\n";
        let manager = "type: communication\nmanager: interactor.cc\nnum_processes: 3\n";
        for (config, programs, seconds, gib, processes, tests) in [
            (of_frontier_cs, "testlib interactor.cc - 5s 1024 MiB", 20, 4, 1, [first, second].concat()),
            (with_language, "testlib interactor.cc - 1s 256 MiB", 10, 2, 1, [first, second, tenth].concat()),
            (numbered, "testlib interactor.cc - 1s 256 MiB", 10, 2, 1, [first, second].concat()),
            (largest, "testlib interactor.cc - 400ms 64 MiB", 10, 2, 1, [first, tenth].concat()),
            (manager, "cms interactor.cc - 1s 256 MiB", 10, 2, 3, [first, second, tenth].concat()),
        ] {
            let folder = with_files("config.yaml", config, all);
            let package = read(folder.path()).unwrap();
            assert_eq!(described(&package), format!("{programs}\n{tests}"), "{config}");
            let of_interactor = (Duration::from_secs(seconds), gib << 30);
            assert_eq!(
                (package.limits.interactor, package.seats.count),
                (of_interactor, processes),
                "{config}"
            );
        }
        let among_tests = "testdata/config.yaml";
        let folder =
            with_files(among_tests, "type: interactive\ninteractor: i.py", "testdata/i.py testdata/1.in");
        let test = "test testdata/1: testdata/1.in -";
        let expected = format!("testlib testdata/i.py - 1s 256 MiB\n{test}\n");
        assert_eq!(described(&read(folder.path()).unwrap()), expected);
    }

    #[test]
    fn faults_and_other_problems() {
        const KIND: &str = "type: interactive";
        let text = "type: interactive\ninteractor: i.py\ntime: 1s\nmemory: 256m\nsubtasks:\n- cases: [{input: 1.in}]\n";
        let manager = |count: &str| format!("type: communication\nmanager: i.py{count}");
        let processes = "num_processes: expected a number from 1 to 64, found ";
        for fault in [
            (KIND, "type: communication", "the manager: expected the file manager.cc, found none"),
            (KIND, &manager(""), &format!("{processes}none")),
            (KIND, &manager("\nnum_processes: 0"), &format!("{processes}0")),
            (KIND, "type: default\nchecker_type: a", "interactive or communication, found default"),
            ("", "multi_pass: 2", "multi_pass: expected a problem with one pass"),
            ("", "user_extra_files: [a.h]", "user_extra_files: expected none"),
            ("i.py", "none.py", "the interactor: expected the file none.py, found none"),
            ("1.in", "2.in", "expected the file 2.in, found none"),
            ("1.in", "/etc/passwd", "expected a file of the package"),
            ("{input: 1.in}", "{output: 1.in}", "expected the key input in each case"),
            ("cases: [{input: 1.in}]", "n_cases: 2", "expected the file 2.in, found none"),
            ("cases: [{input: 1.in}]", "n_cases: many", "expected a number in its range, found many"),
            ("1s", "soon", "time: expected a time from 1ms to 24h"),
            ("256m", "0m", "memory: expected a size from 1M"),
        ] {
            assert_fault("config.yaml", text, "i.py 1.in", fault);
        }
    }
}
