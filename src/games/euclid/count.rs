//! Exact counts of the pairs that the player to move wins.

/// How many pairs (A, B) with A in [a1, a2] and B in [b1, b2] the player to move wins; no pairs if a range is
/// empty. The bounds are from 1 to 10^18.
///
/// A pair is won when A > phi B or B > phi A (Google Code Jam 2010, Round 1A, problem C). Counted by inclusion
/// and exclusion over the corners, with `above` for each of the two cases: O(log) steps in all. The counts of a
/// corner are at most 10^36, so the sum of two fits into 128 bits many times over.
pub fn winning_pairs((a1, a2): (u64, u64), (b1, b2): (u64, u64)) -> u128 {
    if a1 > a2 || b1 > b2 {
        return 0;
    }
    let corner = |a: u64, b: u64| above(a, b) + above(b, a);
    let (a0, b0) = (a1.saturating_sub(1), b1.saturating_sub(1));
    corner(a2, b2) + corner(a0, b0) - corner(a0, b2) - corner(a2, b0)
}

/// How many (x, y) in [1, a] x [1, b] have x > phi y.
///
/// For each y these are the x from floor(y phi) + 1 to a, as y phi is no integer: there are a - floor(y phi) while
/// y phi < a, that is y <= floor(a / phi) = floor(a phi) - a.
fn above(a: u64, b: u64) -> u128 {
    let (a, b) = (u128::from(a), u128::from(b));
    let last = b.min(times_phi(a) - a);
    last * a - sum_times_phi(last)
}

/// The sum of floor(k phi) for k from 1 to n <= 10^18.
///
/// The numbers floor(k phi) and floor(k phi^2) = floor(k phi) + k are each positive integer once (L. Rayleigh
/// 1894; S. Beatty 1926). With t = floor(n phi), those up to t are n of the first kind and m = t - n of the second, so
/// t(t+1)/2 = S(n) + S(m) + m(m+1)/2. As m < 0.62 n, there are at most 87 levels. The signs alternate; the terms are
/// at most t(t+1) < 3 * 10^36, and each partial sum lies between 0 and the one before.
fn sum_times_phi(n: u128) -> u128 {
    if n == 0 {
        return 0;
    }
    let t = times_phi(n);
    let m = t - n;
    t * (t + 1) / 2 - m * (m + 1) / 2 - sum_times_phi(m)
}

/// floor(n phi) = floor((n + sqrt(5 n^2)) / 2) for n <= 10^18. The integer root may stand for the root, because
/// floor(x / 2) = floor(floor(x) / 2) for every real x; and 5 n^2 is at most 5 * 10^36, which fits into 128 bits.
fn times_phi(n: u128) -> u128 {
    u128::midpoint(n, (5 * n * n).isqrt())
}
