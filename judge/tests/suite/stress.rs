//! The search for a game that a bot does not win.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::judge::{command, fifo, judge, text, timeless};

const JUDGE: &str = env!("CARGO_BIN_EXE_judge");

/// Plays perfectly but for what the shell does when it has read the header into `$h` and its words into `$1`
/// and on.
fn perfect_but(script: &str) -> String {
    format!("read h; set -- $h; {script} {{ echo \"$h\"; cat; }} | {JUDGE} bot")
}

fn scratch(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"))
}

/// The reports of a search, by the number of the game, and the last one if a failure was shrunk to it.
fn reports(args: &str, bot: &[&str]) -> (BTreeMap<u64, Value>, Option<Value>, i32) {
    let output = judge(&format!("stress --json {args}"), bot);
    assert_eq!(text(&output.stderr), "", "{args}");
    let (mut games, mut minimal) = (BTreeMap::new(), None);
    for line in text(&output.stdout).lines() {
        let mut report: Value = serde_json::from_str(line).unwrap();
        for figure in ["wall_ms", "waited_ms", "cpu_ms", "memory_kib", "slowest_ms", "slowest_ply"] {
            report[figure].take();
        }
        match report["index"].as_u64() {
            Some(index) => assert!(games.insert(index, report).is_none(), "game {index} twice"),
            None => minimal = Some(report),
        }
    }
    (games, minimal, output.status.code().unwrap())
}

/// Every family against every opponent, and the summary of a search that found nothing.
#[test]
fn the_bundled_bot_wins_all() {
    for family in ["segment", "square", "divisor", "subtract", "nim", "euclid", "sum"] {
        let output = judge(&format!("stress --family {family} --games 200 --max-n 300"), &[]);
        let shown = text(&output.stdout);
        assert!(shown.starts_with("200 of 200 games won; 200 played in "), "{family}: {shown}");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{family}");
        // The random starts come after the small ones.
        let output = judge(&format!("stress --family {family} --games 60 --max-n 1 --session"), &[]);
        assert!(text(&output.stdout).starts_with("60 of 60 games won"), "{family}: {}", text(&output.stdout));
    }
}

#[test]
fn the_same_games_at_any_number_of_jobs() {
    let search = |jobs: u32, seed: u64| reports(&format!("--games 60 --seed {seed} --jobs {jobs}"), &[]).0;
    let alone = search(1, 3);
    assert_eq!(alone.keys().copied().collect::<Vec<_>>(), (0..60).collect::<Vec<_>>());
    assert_eq!(alone[&6]["game"], "2 1 1");
    assert_eq!(alone, search(4, 3));
    assert_ne!(alone, search(1, 4));
}

/// A large game that was not won shrinks to the smallest start with that fault, in words that a bot for the
/// contest alone can read.
#[test]
fn a_failure_is_shrunk_to_a_smaller_start() {
    let script = perfect_but(
        "case $1 in *[!0-9]*) exit 1;; esac; if [ $1 -ge 13 ]; then echo third; read x; exit; fi;",
    );
    let (games, minimal, code) = reports("--games 1400 --jobs 2", &["sh", "-c", &script]);
    assert_eq!(code, 1);
    let first = games.iter().find(|(_, report)| report["verdict"] != "WON").unwrap();
    assert!(*first.0 >= 1320, "all small starts were won: {first:?}");
    let minimal = minimal.unwrap();
    assert_eq!((&minimal["game"], &minimal["verdict"]), (&"13 1 1".into(), &"MALFORMED".into()));
    assert_eq!((&minimal["minimal"], &minimal["flaky"]), (&true.into(), &false.into()));
    let again = minimal["again"].as_str().unwrap();
    assert!(again.starts_with("judge run 13 1 1 --opponent "), "{again}");
}

/// Two moves of the opponent's lead to the fault, and one other: the command plays that one.
#[test]
fn a_failure_is_shrunk_to_a_shorter_line() {
    let script = perfect_but(
        "if [ \"$*\" = '6 1 2' ]; then echo First; echo 3 2; read x y; \
         if [ $x != 6 ]; then [ $x -le 2 ] && echo $((x + 4)) $y || echo $((x - 4)) $y; read x y; \
         [ $x = 0 ] && exit; fi; echo oops; read x; exit; fi;",
    );
    let output = judge("stress --jobs 1", &["sh", "-c", &script]);
    let shown = timeless(text(&output.stdout));
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(
        shown.contains("not won: 1 MALFORMED\n\nThe smallest game that was not won, from game "),
        "{shown}"
    );
    assert!(shown.contains("\nMALFORMED 6 1 2 as First against slow (seed "), "{shown}");
    let again = shown.lines().find_map(|line| line.strip_prefix("    again: ")).unwrap();
    assert!(again.contains(" --line \"6 1\" -- sh -c "), "{again}");
    let run = Command::new("sh").args(["-c", &again.replacen("judge", JUDGE, 1)]).output().unwrap();
    let run = timeless(text(&run.stdout));
    assert_eq!(run.lines().next(), shown.lines().find(|line| line.starts_with("MALFORMED")));
}

/// A bot that fails now and then is called flaky, and no more is made of it.
#[test]
fn a_flaky_failure_is_called_flaky() {
    let count = scratch("flaky");
    std::fs::write(&count, "0").unwrap();
    let script =
        perfect_but(&format!("c=$(cat {count}); echo $((c + 1)) > {count}; [ $((c % 3)) = 2 ] && exit 3;"));
    let output = judge("stress --jobs 1", &["sh", "-c", &script]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("\nFLAKY: game 2, or the game it was shrunk to, was played again 3 times, and 2 times did not end with CRASHED:\n"), "{shown}");
    assert!(
        shown.contains("\ngame 2: CRASHED 1 1 1 against ") && shown.contains("\nCRASHED 1 1 1 "),
        "{shown}"
    );
}

/// What failed once and never again is told as it was.
#[test]
fn a_failure_that_does_not_repeat_is_kept() {
    let count = scratch("once");
    let script = perfect_but(&format!("c=$(cat {count}); echo $((c + 1)) > {count}; [ $c = 2 ] && exit 3;"));
    std::fs::write(&count, "0").unwrap();
    let output = judge("stress --jobs 1", &["sh", "-c", &script]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("3 times did not end with CRASHED:\n\ngame 2: CRASHED 1 1 1 against "), "{shown}");
    assert!(shown.contains("exited with code 3\n    again: judge run 1 1 1 --opponent "), "{shown}");
    assert!(!shown.contains("WON"), "{shown}");
    std::fs::write(&count, "0").unwrap();
    let (games, minimal, _) = reports("--jobs 1", &["sh", "-c", &script]);
    let minimal = minimal.unwrap();
    for field in ["game", "opponent", "seed", "verdict", "reason", "again", "schema", "moves"] {
        assert_eq!(minimal[field], games[&2][field], "{field}");
    }
    assert_eq!((&minimal["flaky"], &minimal["from"]), (&true.into(), &2.into()));
}

fn start(args: &str, bot: &str) -> Child {
    let mut judge = command(args, &["sh", "-c", bot]);
    judge.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(judge: &Child, name: &str) {
    assert!(
        Command::new("kill").args([format!("-{name}"), judge.id().to_string()]).status().unwrap().success()
    );
}

#[test]
fn an_interrupt_while_a_failure_is_shrunk() {
    let (count, here) = (scratch("shrunk"), fifo("shrinking"));
    std::fs::write(&count, "0").unwrap();
    let bot = perfect_but(&format!(
        "c=$(cat {count}); echo $((c + 1)) > {count}; \
         case $c in 2) exit 3;; 3) echo here > {here}; sleep 15; exit;; esac;"
    ));
    let judge = start("stress --jobs 1 --time-limit 60", &bot);
    assert_eq!(std::fs::read_to_string(&here).unwrap(), "here\n");
    signal(&judge, "INT");
    let output = judge.wait_with_output().unwrap();
    let shown = text(&output.stdout);
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(2), "judge: the search was interrupted\n")
    );
    assert!(shown.contains("not won: 1 CRASHED\ngame 2: CRASHED 1 1 1 against "), "{shown}");
    assert!(shown.contains("\n    again: judge run 1 1 1 ") && !shown.contains("FLAKY"), "{shown}");
}

/// A second signal ends the search, the judges at work and their bots.
#[test]
fn a_second_interrupt_ends_all() {
    let here = fifo("searching");
    let bot = format!("exec 3> {here}; echo here >&3; sleep 15; echo alive >&3");
    let judge = start("stress --jobs 1 --time-limit 60", &bot);
    let mut here = BufReader::new(File::open(&here).unwrap());
    let mut line = String::new();
    here.read_line(&mut line).unwrap();
    assert_eq!(line, "here\n");
    signal(&judge, "TERM");
    signal(&judge, "INT");
    assert_eq!(judge.wait_with_output().unwrap().status.code(), Some(130));
    let mut rest = String::new();
    here.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "", "the bot lives on");
}

/// A bot that ends the judge it plays against leaves the search without a verdict, and that is no success.
#[test]
fn a_bot_that_ends_its_judge() {
    for name in ["TERM", "INT", "KILL"] {
        for jobs in [1, 2] {
            let bot = ["sh", "-c", &format!("kill -{name} $PPID; exec {JUDGE} bot")];
            let output = judge(&format!("stress --games 20 --jobs {jobs}"), &bot);
            let (shown, error) = (text(&output.stdout), text(&output.stderr));
            assert_eq!((output.status.code(), shown), (Some(2), ""), "{name}: {error}");
            let names_cause = error.contains("was not finished") || error.contains("ended early");
            assert!(names_cause && error.contains("without --sandbox a bot can"), "{name}: {error}");
        }
    }
}

/// A search that was over before its first game has found nothing out.
#[test]
fn no_game_is_no_success() {
    let output = judge("stress --time 0.001", &[]);
    let (shown, code) = (text(&output.stdout), output.status.code());
    // However fast this machine is.
    assert!(code == Some(2) || code == Some(0) && !shown.starts_with("0 of 0"), "{shown}");
}

#[test]
fn a_search_goes_on_from_its_own_output() {
    let first = judge("stress --json --games 40 --seed 9", &[]);
    let whole = text(&first.stdout);
    let file = scratch("resume.jsonl");
    // Broken off in the middle of a line.
    let cut = whole.match_indices('\n').nth(24).unwrap().0 + 20;
    std::fs::write(&file, &whole[..cut]).unwrap();
    let (rest, _, code) = reports(&format!("--games 40 --seed 9 --resume {file}"), &[]);
    assert_eq!((rest.len(), code), (15, 0));
    let known: Vec<&str> = whole.lines().take(25).collect();
    assert!(
        rest.keys().all(|index| !known.iter().any(|line| line.starts_with(&format!("{{\"index\":{index},"))))
    );
    let other = judge(&format!("stress --games 40 --seed 8 --resume {file}"), &[]);
    assert_eq!(other.status.code(), Some(2));
    assert!(
        text(&other.stderr).contains("use the same --seed, --family and --max-n"),
        "{}",
        text(&other.stderr)
    );
    std::fs::write(&file, "hello\n").unwrap();
    let damaged = judge(&format!("stress --resume {file}"), &[]);
    assert!(
        text(&damaged.stderr).contains("line 1: expected a game of judge stress --json"),
        "{}",
        text(&damaged.stderr)
    );
}

/// The search of a file goes on in that file: its last line was cut off, and stays as it is.
#[test]
fn a_file_that_was_cut_off_is_gone_on_with() {
    let file = scratch("appended.jsonl");
    let first = judge("stress --json --games 20", &[]);
    std::fs::write(&file, &first.stdout[..first.stdout.len() - 30]).unwrap();
    let resume = format!("stress --json --games 30 --resume {file}");
    let append = File::options().append(true).open(&file).unwrap();
    let output = command(&resume, &[]).stdin(Stdio::null()).stdout(append).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let known = judge(&resume, &[]);
    let note = format!(
        "judge: note: the file to resume from, {file}, has lines that are cut off: 1, the first is line 20; their games are played again\n"
    );
    assert_eq!((known.status.code(), text(&known.stdout), text(&known.stderr)), (Some(0), "", note.as_str()));
    let shown = judge(&resume.replace("--json ", ""), &[]);
    assert!(text(&shown.stdout).starts_with("30 of 30 games won; 0 played in "), "{}", text(&shown.stdout));
}

/// A failure counts once, however often the file has it, and is shrunk once.
#[test]
fn a_file_that_ends_in_a_failure() {
    let file = scratch("failed.jsonl");
    let bot = ["sh", "-c", "read h; echo Second; read x; echo 0 0; read x"];
    let first = judge("stress --json --games 30", &bot);
    let line = text(&first.stdout).lines().next().unwrap();
    std::fs::write(&file, format!("{line}\n{}", text(&first.stdout))).unwrap();
    let known = judge(&format!("stress --json --games 30 --resume {file}"), &bot);
    assert_eq!((known.status.code(), text(&known.stdout), text(&known.stderr)), (Some(1), "", ""));
    let shown = judge(&format!("stress --games 30 --resume {file}"), &bot);
    assert!(text(&shown.stdout).starts_with("0 of 1 game won; 0 played in "), "{}", text(&shown.stdout));
    assert!(text(&shown.stdout).contains("\nnot won: 1 "), "{}", text(&shown.stdout));
}

/// Whatever a file to resume from says of a game, a terminal shows it and does not obey it.
#[test]
fn a_file_to_resume_from_gives_a_terminal_no_orders() {
    let file = scratch("orders.jsonl");
    let bot = ["sh", "-c", "read h; echo Second; read x; echo 0 0; read x"];
    let first = judge("stress --json --games 1", &bot);
    let line = text(&first.stdout).lines().next().unwrap();
    let mut report: Value = serde_json::from_str(line).unwrap();
    let orders = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}7m\u{202e}";
    report["reason"] = orders.into();
    report["again"] = format!("judge run {orders}").into();
    std::fs::write(&file, format!("{report}\n")).unwrap();
    // The failure does not repeat: it is told as it was.
    let winner = "c=$(cat COUNT); echo x > COUNT; [ \"$c\" ] || exit 3;".replace("COUNT", &scratch("orders"));
    std::fs::write(scratch("orders"), "x").unwrap();
    let winner = ["sh", "-c", &perfect_but(&winner)];
    report["bot"] = winner.to_vec().into();
    std::fs::write(&file, format!("{report}\n")).unwrap();
    let resumed = judge(&format!("stress --games 1 --resume {file}"), &winner);
    let shown = text(&resumed.stdout);
    assert!(
        shown.contains(": \\u{1b}]0;title\\u{7}\\u{1b}[2J\\u{9b}7m\\u{202e}\n    again: judge run \\u{1b}"),
        "{shown}"
    );
    report["opponent"] = orders.into();
    std::fs::write(&file, format!("{report}\n")).unwrap();
    let refused = judge(&format!("stress --games 1 --resume {file}"), &winner);
    let error = text(&refused.stderr);
    assert!(error.contains("unknown variant `\\u{1b}]0;title"), "{error}");
    for said in [shown, error] {
        assert!(!said.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{said:?}");
    }
}

#[test]
fn what_cannot_be_gone_on_with() {
    let file = scratch("other.jsonl");
    let games = judge("stress --json --games 3", &[]);
    std::fs::write(&file, &games.stdout).unwrap();
    let refused = |file: &str, args: &str, bot: &[&str], expected: &str| {
        let output = judge(&format!("stress --resume {file} {args}"), bot);
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{error}");
        assert!(error.contains(expected), "{error}");
    };
    let same = "expected the same bot with the same options, ";
    refused(&file, "", &["./bot", "a b"], &format!("line 1: {same}\"-- ./bot 'a b'\", got \"\""));
    refused(&file, "--session", &[], &format!("line 1: {same}\"--session\", got \"\""));
    std::fs::write(&file, [&games.stdout[..], b"{\"index\":3,\"game\":\"\xff\"}\n"].concat()).unwrap();
    refused(&file, "", &[], "line 4: expected a game of judge stress --json");
    let many = text(&games.stdout).replacen('}', &format!(",\"more\":[{}0]}}", "0,".repeat(300_000)), 1);
    std::fs::write(&file, many).unwrap();
    refused(&file, "", &[], "line 1: expected a game of judge stress --json: expected at most 262144 values");
    refused("/dev/zero", "", &[], "/dev/zero, line 1: expected at most 4194304 bytes, got more");
}

#[test]
fn all_failures_can_be_counted() {
    let bot = ["sh", "-c", "read h; echo Second; read x; echo 0 0; read x"];
    let (games, minimal, code) = reports("--games 30 --keep-going", &bot);
    assert_eq!((games.len(), code), (30, 1));
    assert_eq!(minimal.unwrap()["game"], "1 1 1");
    let shown = judge("stress --games 30 --keep-going", &bot);
    let shown = text(&shown.stdout);
    assert!(shown.lines().filter(|line| line.starts_with("game ")).count() > 10, "{shown}");
    assert!(shown.contains("0 of 30 games won"), "{shown}");
}

#[test]
fn what_cannot_be_searched() {
    let output = judge("stress --games 3", &["./no-such-bot"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("the bot ./no-such-bot could not be started: No such file"),
        "{}",
        text(&output.stderr)
    );
    let output = judge("stress --max-n 0", &[]);
    assert_eq!(output.status.code(), Some(2));
}
