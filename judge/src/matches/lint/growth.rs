//! The growth of a bot's time or memory with the size of a row, measured in games that end within the bot's limits.

use std::fmt;
use std::iter::once;
use std::time::Duration;

use itertools::Itertools;
use zeroxor::GameSpec;

use super::bot_under_test::{BotUnderTest, GAME};
use common::units::measured;
use referee::explain::Explanation;
use referee::result::GameResult;
use referee::review::FinishedGame;
use referee::setup::GameHeader;
use referee::verdict::Verdict;
use runner::limits::Limits;

/// Maximum number of times that the length of the row is halved.
const MAX_HALVINGS: u32 = 6;

/// Maximum number of short rows that are played after halving, each one card longer than the row before.
const MAX_LONGER_ROWS: usize = 4;

/// The length of the shortest row that is played, in cards. Shorter rows show no more than `GAME`.
const SHORTEST_ROW: u64 = 7;

/// Maximum length of a short row, in cards. In short rows, growth by a factor with each card is visible.
const SHORT_ROW: u64 = 64;

/// Maximum exponent of growth like a power of N in short rows. Faster growth counts as growth by a factor with each
/// card, as in a search of all games.
const MAX_EXPONENT: f64 = 4.5;

/// A resource that a bot used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resource {
    Cpu,
    Memory,
}

impl Resource {
    /// Returns the resource whose limit ended a game with this verdict; `None` for other verdicts.
    fn of(verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::TimeCpu | Verdict::TimeWall => Some(Self::Cpu),
            Verdict::Memory => Some(Self::Memory),
            _ => None,
        }
    }

    /// Returns the amount used in a game, in seconds or bytes.
    #[expect(clippy::cast_precision_loss, reason = "a rough figure is shown")]
    fn used(self, result: &GameResult) -> Option<f64> {
        match self {
            Self::Cpu => result.used.cpu.as_ref().map(Duration::as_secs_f64),
            Self::Memory => result.used.memory.map(|bytes| bytes as f64),
        }
    }

    /// Returns the smallest amount that shows growth, in seconds or bytes, after the amount that the program's start
    /// uses has been subtracted.
    fn significant(self) -> f64 {
        match self {
            Self::Cpu => 0.03,
            Self::Memory => f64::from(1 << 20),
        }
    }

    /// Returns the limit of the resource, in seconds or bytes.
    #[expect(clippy::cast_precision_loss, reason = "a rough figure is shown")]
    fn limit(self, limits: &Limits) -> f64 {
        match self {
            Self::Cpu => limits.cpu.as_secs_f64(),
            Self::Memory => limits.memory as f64,
        }
    }

    fn text(self, amount: f64) -> String {
        const MIB: f64 = (1 << 20) as f64;
        match self {
            Self::Cpu => measured(Duration::try_from_secs_f64(amount).unwrap_or_default()),
            Self::Memory if amount >= 1024.0 * MIB => format!("{:.1} GiB", amount / 1024.0 / MIB),
            Self::Memory => format!("{:.0} MiB", amount / MIB),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Cpu => "CPU time",
            Self::Memory => "memory",
        }
    }
}

/// The amount that a bot used for a row of `n` cards, in seconds or bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    n: u64,
    amount: f64,
}

/// A law by which an amount grows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    /// The amount grows like this power of N.
    Power(f64),
    /// The amount grows by this factor with each card.
    Factor(f64),
    /// The amount grows by at least this factor with each card.
    LeastFactor(f64),
}

impl Law {
    /// Returns the law through two samples, the shorter row first. The caller has subtracted the amount that every game
    /// uses from both samples.
    #[expect(clippy::cast_precision_loss, reason = "rows that are played are short")]
    fn through(small: Sample, large: Sample) -> Self {
        let ratio = large.amount / small.amount;
        let power = ratio.ln() / (large.n as f64 / small.n as f64).ln();
        if large.n <= SHORT_ROW && power > MAX_EXPONENT {
            Self::Factor(ratio.powf(1.0 / (large.n - small.n) as f64))
        } else {
            Self::Power(power)
        }
    }

    /// Returns the dimensions and the shape of a table that grows by this law.
    fn shape(self) -> Option<(i32, &'static str)> {
        match self {
            Self::Power(0.6..1.4) => Some((1, "N")),
            Self::Power(1.6..2.4) => Some((2, "N x N")),
            Self::Power(2.6..3.4) => Some((3, "N x N x N")),
            _ => None,
        }
    }

    /// Divides the amount for a row of `n` cards by the number of entries of a table that grows by this law. Returns
    /// the amount for each entry, and the shape of the table.
    #[expect(clippy::cast_precision_loss, reason = "rows that are played are short")]
    fn per_entry(self, amount: f64, n: u64) -> Option<(f64, &'static str)> {
        let (dimensions, shape) = self.shape()?;
        Some((amount / (n as f64).powi(dimensions), shape))
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Factor(factor) => write!(f, "by a factor of about {factor:.1} with each card"),
            Self::LeastFactor(factor) => write!(f, "by a factor of more than {factor:.1} with each card"),
            Self::Power(power) => match self.shape() {
                Some((_, shape)) => write!(f, "like {shape}"),
                None => write!(f, "like N to the power of {power:.1}"),
            },
        }
    }
}

/// Explains why a game used up a resource, from the amounts that smaller games use. Returns `None` if the game did not
/// end at a limit, if it is not one row, or if `GAME` ends at a limit too or its amount is unknown.
pub(super) fn explain(
    bot_under_test: &BotUnderTest,
    game: &FinishedGame,
) -> anyhow::Result<Option<Explanation>> {
    let (Some(resource), Some([n, l, r])) = (Resource::of(game.result.verdict), game.setup.game.header.row())
    else {
        return Ok(None);
    };
    let header = |n: u64| GameHeader::new(GameSpec::Segment { n, l, r: r.min(n) }, None);
    let used = |header: &str| -> anyhow::Result<Option<f64>> {
        let result = bot_under_test.game(header)?.result;
        Ok(resource.used(&result).filter(|_| Resource::of(result.verdict).is_none()))
    };
    let Some(start_amount) = used(GAME)? else { return Ok(None) };
    let (within_limits, too_long) = samples(n, l.max(SHORTEST_ROW), |n| used(header(n).text()))?;
    let limit = resource.limit(bot_under_test.limits());
    let law = law(resource, start_amount, &within_limits, Sample { n: too_long, amount: limit });
    let grows = law.map_or_else(|| "grows fast".to_owned(), |law| format!("grows {law}"));
    let each = within_limits.last().filter(|_| resource == Resource::Memory).zip(law);
    let each = each.and_then(|(last, law)| law.per_entry(last.amount - start_amount, last.n));
    let each =
        each.map_or_else(String::new, |(bytes, of)| format!(", {bytes:.0} bytes per entry of an {of} table"));
    let shown = |sample: &Sample| format!("{} for \"{}\"", resource.text(sample.amount), header(sample.n));
    let last = &within_limits[within_limits.len().saturating_sub(2)..];
    let seen = format!("{} for \"{GAME}\"", resource.text(start_amount));
    let seen = once(seen).chain(last.iter().map(shown)).join(", ");
    let (what, limit, too_long) = (resource.name(), resource.text(limit), header(too_long));
    let why = format!("{what} {grows}{each}: {seen}; \"{too_long}\" needs more than {limit}");
    let earlier = game.result.explanation.why.first().cloned();
    Ok(Some(Explanation {
        why: once(why).chain(earlier).collect(),
        advice: vec![advice(resource, law, n).to_owned()],
    }))
}

/// Measures rows shorter than `n`, halving the length each time. If the rows are short, also measures rows of nearly
/// the same length as the longest row within the limits. Returns the samples, the shortest row first, and the length of
/// the shortest row that reached a limit.
fn samples(
    n: u64,
    shortest: u64,
    used: impl Fn(u64) -> anyhow::Result<Option<f64>>,
) -> anyhow::Result<(Vec<Sample>, u64)> {
    let (mut within_limits, mut too_long): (Vec<Sample>, u64) = (Vec::new(), n);
    for _ in 0..MAX_HALVINGS {
        let half = within_limits.last().map_or(too_long, |sample| sample.n) / 2;
        if half < shortest || within_limits.len() == 2 {
            break;
        }
        match used(half)? {
            Some(amount) => within_limits.push(Sample { n: half, amount }),
            None => too_long = half,
        }
    }
    within_limits.reverse();
    if too_long <= SHORT_ROW
        && let [only] = within_limits.as_slice()
        && only.n > shortest
        && let Some(amount) = used(only.n - 1)?
    {
        within_limits.insert(0, Sample { n: only.n - 1, amount });
    }
    if too_long <= SHORT_ROW {
        let longest = within_limits.last().map_or(shortest - 1, |sample| sample.n);
        for n in (longest + 1..too_long).take(MAX_LONGER_ROWS) {
            let Some(amount) = used(n)? else {
                too_long = n;
                break;
            };
            within_limits.push(Sample { n, amount });
        }
    }
    Ok((within_limits, too_long))
}

/// Returns the law through the last two significant samples. If only one sample is significant and the rows are short,
/// uses `over_limit`: the shortest row that reached the limit, with the limit as its amount. Returns `None` if no
/// growth is visible. `start_amount` is the amount that every game uses.
#[expect(clippy::cast_precision_loss, reason = "rows that are played are short")]
fn law(resource: Resource, start_amount: f64, within_limits: &[Sample], over_limit: Sample) -> Option<Law> {
    let without_start = |sample: &Sample| Sample { amount: sample.amount - start_amount, ..*sample };
    let shown: Vec<Sample> = within_limits
        .iter()
        .map(without_start)
        .filter(|sample| sample.amount >= resource.significant())
        .collect();
    let over_limit = without_start(&over_limit);
    match shown.as_slice() {
        [.., small, large] if large.amount > small.amount => Some(Law::through(*small, *large)),
        [last] if over_limit.n <= SHORT_ROW && over_limit.n > last.n => {
            let factor = (over_limit.amount / last.amount).powf(1.0 / (over_limit.n - last.n) as f64);
            Some(Law::LeastFactor(factor)).filter(|_| factor > 1.5)
        }
        _ => None,
    }
}

fn advice(resource: Resource, law: Option<Law>, n: u64) -> &'static str {
    match (resource, law) {
        (Resource::Cpu, Some(Law::Factor(_) | Law::LeastFactor(_))) => {
            "the bot searches every game to its end: store the result of each position, or use a rule such \
             as symmetry"
        }
        (Resource::Cpu, None) if n <= SHORT_ROW => {
            "the bot searches every game to its end: store the result of each position, or use a rule such \
             as symmetry"
        }
        (Resource::Cpu, _) => {
            "look for nested loops over the row, and for results that are computed repeatedly"
        }
        (Resource::Memory, Some(Law::Power(power))) if power >= 2.6 => {
            "use a table of N entries: one for each length, not one for each triple"
        }
        (Resource::Memory, Some(Law::Power(power))) if power >= 1.6 => {
            "use a table of N entries, one for each length, not one for each pair; or use smaller entries"
        }
        (Resource::Memory, _) => "look for the largest table or list, and make it or its entries smaller",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_from_two_samples() {
        let law = |[(small, a), (large, b)]: [(u64, f64); 2]| {
            Law::through(Sample { n: small, amount: a }, Sample { n: large, amount: b }).to_string()
        };
        assert_eq!(law([(250, 10.0), (500, 20.0)]), "like N");
        assert_eq!(law([(250, 10.0), (500, 41.0)]), "like N x N");
        assert_eq!(law([(250, 10.0), (500, 78.0)]), "like N x N x N");
        assert_eq!(law([(250, 10.0), (500, 28.3)]), "like N to the power of 1.5");
        assert_eq!(law([(10, 0.1), (12, 0.9)]), "by a factor of about 3.0 with each card");
    }

    #[test]
    fn amounts_for_each_entry_of_a_table() {
        assert_eq!(Law::Power(2.1).per_entry(1e6, 500), Some((4.0, "N x N")));
        assert_eq!(Law::Power(0.9).per_entry(1e6, 500), Some((2000.0, "N")));
        assert_eq!(Law::Power(1.5).per_entry(1e6, 500), None);
    }

    const LIMIT: Sample = Sample { n: 1000, amount: 2.0 };

    #[test]
    fn one_sample_and_the_limit_show_the_least_factor() {
        let samples = [Sample { n: 8, amount: 0.1 }, Sample { n: 9, amount: 0.6 }];
        let limit = Sample { n: 10, amount: 2.1 };
        assert_eq!(law(Resource::Cpu, 0.1, &samples, limit), Some(Law::LeastFactor(4.0)));
    }

    #[test]
    fn usage_of_the_start_is_subtracted() {
        let samples = |amounts: [f64; 2]| {
            [(250, amounts[0]), (500, amounts[1])].map(|(n, amount)| Sample { n, amount })
        };
        assert_eq!(law(Resource::Cpu, 0.05, &samples([0.051, 0.06]), LIMIT), None);
        let Some(Law::Power(power)) = law(Resource::Cpu, 0.05, &samples([0.15, 0.45]), LIMIT) else {
            panic!()
        };
        assert!((power - 2.0).abs() < 0.01, "{power}");
    }
}
