//! Bots that break rules: they lose, with their verdicts, and play continues.

use super::{arena, played, program, script};
use crate::support::{JUDGE, TestDir, is_linux, is_running, judge, text};

#[test]
fn all_bots_crash() {
    let bots = [script("a", "exit 3"), script("b", "kill -9 $$")];
    let output = played("6 1 2 --pairs 3", &bots.each_ref().map(String::as_str));
    let shown = text(&output.stdout);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""));
    // The one that should name its side first loses.
    assert!(shown.contains("a against b: 0 of 3 pairs decided, [0, 0, 3, 0, 0]"), "{shown}");
    assert!(shown.contains("\n  a    6 CRASHED\n      game 0: CRASHED 6 1 2 as First: "), "{shown}");
    assert!(shown.contains("the bot was killed by signal 9 (SIGKILL)"), "{shown}");
}

#[test]
fn a_bot_that_hangs_loses_on_its_own_clock() {
    if !is_linux() {
        return;
    }
    let bots = [script("a", "sleep 1000"), program("b")];
    let output = played("6 1 2 --time-limit 0.2 --pairs 2", &bots.each_ref().map(String::as_str));
    let shown = text(&output.stdout);
    assert!(shown.contains("b against a: 2 of 2 pairs decided, [0, 0, 0, 0, 2]"), "{shown}");
    assert!(shown.contains("\n  b    4 WON\n") && shown.contains("\n  a    4 IDLE\n"), "{shown}");
    assert!(!is_running(|words| words == ["sleep", "1000"]), "it is left running");
}

/// What a bot prints in its opponent's place is read as its own next lines, and its opponent never sees it.
#[test]
fn a_bot_that_answers_for_its_opponent() {
    let both = script(
        "both",
        "read h; case $h in *first) echo First;; *) echo Second;; esac; echo 1 1; echo 2 1; echo 3 1; cat >&2",
    );
    let output = played("9 1 2 --pairs 1 --time-limit 1", &[&both, "perfect"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("perfect against both: 1 of 1 pairs decided"), "{shown}");
    assert!(shown.contains("\n  perfect  2 WON\n"), "{shown}");
}

/// The opponent of a bot that breaks a rule has won, and is told so by `0 0`, also where moves are left.
#[test]
fn the_opponent_of_a_violation_has_won() {
    let dir = TestDir::new();
    let last = dir.file("last");
    let illegal = script(
        "illegal",
        "read h; case $h in *first) echo First;; *) echo Second; read x;; esac; echo 5 3; read x",
    );
    let honest = script("honest", &format!("tee {last} | {JUDGE} bot"));
    // One game after the other, because both write the same file.
    let output = played("6 1 2 --pairs 1 --jobs 1 --json", &[&honest, &illegal]);
    assert_eq!(output.status.code(), Some(1));
    let games = super::games(text(&output.stdout));
    for game in games.values() {
        assert_eq!(game["winner"], "honest", "{game}");
        let [honest, illegal] = if game["index"] == 0 { ["first", "second"] } else { ["second", "first"] };
        assert_eq!((&game[honest]["verdict"], &game[illegal]["verdict"]), (&"WON".into(), &"ILLEGAL".into()));
        assert_eq!(game[honest]["reason"], "the opponent ended the game with ILLEGAL");
        let again = game[illegal]["again"].as_str().unwrap();
        assert!(again.starts_with("judge run 6 1 2 seat ") && again.contains(" -- sh -c "), "{again}");
    }
    assert!(dir.read("last").ends_with("0 0\n"), "{}", dir.read("last"));
}

/// The command that is printed for a violation plays the same game: the opponent's moves are part of it.
#[test]
fn the_printed_command_plays_the_game_again() {
    let third = script(
        "third",
        "read h; case $h in *second) echo Second; read x; echo 0 0; exit;; esac; \
         echo First; echo 1 1; read x; echo 1 1; read x",
    );
    let output = played("9 1 1 --pairs 1 --json --on-crash stop --jobs 1", &[&third, "random"]);
    let games = super::games(text(&output.stdout));
    let seat = &games[&0]["first"];
    assert_eq!(seat["verdict"], "ILLEGAL", "{seat}");
    let words = shlex::split(seat["again"].as_str().unwrap()).unwrap();
    let again = super::command("", &[]).args(&words[1..]).output().unwrap();
    let reason = seat["reason"].as_str().unwrap();
    assert!(text(&again.stdout).contains(reason), "{reason}: {}", text(&again.stdout));
}

#[test]
fn a_run_can_stop_at_the_first_violation() {
    let bots = [script("a", "exit 3"), "slow".to_owned()];
    for jobs in [1, 4] {
        let args = format!("--max-n 20 --pairs 50 --on-crash stop --jobs {jobs}");
        let output = played(&args, &bots.each_ref().map(String::as_str));
        let shown = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1));
        assert!(shown.contains("\n  slow  1 WON\n  a     1 CRASHED\n"), "{shown}");
    }
}

/// Each bot's side of a game has a transcript, which `judge replay` referees again.
#[test]
fn transcripts_can_be_replayed() {
    let dir = TestDir::new();
    let illegal = script(
        "illegal",
        "read h; case $h in *first) echo First;; *) echo Second; read x;; esac; echo 5 3; read x",
    );
    for (all, expected) in [("", 4), (" --all-transcripts", 8)] {
        let folder = dir.file(&format!("transcripts{expected}"));
        let args = format!("6 1 2 --pairs 2 --transcripts {folder}{all}");
        assert_eq!(arena(&args, &["perfect", &illegal]).output().unwrap().status.code(), Some(1));
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files.len(), expected);
        for file in files {
            let replayed = judge(&format!("replay {}", file.display()), &[]);
            assert!(text(&replayed.stderr).is_empty(), "{}", text(&replayed.stderr));
            assert!(text(&replayed.stdout).contains("against another bot"), "{}", text(&replayed.stdout));
        }
    }
}
