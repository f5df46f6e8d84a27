//! Recorded runs with an interactor: their transcripts, their pages, and `judge replay`.

use std::fs;

use crate::support::{Printed, TestDir, judge_in, names_in};

/// An interactor that writes a line, reads two lines, and rejects.
const REJECTS: &str = "sh -c 'echo 41; read x; read y; echo too small >&2; exit 1'";

/// A bot whose last line has no line end.
const BOT: [&str; 3] = ["sh", "-c", "read x; echo $((x + 1)); printf end"];

/// Runs the bot with these options. Returns what the judge prints.
fn run(options: &[&str]) -> String {
    let run = [&["run", "--interactor", REJECTS], options, &["--"], &BOT].concat();
    judge_in(".", &run).exits(1).out().to_owned()
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
    assert_eq!(judge_in(".", &["replay", &file, "--json"]).out(), json);
    let second = judge_in(".", &["replay", &file, "--json", "--game", "2"]);
    assert_eq!(second.out().lines().collect::<Vec<_>>(), results[1..]);
    // The transcript itself can go to stdout; then the report goes to stderr.
    judge_in(".", &[&["run", "--interactor", REJECTS, "--transcript", "-", "--"], &BOT[..]].concat())
        .begins(r#"{"transcript":"#)
        .complains("WRONG_ANSWER ");
}

/// Checks which runs get a page, and that a page has the rows of its run.
#[test]
fn pages_of_runs() {
    let here = TestDir::new();
    let (folder, file) = (here.file("pages"), here.file("runs.jsonl"));
    run(&["--games", "2", "--html", &folder, "--transcript", &file]);
    for number in [1, 2] {
        let page = here.read(&format!("pages/run-{number}.html"));
        assert!(page.contains("<td>41\n") && page.contains("<td>end [no line end]\n"), "{page}");
        assert!(page.contains("too small") && page.contains("WRONG_ANSWER"), "{page}");
    }
    let accepted = here.file("accepted");
    let arguments = ["run", "--interactor", "sh -c 'read x; exit 0'", "--html", &accepted, "--", "echo", "1"];
    judge_in(".", &arguments).exits(0);
    assert_eq!(names_in(&accepted), [""; 0]);
    judge_in(".", &[&["run", "--html-all"], &arguments[1..]].concat()).exits(0);
    assert!(here.read("accepted/run-1.html").contains("ACCEPTED"));
    // A replay writes the same pages.
    let again = here.directory("again");
    judge_in(".", &["replay", &file, "--html", &again]).exits(0);
    for number in [1, 2] {
        let [first, second] =
            ["pages", "again"].map(|folder| here.read(&format!("{folder}/run-{number}.html")));
        assert_eq!(first, second);
    }
}
