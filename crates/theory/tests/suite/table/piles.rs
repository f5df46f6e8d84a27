//! `grundy table` for piles and pairs.

use std::process::{Command, Stdio};

use wait4::Wait4;
use zeroxor::GameKind;
use zeroxor::rules::{ListUse, PileGame};

use super::summary;
use crate::support::{assert_prints, assert_refuses, command, has_python, judge, program_of, text};

/// The summary of a table.
#[track_caller]
fn assert_sums_up(args: &str, expected: &str) {
    assert_eq!(summary(args), expected, "{args}");
}

/// Every game of piles that has a table has one that is as defined, and examples in its help that work.
#[test]
fn every_game_of_piles() {
    for &game in PileGame::ALL {
        let examples = GameKind::Piles(game).about().tables;
        let lists = match game.list() {
            ListUse::None => &[""][..],
            ListUse::Bans => &["", " ban 1 2", " ban 2 3 5"],
            ListUse::Takes => &[" take 2 3"],
        };
        let kinds = if game.has_outcome_tables() { &["", " --nimber"][..] } else { &[""] };
        for (list, kind) in lists.iter().flat_map(|list| kinds.iter().map(move |kind| (list, kind))) {
            if !examples.is_empty() {
                let summary = summary(&format!("table {}{list}{kind} --to 300 --check", game.name()));
                assert!(summary.ends_with("check: as defined for n = 0 to 300\n"), "{summary}");
            }
        }
        for example in examples.iter().filter(|example| !example.contains("--output")) {
            assert!(judge(&format!("table {example}"), &[]).status.success(), "{example}");
        }
    }
}

/// A030193: 0, 2, 5, 7, 10, 12, 15, 17, 20.
#[test]
fn outcomes_of_squares() {
    assert_prints("table square --to 5 --format csv", "n,outcome\n0,P\n1,N\n2,P\n3,N\n4,N\n5,P\n");
    assert_prints("table square --to 13 --format bfile", "1 0\n2 2\n3 5\n4 7\n5 10\n6 12\n");
    assert_prints(
        "table square ban 1 --to 8 --format json",
        "{\"schema\":1,\"game\":\"square ban 1\",\"to\":8,\"p_positions\":[0,1,2,3,8]}\n",
    );
    let binary = judge("table square --to 9 --format bin", &[]).stdout;
    assert_eq!(binary, b"OUTCOMES\x0a\0\0\0\0\0\0\0\xa5\x00");
    assert_sums_up(
        "table square --to 1048576 --check=3000",
        "game: square, n = 0 to 1048576\nP-positions: 14421 (n = 0 2 5 7 10 12 15 17 20 22 ...)\n\
         check: as defined for n = 0 to 3000\n",
    );
}

/// A014586: 0, 1, 0, 1, 2, 0.
#[test]
fn nimbers_of_piles() {
    assert_prints("table square --to 5 --nimber --format bfile", "0 0\n1 1\n2 0\n3 1\n4 2\n5 0\n");
    assert_prints("table divisor --to 4 --format csv", "n,nimber\n0,0\n1,1\n2,2\n3,1\n4,3\n");
    assert_prints(
        "table subtract take 1 2 --to 4 --format json",
        "{\"schema\":1,\"game\":\"subtract take 1 2\",\"to\":4,\"nimbers\":[0,1,2,0,1]}\n",
    );
    assert_sums_up(
        "table square --nimber --to 1048576 --check",
        "game: square, n = 0 to 1048576\nlargest nimber: 170, first at n = 1027166\n\
         P-positions: 14421 (n = 0 2 5 7 10 12 15 17 20 22 ...)\ncheck: as defined for n = 0 to 1000\n",
    );
    assert_sums_up(
        "table divisor ban 1 --to 1000 --check",
        "game: divisor ban 1, n = 0 to 1000\nlargest nimber: 10, first at n = 640\nP-positions: 2 (n = 0 1)\n\
         check: as defined for n = 0 to 1000\n",
    );
}

/// The set {2, 5, 9} is that of {2, 5}, as 9 is 2 modulo 7: of period 7.
#[test]
fn periods_of_subtraction_sets() {
    assert_sums_up(
        "table subtract take 2 5 9 --to 20 --period --check",
        "game: subtract take 2 5 9, n = 0 to 20\nlargest nimber: 2, first at n = 5\n\
         P-positions: 9 (n = 0 1 4 7 8 11 14 15 18)\nperiod: 7 from n = 0 on, proven\n\
         check: as defined for n = 0 to 20\n",
    );
    // Beyond the largest pile too: the period is that of {1}, of {3, 5}, times what the set is scaled by.
    for (takes, period) in [
        ("1000000000000000", "2000000000000000"),
        ("1000000000000000000", "2000000000000000000"),
        ("3000000000000000 5000000000000000", "8000000000000000"),
    ] {
        let printed = judge(&format!("table subtract take {takes} --to 10 --period"), &[]).stdout;
        let expected = format!("\nperiod: {period} from n = 0 on, proven\n");
        assert!(text(&printed).contains(&expected), "{takes}: {}", text(&printed));
    }
    // Nothing has been computed, or the first piles have.
    let refused = "grundy: the period is out of reach: a period of the nimbers of piles under \
                   \"subtract take";
    assert_refuses(
        "table subtract take 1 7 15000003 30000001 --to 9 --period",
        &format!("{refused} 1 7 15000003 30000001\" takes 480000022 bytes, and the limit is 268435456\n"),
    );
    assert_refuses(
        "table subtract take 2 12 10000006 20000002 --to 9 --period",
        &format!(
            "{refused} 2 12 10000006 20000002\", of which the first 40000004 show no period yet, takes "
        ),
    );
    assert_refuses(
        "table subtract take 1 --to 9 --period --format csv",
        "expected --period with the summary",
    );
}

#[test]
fn the_number_game() {
    assert_prints("table euclid --to 2 --format csv", "a,b,outcome\n1,1,P\n1,2,N\n2,1,N\n2,2,P\n");
    assert_prints("table euclid --to 3 --format bfile", "1 1\n2 0\n3 0\n4 0\n5 1\n6 0\n");
    assert_prints(
        "table euclid --to 3 --format json",
        "{\"schema\":1,\"game\":\"euclid\",\"to\":3,\"outcomes\":[\"PNN\",\"NPP\",\"NPP\"]}\n",
    );
    let binary = judge("table euclid --to 3 --format bin", &[]).stdout;
    assert_eq!(binary, b"OUTCOMES\x09\0\0\0\0\0\0\0\xb1\x01");
    // As many N-positions as `grundy count 1 100 1 100` counts.
    assert_sums_up(
        "table euclid --to 100 --check",
        "game: euclid, pairs of 1 to 100\nN-positions: 6142 of 10000\nP-positions: 3858\n\
         check: as defined for pairs of 1 to 100\n",
    );
    assert_prints("count 1 100 1 100", "6142\n");
}

#[test]
fn refusals() {
    assert_refuses(
        "table square --nimber --to 100000000",
        "grundy: the table is too large, a smaller --to may help: a table of the nimbers of piles up to 100000000 \
         under \"square\" takes 666666666666 steps, and the limit is 10000000000\n",
    );
    assert_refuses("table square ban --to 5", "<S>...");
    assert_refuses("table square 4 --to 5", "invalid value '4' for '[ban S...]'\n  [possible values: ban]");
    assert_refuses("table divisor take 4 --to 5", "[possible values: ban]");
    assert_refuses("table subtract --to 5", "<take>");
    assert_refuses("table subtract take 0 --to 5", "expected a number from 1 to 1000000000000000000");
    assert_refuses("table euclid --to 0", "expected a number from 1 to 31622");
    assert_refuses("table euclid --to 31623", "expected a number from 1 to 31622");
    assert_refuses("table euclid --to 5 --check=0", "expected a number from 1 to 1073741824");
}

/// Nobody computes a value in a hundredth of a nanosecond: those that are only computed when they are asked
/// for have taken time too.
#[test]
fn the_time_is_that_of_all_values() {
    for args in ["divisor --to 1000000", "square --to 1000000", "euclid --to 1000"] {
        let output = judge(&format!("table {args}"), &[]);
        let rate = text(&output.stdout).trim_end().rsplit(' ').nth(1).unwrap();
        assert!(rate.parse::<u64>().unwrap() < 100_000_000_000, "{args}: {rate}");
    }
}

/// The values that have been compared are not kept a second time.
#[test]
fn a_check_takes_no_memory() {
    let peak = |args: String| {
        let mut child = command(&args, &[]).stdout(Stdio::null()).spawn().unwrap();
        let used = child.wait4().unwrap();
        assert!(used.status.success(), "{args}");
        used.rusage.maxrss
    };
    for args in ["divisor ban 1 --to 100000", "subtract take 1 --to 4000000", "euclid --to 1500"] {
        let [without, with] = ["", " --check=4000000"].map(|check| peak(format!("table {args}{check}")));
        assert!(with < without + (4 << 20), "{args}: {without} bytes without, {with} with");
    }
}

/// `--check` takes a number only after "=", and so none that is part of the game.
#[test]
fn a_check_within_the_game() {
    for (args, expected) in [
        ("square --check ban 4 --to 5", "game: square ban 4, n = 0 to 5\nP-positions: 3 (n = 0 2 4)\n"),
        (
            "segment --check 1 2 --to 5",
            "game: segment 1 2, n = 0 to 5\nlargest nimber: 4, first at n = 5\nP-positions: 1 (n = 0)\n",
        ),
        (
            "subtract --check take 1 --to 5",
            "game: subtract take 1, n = 0 to 5\nlargest nimber: 1, first at n = 1\nP-positions: 3 (n = 0 2 4)\n",
        ),
    ] {
        assert_sums_up(&format!("table {args}"), &format!("{expected}check: as defined for n = 0 to 5\n"));
    }
    assert_refuses("table segment 1 2 --to 9 --check 5", "unexpected argument '5'");
    assert_refuses("table square --to 9 --check 5", "invalid value '5' for '[ban S...]'");
    assert_refuses("table square ban 4 --to 9 --check 5", "cannot be used multiple times");
    assert_refuses("table subtract take 1 2 --to 9 --check 5", "cannot be used multiple times");
}

#[test]
fn the_usage_tells_of_bans() {
    for game in PileGame::ALL.iter().filter(|game| game.list() == ListUse::Bans) {
        let game = game.name();
        let help = judge(&format!("table {game} --help"), &[]).stdout;
        let usage = format!("Usage: grundy table {game} [OPTIONS] --to <N> [ban S...]\n");
        assert!(text(&help).contains(&usage), "{}", text(&help));
    }
}

/// On a terminal a bar shows how far a table is, whatever engine computes it.
#[test]
fn progress_on_a_terminal() {
    if !has_python() {
        return;
    }
    let program = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))";
    for (table, of) in
        [("square --to 200000000", " of 200,000,000, "), ("segment 3 3 --to 100000", " of 100,000, ")]
    {
        let mut python = Command::new("python3");
        python.args(["-c", program]).arg(program_of("table")).arg("table").args(table.split(' '));
        let output = python.env("TERM", "xterm").output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let has_come_to =
            |part: &str| part.ends_with(|last: char| last.is_ascii_digit()) && !part.ends_with(" 0");
        let mut bars = printed.match_indices(of);
        assert!(bars.any(|(at, _)| has_come_to(&printed[..at])), "{table}: {printed}");
    }
}
