//! The corpus of games that were not won: several judges can add games.

use std::process::{Command, Output};

use crate::support::{JUDGE, TestDir, stop_ignoring_signals};

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
