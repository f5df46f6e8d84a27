//! The engine of large nimbers: every pair is entered.

use super::Window;
use crate::narrow::narrow;

/// The values of all segments of 0 to `n` cards, sum by sum, from the first values on and the latest sum of each
/// XOR value.
///
/// For each XOR value it keeps one number, the latest sum u+v at which it was seen, and one more. The sums come in
/// ascending order, so a value is an option of i exactly when its latest sum is at least i-R. About
/// (n-L)^2/4 steps, and four bytes for each segment and each XOR value. `None` if `give_up` says so, which is told from
/// time to time how many values there are.
pub(super) fn values(
    window: Window,
    n: u64,
    mut values: Vec<u32>,
    mut latest: Vec<u32>,
    give_up: &mut dyn FnMut(u64) -> bool,
    progress: &mut dyn FnMut(u64),
) -> Option<Vec<u32>> {
    let [l, r, n]: [usize; 3] = [window.l.min(n + 1), window.r.min(n), n].map(narrow);
    let width = (n / l + 1).next_power_of_two();
    latest.resize(width, 0);
    values.reserve_exact(n + 1 - values.len());
    for i in values.len()..=n {
        if let Some(sum) = i.checked_sub(l) {
            let (up, down) = (&values[..=sum / 2], values[..=sum].iter().rev());
            for (a, b) in up.iter().zip(down) {
                // The mask changes nothing, it only shows that the index is below the width.
                latest[(a ^ b) as usize & (width - 1)] = narrow::<u32>(sum) + 1;
            }
        }
        let least = narrow::<u32>(i.saturating_sub(r)) + 1;
        values.push(narrow(latest.iter().take_while(|&&sum| sum >= least).count()));
        if i.is_multiple_of(1 << 10) {
            progress(i as u64);
            if give_up(i as u64) {
                return None;
            }
        }
    }
    Some(values)
}
