//! Numbers, times and sizes with units.

use crate::support::{assert_prints, assert_refused, command, judge, text};

/// The command that plays a game again: it has each limit that is not the default in plain numbers.
#[track_caller]
fn again(args: &str) -> String {
    let output = judge(args, &["sh", "-c", "read h; echo First; echo 0 0"]);
    let shown = text(&output.stdout);
    let again = shown.lines().find_map(|line| line.strip_prefix("    again: judge run "));
    let again = again.unwrap_or_else(|| panic!("{shown}{}", text(&output.stderr)));
    again.split(" -- ").next().unwrap().replace(" --opponent perfect", "")
}

#[test]
fn limits_with_units() {
    for (typed, plain) in [
        ("--time-limit 3s --wall-limit 3500ms", "--time-limit 3 --wall-limit 3.5"),
        ("--time-limit 3 --wall-limit 3.5", "--time-limit 3 --wall-limit 3.5"),
        ("--memory-limit 256M", "--memory-limit 256"),
        ("--memory-limit 2GiB", "--memory-limit 2048"),
        ("--memory-limit 0.5G", "--memory-limit 512"),
        ("--memory-limit 300MB", "--memory-limit 300000000B"),
        ("--memory-limit 1GiB", ""),
        ("--grace 1m30s", "--grace 90"),
        ("--processes 2^7", "--processes 128"),
    ] {
        let expected = format!("6 1 2 --seed 1 {plain}");
        assert_eq!(
            again(&format!("run 6 1 2 {typed}")).replace(" --profile contest", ""),
            expected.trim_end(),
            "{typed}"
        );
    }
}

/// The bot is sent plain numbers.
#[test]
fn headers_and_seeds_with_units() {
    assert_eq!(again("run 6_0 1e0 2^1 --seed 1e3"), "60 1 2 --seed 1000");
    assert_eq!(again("run nim 1_000 + square 2^5 -s 2^10"), "nim 1000 + square 32 --seed 1024");
    let line = command("run 6 1 2 --opponent slow -v --line", &[]).arg("1e0 1").output().unwrap();
    assert!(text(&line.stdout).contains("2 judge  1 1 "), "{}", text(&line.stdout));
    let heard = judge("run 1e2 1 2 --json", &["sh", "-c", "read h; echo $h; read x"]);
    assert!(text(&heard.stdout).contains(r#"got \"100 1 2\""#), "{}", text(&heard.stdout));
    assert_prints("solve nim 2^3 --nimber", "8\n");
    assert_prints("count 1 6e0 1 6", "20\n");
    let plot = judge("table segment 1 2 --to 9 --plot bars --width 1_000", &[]);
    assert!(text(&plot.stdout).contains("width=\"1000\""), "{}", text(&plot.stderr));
}

#[test]
fn errors_have_one_style() {
    for (args, expected) in [
        (
            "run 6 1 2 --games 0",
            "'0' for '--games <K>': expected a number from 1 to 18446744073709551615, as in 1000, 1_000, 1e3 or 2^10",
        ),
        ("run 6 1 2 --games 1.5", "'1.5' for '--games <K>': expected a number from 1 to"),
        (
            "run 6 1 2 --seed 2^64",
            "'2^64' for '--seed <S>': expected a number from 0 to 18446744073709551615",
        ),
        (
            "run 6 1 2 --memory-limit 1X",
            "'1X' for '--memory-limit <SIZE>': expected a size from 1M to 1048576T, as in 256, 256M or 1GiB; without a unit it is in MiB",
        ),
        (
            "run 6 1 2 --time-limit 2x",
            "'2x' for '--time-limit <TIME>': expected a time from 1ms to 24h, as in 2, 2s, 500ms or 1m30s; without a unit it is in seconds",
        ),
        ("run 6 1 2 --time-limit 25h", "'25h' for '--time-limit <TIME>': expected a time from 1ms to 24h"),
        ("stress --jobs 0", "'0' for '--jobs <J>': expected a number from 1 to 1024"),
        ("stress --time 0", "'0' for '--time <TIME>': expected a time from 1ms to 24h"),
        ("lint --time-limit inf", "'inf' for '--time-limit <TIME>': expected a time"),
        ("interact --grace 1d 6 1 2", "'1d' for '--grace <TIME>': expected a time"),
        ("table square --to 2^31", "'2^31' for '--to <N>': expected a number from 0 to 1073741824"),
        (
            "web --port 2^16",
            "'2^16' for '--port <PORT>': expected a number from 0 to 65535, as in 1000, 1_000, 1e3",
        ),
        (
            "replay none --game 0",
            "'0' for '--game <K>': expected a number from 1 to 18446744073709551615, as in 1000",
        ),
        (
            "table square --to 9 --plot bars --width 1e5",
            "'1e5' for '--width <PIXELS>': expected a number from 280 to 4000, as in 1000, 1_000, 1e3 or 2^10",
        ),
        // The number is read, and then the file.
        ("replay none --game 2^1", "the transcript none cannot be opened"),
        ("run 6 1 1e30", r#"expected a number from 1 to 1000000000000000000, got "1e30" at column 5"#),
    ] {
        let bot: &[&str] = if args.starts_with("lint") { &["true"] } else { &[] };
        assert_refused(args, bot, expected);
    }
}
