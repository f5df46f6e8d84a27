//! Streams of codes against the definition, and of windows against the engine of whole sequences.

use proptest::prelude::*;

use super::*;
use crate::grundy::octal;
use crate::spec::OctalCode;

/// The values of a game that are given.
struct Values(Vec<u16>);

impl History for Values {
    fn read(&mut self, from: u64, values: &mut [u16]) -> Result<bool, String> {
        let from = usize::try_from(from).unwrap();
        values.copy_from_slice(&self.0[from..from + values.len()]);
        Ok(true)
    }
}

fn code(text: &str) -> OctalCode {
    text.parse().unwrap()
}

/// The values of all heaps up to `n` by the definition.
fn whole(code: OctalCode, n: u64) -> Vec<u16> {
    let mut values: Vec<u16> = Vec::new();
    let mut latest = vec![u64::MAX; 1 << 16];
    for size in 0..=n {
        for take in 0..=size.min(code.longest_take()) {
            let left: usize = narrow(size - take);
            if left == 0 && code.allows(take, 0) {
                latest[0] = size;
            }
            if left > 0 && code.allows(take, 1) {
                latest[usize::from(values[left])] = size;
            }
            if code.allows(take, 2) {
                (1..=left / 2).for_each(|a| latest[usize::from(values[a] ^ values[left - a])] = size);
            }
        }
        values.push((0..u16::MAX).find(|&value| latest[usize::from(value)] != size).unwrap());
    }
    values
}

/// Codes whose rare values are few from the beginning, late or come up to the end; and what is rare changes with the place
/// in some, and codes above 64 are in others.
const CODES: [&str; 12] = [
    "0.16", "0.56", "0.127", "0.376", "0.354", "0.156", "0.644", "0.356", "0.104", "0.106", "0.054", "0.454",
];

/// Goes on to `n` in steps, with what came since the last one.
fn advance(
    stream: &mut SparseStream,
    n: u64,
    step: u64,
    history: &mut dyn History,
) -> Result<Vec<u16>, Stopped> {
    let mut values: Vec<u16> = stream.values_from(0).unwrap().collect();
    while stream.len() <= n {
        let from = stream.len();
        let result = stream.advance((from + step).min(n + 1), history);
        values.extend(stream.values_from(from).unwrap());
        result?;
    }
    Ok(values)
}

/// With a history all values are right however few are kept, and without one those that come before it stops.
#[test]
fn few_values_are_kept() {
    let mut unsettled = 0;
    for text in CODES {
        let values = whole(code(text), 30_000);
        let mut stream = octal::stream(code(text), 0).unwrap();
        let mut history = Values(values.clone());
        assert_eq!(advance(&mut stream, 30_000, 700, &mut history).unwrap(), values, "{text}");
        let mut stream = octal::stream(code(text), 0).unwrap();
        let stopped = advance(&mut stream, 30_000, 700, &mut NoHistory);
        let known: Vec<u16> = stream.values_from(stream.len() - 500).unwrap().collect();
        let from = usize::try_from(stream.len()).unwrap();
        assert_eq!(known, values[from - 500..from], "{text} {stopped:?}");
        if let Err(stopped) = stopped {
            assert_eq!(stopped, Stopped::Unsettled { at: stream.len() }, "{text}");
            unsettled += 1;
        }
    }
    // Of 0.376 rare values come up to the end.
    assert!(unsettled > 0);
}

/// Where all values are kept there is nothing to ask.
#[test]
fn all_values_are_kept() {
    for text in CODES {
        let mut stream = octal::stream(code(text), 1 << 20).unwrap();
        assert_eq!(
            advance(&mut stream, 20_000, 999, &mut NoHistory).unwrap(),
            whole(code(text), 20_000),
            "{text}"
        );
    }
}

#[test]
fn windows() {
    for (l, r) in [(1, 2), (2, 2), (1, 3), (1, 9), (3, 5), (2, 4), (4, 4), (1, 33)] {
        let window = Window::new(l, r).unwrap();
        let values = crate::grundy::segment::Sequence::up_to(window, 20_000);
        let Some(mut stream) = SparseStream::of_window(window, 1 << 16) else { continue };
        let found = advance(&mut stream, 20_000, 5000, &mut NoHistory).unwrap();
        assert!(
            found.iter().map(|&value| u32::from(value)).eq(values.values().iter().copied()),
            "{window:?}"
        );
    }
    assert!(SparseStream::of_window(Window::new(1, 257).unwrap(), 0).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_code(digits in prop::collection::vec(0_u8..8, 1..6), n in 3000_u64..9000, step in 300_u64..900) {
        let code = OctalCode::new(&[vec![0], digits].concat());
        if let Some(code) = code
            && let Some(mut stream) = octal::stream(code, 0)
        {
            let values = whole(code, n.max(stream.len() - 1));
            let mut history = Values(values.clone());
            prop_assert_eq!(advance(&mut stream, n, step, &mut history).unwrap(), values, "{}", code);
        }
    }

    /// A state that is saved and restored anywhere goes on as if nothing had happened, and is saved to the same bytes.
    #[cfg(feature = "analysis")]
    #[test]
    fn saved_states(at in 0_usize..CODES.len(), stop in 2500_u64..15_000, more in 1_u64..8000) {
        let code = code(CODES[at]);
        let mut stream = octal::stream(code, 1 << 14).unwrap();
        advance(&mut stream, stop, 1000, &mut NoHistory).unwrap();
        stream.find_repeat();
        let state = stream.save();
        let mut restored = octal::restore_stream(code, &state).unwrap();
        prop_assert_eq!(&restored.save(), &state);
        for stream in [&mut stream, &mut restored] {
            stream.advance(stop + more, &mut NoHistory).unwrap();
            stream.find_repeat();
        }
        prop_assert_eq!(stream.save(), restored.save());
        for len in [0, 7, state.len() / 2, state.len() - 1] {
            prop_assert!(octal::restore_stream(code, &state[..len]).is_none());
        }
    }
}

/// Published periods, from where they begin: found before they are proven.
#[test]
fn periods() {
    for (text, start, length) in [
        ("0.45", 498, 20),
        ("0.156", 3479, 349),
        ("0.356", 7315, 142),
        ("0.644", 3256, 442),
        ("0.16", 105_351, 149_459),
        ("0.127", 46_578, 4),
        ("0.77", 71, 12),
    ] {
        // With few values in memory, and with many.
        for keep in [1 << 15, 1 << 20] {
            let mut stream = octal::stream(code(text), keep).expect(text);
            while stream.find_repeat().is_none() {
                stream.advance(stream.len() + 1000, &mut NoHistory).unwrap();
            }
            let period = Some(Period { start, length });
            assert_eq!(stream.repeat(&mut || false), period, "{text}");
            assert_eq!(stream.repeat(&mut || true).filter(|_| start > 1 << 16), None, "{text}");
        }
    }
}
