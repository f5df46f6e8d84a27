//! The limits of a problem package.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde::Deserialize;

use crate::trials::problem::run::{INTERACTOR_CPU, INTERACTOR_MEMORY};
use crate::trials::problem::yaml::{number, read_file};

/// The limits of a package. A limit is `None` if the package does not give it, so that the judge's default applies.
#[derive(Clone, Debug)]
pub(crate) struct PackageLimits {
    pub(crate) time: Option<Duration>,
    /// The memory limit of a submission, in bytes.
    pub(crate) memory: Option<u64>,
    /// The output limit of a submission, in bytes.
    pub(crate) output: Option<u64>,
    pub(crate) validation_time: Option<Duration>,
    /// The memory limit of the validator, in bytes.
    pub(crate) validation_memory: Option<u64>,
    /// The output limit of the validator, in bytes.
    pub(crate) validation_output: Option<u64>,
    pub(crate) factors: Factors,
    /// The unit of a computed time limit: if the package gives no time limit, the computed limit is a multiple of this
    /// time.
    pub(crate) time_resolution: Duration,
}

/// The minimum ratios between the time limit and the times of the submissions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factors {
    /// The time limit is at least this many times the time of a submission that has to be fast enough.
    pub(crate) from_accepted: f64,
    /// A submission that has to be too slow takes at least this many times the time limit; `None` in the
    /// `legacy` format.
    pub(crate) to_too_slow: Option<f64>,
    /// Whether a given time limit has to satisfy these factors. A limit in `problem.yaml` has to, except in the
    /// `legacy` format. A limit in another file, such as `.timelimit`, does not have to, because that file belongs to a
    /// contest system.
    pub(crate) bind_given_limit: bool,
}

/// The map `limits` of `problem.yaml`.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct LimitsInFile {
    #[serde(deserialize_with = "number")]
    time_limit: Option<f64>,
    #[serde(deserialize_with = "number")]
    time_multiplier: Option<f64>,
    time_multipliers: Option<Multipliers>,
    #[serde(deserialize_with = "number")]
    time_resolution: Option<f64>,
    #[serde(deserialize_with = "number")]
    memory: Option<u64>,
    #[serde(deserialize_with = "number")]
    output: Option<u64>,
    #[serde(deserialize_with = "number")]
    validation_time: Option<f64>,
    #[serde(deserialize_with = "number")]
    validation_memory: Option<u64>,
    #[serde(deserialize_with = "number")]
    validation_output: Option<u64>,
    #[serde(deserialize_with = "number")]
    pub(crate) validation_passes: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Multipliers {
    #[serde(deserialize_with = "number")]
    ac_to_time_limit: Option<f64>,
    #[serde(deserialize_with = "number")]
    time_limit_to_tle: Option<f64>,
}

/// The keys of `limits`.
pub(crate) const LIMITS: &[&str] = &[
    "time_multipliers",
    "time_limit",
    "time_resolution",
    "memory",
    "output",
    "code",
    "compilation_time",
    "compilation_memory",
    "validation_time",
    "validation_memory",
    "validation_output",
    "validation_passes",
];

/// The keys of `limits` that only the `legacy` format has.
pub(crate) const LEGACY_LIMITS: &[&str] = &["time_multiplier", "time_safety_margin"];

/// The default values of the [`Factors`].
const FROM_ACCEPTED: f64 = 2.0;
const LEGACY_FROM_ACCEPTED: f64 = 5.0;
const TO_TOO_SLOW: f64 = 1.5;

/// The smallest and the largest time in a package. The options for time limits have the same range.
const MIN_TIME: Duration = Duration::from_millis(1);
pub(crate) const MAX_TIME: Duration = Duration::from_secs(86_400);

/// The largest memory limit of a package: 1 TiB.
const MAX_MIB: u64 = 1 << 20;

const MAX_FACTOR: f64 = 1000.0;

impl LimitsInFile {
    /// Returns the limits of the package in `folder`.
    ///
    /// # Errors
    ///
    /// If a value is out of its range, or a file beside `problem.yaml` cannot be read or has a time limit that is not a
    /// number.
    pub(crate) fn limits(&self, folder: &Path, is_legacy: bool) -> anyhow::Result<PackageLimits> {
        let time = match seconds("time_limit", self.time_limit)? {
            Some(time) => Some(time),
            None => seconds("the time limit beside problem.yaml", time_beside(folder)?)?,
        };
        let multipliers = self.time_multipliers.as_ref();
        let from_accepted = match multipliers.and_then(|multipliers| multipliers.ac_to_time_limit) {
            Some(value) => factor("ac_to_time_limit", value)?,
            None if is_legacy => {
                factor("time_multiplier", self.time_multiplier.unwrap_or(LEGACY_FROM_ACCEPTED))?
            }
            None => FROM_ACCEPTED,
        };
        let to_too_slow = multipliers.and_then(|multipliers| multipliers.time_limit_to_tle);
        let to_too_slow = factor("time_limit_to_tle", to_too_slow.unwrap_or(TO_TOO_SLOW))?;
        Ok(PackageLimits {
            time,
            memory: mib("memory", self.memory)?,
            output: mib("output", self.output)?,
            validation_time: seconds("validation_time", self.validation_time)?,
            validation_memory: mib("validation_memory", self.validation_memory)?,
            validation_output: mib("validation_output", self.validation_output)?,
            factors: Factors {
                from_accepted,
                to_too_slow: (!is_legacy).then_some(to_too_slow),
                bind_given_limit: !is_legacy && self.time_limit.is_some(),
            },
            time_resolution: seconds("time_resolution", self.time_resolution)?
                .unwrap_or(Duration::from_secs(1)),
        })
    }
}

impl PackageLimits {
    /// Returns the limits of a package that gives only those of the bot: its CPU time, and its memory in bytes.
    ///
    /// # Errors
    ///
    /// If a limit is out of its range.
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
        Ok(Self {
            time,
            memory,
            output: None,
            validation_time: None,
            validation_memory: None,
            validation_output: None,
            factors: Factors { from_accepted: 1.0, to_too_slow: None, bind_given_limit: false },
            time_resolution: Duration::from_secs(1),
        })
    }

    /// Returns the same limits with those of an interactor that has more than the default if the bot has much.
    pub(crate) fn with_interactor(self) -> Self {
        /// The limits of the interactor are so many times those of the bot in Frontier-CS and `InteractBench`, and half of
        /// that in Hydro.
        const FACTOR: u32 = 4;
        Self {
            validation_time: self.time.map(|time| INTERACTOR_CPU.max(time * FACTOR)),
            validation_memory: self.memory.map(|memory| INTERACTOR_MEMORY.max(memory * u64::from(FACTOR))),
            ..self
        }
    }

    /// Returns the smallest time limit that is allowed if `slowest` is the time of the slowest submission that has to
    /// be fast enough.
    pub(crate) fn time_for(&self, slowest: Duration) -> Duration {
        let steps = slowest.as_secs_f64() * self.factors.from_accepted / self.time_resolution.as_secs_f64();
        // The largest resolution is a day, so this cannot overflow.
        self.time_resolution.mul_f64(steps.ceil().clamp(1.0, 1e6)).min(MAX_TIME)
    }
}

fn seconds(name: &str, value: Option<f64>) -> anyhow::Result<Option<Duration>> {
    let Some(value) = value else { return Ok(None) };
    let duration = Duration::try_from_secs_f64(value).ok();
    let duration = duration.filter(|duration| (MIN_TIME..=MAX_TIME).contains(duration));
    Ok(Some(duration.with_context(|| {
        format!("{name}: expected a number of seconds from 0.001 to 86400, found {value}")
    })?))
}

/// Checks a number of MiB, and returns it in bytes.
fn mib(name: &str, value: Option<u64>) -> anyhow::Result<Option<u64>> {
    let Some(value) = value else { return Ok(None) };
    ensure!(
        (1..=MAX_MIB).contains(&value),
        "{name}: expected a number of MiB from 1 to {MAX_MIB}, found {value}"
    );
    Ok(Some(value << 20))
}

fn factor(name: &str, value: f64) -> anyhow::Result<f64> {
    ensure!(
        (1.0..=MAX_FACTOR).contains(&value),
        "{name}: expected a number from 1 to {MAX_FACTOR}, found {value}"
    );
    Ok(value)
}

/// Returns the time limit in seconds from a file of a contest system: `.timelimit`, or else `domjudge-problem.ini`.
fn time_beside(folder: &Path) -> anyhow::Result<Option<f64>> {
    if let Some(text) = read_file(&folder.join(".timelimit"))? {
        let time = text.trim().parse();
        let time =
            time.with_context(|| format!(".timelimit: expected a number of seconds, found {}", text.trim()))?;
        return Ok(Some(time));
    }
    let Some(text) = read_file(&folder.join("domjudge-problem.ini"))? else { return Ok(None) };
    let mut values = text.lines().filter_map(|line| line.split_once('='));
    let Some((_, value)) = values.find(|(name, _)| name.trim() == "timelimit") else { return Ok(None) };
    let value = value.trim().trim_matches(['\'', '"']);
    let time = value.parse();
    Ok(Some(
        time.with_context(|| format!("domjudge-problem.ini: expected timelimit in seconds, found {value}"))?,
    ))
}
