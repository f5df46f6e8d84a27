//! The beta distribution, by the formulas of the NIST Digital Library of Mathematical Functions (DLMF).

/// Computes the regularised incomplete beta function `I_x(a, b)`, for `a` and `b` of at least 1: the probability that a
/// number with the beta distribution of `a` and `b` is at most `x`. The error is below 1e-9 for parameters of up to a
/// million.
pub(crate) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast for `x` up to the mean. DLMF 8.17.4 reduces larger `x` to that case.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let log_beta = ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b);
    (a * x.ln() + b * (-x).ln_1p() - log_beta).exp() / a * continued_fraction(a, b, x)
}

/// Returns the `x` at which `I_x(a, b)` is `probability`.
pub(crate) fn beta_quantile(a: f64, b: f64, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // Each step halves the interval. The loop ends when `low` and `high` are neighbouring floating-point numbers.
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if incomplete_beta(a, b, middle) < probability { low = middle } else { high = middle }
    }
}

/// Computes the continued fraction of DLMF 8.17.22 from its first term on, by the method of W. Lentz (1976, "Generating
/// Bessel functions in Mie scattering calculations using continued fractions").
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    /// Maximum number of steps. Two 32-bit counts need fewer: about the square root of the larger count.
    const MAX_STEPS: u32 = 1 << 18;
    let not_zero = |value: f64| if value.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value };
    let (mut c, mut d, mut denominator) = (1.0, 0.0, 1.0);
    for step in 1..MAX_STEPS {
        let m = f64::from(step / 2);
        let numerator = if step.is_multiple_of(2) {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        d = not_zero(1.0 + numerator * d).recip();
        c = not_zero(1.0 + numerator / c);
        denominator *= c * d;
        if (c * d - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    denominator.recip()
}

/// Computes the logarithm of the gamma function for `x` of at least 1, by Stirling's series (DLMF 5.11.1).
fn ln_gamma(x: f64) -> f64 {
    // The series is exact enough from `FROM` on. For smaller `x`, the recurrence of DLMF 5.5.1 leads to such a value.
    const FROM: f64 = 12.0;
    const COEFFICIENTS: [f64; 5] = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0];
    let (mut x, mut product) = (x, 1.0);
    while x < FROM {
        product *= x;
        x += 1.0;
    }
    let square = (x * x).recip();
    let series = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| sum * square + coefficient) / x;
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series - f64::ln(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-12 * expected.abs().max(1.0), "expected {expected}, got {got}");
    }

    /// DLMF 8.17.5: for integers a and b, `I_x(a, b)` is the probability of at least a successes in a + b - 1 trials.
    #[test]
    fn tails_of_binomial_distributions() {
        for (a, b) in [(1, 1), (1, 7), (7, 1), (3, 5), (20, 4), (31, 37)] {
            for x in [0.001, 0.1, 0.3, 0.5, 0.77, 0.999] {
                let n = a + b - 1;
                let ways = |k: u32| (0..k).map(|i| f64::from(n - i) / f64::from(k - i)).product::<f64>();
                let term = |k: u32| ways(k) * f64::powf(x, k.into()) * f64::powf(1.0 - x, (n - k).into());
                assert_close(incomplete_beta(a.into(), b.into(), x), (a..=n).map(term).sum());
            }
        }
        // With two equal parameters the distribution is symmetric, even if they are large.
        for count in [1e3, 1e6] {
            assert!((incomplete_beta(count, count, 0.5) - 0.5).abs() < 1e-9);
        }
        assert_eq!((incomplete_beta(2.0, 3.0, 0.0), incomplete_beta(2.0, 3.0, 1.0)), (0.0, 1.0));
    }
}
