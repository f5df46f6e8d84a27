//! The limits of a problem package.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, ensure};
use runner::limits::Limits;
use serde_json::{Map, Value};

use crate::conversation::facts::{DEFAULT_OUTPUT, OutputLimit};
use crate::trials::problem::run::LIMITS_OF_PROBLEMS;
use crate::trials::problem::yaml::read_file;

/// The default limits of an interactor: the CPU time, and the memory in bytes.
const INTERACTOR_LIMITS: (Duration, u64) = (Duration::from_secs(10), 2 << 30);

/// The limits of a package, and by default those of a problem without one. Memory is in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackageLimits {
    /// The CPU time and the memory of the bot; `None` if the package does not give them.
    pub(crate) time: Option<Duration>,
    pub(crate) memory: Option<u64>,
    pub(crate) output: OutputLimit,
    /// The CPU time and the memory of the interactor.
    pub(crate) interactor: (Duration, u64),
    pub(crate) interactor_output: OutputLimit,
    /// The time limit is at least this many times the time of a submission that has to be fast enough.
    pub(crate) from_accepted: f64,
    /// A submission that has to be too slow takes at least this many times the time limit; `None` in the
    /// `legacy` format.
    pub(crate) to_too_slow: Option<f64>,
    /// Whether a given time limit has to satisfy these factors. A limit in `problem.yaml` has to, except in the
    /// `legacy` format. A limit in another file, such as `.timelimit`, does not have to, because that file belongs to a
    /// contest system.
    pub(crate) binds_given_limit: bool,
    /// The unit of a computed time limit: if the package gives no time limit, the computed limit is a multiple of this
    /// time.
    pub(crate) time_resolution: Duration,
}

pub(crate) const LIMITS: &[&[&str]] = &[
    &["time_limit", "time_multipliers", "time_resolution", "memory", "output"],
    &["validation_time", "validation_memory", "validation_output", "validation_passes"],
    &["code", "compilation_time", "compilation_memory"],
];
pub(crate) const LEGACY_LIMITS: &[&[&str]] = &[&["time_multiplier", "time_safety_margin"]];

/// The smallest and the largest time in a package. The options for time limits have the same range.
const MIN_TIME: Duration = Duration::from_millis(1);
const MAX_TIME: Duration = Duration::from_secs(86_400);

/// 1 TiB.
const MAX_MIB: u64 = 1 << 20;

const MAX_FACTOR: f64 = 1000.0;

impl Default for PackageLimits {
    fn default() -> Self {
        Self {
            time: None,
            memory: None,
            output: DEFAULT_OUTPUT,
            interactor: INTERACTOR_LIMITS,
            interactor_output: DEFAULT_OUTPUT,
            from_accepted: 1.0,
            to_too_slow: None,
            binds_given_limit: false,
            time_resolution: Duration::from_secs(1),
        }
    }
}

impl PackageLimits {
    /// Returns the limits that `given`, the map `limits` of `problem.yaml`, has for the package in `folder`, in which other
    /// files may give a time limit too. A value that is out of its range is an error.
    pub(crate) fn of_map(given: &Map<String, Value>, folder: &Path, is_legacy: bool) -> anyhow::Result<Self> {
        let multipliers = given.get("time_multipliers").cloned().unwrap_or_default();
        let multipliers: Option<Map<_, _>> =
            serde_json::from_value(multipliers).context("time_multipliers")?;
        let multipliers = multipliers.unwrap_or_default();
        let factor = |map: &Map<_, _>, key: &str| in_range(key, "a number", map.get(key), 1.0..=MAX_FACTOR);
        let seconds = |key: &str| seconds(key, given.get(key));
        let bytes = |key: &str| -> anyhow::Result<Option<u64>> {
            let mib = in_range(key, "a number of MiB", given.get(key), 1..=MAX_MIB)?;
            Ok(mib.map(|mib| mib << 20))
        };
        let time = seconds("time_limit")?;
        let default = Self::default();
        let (cpu, memory) = default.interactor;
        Ok(Self {
            time: if time.is_some() { time } else { time_beside(folder)? },
            memory: bytes("memory")?,
            // In the format 2025-09, stderr counts too.
            output: bytes("output")?
                .map_or(default.output, |bytes| OutputLimit { bytes, with_stderr: !is_legacy }),
            interactor: (
                seconds("validation_time")?.unwrap_or(cpu),
                bytes("validation_memory")?.unwrap_or(memory),
            ),
            interactor_output: OutputLimit {
                bytes: bytes("validation_output")?.unwrap_or(0).max(DEFAULT_OUTPUT.bytes),
                ..DEFAULT_OUTPUT
            },
            from_accepted: match factor(&multipliers, "ac_to_time_limit")? {
                None if is_legacy => factor(given, "time_multiplier")?.unwrap_or(5.0),
                given => given.unwrap_or(2.0),
            },
            to_too_slow: factor(&multipliers, "time_limit_to_tle")?.or(Some(1.5)).filter(|_| !is_legacy),
            binds_given_limit: time.is_some() && !is_legacy,
            time_resolution: seconds("time_resolution")?.unwrap_or(default.time_resolution),
        })
    }

    /// Returns the limits of a package that gives only those of the bot: its CPU time, and its memory in bytes. A value that
    /// is out of its range is an error.
    pub(crate) fn of_bot(time: Option<Duration>, memory: Option<u64>) -> anyhow::Result<Self> {
        ensure!(
            time.is_none_or(|time| (MIN_TIME..=MAX_TIME).contains(&time)),
            "expected a time limit from 1 ms to 86400 s, found {:?}",
            time.unwrap_or_default()
        );
        ensure!(
            memory.is_none_or(|memory| (1..=MAX_MIB << 20).contains(&memory)),
            "expected a memory limit from 1 byte to 1 TiB, found {} bytes",
            memory.unwrap_or_default()
        );
        Ok(Self { time, memory, ..Self::default() })
    }

    /// Returns the default limits of the bot.
    pub(crate) fn bot(self) -> Limits {
        let default = LIMITS_OF_PROBLEMS;
        Limits {
            cpu: self.time.unwrap_or(default.cpu),
            memory: self.memory.unwrap_or(default.memory),
            ..default
        }
    }

    /// Returns the same limits with those of an interactor that has more than the default if the bot has much.
    pub(crate) fn with_interactor(self) -> Self {
        /// The ratio of the interactor's limits to those of the bot in Frontier-CS and `InteractBench`; in Hydro it is half
        /// of that.
        const FACTOR: u32 = 4;
        let (cpu, memory) = self.interactor;
        let of_bot = (self.time.unwrap_or_default(), self.memory.unwrap_or_default());
        Self { interactor: (cpu.max(of_bot.0 * FACTOR), memory.max(of_bot.1 * u64::from(FACTOR))), ..self }
    }

    /// Returns the smallest time limit that is allowed if `slowest` is the time of the slowest submission that has to
    /// be fast enough.
    pub(crate) fn time_for(&self, slowest: Duration) -> Duration {
        let steps = slowest.as_secs_f64() * self.from_accepted / self.time_resolution.as_secs_f64();
        // The largest resolution is a day, so this cannot overflow.
        self.time_resolution.mul_f64(steps.ceil().clamp(1.0, 1e6)).min(MAX_TIME)
    }
}

fn seconds(name: &str, value: Option<&Value>) -> anyhow::Result<Option<Duration>> {
    let range = MIN_TIME.as_secs_f64()..=MAX_TIME.as_secs_f64();
    Ok(in_range(name, "a number of seconds", value, range)?.map(Duration::from_secs_f64))
}

/// Returns the number that a text of a YAML file stands for. `name` and `what` say in messages what is expected.
pub(crate) fn in_range<T: PartialOrd + Display + FromStr>(
    name: &str,
    what: &str,
    value: Option<&Value>,
    range: RangeInclusive<T>,
) -> anyhow::Result<Option<T>> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(None) };
    let number = value.as_str().and_then(|text| text.parse().ok()).filter(|number| range.contains(number));
    let found = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let (least, most) = (range.start(), range.end());
    number.map(Some).with_context(|| format!("{name}: expected {what} from {least} to {most}, found {found}"))
}

/// Returns the time limit from a file of a contest system: `.timelimit`, or else `domjudge-problem.ini`.
fn time_beside(folder: &Path) -> anyhow::Result<Option<Duration>> {
    if let Some(text) = read_file(&folder.join(".timelimit"))? {
        return seconds(".timelimit", Some(&text.trim().into()));
    }
    let text = read_file(&folder.join("domjudge-problem.ini"))?.unwrap_or_default();
    let mut values = text.lines().filter_map(|line| line.split_once('='));
    let value = values.find(|(name, _)| name.trim() == "timelimit").map(|(_, value)| value.trim());
    let value = value.map(|value| value.trim_matches(['\'', '"']).into());
    seconds("domjudge-problem.ini: timelimit", value.as_ref())
}
