//! The corpus of games that were not won: a search plays these games first, and several judges can add games.

use std::process::{Command, Output};

use serde_json::json;

use crate::support::{JUDGE, TestDir, json_lines, stop_ignoring_signals, text};

/// A bot that tries to take the first card at every move, so it wins only games that end with its first move.
const LOSES: &str = "read h; echo First; echo 1 1; read x; [ \"$x\" = '0 0' ] || echo 1 1; read x";

/// Runs the judge in a directory, with arguments split at blanks and a shell script as the bot.
fn judge_in(here: &TestDir, args: &str, bot: Option<&str>) -> Output {
    stop_ignoring_signals();
    let mut judge = Command::new(JUDGE);
    judge.args(args.split_whitespace()).current_dir(here.path()).env_remove("JUDGE_CORPUS");
    if let Some(script) = bot {
        judge.args(["--", "sh", "-c", script]);
    }
    judge.output().unwrap()
}

/// Returns the lines of the corpus that are not comments.
fn kept(here: &TestDir) -> Vec<String> {
    let lines = here.read(".judge/corpus/games.txt");
    lines.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// Checks that a search plays the games of the corpus first, and that `--json` prints their results too.
#[test]
fn a_search_in_json_plays_kept_games_first() {
    let here = TestDir::new();
    judge_in(&here, "run 6 1 2 -q", Some(LOSES));
    let output = judge_in(&here, "stress --json --jobs 1 --games 3", Some(LOSES));
    let lines = json_lines(&output.stdout);
    assert_eq!((&lines[0]["kept"], &lines[0]["game"]), (&json!(true), &json!("6 1 2")));
    assert_eq!(lines[0]["bot"], json!(["sh", "-c", LOSES]));
    // After the kept game come the first game that was not won, and the result of shrinking it.
    assert_eq!((lines.len(), lines[1]["index"].is_u64()), (3, true), "{lines:?}");
    assert_eq!(output.status.code(), Some(1));
    let all = judge_in(&here, "stress --json --jobs 1 --games 3 --keep-going", Some(LOSES));
    let lines = json_lines(&all.stdout);
    let kinds: Vec<bool> = lines.iter().map(|line| line["index"].is_u64()).collect();
    // The corpus has two games now.
    assert_eq!(kinds, [false, false, true, true, true, false], "{lines:?}");
    // A search can be resumed from a file that contains lines of kept games.
    here.write("games.jsonl", text(&all.stdout));
    let resumed =
        judge_in(&here, "stress --json --jobs 1 --games 3 --keep-going --resume games.jsonl", Some(LOSES));
    assert_eq!(resumed.status.code(), Some(1));
    assert!(json_lines(&resumed.stdout).iter().all(|line| line["index"].is_null()), "{resumed:?}");
}

/// Checks that judges that run at the same time do not overwrite each other's games.
#[test]
fn several_judges_at_a_time() {
    let here = TestDir::new();
    std::thread::scope(|scope| {
        for k in 0..4 {
            let here = &here;
            scope.spawn(move || {
                judge_in(here, &format!("run 9 2 3 --games 5 --seed {} -q", 10 * k), Some(LOSES))
            });
        }
    });
    assert_eq!(kept(&here).len(), 20);
    assert_eq!(here.read(".judge/corpus/games.txt").matches("# Games that").count(), 1);
}
