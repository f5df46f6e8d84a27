//! The checks of `judge lint`.

use crate::support::{bot, has_python, judge, text};

/// Checks that the report explains lost games: it names the bot's mistake, and what the games have in common.
#[test]
fn lost_games_are_explained() {
    if !has_python() {
        return;
    }
    let output =
        judge("lint --family segment --only 3 --time-limit 5", &["python3", &bot("broken/wrong_side.py")]);
    let expected = " 3 lost plays by the rules and prints nothing else: by the rules, but it lost \"6 1 2\", \"20 1 2\", \
        \"9 1 5\": you chose Second; First wins here, for instance by taking ";
    assert!(text(&output.stdout).starts_with(expected), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("\n        again: judge run 6 1 2 "), "{output:?}");
    assert!(text(&output.stdout).contains(": 0 passed, 0 failed, 1 lost, 0 noted\n"), "{output:?}");
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert!(
        lines[1].starts_with("        why: the bot chose Second in every game so far, but "),
        "{output:?}"
    );
    assert_eq!(output.status.code(), Some(0));
}

/// Checks that the report distinguishes a header read in another order from places counted from 0.
#[test]
fn header_order_and_places_from_0_are_distinguished() {
    if !has_python() {
        return;
    }
    let advice = |name: &str| {
        let output = judge("lint --family segment --only 3 --time-limit 5", &["python3", &bot(name)]);
        let lines = text(&output.stdout).lines().filter_map(|line| line.trim().strip_prefix("what to do: "));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    let order = advice("broken/header_order.py");
    assert!(
        order.len() == 1
            && order[0].starts_with("did you read the header as N L R? Here N = 9, L = 1 and R = 5. "),
        "{order:?}"
    );
    let from_0 = advice("broken/places_from_0.py");
    assert!(
        from_0.len() == 1 && from_0[0].starts_with("places are numbered from 1, not from 0"),
        "{from_0:?}"
    );
}

/// Checks that `judge lint` reports, for both ways in which a game ends, that the bot sleeps instead of exiting.
#[test]
fn a_bot_that_sleeps_after_the_end() {
    if !has_python() || !cfg!(target_os = "linux") {
        return;
    }
    for number in [4, 5] {
        let bot = bot("broken/never_exits.py");
        let output =
            judge(&format!("lint --family segment --only {number} --time-limit 5"), &["python3", &bot]);
        let shown = text(&output.stdout);
        assert!(shown.contains("why: when it was killed, it was sleeping for a set time\n"), "{shown}");
        assert!(shown.contains("what to do: look for a call to sleep; "), "{shown}");
    }
}

/// Checks that the report does not suspect unflushed output after a traceback at the end of input.
#[test]
fn a_traceback_at_the_end_of_input() {
    if !has_python() || !cfg!(target_os = "linux") {
        return;
    }
    let bot = bot("broken/reads_to_the_end.py");
    let output = judge("lint --family segment --time-limit 1", &["python3", &bot]);
    let shown = text(&output.stdout);
    assert!(shown.contains(": it reads to the end of its input, as sys.stdin.read() "), "{shown}");
    assert!(!shown.contains("flush"), "{shown}");
}
