//! The corpus: games that were not won are kept, played first the next time, listed and removed.

use std::process::{Command, Output};

use serde_json::json;

use crate::support::{JUDGE, TestDir, heed_signals, json_lines, text};

/// A bot that takes the first card of every game, and nothing else: it wins no game but that of one card.
const LOSES: &str = "read h; echo First; echo 1 1; read x; [ \"$x\" = '0 0' ] || echo 1 1; read x";

/// The judge in this directory, with arguments split at blanks, and a bot that is a shell script.
fn judge_in(here: &TestDir, args: &str, bot: Option<&str>) -> Output {
    heed_signals();
    let mut judge = Command::new(JUDGE);
    judge.args(args.split_whitespace()).current_dir(here.path()).env_remove("JUDGE_CORPUS");
    if let Some(script) = bot {
        judge.args(["--", "sh", "-c", script]);
    }
    judge.output().unwrap()
}

/// The name of a bot that is a shell script, as a line of the corpus has it.
fn name(script: &str) -> String {
    let whole = format!("sh -c {}", shlex::try_quote(script).unwrap());
    match whole.char_indices().nth(100) {
        Some((end, _)) => format!("{}...", &whole[..end]),
        None => whole,
    }
}

/// The lines of the corpus that are not comments.
fn kept(here: &TestDir) -> Vec<String> {
    let lines = here.read(".judge/corpus/games.txt");
    lines.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn a_game_that_is_not_won_is_kept_once() {
    let here = TestDir::new();
    let run = "run 6 1 2 --opponent random --seed 4 -q";
    let output = judge_in(&here, run, Some(LOSES));
    assert_eq!(output.status.code(), Some(1));
    let message = "judge: 1 game kept in .judge/corpus/games.txt: judge corpus lists and removes them\n";
    assert_eq!(text(&output.stderr), message);
    let line = format!("6 1 2 --opponent random --seed 4   # ILLEGAL of {}", name(LOSES));
    assert_eq!(kept(&here), [line.as_str()]);
    // The same game a second time, and a game that is won.
    assert_eq!(text(&judge_in(&here, run, Some(LOSES)).stderr), "");
    assert_eq!(judge_in(&here, "run 20 3 5", None).status.code(), Some(0));
    assert_eq!(kept(&here), [line.as_str()]);
    // The opponent's first moves belong to the game.
    let mut judge = Command::new(JUDGE);
    judge
        .args(["run", "6", "1", "2", "--line", "2 1,3 1", "--", "sh", "-c", LOSES])
        .env_remove("JUDGE_CORPUS");
    judge.current_dir(here.path()).output().unwrap();
    let line =
        format!("6 1 2 --opponent perfect --seed 1 --line \"2 1, 3 1\"   # ILLEGAL of {}", name(LOSES));
    assert_eq!(kept(&here)[1], line);
}

#[test]
fn no_games_are_kept_if_that_is_turned_off() {
    let here = TestDir::new();
    for args in ["run 6 1 2 --no-corpus", "stress --games 3 --no-corpus", "run 6 1 2 --corpus="] {
        assert_eq!(judge_in(&here, args, Some(LOSES)).status.code(), Some(1), "{args}");
    }
    assert_eq!(here.count(), 0);
    // No fault of the bot.
    assert_eq!(
        judge_in(&here, "run 1000000000 3 3", Some("read h; echo Second; read x")).status.code(),
        Some(2)
    );
    assert_eq!(here.count(), 0);
}

#[test]
fn another_directory() {
    let here = TestDir::new();
    judge_in(&here, "run 6 1 2 --corpus kept/games", Some(LOSES));
    let line = format!("6 1 2 --opponent perfect --seed 1   # ILLEGAL of {}\n", name(LOSES));
    assert!(here.read("kept/games/games.txt").ends_with(&line));
    let mut judge = Command::new(JUDGE);
    judge.args(["corpus", "--clear"]).env("JUDGE_CORPUS", "kept/games").current_dir(here.path());
    let output = judge.output().unwrap();
    assert_eq!(text(&output.stdout), "removed 1 of 1 game from kept/games/games.txt\n");
}

/// Without a header the games that were kept for the bot are played first, then those that were asked for.
#[test]
fn kept_games_are_played_first() {
    let here = TestDir::new();
    judge_in(&here, "run 2 1 1 --opponent slow --seed 7", Some(LOSES));
    let output = judge_in(&here, "run --games 2 --seed 30", Some(LOSES));
    let report = text(&output.stdout);
    assert!(report.starts_with("ILLEGAL 2 1 1 as First against slow (seed 7)"), "{report}");
    assert!(report.contains(": 0 of 3 games won"), "{report}");
    let message = "judge: playing first 1 game of .judge/corpus/games.txt that this bot did not win before; --no-corpus leaves \
                   them out\n";
    assert!(text(&output.stderr).starts_with(message), "{}", text(&output.stderr));
    // Another bot plays only its own, and those of which it is not known whose they are.
    let mut judge = Command::new(JUDGE);
    judge.args(["corpus", "--clear"]).env_remove("JUDGE_CORPUS").current_dir(here.path()).output().unwrap();
    judge_in(&here, "run 2 1 1 --opponent slow --seed 7", Some(LOSES));
    for args in ["run", "run --no-corpus", "run 20 3 5"] {
        let output = judge_in(&here, args, None);
        assert!(text(&output.stdout).ends_with(": 1 of 1 game won\n"), "{args}: {}", text(&output.stdout));
    }
    here.write(".judge/corpus/games.txt", "2 1 1 --opponent slow --seed 7   # why?\n");
    let output = judge_in(&here, "run", None);
    assert!(text(&output.stdout).starts_with("WON 2 1 1 as Second against slow (seed 7)"), "{output:?}");
    // It stays until it is removed.
    assert_eq!(kept(&here).len(), 1);
}

/// The games of the corpus are also lines of JSON.
#[test]
fn a_search_in_json_plays_kept_games_first() {
    let here = TestDir::new();
    judge_in(&here, "run 6 1 2 -q", Some(LOSES));
    let output = judge_in(&here, "stress --json --jobs 1 --games 3", Some(LOSES));
    let lines = json_lines(&output.stdout);
    assert_eq!((&lines[0]["kept"], &lines[0]["game"]), (&json!(true), &json!("6 1 2")));
    assert_eq!(lines[0]["bot"], json!(["sh", "-c", LOSES]));
    // Then comes the first game that was not won, and what it was shrunk to.
    assert_eq!((lines.len(), lines[1]["index"].is_u64()), (3, true), "{lines:?}");
    assert_eq!(output.status.code(), Some(1));
    let all = judge_in(&here, "stress --json --jobs 1 --games 3 --keep-going", Some(LOSES));
    let lines = json_lines(&all.stdout);
    let kinds: Vec<bool> = lines.iter().map(|line| line["index"].is_u64()).collect();
    // By now two games are kept.
    assert_eq!(kinds, [false, false, true, true, true, false], "{lines:?}");
    // Such a line does not keep a search from being resumed.
    here.write("games.jsonl", text(&all.stdout));
    let resumed =
        judge_in(&here, "stress --json --jobs 1 --games 3 --keep-going --resume games.jsonl", Some(LOSES));
    assert_eq!(resumed.status.code(), Some(1));
    assert!(json_lines(&resumed.stdout).iter().all(|line| line["index"].is_null()), "{resumed:?}");
}

#[test]
fn a_search_keeps_the_smallest_game_and_plays_it_first() {
    let here = TestDir::new();
    let found = judge_in(&here, "stress --jobs 1 --time-limit 20", Some(LOSES));
    assert_eq!(found.status.code(), Some(1));
    assert_eq!(kept(&here).len(), 1);
    let smallest = kept(&here)[0].split("   #").next().unwrap().to_owned();
    assert!(
        text(&found.stdout).contains(&format!("again: judge run {smallest} ")),
        "{}",
        text(&found.stdout)
    );
    // It is searched for again, and kept once.
    let again = judge_in(&here, "stress --jobs 1 --time-limit 20", Some(LOSES));
    assert_eq!(again.status.code(), Some(1));
    let report = text(&again.stdout);
    let (kept_games, search) = report.split_once("0 of 1 game won\n").unwrap();
    assert!(kept_games.contains(&smallest) && search.contains("smallest"), "{report}");
    assert_eq!(kept(&here).len(), 1);
    let all = judge_in(&here, "stress --jobs 1 --games 4 --keep-going --time-limit 20", Some(LOSES));
    assert!(text(&all.stdout).contains("0 of 4 games won"), "{}", text(&all.stdout));
    let fixed = judge_in(&here, "stress --jobs 1 --games 4", None);
    assert_eq!(fixed.status.code(), Some(0), "{}", text(&fixed.stdout));
    assert!(text(&fixed.stdout).contains("4 of 4 games won"), "{}", text(&fixed.stdout));
}

/// A bot that wins nothing does not fill the corpus.
#[test]
fn a_command_keeps_ten_games_at_most() {
    let here = TestDir::new();
    judge_in(&here, "run 20 3 5 --games 14 -q", Some("read h; echo first"));
    assert_eq!(kept(&here).len(), 10);
}

#[test]
fn games_are_listed_and_removed() {
    let here = TestDir::new();
    let empty = judge_in(&here, "corpus", None);
    assert_eq!(
        (text(&empty.stdout), empty.status.code()),
        ("no games in .judge/corpus/games.txt\n", Some(0))
    );
    for seed in 1..=3 {
        judge_in(&here, &format!("run 6 1 2 --seed {seed} -q"), Some(LOSES));
    }
    let listed = judge_in(&here, "corpus", None);
    let of = format!(" of {}", name(LOSES));
    assert_eq!(
        text(&listed.stdout).replace(&of, ""),
        "1  6 1 2 --opponent perfect --seed 1   # ILLEGAL
2  6 1 2 --opponent perfect --seed 2   # ILLEGAL
3  6 1 2 --opponent perfect --seed 3   # ILLEGAL

3 games in .judge/corpus/games.txt; play them: judge test .judge/corpus -- BOT\n"
    );
    let removed = judge_in(&here, "corpus --remove 3 --remove 1", None);
    assert_eq!(text(&removed.stdout), "removed 2 of 3 games from .judge/corpus/games.txt\n");
    assert_eq!(kept(&here), [format!("6 1 2 --opponent perfect --seed 2   # ILLEGAL{of}")]);
    let refused = judge_in(&here, "corpus --remove 2", None);
    assert_eq!(text(&refused.stderr), "judge: expected the number of a game from 1 to 1, got 2\n");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(judge_in(&here, "corpus --clear", None).status.code(), Some(0));
    assert!(kept(&here).is_empty());
    assert!(here.read(".judge/corpus/games.txt").starts_with("# Games that a bot did not win"));
}

/// People edit the file: comments stay, a last line without its end is ended, and a damaged line is named.
#[test]
fn a_file_that_was_edited() {
    let here = TestDir::new();
    here.directory(".judge");
    here.directory(".judge/corpus");
    here.write(".judge/corpus/games.txt", "# mine\nnim 3 5 7 # why?\n\n20 3 5");
    judge_in(&here, "run 6 1 2 -q", Some(LOSES));
    let line = format!("6 1 2 --opponent perfect --seed 1   # ILLEGAL of {}", name(LOSES));
    let added = format!("# mine\nnim 3 5 7 # why?\n\n20 3 5\n{line}\n");
    assert_eq!(here.read(".judge/corpus/games.txt"), added);
    judge_in(&here, "corpus --remove 1 --remove 3", None);
    assert_eq!(here.read(".judge/corpus/games.txt"), "# mine\n\n20 3 5\n");
    here.write(".judge/corpus/games.txt", "20 3 5\n20 5 3\n");
    let damaged = judge_in(&here, "run", None);
    let message =
        "judge: the corpus .judge/corpus/games.txt: line 2: the header is malformed: expected L of at most R";
    assert!(text(&damaged.stderr).starts_with(message), "{}", text(&damaged.stderr));
    assert_eq!((damaged.status.code(), text(&damaged.stdout)), (Some(2), ""));
    // The game is played and reported even so.
    let run = judge_in(&here, "run 6 1 2 -q", Some(LOSES));
    assert_eq!(run.status.code(), Some(1));
    let message = "judge: the game cannot be kept in .judge/corpus/games.txt: line 2: ";
    assert!(text(&run.stderr).starts_with(message), "{}", text(&run.stderr));
}

/// Where nothing can be written, games are played and reported, and that is told once.
#[test]
fn a_directory_that_cannot_be_written() {
    let here = TestDir::new();
    here.write(".judge", "a file");
    let run = judge_in(&here, "run 6 1 2 --games 3 -q", Some(LOSES));
    assert_eq!(run.status.code(), Some(1));
    assert!(text(&run.stdout).contains("0 of 3 games won"), "{}", text(&run.stdout));
    let messages = text(&run.stderr);
    assert_eq!(messages.lines().count(), 1, "{messages}");
    assert!(messages.ends_with("; --no-corpus keeps no games\n"), "{messages}");
}

/// Judges that run at the same time do not overwrite each other's games.
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
