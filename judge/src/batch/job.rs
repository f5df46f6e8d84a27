//! The jobs of `judge batch`, each a JSON object on a line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use serde_json::Value;

use crate::batch::answer::LineError;
use crate::cli::{InteractorOptions, LimitOptions};
use crate::json::bound_values;
use crate::keys::{Keys, Places, text, texts};
use crate::referee::game::setup::{GameHeader, OpponentKind};
use crate::referee::interactor::seats::MAX_PROCESSES_OF_BOT;
use crate::settings::named_value;
use crate::units::{number_in, parse_memory_limit, parse_score, parse_time_limit};

/// A bot, and what it is to be judged by.
#[derive(Debug, PartialEq)]
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) line: u64,
    pub(crate) task: Task,
    pub(crate) source: JobSource,
    pub(crate) stop: Stop,
    pub(crate) limits: LimitOptions,
    pub(crate) seed: u64,
    pub(crate) repeat: u64,
    pub(crate) full_score: Option<f64>,
    /// Whether the result has all that the programs write.
    pub(crate) keeps_output: bool,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Task {
    Game { header: GameHeader, opponent: OpponentKind },
    Problem(ProblemSource),
}

/// A problem, as the options of `judge run` name it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProblemSource {
    pub(crate) programs: InteractorOptions,
    /// The arguments of `--input`.
    pub(crate) tests: Vec<PathBuf>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum JobSource {
    Code { language: String, code: String },
    Command(Vec<OsString>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Stop {
    FirstFailure,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KeptOutput {
    /// The first and the last lines of stderr.
    Excerpt,
    Full,
}

/// Maximum number of JSON values in a line.
const MAX_VALUES: u64 = 1 << 16;

/// Maximum length of an id, in bytes. The ids of all jobs are kept to find one that is used twice.
const MAX_ID: usize = 256;

impl Job {
    pub(crate) fn read(line: u64, json: &[u8]) -> Result<Self, LineError> {
        let mut id = None;
        Self::read_keys(&mut id, line, json).map_err(|error| LineError::new(id, line, &error))
    }

    fn read_keys(known_id: &mut Option<String>, line: u64, json: &[u8]) -> anyhow::Result<Self> {
        let values = bound_values(json, MAX_VALUES).and_then(|()| serde_json::from_slice(json));
        let values = values.context("expected the line to be a JSON object")?;
        let mut keys = Keys::new("", values, Places::new());
        let short = |value: &Value| {
            let id = value.as_str().filter(|id| (1..=MAX_ID).contains(&id.len()));
            id.map(str::to_owned).ok_or("expected a text of 1 to 256 bytes")
        };
        let id = keys.read("id", short)?.ok_or_else(|| keys.missing(&["id"]))?;
        *known_id = Some(id.clone());
        let task = match (ProblemSource::read(&mut keys)?, keys.parsed("game", str::parse::<GameHeader>)?) {
            (Some(mut problem), None) => {
                if let Some(tests) = paths(&mut keys, "tests")? {
                    problem.tests = tests;
                }
                Task::Problem(problem)
            }
            (None, Some(header)) => {
                let opponent = keys.parsed("opponent", named_value)?;
                Task::Game { header, opponent: opponent.unwrap_or(OpponentKind::Perfect) }
            }
            (None, None) => return Err(keys.missing(&["problem", "game"])),
            (Some(_), Some(_)) => bail!("expected one of the keys \"problem\" and \"game\", got both"),
        };
        let above_0 = |text: &str| {
            parse_score(text).ok().filter(|&score| score > 0.0).ok_or("expected a number above 0")
        };
        let job = Self {
            id,
            line,
            task,
            source: JobSource::read(keys.inner("source")?.ok_or_else(|| keys.missing(&["source"]))?)?,
            stop: keys.parsed("stop", named_value)?.unwrap_or(Stop::Never),
            limits: LimitOptions {
                time_limit: keys.parsed("time_limit", parse_time_limit)?,
                memory_limit: keys.parsed("memory_limit_mb", parse_memory_limit)?,
                ..LimitOptions::default()
            },
            seed: keys.parsed("seed", number_in(0..=u64::MAX))?.unwrap_or(1),
            repeat: keys.parsed("repeat", number_in(1..=1000_u64))?.unwrap_or(1),
            full_score: keys.parsed("full_score", above_0)?,
            keeps_output: keys.parsed("output", named_value)? == Some(KeptOutput::Full),
        };
        keys.end()?;
        Ok(job)
    }
}

impl ProblemSource {
    fn read(job: &mut Keys) -> anyhow::Result<Option<Self>> {
        let mut programs = InteractorOptions::default();
        if !job.is_map("problem") {
            let path = |value: &Value| text(value).map_err(|_| "expected a path or an object");
            programs.problem = job.read("problem", path)?.map(PathBuf::from);
            return Ok(programs.problem.is_some().then_some(Self { programs, tests: Vec::new() }));
        }
        let Some(mut keys) = job.inner("problem")? else { return Ok(None) };
        programs.interactor = keys.read("interactor", text)?.map(OsString::from);
        programs.style = keys.parsed("style", named_value)?;
        programs.checker = keys.read("checker", text)?.map(OsString::from);
        programs.passes = keys.parsed("passes", number_in(1..=2_u8))?;
        programs.interactive_passes = keys.parsed("interactive_passes", number_in(0..=2_u8))?;
        programs.between = keys.read("between", text)?.map(OsString::from);
        programs.processes_of_bot = keys.parsed("processes_of_bot", number_in(1..=MAX_PROCESSES_OF_BOT))?;
        programs.bot_io = keys.parsed("bot_io", named_value)?;
        programs.with = paths(&mut keys, "with")?.unwrap_or_default();
        ensure!(
            programs.names_programs(),
            "expected \"problem\" to have an \"interactor\", or two passes and a \"checker\""
        );
        let tests = paths(&mut keys, "inputs")?.unwrap_or_default();
        keys.end()?;
        Ok(Some(Self { programs, tests }))
    }
}

fn paths(keys: &mut Keys, key: &str) -> anyhow::Result<Option<Vec<PathBuf>>> {
    Ok(keys.read(key, texts)?.map(|paths| paths.into_iter().map(PathBuf::from).collect()))
}

impl JobSource {
    fn read(mut keys: Keys) -> anyhow::Result<Self> {
        let source = if let Some(code) = keys.read("code", text)? {
            let language = keys.read("language", text)?.ok_or_else(|| keys.missing(&["language"]))?;
            Self::Code { language, code }
        } else if let Some(path) = keys.read("path", text)? {
            let path = PathBuf::from(path);
            // It is not the name of a bot in judge.toml.
            let is_name = path.components().count() == 1;
            Self::Command(vec![if is_name { Path::new(".").join(path) } else { path }.into()])
        } else {
            let words = |value: &Value| {
                let words = texts(value).ok().filter(|words| value.is_array() && !words.is_empty());
                words.ok_or("expected a list of at least one text")
            };
            let words = keys.read("command", words)?;
            let words = words.ok_or_else(|| keys.missing(&["code", "path", "command"]))?;
            Self::Command(words.into_iter().map(OsString::from).collect())
        };
        keys.end()?;
        Ok(source)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::referee::interactor::style::Style;

    fn read(value: &Value) -> Result<Job, LineError> {
        Job::read(1, value.to_string().as_bytes())
    }

    #[test]
    fn jobs() {
        let job = read(&json!({"id": "a", "problem": "guess/", "source": {"path": "bot.py"}})).unwrap();
        let problem = Some("guess/".into());
        let programs = InteractorOptions { problem, ..InteractorOptions::default() };
        let defaults = || Job {
            id: "a".to_owned(),
            line: 1,
            task: Task::Problem(ProblemSource { programs: programs.clone(), tests: Vec::new() }),
            source: JobSource::Command(vec!["./bot.py".into()]),
            stop: Stop::Never,
            limits: LimitOptions::default(),
            seed: 1,
            repeat: 1,
            full_score: None,
            keeps_output: false,
        };
        assert_eq!(job, defaults());
        let job = read(&json!({
            "id": "a", "source": {"language": "cpp", "code": "int main() {}"}, "stop": "first_failure",
            "problem": {"interactor": "i.cpp", "style": "testlib", "checker": "c.cpp", "inputs": ["1.in", "2.in"]},
            "time_limit": 0.5, "memory_limit_mb": 256, "seed": 7, "repeat": 3, "full_score": 1, "output": "full",
        }));
        let programs = InteractorOptions {
            interactor: Some("i.cpp".into()),
            style: Some(Style::Testlib),
            checker: Some("c.cpp".into()),
            ..InteractorOptions::default()
        };
        let (time_limit, memory_limit) = (Some(Duration::from_millis(500)), Some(256 << 20));
        let expected = Job {
            task: Task::Problem(ProblemSource { programs, tests: vec!["1.in".into(), "2.in".into()] }),
            source: JobSource::Code { language: "cpp".to_owned(), code: "int main() {}".to_owned() },
            stop: Stop::FirstFailure,
            limits: LimitOptions { time_limit, memory_limit, ..LimitOptions::default() },
            seed: 7,
            repeat: 3,
            full_score: Some(1.0),
            keeps_output: true,
            ..defaults()
        };
        assert_eq!(job.unwrap(), expected);
        let job =
            read(&json!({"id": "a", "game": "20 3 5", "opponent": "slow", "source": {"command": ["./b"]}}));
        let task = Task::Game { header: "20 3 5".parse().unwrap(), opponent: OpponentKind::Slow };
        assert_eq!(job.unwrap(), Job { task, source: JobSource::Command(vec!["./b".into()]), ..defaults() });
    }

    /// Changes a right job, and checks the error.
    #[test]
    fn errors_name_the_key_and_what_came() {
        for (key, value, error) in [
            ("id", json!(17), r#"invalid value 17 for "id": expected a text of 1 to 256 bytes"#),
            ("id", json!("x".repeat(300)), r#"xxx... for "id": expected a text of 1 to 256 bytes"#),
            ("id", Value::Null, r#"expected the key "id", got none"#),
            ("source", json!(1), r#"invalid value 1 for "source": expected a map of keys"#),
            (
                "source",
                json!({}),
                r#"expected the key "source.code" or "source.path" or "source.command", got none"#,
            ),
            ("source", json!({"path": 5}), r#"invalid value 5 for "source.path": expected a text"#),
            ("source", json!({"code": ""}), r#"expected the key "source.language", got none"#),
            ("source", json!({"path": "a", "code": "", "language": ""}), r#"in "source", got "path""#),
            ("problem", json!([]), r#"invalid value [] for "problem": expected a path or an object"#),
            (
                "problem",
                json!({"interactor": "i", "style": "x"}),
                r#"invalid value "x" for "problem.style": expected testlib, icpc"#,
            ),
            ("game", json!("1 1 1"), r#"expected one of the keys "problem" and "game", got both"#),
            ("problem", Value::Null, r#"expected the key "problem" or "game", got none"#),
            ("tets", json!(1), r#", got "tets"; did you mean "tests"?"#),
            ("opponent", json!("slow"), "expected the keys id, problem, game, tests, source, stop"),
            ("tests", json!([1]), r#"[1] for "tests": expected a text or a list of texts"#),
            ("stop", json!(true), r#"true for "stop": expected first_failure, never"#),
            ("time_limit", json!("2x"), r#""2x" for "time_limit": expected a time from 1ms to 24h"#),
            ("time_limit", json!(-1), "invalid value -1 for"),
            ("memory_limit_mb", json!(0.5), r#"0.5 for "memory_limit_mb": expected a size from 1M"#),
            ("seed", json!(-1), r#"-1 for "seed": expected a number from 0"#),
            ("output", json!("all"), r#""all" for "output": expected excerpt, full"#),
            ("full_score", json!(0), r#"0 for "full_score": expected a number above 0"#),
            ("repeat", json!(0), r#"0 for "repeat": expected a number from 1 to 1000"#),
        ] {
            let mut job = json!({"id": "a", "problem": "guess/", "source": {"path": "bot.py"}});
            job[key] = value;
            let got = read(&job).unwrap_err();
            assert!(got.error.contains(error), "{job}: {got:?}");
            assert_eq!(got.id, (key != "id").then(|| "a".to_owned()));
        }
        for (line, error) in [
            (r#"{"id": "a", "gmae": "6 1 2"}"#, r#"the key "problem" or "game", got "gmae""#),
            (r#"{"id": "a", "game": "6 1 2", "sorce": {}}"#, r#"expected the key "source", got "sorce""#),
            ("[1]", "expected the line to be a JSON object: invalid type: sequence"),
            ("{", "EOF while parsing"),
        ] {
            let got = Job::read(1, line.as_bytes()).unwrap_err();
            assert!(got.error.contains(error), "{got:?}");
        }
    }
}
