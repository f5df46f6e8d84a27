//! The jobs of `judge batch`, each a JSON object on a line.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use clap::ValueEnum;
use itertools::Itertools;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::batch::answer::LineError;
use crate::cli::{InteractorOptions, LimitOptions};
use crate::json::bound_values;
use crate::referee::game::setup::{GameHeader, OpponentKind};
use crate::referee::interactor::seats::MAX_PROCESSES_OF_BOT;
use crate::text::{did_you_mean, nearest, shortened};

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
        Self::read_fields(&mut id, line, json).map_err(|error| LineError::new(id, line, &error))
    }

    fn read_fields(known_id: &mut Option<String>, line: u64, json: &[u8]) -> anyhow::Result<Self> {
        let value = bound_values(json, MAX_VALUES).and_then(|()| serde_json::from_slice(json));
        let mut fields =
            Fields::of("", "an object", value.context("expected the line to be a JSON object")?)?;
        let short = |id: String| Some(id).filter(|id| (1..=MAX_ID).contains(&id.len()));
        let id = fields.required("id", "a text of 1 to 256 bytes", short)?;
        *known_id = Some(id.clone());
        let problem = fields.take("problem", "a folder or an object", Some::<Value>)?;
        let task = match (problem, fields.text("game")?) {
            (Some(problem), None) => {
                let mut problem = ProblemSource::read(problem)?;
                if let Some(tests) = fields.paths("tests")? {
                    problem.tests = tests;
                }
                Task::Problem(problem)
            }
            (None, Some(game)) => Task::Game {
                header: game
                    .parse()
                    .map_err(|error| anyhow!("the header in \"game\" is malformed: {error}"))?,
                opponent: fields.named("opponent")?.unwrap_or(OpponentKind::Perfect),
            },
            (problem, _) => {
                let got = match problem {
                    Some(_) => "both".to_owned(),
                    None => fields.in_place_of(&["problem", "game"]),
                };
                bail!("expected one of the keys \"problem\" and \"game\", got {got}")
            }
        };
        let seconds = |seconds: f64| {
            let limits = Duration::from_millis(1)..=Duration::from_secs(86400);
            Duration::try_from_secs_f64(seconds).ok().filter(|time| limits.contains(time))
        };
        let above_0 = |score: f64| Some(score).filter(|&score| score > 0.0);
        let job = Self {
            id,
            line,
            task,
            source: JobSource::read(fields.required("source", JobSource::EXPECTED, Some::<Value>)?)?,
            stop: fields.named("stop")?.unwrap_or(Stop::Never),
            limits: LimitOptions {
                time_limit: fields.take("time_limit", "a number of seconds from 0.001 to 86400", seconds)?,
                memory_limit: fields
                    .whole("memory_limit_mb", "a whole number of MiB from 1 to 2^40", 1..=1_u64 << 40)?
                    .map(|mib| mib << 20),
                ..LimitOptions::default()
            },
            seed: fields.whole("seed", "a whole number of at least 0", 0..=u64::MAX)?.unwrap_or(1),
            repeat: fields.whole("repeat", "a whole number from 1 to 1000", 1..=1000)?.unwrap_or(1),
            full_score: fields.take("full_score", "a number above 0", above_0)?,
            keeps_output: fields.named("output")? == Some(KeptOutput::Full),
        };
        fields.end()?;
        Ok(job)
    }
}

impl ProblemSource {
    fn read(value: Value) -> anyhow::Result<Self> {
        let mut programs = InteractorOptions::default();
        if let Value::String(folder) = value {
            programs.problem = Some(folder.into());
            return Ok(Self { programs, tests: Vec::new() });
        }
        let mut fields = Fields::of("problem", "a folder or an object", value)?;
        programs.interactor = fields.text("interactor")?.map(OsString::from);
        programs.style = fields.named("style")?;
        programs.checker = fields.text("checker")?.map(OsString::from);
        programs.passes = fields.whole("passes", "1 or 2", 1..=2)?;
        programs.interactive_passes = fields.whole("interactive_passes", "0, 1 or 2", 0..=2)?;
        programs.between = fields.text("between")?.map(OsString::from);
        let processes = 1..=MAX_PROCESSES_OF_BOT;
        programs.processes_of_bot =
            fields.whole("processes_of_bot", "a whole number from 1 to 64", processes)?;
        programs.bot_io = fields.named("bot_io")?;
        programs.with = fields.paths("with")?.unwrap_or_default();
        ensure!(
            programs.names_programs(),
            "expected \"problem\" to have an \"interactor\", or two passes and a \"checker\""
        );
        let tests = fields.paths("inputs")?.unwrap_or_default();
        fields.end()?;
        Ok(Self { programs, tests })
    }
}

impl JobSource {
    const EXPECTED: &str = "an object with language and code, with path, or with command";

    fn read(value: Value) -> anyhow::Result<Self> {
        let mut fields = Fields::of("source", Self::EXPECTED, value)?;
        let source = if let Some(code) = fields.text("code")? {
            Self::Code { language: fields.required("language", "a text", Some)?, code }
        } else if let Some(path) = fields.text("path")? {
            let path = PathBuf::from(path);
            // It is not the name of a bot in judge.toml.
            let is_name = path.components().count() == 1;
            Self::Command(vec![if is_name { Path::new(".").join(path) } else { path }.into()])
        } else {
            let words = |words: Vec<String>| Some(words).filter(|words| !words.is_empty());
            let words = fields.take("command", "a list of at least one text", words)?;
            let missing =
                || format!("expected \"source\" to be {}, got an object without them", Self::EXPECTED);
            Self::Command(words.with_context(missing)?.into_iter().map(OsString::from).collect())
        };
        fields.end()?;
        Ok(source)
    }
}

/// An object whose fields are taken one after the other. A field of the value `null` is like a missing one.
struct Fields {
    /// The key of the object in the job; empty for the job itself.
    place: &'static str,
    values: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Fields {
    fn of(place: &'static str, expected: &str, value: Value) -> anyhow::Result<Self> {
        match value {
            Value::Object(values) => Ok(Self { place, values, known: Vec::new() }),
            other if place.is_empty() => bail!("expected the job to be {expected}, got {}", shown(&other)),
            other => bail!("expected {place:?} to be {expected}, got {}", shown(&other)),
        }
    }

    fn name(&self, key: &str) -> String {
        if self.place.is_empty() { format!("{key:?}") } else { format!("\"{}.{key}\"", self.place) }
    }

    /// Takes the value of a key, read by `read`. `expected` says in messages what `read` accepts.
    fn take<V: DeserializeOwned, T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(V) -> Option<T>,
    ) -> anyhow::Result<Option<T>> {
        self.known.push(key);
        let Some(value) = self.values.remove(key).filter(|value| !value.is_null()) else { return Ok(None) };
        let got = shown(&value);
        let wrong = || format!("expected {} to be {expected}, got {got}", self.name(key));
        serde_json::from_value(value).ok().and_then(read).map(Some).with_context(wrong)
    }

    fn required<V: DeserializeOwned, T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(V) -> Option<T>,
    ) -> anyhow::Result<T> {
        let value = self.take(key, expected, read)?;
        value.with_context(|| {
            format!("expected the key {} with {expected}, got {}", self.name(key), self.in_place_of(&[key]))
        })
    }

    fn text(&mut self, key: &'static str) -> anyhow::Result<Option<String>> {
        self.take(key, "a text", Some)
    }

    fn paths(&mut self, key: &'static str) -> anyhow::Result<Option<Vec<PathBuf>>> {
        let list = |value: Value| if value.is_array() { value } else { Value::Array(vec![value]) };
        self.take(key, "a text or a list of texts", |paths| serde_json::from_value(list(paths)).ok())
    }

    fn named<T: ValueEnum>(&mut self, key: &'static str) -> anyhow::Result<Option<T>> {
        let names = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let expected = format!("one of {}", names.map(|name| name.get_name().to_owned()).join(", "));
        self.take(key, &expected, |name: String| T::from_str(&name, false).ok())
    }

    fn whole<T: DeserializeOwned + PartialOrd>(
        &mut self,
        key: &'static str,
        expected: &str,
        range: RangeInclusive<T>,
    ) -> anyhow::Result<Option<T>> {
        self.take(key, expected, |number| Some(number).filter(|number| range.contains(number)))
    }

    /// Returns the key that is there in place of a missing one.
    fn in_place_of(&self, missing: &[&str]) -> String {
        let given = missing.iter().find_map(|key| nearest(key, self.values.keys().map(String::as_str)));
        given.map_or_else(|| "none".to_owned(), |key| format!("{:?}", shortened(key)))
    }

    /// Refuses keys that have not been taken.
    fn end(&self) -> anyhow::Result<()> {
        let Some(key) = self.values.keys().next() else { return Ok(()) };
        let meant = did_you_mean(key, self.known.iter().copied());
        let place = if self.place.is_empty() { String::new() } else { format!(" in {:?}", self.place) };
        bail!("expected the keys {}{place}, got {:?}{meant}", self.known.join(", "), shortened(key))
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => format!("{:?}", shortened(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
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
            ("id", json!(17), r#"expected "id" to be a text of 1 to 256 bytes, got 17"#),
            ("id", json!("x".repeat(300)), r#"expected "id" to be a text of 1 to 256 bytes, got "xxx"#),
            ("id", Value::Null, r#"expected the key "id" with a text of 1 to 256 bytes, got none"#),
            ("source", json!(1), r#"expected "source" to be an object with language and code, with path"#),
            ("source", json!({}), "or with command, got an object without them"),
            ("source", json!({"path": 5}), r#"expected "source.path" to be a text, got 5"#),
            ("source", json!({"code": ""}), r#"expected the key "source.language" with a text, got none"#),
            ("source", json!({"path": "a", "code": "", "language": ""}), r#"in "source", got "path""#),
            ("problem", json!([]), r#"expected "problem" to be a folder or an object, got a list"#),
            (
                "problem",
                json!({"interactor": "i", "style": "x"}),
                r#""problem.style" to be one of testlib, icpc"#,
            ),
            ("game", json!("1 1 1"), r#"expected one of the keys "problem" and "game", got both"#),
            ("problem", Value::Null, r#"expected one of the keys "problem" and "game", got none"#),
            ("tets", json!(1), r#", got "tets"; did you mean "tests"?"#),
            ("opponent", json!("slow"), "expected the keys id, problem, game, tests, source, stop"),
            ("tests", json!([1]), r#"expected "tests" to be a text or a list of texts, got a list"#),
            ("stop", json!(true), r#"expected "stop" to be one of first_failure, never, got true"#),
            ("time_limit", json!("2s"), r#"to be a number of seconds from 0.001 to 86400, got "2s""#),
            ("time_limit", json!(-1), "got -1"),
            ("memory_limit_mb", json!(0.5), r#"expected "memory_limit_mb" to be a whole number of MiB"#),
            ("seed", json!(-1), r#"expected "seed" to be a whole number of at least 0, got -1"#),
            ("output", json!("all"), r#"expected "output" to be one of excerpt, full, got "all""#),
            ("full_score", json!(0), r#"expected "full_score" to be a number above 0, got 0"#),
            ("repeat", json!(0), r#"expected "repeat" to be a whole number from 1 to 1000, got 0"#),
        ] {
            let mut job = json!({"id": "a", "problem": "guess/", "source": {"path": "bot.py"}});
            job[key] = value;
            let got = read(&job).unwrap_err();
            assert!(got.error.contains(error), "{job}: {got:?}");
            assert_eq!(got.id, (key != "id").then(|| "a".to_owned()));
        }
        for (line, error) in [
            (r#"{"id": "a", "gmae": "6 1 2"}"#, r#"the keys "problem" and "game", got "gmae""#),
            (r#"{"id": "a", "game": "6 1 2", "sorce": {}}"#, r#"or with command, got "sorce""#),
            ("[1]", "expected the job to be an object, got a list"),
            ("{", "EOF while parsing"),
        ] {
            let got = Job::read(1, line.as_bytes()).unwrap_err();
            assert!(got.error.contains(error), "{got:?}");
        }
    }
}
