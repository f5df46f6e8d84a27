//! Games by their codes: `grundy octal`, and games of the bot.

use zeroxor::{GameSpec, OctalCode, nimbers};

use crate::support::{assert_all_won, assert_prints, assert_refuses, judge, text};

/// What is printed for a code, as lines.
#[track_caller]
fn known(args: &str) -> Vec<String> {
    let output = judge(&format!("octal {args}"), &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args}");
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn a_solved_game() {
    assert_prints(
        "octal .77",
        "code: 0.77\nname: Kayles\nstandard form: 0.77\n\
         cousins: 0.771, 4.4 at n+1, 4.401 at n+1, 4.41 at n+1, 4.411 at n+1, 4.42 at n+1, 4.421 at n+1, 4.43 at n+1, \
         4.431 at n+1, 4.6 at n+1, 4.601 at n+1, 4.61 at n+1, 4.611 at n+1, 4.62 at n+1, 4.621 at n+1, 4.63 at n+1, \
         4.631 at n+1\nwindow: [1, 2]\nrare values: 10 up to n = 20000, the last at n = 70 (mask 0b1111)\n\
         period: 12 from n = 71 on, proven: g(n+12) = g(n) for n = 71 to 155\nstatus: proven here by this run\n",
    );
}

/// A period that these values do not prove is printed with its certificate or, if there is none, with its source.
#[test]
fn a_period_from_elsewhere() {
    let lines = known("0.16");
    assert!(lines.contains(&"period: 149459 from n = 105351 on".to_owned()), "{lines:?}");
    let published = "published: period 149459 from n = 105351 on, by A. Gangolli and T. Plambeck, 1989 (\"A note on \
                     periodicity in some octal games\")";
    assert!(lines.contains(&published.to_owned()), "{lines:?}");
    let checks = "which grundy table --verify docs/certificates/octal.jsonl checks";
    assert_eq!(lines.last().unwrap(), &format!("status: proven here by a certificate, {checks}"));
    let longer = known("0.16 --to 6e5");
    assert_eq!(longer.last().unwrap(), "status: proven here by this run");
    let lines = known("0.106");
    assert!(!lines.iter().any(|line| line.starts_with("period") || line.contains("proven")), "{lines:?}");
    let status = lines.last().unwrap();
    assert!(
        status.starts_with(
            "status: published, not checked here: period 328226140474 from n = 465384263797 on, by "
        ),
        "{status}"
    );
    // A table says so too, beside what its values show.
    let output = judge("table octal 0.106 --to 3000 --period", &[]);
    assert!(text(&output.stdout).contains("\nperiod: none up to 3000\n"), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains(status), "{}", text(&output.stdout));
}

/// The codes with the same first values, the zeros before the first other value left out, by a comparison with all codes.
#[test]
fn all_cousins() {
    let values = |code: &OctalCode| {
        let values = nimbers(&GameSpec::Octal { code: *code, heaps: vec![1] }, 0..=1000).unwrap();
        let zeros = values.iter().take_while(|value| value.0 == 0).count();
        (i64::try_from(zeros).unwrap(), values[zeros..].to_vec())
    };
    let digits =
        (0..1024).map(|k: u16| [k >> 9 << 2, k >> 6 & 7, k >> 3 & 7, k & 7].map(|digit| digit as u8));
    let codes: Vec<OctalCode> = digits.filter_map(|digits| OctalCode::new(&digits)).collect();
    assert_eq!(codes.len(), 1023);
    let all: Vec<_> = codes.iter().map(values).collect();
    for text in ["0.313", "0.71", "0.3", "0.137", "0.6", "0.161", "0.16", "4.0", "4.7", "0.01", "0.f"] {
        let code: OctalCode = text.parse().unwrap();
        let (zeros, mine) = values(&code);
        let equal = codes.iter().zip(&all).filter_map(|(other, (their_zeros, theirs))| {
            let is_equal = *other != code && mine.iter().zip(theirs).all(|(a, b)| a == b);
            is_equal.then(|| match zeros - their_zeros {
                0 => other.to_string(),
                less @ 1.. => format!("{other} at n-{less}"),
                more => format!("{other} at n+{}", -more),
            })
        });
        let listed = known(text).iter().find_map(|line| line.strip_prefix("cousins: ").map(str::to_owned));
        assert_eq!(listed.unwrap_or_default(), equal.collect::<Vec<_>>().join(", "), "{text}");
    }
    let cousins = known("0.313").into_iter().find(|line| line.starts_with("cousins: ")).unwrap();
    for other in ["0.311", "0.71", "0.711"] {
        assert!(cousins.split([' ', ',']).any(|word| word == other), "{cousins}");
    }
}

#[test]
fn an_open_game_and_its_cousin() {
    for code in ["0.6", "0.37"] {
        let lines = known(&format!("{code} --to 2000"));
        let status = "status: open: no period known; none shows up to n = 2000";
        assert_eq!(lines.last().unwrap(), status, "{code}");
    }
}

/// Where moves leave three heaps: one repeats, one is proven to grow for ever, and two have no period.
#[test]
fn codes_that_leave_three_heaps() {
    let last = |code: &str, many: usize| {
        known(code).into_iter().rev().take(many).rev().collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        last("0.f", 2),
        "period: 2 from n = 0 on, proven: g(n+2) = g(n) for n = 0 to 4\nstatus: proven here by this run"
    );
    assert_eq!(
        last("0.8", 3),
        "period: none: the values grow for ever\n\
         arithmetic period: 3 from n = 1 on, proven: g(n+3) = g(n) + 1 for all n >= 1\nstatus: proven here by this run"
    );
    let never =
        "period: none: a move that takes an even number may leave three heaps, so the values never repeat";
    let open = "status: open: no period exists, and no arithmetic period is proven";
    assert_eq!(last("0.98", 2), format!("{never}\n{open}"));
    // Its saltus is no power of two.
    let growth = "arithmetic period: 6 from n = 0 on, not proven: g(n+6) = g(n) + 3 for n = 0 to 3994";
    assert_eq!(last("0.3f", 3), format!("{never}\n{growth}\n{open}"));
}

#[test]
fn codes_that_are_compared() {
    let compared = |args: &str| known(args).pop().unwrap();
    assert_eq!(
        compared("0.161 --compare 0.36"),
        "compared: with 0.36: the first difference is at n = 519: 2 and 4"
    );
    assert_eq!(
        compared("0.77 --compare 0.8"),
        "compared: with 0.8 at n+3: the first difference is at n = 2: 2 and 1"
    );
    for args in ["0.77 --compare 0.8", "0.8"] {
        assert_refuses(
            &format!("octal {args} --to 20001"),
            "expected --to 20000 at most if a move may leave three heaps, as in 0.8, got 20001; grundy table octal 0.8 \
             allows more",
        );
    }
}

#[test]
fn what_is_no_code() {
    assert_refuses("octal 77", "expected a code such as \"0.77\"");
    assert_refuses("octal 0.77 --to 1e12", "expected a number from 100 to 100000000");
}

/// The bot wins rows by random codes, as single games and in sums with other games, against every opponent.
#[test]
fn random_codes_against_every_opponent() {
    const OPPONENTS: &str = "perfect,random,greedy,slow,mirror,stubborn";
    let mut state = 2_u64;
    let mut random = |below: u64| {
        // The generator of D. E. Knuth's MMIX.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for k in 0..40 {
        let mut row = || format!("octal 0.{}{}{}7 {}", random(8), random(8), random(8), 1 + random(60));
        let row = [row(), row()];
        let header = match k % 4 {
            0 => row[0].clone(),
            1 => format!("{} 23 8", row[0]),
            2 => row.join(" + "),
            _ => format!(
                "{} + {}",
                row.join(" + "),
                ["nim 5 9", "segment 30 2 4", "square 40 ban 1", "euclid 14 5"][k / 4 % 4]
            ),
        };
        assert_all_won(&format!("{header} --opponent {OPPONENTS}"), &[], 6);
    }
}
