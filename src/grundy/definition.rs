//! Slow reference implementations, by the definition of Grundy values. The tests compare the engines with them.

use crate::integers::narrow;
use crate::rules::OctalCode;
use crate::rules::Window;

/// Returns the values of the rows of 0 to `n` cards. Each value is the least nimber that no move leads to.
///
/// A move in a row of i cards leaves two segments whose lengths have a sum in [i-R, i-L]. So from one row to the next,
/// the moves to one new sum are added, and the moves to the least old sum are removed.
pub(super) fn of_window(window: Window, n: u64) -> Vec<u32> {
    let [l, r, n]: [usize; 3] = [window.l.min(n + 1), window.r.min(n + 1), n].map(narrow);
    let mut values: Vec<u32> = Vec::new();
    // The number of moves to each nimber; no nimber is larger than the number of cards.
    let mut moves = vec![0_u32; (n + 1).next_power_of_two()];
    for i in 0..=n {
        if let Some(sum) = i.checked_sub(l) {
            (0..=sum / 2).for_each(|u| moves[(values[u] ^ values[sum - u]) as usize] += 1);
        }
        if let Some(sum) = i.checked_sub(r + 1) {
            (0..=sum / 2).for_each(|u| moves[(values[u] ^ values[sum - u]) as usize] -= 1);
        }
        let mex = moves.iter().take_while(|&&moves| moves > 0).count();
        values.push(narrow(mex));
    }
    values
}

/// Returns the values of the heaps of 0 to `n` cards under `code`. Each value is the mex over all moves.
pub(super) fn of_code(code: OctalCode, n: usize) -> Vec<u16> {
    let mut values: Vec<u16> = Vec::new();
    let mut seen = vec![0_usize; 1 << 16];
    for size in 0..=n {
        for take in 0..=code.longest_take().map_or(size, |longest| size.min(narrow(longest))) {
            let left = size - take;
            if code.allows(take as u64, 0) && left == 0 {
                seen[0] = size + 1;
            }
            if code.allows(take as u64, 1) && left > 0 {
                seen[usize::from(values[left])] = size + 1;
            }
            if code.allows(take as u64, 2) {
                (1..=left / 2).for_each(|a| seen[usize::from(values[a] ^ values[left - a])] = size + 1);
            }
            if code.allows(take as u64, 3) {
                for a in 1..=left / 3 {
                    let mut see =
                        |b: usize| seen[usize::from(values[a] ^ values[b] ^ values[left - a - b])] = size + 1;
                    (a..=(left - a) / 2).for_each(&mut see);
                }
            }
        }
        values.push(narrow(seen.iter().take_while(|&&last| last == size + 1).count()));
    }
    values
}
