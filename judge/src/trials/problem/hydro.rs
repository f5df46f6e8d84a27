//! Problems of Hydro and of judges with its format, such as that of Frontier-CS: `config.yaml` names the interactor, the limits
//! and the tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use runner::message::print_error;
use serde::Deserialize;
use serde_json::Value;

use crate::referee::interactor::seats::MAX_PROCESSES_OF_BOT;
use crate::referee::interactor::style::Style;
use crate::text::shortened;
use crate::trials::problem::inputs::{self, Input};
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::package::{
    MAX_TESTS, OnlyCompared, Package, PackageTest, ensure_inside, is_header,
};
use crate::trials::problem::yaml::Number;
use crate::units::{parse_memory_limit, parse_time_limit};

/// The file of a problem, at the top of its folder or among its tests.
pub(crate) const FILES: [&str; 4] =
    ["config.yaml", "testdata/config.yaml", "config.yml", "testdata/config.yml"];

/// The folders of tests beside `config.yaml`.
const TEST_FOLDERS: [&str; 3] = ["testdata", "input", "."];

/// The limits of a problem that gives none.
const DEFAULT_TIME: &str = "1s";
const DEFAULT_MEMORY: &str = "256m";

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    #[serde(rename = "type")]
    kind: String,
    interactor: Option<Source>,
    /// In place of the interactor, in the type communication.
    manager: Option<Source>,
    num_processes: Option<Number<u8>>,
    #[serde(flatten)]
    limits: Limits,
    multi_pass: Option<String>,
    user_extra_files: Option<Vec<Value>>,
    /// Files for the interactor.
    judge_extra_files: Option<Vec<String>>,
    /// Factors of the limits of single languages.
    time_limit_rate: Value,
    memory_limit_rate: Value,
    cases: Option<Vec<Case>>,
    subtasks: Option<Vec<Subtask>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name of a source, or a map with the key file")]
enum Source {
    Name(String),
    WithLanguage { file: String },
}

/// The limits of a problem, a subtask or a case.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct Limits {
    #[serde(alias = "time_limit")]
    time: Option<String>,
    #[serde(alias = "memory_limit")]
    memory: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Subtask {
    #[serde(flatten)]
    limits: Limits,
    cases: Option<Vec<Case>>,
    /// The number of tests with consecutive numbers as names.
    n_cases: Option<Number<u32>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Case {
    input: Option<String>,
    output: Option<String>,
    #[serde(flatten)]
    limits: Limits,
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
        Some(Source::Name(name) | Source::WithLanguage { file: name }) => name,
        None => by_default,
    };
    let files = Files { root: &package.root, base: folder.canonicalize()? };
    package.validator = Some(files.file(source).context(role)?);
    if package.style == Style::Cms {
        package.seats.count = processes(config.num_processes)?;
    }
    (package.tests, package.limits) = files.tests(config)?;
    Ok(())
}

/// Returns the number of processes of a bot with a manager.
fn processes(number: Option<Number<u8>>) -> anyhow::Result<u8> {
    let count = number.map(|Number(count)| count).filter(|count| (1..=MAX_PROCESSES_OF_BOT).contains(count));
    count.with_context(|| {
        let found = number.map_or_else(|| "none".to_owned(), |Number(count)| count.to_string());
        format!("num_processes: expected a number from 1 to {MAX_PROCESSES_OF_BOT}, found {found}")
    })
}

/// Where the files of a problem are.
struct Files<'a> {
    root: &'a Path,
    /// The folder of `config.yaml` as an absolute path.
    base: PathBuf,
}

impl Files<'_> {
    /// Returns the path of a file beside `config.yaml` or among the tests.
    fn file(&self, name: &str) -> anyhow::Result<PathBuf> {
        let mut places = [".", "testdata"].iter().map(|folder| self.base.join(folder).join(name));
        let path = places.find(|path| path.is_file());
        let path = path.with_context(|| format!("expected the file {name}, found none"))?.canonicalize()?;
        ensure_inside(self.root, &path)?;
        Ok(path)
    }

    /// Returns the tests that the configuration lists, or else those of the folder, and the largest limits of a test.
    fn tests(&self, config: &Config) -> anyhow::Result<(Vec<PackageTest>, PackageLimits)> {
        let (mut inputs, mut all_limits) = (Vec::new(), Vec::new());
        let subtasks = config.subtasks.iter().flatten();
        let listed = config.cases.iter().map(|cases| (&config.limits, cases));
        let in_subtasks =
            subtasks.clone().filter_map(|subtask| Some((&subtask.limits, subtask.cases.as_ref()?)));
        for (limits, cases) in listed.chain(in_subtasks) {
            for case in cases {
                all_limits.push(case.limits.or(limits).or(&config.limits));
                let input = case.input.as_deref().context("cases: expected the key input in each case")?;
                let answer = case.output.as_deref().filter(|output| *output != "/dev/null");
                let answer = answer.map(|name| self.file(name)).transpose()?;
                inputs.push(Input { path: self.file(input)?, answer });
            }
        }
        let mut numbered = 0;
        for subtask in subtasks.filter(|subtask| subtask.cases.is_none()) {
            all_limits.push(subtask.limits.or(&config.limits));
            for _ in 0..subtask.n_cases.map_or(0, |Number(count)| count.min(MAX_TESTS)) {
                numbered += 1;
                inputs.extend(inputs::find(&[self.file(&format!("{numbered}.in"))?])?);
            }
        }
        if inputs.is_empty() {
            let mut folders = TEST_FOLDERS.iter().map(|folder| self.base.join(folder));
            let found = folders.find_map(|folder| inputs::find(&[folder.canonicalize().ok()?]).ok());
            inputs = found.context("expected tests, found none: neither the key cases nor a file NAME.in")?;
            // Where all files are in one folder, some without an ending are no tests.
            inputs.retain(|input| input.path.extension().is_some());
        }
        ensure!(
            (1..=MAX_TESTS as usize).contains(&inputs.len()),
            "expected from 1 to {MAX_TESTS} tests, found {}",
            inputs.len()
        );
        if all_limits.is_empty() {
            all_limits.push(config.limits.clone());
        }
        Ok((PackageTest::of_inputs(self.root, inputs)?, largest(&all_limits)?))
    }
}

impl Limits {
    /// Returns these limits, with those of `outer` in place of missing ones.
    fn or(&self, outer: &Self) -> Self {
        let Self { time, memory } = outer;
        Self {
            time: self.time.as_ref().or(time.as_ref()).cloned(),
            memory: self.memory.as_ref().or(memory.as_ref()).cloned(),
        }
    }
}

fn largest(limits: &[Limits]) -> anyhow::Result<PackageLimits> {
    let time = |limits: &Limits| {
        let text = limits.time.as_deref().unwrap_or(DEFAULT_TIME);
        parse_time_limit(text).map_err(|error| anyhow!("time: {error}, found {text}"))
    };
    let memory = |limits: &Limits| {
        let text = limits.memory.as_deref().unwrap_or(DEFAULT_MEMORY);
        // Hydro's megabyte has 2^20 bytes.
        let memory = parse_memory_limit(text.trim_end_matches(['b', 'B']));
        memory.map_err(|error| anyhow!("memory: {error}, found {text}"))
    };
    let times: BTreeSet<_> = limits.iter().map(time).collect::<anyhow::Result<_>>()?;
    let memories: BTreeSet<_> = limits.iter().map(memory).collect::<anyhow::Result<_>>()?;
    if times.len() > 1 || memories.len() > 1 {
        print_error(
            "config.yaml: the tests have different limits; the judge applies the largest ones to all tests",
        );
    }
    Ok(PackageLimits::of_bot(times.last().copied(), memories.last().copied())?.with_interactor())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::trials::problem::format::tests::{assert_faults, folder, read, tests_of};

    fn test(name: &str, answer: Option<&str>) -> (String, String, Option<String>) {
        (name.to_owned(), format!("{name}.in"), answer.map(str::to_owned))
    }

    #[test]
    fn parts_of_problems() {
        let all = ["interactor.cc", "testdata/1.in", "testdata/1.ans", "testdata/2.in", "testdata/10.in"];
        for (config, limits, of_interactor, expected) in [
            // Frontier-CS
            (
                "config.yaml:type: interactive\ntime: 5s\nmemory: 1024m\nsubtasks:\n  - score: 100\n    n_cases: 2\n",
                (5000, 1024),
                (20, 4),
                vec![test("testdata/1", Some("testdata/1.ans")), test("testdata/2", None)],
            ),
            (
                "config.yaml:type: interactive\ninteractor: {file: interactor.cc, lang: cc.cc17o2}\n",
                (1000, 256),
                (10, 2),
                vec![
                    test("testdata/1", Some("testdata/1.ans")),
                    test("testdata/2", None),
                    test("testdata/10", None),
                ],
            ),
            // The largest of the limits counts.
            (
                "config.yaml:type: interactive\ntime: 500ms\nmemory: 64MB\nsubtasks:\n- time: 300ms\n  cases:\n  \
                 - {input: 2.in, output: 1.ans}\n  - {input: 10.in, output: /dev/null, time: 400ms, memory: 32m}\n",
                (400, 64),
                (10, 2),
                vec![test("testdata/2", Some("testdata/1.ans")), test("testdata/10", None)],
            ),
        ] {
            let folder = folder(&[&[config], &all[..]].concat());
            let package = read(folder.path()).unwrap();
            assert_eq!(tests_of(&package), expected, "{config}");
            let (ms, mib) = limits;
            assert_eq!(package.default_limits(), (Duration::from_millis(ms), mib << 20), "{config}");
            let of_interactor = (Some(Duration::from_secs(of_interactor.0)), Some(of_interactor.1 << 30));
            let PackageLimits { validation_time, validation_memory, .. } = package.limits;
            assert_eq!((validation_time, validation_memory), of_interactor, "{config}");
            assert!(
                package.validator.as_ref().unwrap().ends_with("interactor.cc")
                    && package.style == Style::Testlib
            );
        }
        // Hydro
        let hydro = folder(&[
            "testdata/config.yaml:type: interactive\ninteractor: i.py",
            "testdata/i.py",
            "testdata/a1.in",
        ]);
        let package = read(hydro.path()).unwrap();
        assert_eq!(tests_of(&package), [test("testdata/a1", None)]);
        // CMS
        let manager = "config.yaml:type: communication\nmanager: m.py\nnum_processes: 3\n";
        let cms = folder(&[manager, "m.py", "testdata/1.in"]);
        let package = read(cms.path()).unwrap();
        assert_eq!((package.style, package.seats.count), (Style::Cms, 3));
        assert!(package.validator.unwrap().ends_with("m.py"));
    }

    #[test]
    fn faults_and_other_problems() {
        let text = "type: interactive\ninteractor: i.py\ntime: 1s\nmemory: 256m\nsubtasks:\n- cases: [{input: 1.in}]\n";
        let files = ["config.yaml", "i.py", "1.in"];
        assert_faults(
            text,
            &files,
            &[
                (
                    "type: interactive",
                    "type: communication",
                    "the manager: expected the file manager.cc, found none",
                ),
                (
                    "type: interactive",
                    "type: communication\nmanager: i.py",
                    "num_processes: expected a number from 1 to 64, found none",
                ),
                (
                    "type: interactive",
                    "type: communication\nmanager: i.py\nnum_processes: 0",
                    "num_processes: expected a number from 1 to 64, found 0",
                ),
                (
                    "type: interactive",
                    "type: default\nchecker_type: default",
                    "expected the type interactive or communication, found default",
                ),
                ("time:", "multi_pass: 2\ntime:", "multi_pass: expected a problem with one pass"),
                ("time:", "user_extra_files: [a.h]\ntime:", "user_extra_files: expected none"),
                ("i.py", "none.py", "the interactor: expected the file none.py, found none"),
                ("1.in", "2.in", "expected the file 2.in, found none"),
                ("1.in", "/etc/passwd", "expected a file of the package"),
                ("{input: 1.in}", "{output: 1.in}", "expected the key input in each case"),
                ("cases: [{input: 1.in}]", "n_cases: 2", "expected the file 2.in, found none"),
                ("cases: [{input: 1.in}]", "n_cases: many", "expected a number in its range, found many"),
                ("1s", "soon", "time: expected a time from 1ms to 24h"),
                ("256m", "0m", "memory: expected a size from 1M"),
            ],
        );
    }
}
