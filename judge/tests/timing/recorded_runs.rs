//! Recorded runs with an interactor: their transcripts, their pages, and `judge replay`.

use std::fs;
use std::process::{Command, Output};

use crate::support::{JUDGE, TestDir, root, text};

/// An interactor that writes a line, reads two lines, and rejects.
const REJECTS: &str = "sh -c 'echo 41; read x; read y; echo too small >&2; exit 1'";

/// A bot whose last line has no line end.
const BOT: [&str; 3] = ["sh", "-c", "read x; echo $((x + 1)); printf end"];

fn judge(arguments: &[&str]) -> Output {
    Command::new(JUDGE).current_dir(root()).args(arguments).output().unwrap()
}

/// Runs the bot with these options. Returns what the judge prints.
fn run(options: &[&str]) -> String {
    let output = judge(&[&["run", "--interactor", REJECTS], options, &["--"], &BOT].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// Checks that the last line of a run in a transcript is the JSON of the run, and that a replay prints this JSON again.
#[test]
fn a_transcript_has_the_json_of_each_run() {
    let here = TestDir::new();
    let file = here.file("runs.jsonl");
    let json = run(&["--games", "2", "--json", "--transcript", &file]);
    assert_eq!(json.lines().count(), 2);
    let transcript = fs::read_to_string(&file).unwrap();
    let results: Vec<&str> = transcript.lines().filter(|line| line.contains(r#""verdict":"#)).collect();
    assert_eq!(results, json.lines().collect::<Vec<_>>());
    assert_eq!(text(&judge(&["replay", &file, "--json"]).stdout), json);
    let second = judge(&["replay", &file, "--json", "--game", "2"]);
    assert_eq!(text(&second.stdout).lines().collect::<Vec<_>>(), results[1..]);
    // The transcript itself can go to stdout; then the report goes to stderr.
    let output = judge(&[&["run", "--interactor", REJECTS, "--transcript", "-", "--"], &BOT[..]].concat());
    assert!(text(&output.stdout).starts_with(r#"{"transcript":"#), "{}", text(&output.stdout));
    assert!(text(&output.stderr).starts_with("WRONG_ANSWER "), "{}", text(&output.stderr));
}

/// Checks which runs get a page, and that a page has the rows of its run.
#[test]
fn pages_of_runs() {
    let here = TestDir::new();
    let (folder, file) = (here.file("pages"), here.file("runs.jsonl"));
    run(&["--games", "2", "--html", &folder, "--transcript", &file]);
    for number in [1, 2] {
        let page = fs::read_to_string(format!("{folder}/run-{number}.html")).unwrap();
        assert!(page.contains("<td>41\n") && page.contains("<td>end [no line end]\n"), "{page}");
        assert!(page.contains("too small") && page.contains("WRONG_ANSWER"), "{page}");
    }
    let accepted = here.file("accepted");
    let arguments = ["run", "--interactor", "sh -c 'read x; exit 0'", "--html", &accepted, "--", "echo", "1"];
    assert_eq!(judge(&arguments).status.code(), Some(0));
    assert_eq!(fs::read_dir(&accepted).unwrap().count(), 0);
    assert_eq!(judge(&[&["run", "--html-all"], &arguments[1..]].concat()).status.code(), Some(0));
    assert!(fs::read_to_string(format!("{accepted}/run-1.html")).unwrap().contains("ACCEPTED"));
    // A replay writes the same pages. One file has room for one run.
    let again = here.directory("again");
    assert_eq!(judge(&["replay", &file, "--html", &again]).status.code(), Some(0));
    for number in [1, 2] {
        let name = format!("run-{number}.html");
        let read = |folder: &str| fs::read_to_string(format!("{folder}/{name}")).unwrap();
        assert_eq!(read(&folder), read(&again));
    }
    let single = judge(&["replay", &file, "--html", &here.file("single.html")]);
    assert_eq!(single.status.code(), Some(2));
    assert!(text(&single.stderr).contains("expected one game or run"), "{}", text(&single.stderr));
}
