//! The documentation: the output it shows, and the conversations of the protocol.

use std::path::Path;
use std::process::{Command, Stdio};

use itertools::Itertools;

use crate::support::{JUDGE, PATH, Printed, blocks, command, names_in, reading, root, timeless};

/// The command that runs the judge from a checkout.
const FROM_CHECKOUT: &str = "cargo run -p judge";

/// Returns the commands of a page's console blocks that run the judge, each with the output shown below it.
fn shown_on(page: &str) -> Vec<(String, String)> {
    let blocks = blocks(page, "console").into_iter().map(|block| format!("\n{block}"));
    let commands = blocks.flat_map(|block| block.split("\n$ ").skip(1).map(str::to_owned).collect_vec());
    let shown = commands.map(|shown| {
        let (line, output) = shown.split_once('\n').unwrap_or((&shown, ""));
        (line.to_owned(), output.to_owned())
    });
    let runs_judge = |line: &str| {
        let command = line.strip_prefix("echo ").and_then(|rest| rest.split_once(" | "));
        let command = command.map_or(line, |(_, command)| command);
        command.starts_with("judge ") || command == FROM_CHECKOUT
    };
    shown.filter(|(line, _)| runs_judge(line)).collect()
}

/// Checks that a command prints the shown output. A bot in Python may need more than the default time if many tests run at
/// the same time.
fn assert_is_real((line, shown): &(String, String)) {
    const LONG_LIMIT: &str = " --time-limit 20";
    let mut typed = line.replace(FROM_CHECKOUT, "judge");
    if !typed.contains(LONG_LIMIT) {
        typed = typed.replacen(" -- ", &format!("{LONG_LIMIT} -- "), 1);
    }
    let path = format!("{}:{}", Path::new(JUDGE).parent().unwrap().display(), *PATH);
    let mut shell = Command::new("sh");
    let output =
        shell.args(["-c", &typed]).env("PATH", path).current_dir(root()).stdin(Stdio::null()).output();
    let output = output.unwrap();
    let lines = |output: &str| timeless(output).replace(LONG_LIMIT, "").lines().map(str::to_owned).collect();
    let (real, shown): (Vec<String>, Vec<String>) = (lines(output.out()), lines(shown));
    assert!(is_shown(&real, &shown), "{line}:\n{}", output.out());
    output.says("");
}

/// Returns whether these lines are shown. The line "..." stands for any lines.
fn is_shown(real: &[String], shown: &[String]) -> bool {
    match shown {
        [] => real.is_empty(),
        [dots, rest @ ..] if dots == "..." => {
            (0..=real.len()).any(|left_out| is_shown(&real[left_out..], rest))
        }
        [line, rest @ ..] => real.first() == Some(line) && is_shown(&real[1..], rest),
    }
}

#[test]
fn docs_show_real_output() {
    let mut pages = names_in(root().join("docs"));
    pages.retain(|name| Path::new(name).extension().is_some_and(|end| end == "md"));
    let pages = pages.iter().map(|name| format!("docs/{name}")).chain(["README.md".to_owned()]);
    let shown = pages.flat_map(|page| shown_on(&page)).collect_vec();
    assert!(shown.len() >= 10, "{} commands", shown.len());
    assert!(shown.iter().any(|(line, _)| line == FROM_CHECKOUT), "README.md shows {FROM_CHECKOUT}");
    std::thread::scope(|scope| {
        for some in shown.chunks(shown.len().div_ceil(3)) {
            scope.spawn(|| some.iter().for_each(assert_is_real));
        }
    });
}

/// Checks that the Rust in README.md is the example in the library's documentation, which is compiled and run.
#[test]
fn readme_shows_the_librarys_example() {
    let library = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let example = library.split("//! ```\n").nth(1).unwrap();
    let shown = example.lines().map(|line| line.trim_start_matches("//!").trim_start_matches(' '));
    let shown = shown.filter(|line| !line.starts_with("# ")).flat_map(|line| [line, "\n"]);
    assert_eq!(blocks("README.md", "rust"), [shown.collect::<String>()]);
}

/// Checks that the bot prints its lines of each conversation in docs/protocol.md when it gets the judge's lines.
#[test]
fn the_conversations_of_the_protocol() {
    let conversations = blocks("docs/protocol.md", "conversation");
    assert_eq!(conversations.len(), 4);
    for conversation in conversations {
        let lines = |speaker: &str| -> String {
            let lines = conversation.lines().filter_map(|line| line.strip_prefix(speaker));
            lines.flat_map(|line| [line.trim(), "\n"]).collect()
        };
        let output = reading(&mut command("bot", &[]), lines("judge>").as_bytes());
        assert_eq!(output.exits(0).says("").out(), lines("bot>"), "{conversation}");
    }
}
