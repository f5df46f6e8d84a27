//! Periods, and windows that are others scaled.

use proptest::prelude::*;
use zeroxor::grundy::segment::{Period, Scale, Sequence, Window, known_period};

use super::window;

/// All known periods but that of (1, 5), for which see the judge's tests, are the least, and proven by
/// exactly the values they need. No other window to 12 has one that shows in 2,000 values.
#[test]
fn known_periods_are_proven() {
    let known = (1..=40).flat_map(|r| (1..=r).map(move |l| (l, r))).filter(|&window| window != (1, 5));
    for (l, r) in known {
        let window = window(l, r);
        let needed = known_period(window).map(|period| period.values_needed(window.move_bounds()) as u64);
        if let Some(needed) = needed {
            let values = Sequence::up_to(window, needed);
            let values = &values.values()[..needed as usize];
            assert_eq!(
                Period::proven(window.move_bounds(), values),
                known_period(window),
                "window [{l}, {r}]"
            );
            assert_eq!(
                Period::proven(window.move_bounds(), &values[..values.len() - 1]),
                None,
                "window [{l}, {r}]"
            );
        } else if r <= 12 {
            let values = Sequence::up_to(window, 2000);
            let scaled = Scale::of(window);
            if scaled.factor == 1 {
                assert_eq!(Period::proven(window.move_bounds(), values.values()), None, "window [{l}, {r}]");
            }
        }
    }
}

proptest! {
    /// The least period and pre-period, by trying all.
    #[test]
    fn periods(head in prop::collection::vec(0_u32..2, 0..6), tail in prop::collection::vec(0_u32..2, 1..5), n in 0_usize..40) {
        let repeated: Vec<u32> = tail.iter().copied().cycle().take(n).collect();
        let values = [head, repeated].concat();
        let window = window(1, 2);
        let proves = |start: usize, length: usize| {
            let end = 2 * start + length + 2;
            end + length <= values.len() && (start..values.len() - length).all(|n| values[n] == values[n + length])
        };
        let all = (1..=values.len()).flat_map(|length| (0..values.len()).map(move |start| (start, length)));
        let least = all.into_iter().find(|&(start, length)| proves(start, length));
        let least = least.map(|(start, length)| Period { start: start as u64, length: length as u64 });
        prop_assert_eq!(Period::proven(window.move_bounds(), &values), least);
    }
}

#[test]
fn scale_takes_the_largest_factor() {
    let scaled = |l, r| Scale::of(Window::new(l, r).unwrap());
    assert_eq!((scaled(7, 8).factor, scaled(7, 8).window), (7, Window::new(1, 2).unwrap()));
    assert_eq!((scaled(12, 37).factor, scaled(12, 37).window), (12, Window::new(1, 4).unwrap()));
    assert_eq!((scaled(6, 6).factor, scaled(6, 6).window), (1, Window::new(6, 6).unwrap()));
}
