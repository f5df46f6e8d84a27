//! What README.md shows is what the judge prints.

use std::path::Path;

use crate::judge::{has_python, judge, text};

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
    shown.retain(|(command, _)| command.starts_with(COMMAND));
    shown
}

#[test]
fn readme_shows_real_output() {
    let shown = shown();
    assert!(shown.len() >= 3 && shown[0].0 == COMMAND, "README.md starts with {COMMAND}");
    let has_python = has_python();
    for (command, expected) in
        shown.into_iter().filter(|(command, _)| has_python || !command.contains("python3"))
    {
        let args = command.strip_prefix(COMMAND).unwrap().trim_start().trim_start_matches("-- ");
        let (args, bot) = args.split_once(" -- ").unwrap_or((args, ""));
        let output = judge(args, &bot.split_whitespace().collect::<Vec<_>>());
        assert_eq!(text(&output.stdout), expected, "the output of {command}");
        assert_eq!(text(&output.stderr), "", "{command}");
    }
}
