//! What README.md shows is what the judge prints.

use std::path::Path;

use crate::judge::{command, has_python, reading, text, timeless};

const COMMAND: &str = "cargo run --release -p judge";

/// The commands of README.md's console blocks that run the judge, each with the output shown below it.
fn shown() -> Vec<(String, String)> {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let mut shown: Vec<(String, String)> = Vec::new();
    let mut in_console = false;
    for line in readme.lines() {
        match line {
            "```console" => in_console = true,
            "```" => in_console = false,
            _ if !in_console => {}
            _ => match (line.strip_prefix("$ "), shown.last_mut()) {
                (Some(command), _) => shown.push((command.to_owned(), String::new())),
                (None, Some((_, output))) => output.extend([line, "\n"]),
                (None, None) => panic!("output before the first command: {line}"),
            },
        }
    }
    shown.retain(|(command, _)| split(command).1.starts_with(COMMAND));
    shown
}

/// A command and what is piped into it, `echo WORDS | COMMAND` or a command alone.
fn split(command: &str) -> (String, &str) {
    match command.strip_prefix("echo ").and_then(|rest| rest.split_once(" | ")) {
        Some((words, command)) => (format!("{words}\n"), command),
        None => (String::new(), command),
    }
}

#[test]
fn readme_shows_real_output() {
    let shown = shown();
    assert!(shown.len() >= 3 && shown[0].0 == COMMAND, "README.md starts with {COMMAND}");
    let has_python = has_python();
    for (line, expected) in shown.into_iter().filter(|(line, _)| has_python || !line.contains("python3")) {
        let (input, shown) = split(&line);
        let args = shown.strip_prefix(COMMAND).unwrap().trim_start().trim_start_matches("-- ");
        let (args, bot) = args.split_once(" -- ").unwrap_or((args, ""));
        let bot = bot.split_whitespace().collect::<Vec<_>>();
        let output = reading(&mut command(args, &bot), input.as_bytes());
        assert_eq!(timeless(text(&output.stdout)), timeless(&expected), "the output of {line}");
        assert_eq!(text(&output.stderr), "", "{line}");
    }
}
