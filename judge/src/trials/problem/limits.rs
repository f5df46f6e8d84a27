//! The limits of a problem package.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{anyhow, ensure};
use runner::limits::Limits;

use crate::conversation::facts::{DEFAULT_OUTPUT, OutputLimit};
use crate::keys::Keys;
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
    /// Returns the limits in `keys`, the map `limits` of `problem.yaml`, for the package in `folder`, in which other files may
    /// give a time limit too. A value that is out of its range is an error.
    pub(crate) fn read(keys: &mut Keys, folder: &Path, is_legacy: bool) -> anyhow::Result<Self> {
        let factor = number_from("a number", 1.0..=MAX_FACTOR);
        let bytes = |text: &str| number_from("a number of MiB", 1..=MAX_MIB)(text).map(|mib| mib << 20);
        let mut multipliers = keys.inner("time_multipliers")?.unwrap_or_default();
        let time = keys.parsed("time_limit", seconds)?;
        let default = Self::default();
        let (cpu, memory) = default.interactor;
        Ok(Self {
            time: if time.is_some() { time } else { time_beside(folder)? },
            memory: keys.parsed("memory", bytes)?,
            // In the format 2025-09, stderr counts too.
            output: keys
                .parsed("output", bytes)?
                .map_or(default.output, |bytes| OutputLimit { bytes, with_stderr: !is_legacy }),
            interactor: (
                keys.parsed("validation_time", seconds)?.unwrap_or(cpu),
                keys.parsed("validation_memory", bytes)?.unwrap_or(memory),
            ),
            interactor_output: OutputLimit {
                bytes: keys.parsed("validation_output", bytes)?.unwrap_or(0).max(DEFAULT_OUTPUT.bytes),
                ..DEFAULT_OUTPUT
            },
            from_accepted: match multipliers.parsed("ac_to_time_limit", &factor)? {
                None if is_legacy => keys.parsed("time_multiplier", &factor)?.unwrap_or(5.0),
                given => given.unwrap_or(2.0),
            },
            to_too_slow: multipliers
                .parsed("time_limit_to_tle", &factor)?
                .or(Some(1.5))
                .filter(|_| !is_legacy),
            binds_given_limit: time.is_some() && !is_legacy,
            time_resolution: keys.parsed("time_resolution", seconds)?.unwrap_or(default.time_resolution),
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

fn seconds(text: &str) -> Result<Duration, String> {
    let range = MIN_TIME.as_secs_f64()..=MAX_TIME.as_secs_f64();
    number_from("a number of seconds", range)(text).map(Duration::from_secs_f64)
}

/// Returns a parser of a number in `range`, which is `what`.
pub(crate) fn number_from<T: PartialOrd + Display + FromStr>(
    what: &str,
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected {what} from {} to {}", range.start(), range.end()))
    }
}

/// Returns the time limit from a file of a contest system: `.timelimit`, or else `domjudge-problem.ini`.
fn time_beside(folder: &Path) -> anyhow::Result<Option<Duration>> {
    let parsed = |name: &str, text: &str| {
        let invalid = |error| anyhow!("invalid value {text:?} in {}: {error}", folder.join(name).display());
        seconds(text).map(Some).map_err(invalid)
    };
    if let Some(text) = read_file(&folder.join(".timelimit"))? {
        return parsed(".timelimit", text.trim());
    }
    let text = read_file(&folder.join("domjudge-problem.ini"))?.unwrap_or_default();
    let mut values = text.lines().filter_map(|line| line.split_once('='));
    let Some((_, value)) = values.find(|(name, _)| name.trim() == "timelimit") else { return Ok(None) };
    parsed("domjudge-problem.ini", value.trim().trim_matches(['\'', '"']))
}
