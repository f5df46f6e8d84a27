//! Counting the pairs of the Number Game that the player to move wins.

/// Returns the number of pairs (A, B) with A in [a1, a2] and B in [b1, b2] that the player to move wins; 0 if a range
/// is empty. The bounds must be from 1 to 10^18.
///
/// A pair is won if A > phi B or B > phi A (Google Code Jam 2010, Round 1A, problem C). The rectangle is counted by
/// inclusion and exclusion over its corners, with `above` for each of the two cases. Time: O(log) sums and products.
///
/// ```
/// use zeroxor::grundy::winning_pairs;
///
/// // Of the nine pairs up to 3, all are won except (1, 1), (2, 2), (2, 3), (3, 2) and (3, 3).
/// assert_eq!(winning_pairs((1, 3), (1, 3)), 4);
/// assert_eq!(winning_pairs((5, 5), (9, 9)), 1);
/// assert_eq!(winning_pairs((2, 1), (1, 9)), 0);
/// ```
pub fn winning_pairs((a1, a2): (u64, u64), (b1, b2): (u64, u64)) -> u128 {
    if a1 > a2 || b1 > b2 {
        return 0;
    }
    let corner = |a: u64, b: u64| above(a, b) + above(b, a);
    let (a0, b0) = (a1.saturating_sub(1), b1.saturating_sub(1));
    corner(a2, b2) + corner(a0, b0) - corner(a0, b2) - corner(a2, b0)
}

/// Returns the number of (x, y) in [1, a] x [1, b] with x > phi y.
///
/// y phi is no integer, so for each y the smallest x is floor(y phi) + 1. This gives a - floor(y phi) pairs if y phi <
/// a, that is, if y <= floor(a / phi) = floor(a phi) - a.
fn above(a: u64, b: u64) -> u128 {
    let last = b.min(multiples(a).floor - a);
    u128::from(last) * u128::from(a) - multiples(last).sum
}

/// The last of the rounded multiples floor(phi), floor(2 phi), ..., floor(n phi), and their sum.
struct Multiples {
    /// floor(n phi).
    floor: u64,
    /// The sum of floor(k phi) for k from 1 to n.
    sum: u128,
}

/// Returns the [`Multiples`] for n <= 10^18. Writes n as a sum of Fibonacci numbers, the largest first (E. Zeckendorf
/// 1972, "Représentation des nombres naturels par une somme de nombres de Fibonacci ou de nombres de Lucas").
///
/// F(k) phi = F(k+1) + e with |e| = phi^-k, and e < 0 exactly for even k. For 0 < j < F(k-1), the distance of j phi to
/// each integer is at least phi^-(k-2), because Fibonacci numbers give the best approximations. So floor((F(k) + j)
/// phi) = F(k+1) + floor(j phi). For j = 0, floor(F(k) phi) is F(k+1), or F(k+1) - 1 if k is even. With n = F(k) + r
/// and r < F(k-1), the sum of the multiples is S(n) = S(F(k)) + r F(k+1) + S(r).
fn multiples(n: u64) -> Multiples {
    let (mut floor, mut sum, mut rest, mut smallest_index) = (0, 0, n, 1);
    for (index, fibonacci) in FIBONACCI.iter().enumerate().rev() {
        if fibonacci.number <= rest {
            rest -= fibonacci.number;
            floor += fibonacci.next;
            sum += fibonacci.sum + u128::from(rest) * u128::from(fibonacci.next);
            smallest_index = index;
        }
    }
    Multiples { floor: floor - u64::from(smallest_index % 2 == 0), sum }
}

/// A Fibonacci number F(k), the next number F(k+1), and the sum S(F(k)) of floor(j phi) for j from 1 to F(k).
#[derive(Clone, Copy)]
struct Fibonacci {
    number: u64,
    next: u64,
    sum: u128,
}

/// The numbers from F(2) = 1 to F(87), the last up to 10^18. The index of F(k) is k - 2, which has the parity of k.
const FIBONACCI: [Fibonacci; 86] = {
    let mut table = [Fibonacci { number: 1, next: 2, sum: 1 }; 86];
    table[1] = Fibonacci { number: 2, next: 3, sum: 4 };
    let mut index = 2;
    while index < table.len() {
        let (before, last) = (table[index - 2], table[index - 1]);
        let number = last.next;
        let next = number + last.number;
        // The formula for S(n) with n = F(k) - 1 = F(k-1) + r and r = F(k-2) - 1 gives S(F(k) - 1) = S(F(k-1)) +
        // r F(k) + S(F(k-2) - 1). The summands floor(F(k-2) phi) and floor(F(k) phi) depend on the parity of k.
        let even = (index % 2 == 0) as u64;
        let sum_before = before.sum - (before.next - even) as u128;
        let sum =
            last.sum + (before.number - 1) as u128 * last.next as u128 + sum_before + (next - even) as u128;
        table[index] = Fibonacci { number, next, sum };
        index += 1;
    }
    table
};
