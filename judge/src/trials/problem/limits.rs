//! The limits of a problem package.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde::Deserialize;

use crate::conversation::facts::{DEFAULT_OUTPUT, OutputLimit};
use crate::trials::problem::yaml::{Number, read_file};

/// The default limits of an interactor: the CPU time, and the memory in bytes.
pub(crate) const INTERACTOR_LIMITS: (Duration, u64) = (Duration::from_secs(10), 2 << 30);

/// The limits of a package. Memory is in bytes.
#[derive(Clone, Debug)]
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

/// The map `limits` of `problem.yaml`.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct LimitsInFile {
    time_limit: Option<Number<f64>>,
    time_multiplier: Option<Number<f64>>,
    time_multipliers: Option<Multipliers>,
    time_resolution: Option<Number<f64>>,
    memory: Option<Number<u64>>,
    output: Option<Number<u64>>,
    validation_time: Option<Number<f64>>,
    validation_memory: Option<Number<u64>>,
    validation_output: Option<Number<u64>>,
    pub(crate) validation_passes: Option<Number<u32>>,
}

#[derive(Default, Deserialize)]
struct Multipliers {
    ac_to_time_limit: Option<Number<f64>>,
    time_limit_to_tle: Option<Number<f64>>,
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

impl LimitsInFile {
    /// Returns the limits of the package in `folder`, in which other files may give a time limit too. A value that is out
    /// of its range is an error.
    pub(crate) fn limits(self, folder: &Path, is_legacy: bool) -> anyhow::Result<PackageLimits> {
        let Multipliers { ac_to_time_limit, time_limit_to_tle } = self.time_multipliers.unwrap_or_default();
        let to_too_slow = factor("time_limit_to_tle", time_limit_to_tle, 1.5)?;
        let resolution = seconds("time_resolution", self.time_resolution)?;
        let (cpu, memory) = INTERACTOR_LIMITS;
        let interactor_output = mib("validation_output", self.validation_output)?.unwrap_or(0);
        Ok(PackageLimits {
            time: match self.time_limit {
                None => seconds("the time limit beside problem.yaml", time_beside(folder)?)?,
                given => seconds("time_limit", given)?,
            },
            memory: mib("memory", self.memory)?,
            // In the format 2025-09, stderr counts too.
            output: mib("output", self.output)?
                .map_or(DEFAULT_OUTPUT, |bytes| OutputLimit { bytes, with_stderr: !is_legacy }),
            interactor: (
                seconds("validation_time", self.validation_time)?.unwrap_or(cpu),
                mib("validation_memory", self.validation_memory)?.unwrap_or(memory),
            ),
            interactor_output: OutputLimit {
                bytes: interactor_output.max(DEFAULT_OUTPUT.bytes),
                ..DEFAULT_OUTPUT
            },
            from_accepted: match ac_to_time_limit {
                None if is_legacy => factor("time_multiplier", self.time_multiplier, 5.0)?,
                given => factor("ac_to_time_limit", given, 2.0)?,
            },
            to_too_slow: Some(to_too_slow).filter(|_| !is_legacy),
            binds_given_limit: !is_legacy && self.time_limit.is_some(),
            time_resolution: resolution.unwrap_or(PackageLimits::default().time_resolution),
        })
    }
}

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

fn seconds(name: &str, value: Option<Number<f64>>) -> anyhow::Result<Option<Duration>> {
    let range = MIN_TIME.as_secs_f64()..=MAX_TIME.as_secs_f64();
    Ok(in_range(name, "a number of seconds", value, range)?.map(Duration::from_secs_f64))
}

/// Checks a number of MiB, and returns it in bytes.
fn mib(name: &str, value: Option<Number<u64>>) -> anyhow::Result<Option<u64>> {
    Ok(in_range(name, "a number of MiB", value, 1..=MAX_MIB)?.map(|mib| mib << 20))
}

fn factor(name: &str, value: Option<Number<f64>>, default: f64) -> anyhow::Result<f64> {
    Ok(in_range(name, "a number", value, 1.0..=MAX_FACTOR)?.unwrap_or(default))
}

pub(crate) fn in_range<T: PartialOrd + Display>(
    name: &str,
    what: &str,
    value: Option<Number<T>>,
    range: RangeInclusive<T>,
) -> anyhow::Result<Option<T>> {
    let Some(Number(value)) = value else { return Ok(None) };
    let (least, most) = (range.start(), range.end());
    ensure!(range.contains(&value), "{name}: expected {what} from {least} to {most}, found {value}");
    Ok(Some(value))
}

/// Returns the time limit in seconds from a file of a contest system: `.timelimit`, or else `domjudge-problem.ini`.
fn time_beside(folder: &Path) -> anyhow::Result<Option<Number<f64>>> {
    let (expected, text) = if let Some(text) = read_file(&folder.join(".timelimit"))? {
        (".timelimit: expected a number of seconds", text)
    } else {
        let text = read_file(&folder.join("domjudge-problem.ini"))?.unwrap_or_default();
        let mut values = text.lines().filter_map(|line| line.split_once('='));
        let Some((_, value)) = values.find(|(name, _)| name.trim() == "timelimit") else { return Ok(None) };
        let value = value.trim().trim_matches(['\'', '"']).to_owned();
        ("domjudge-problem.ini: expected timelimit in seconds", value)
    };
    let time = text.trim().parse().with_context(|| format!("{expected}, found {}", text.trim()))?;
    Ok(Some(Number(time)))
}
