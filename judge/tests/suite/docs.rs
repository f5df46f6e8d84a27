//! The documentation: the output it shows, and the conversations of the protocol.

use std::path::Path;

use itertools::Itertools;

use crate::support::{Printed, blocks, command, judge_reading, names_in, reading, root, timeless};

/// The command that runs the judge from a checkout.
const FROM_CHECKOUT: &str = "cargo run -p judge";

/// A command of a console block, and the output shown below it.
struct Shown {
    /// `echo WORDS | COMMAND`, or only a command.
    line: String,
    output: String,
}

impl Shown {
    /// Returns the commands of a page's console blocks that run the judge.
    fn on(page: &str) -> Vec<Self> {
        let blocks = blocks(page, "console").into_iter().map(|block| format!("\n{block}"));
        let commands = blocks.flat_map(|block| block.split("\n$ ").skip(1).map(str::to_owned).collect_vec());
        let shown = commands.map(|shown| {
            let (line, output) = shown.split_once('\n').unwrap_or((&shown, ""));
            Self { line: line.to_owned(), output: output.to_owned() }
        });
        shown.filter(|shown| shown.parts().is_some()).collect()
    }

    /// Returns the judge's input, its arguments and the bot's command; `None` if the command does not run the judge.
    fn parts(&self) -> Option<(String, &str, Vec<&str>)> {
        let piped = self.line.strip_prefix("echo ").and_then(|rest| rest.split_once(" | "));
        let (input, command) =
            piped.map_or((String::new(), &*self.line), |(words, command)| (format!("{words}\n"), command));
        let args = match command.strip_prefix(FROM_CHECKOUT) {
            Some(args) => args.trim_start().trim_start_matches("-- "),
            None => command.strip_prefix("judge ")?,
        };
        let (args, bot) = args.split_once(" -- ").unwrap_or((args, ""));
        Some((input, args, bot.split_whitespace().collect()))
    }

    /// Checks that the command prints the shown output. A bot in Python may need more than the default time if many
    /// tests run at the same time.
    fn assert_is_real(&self) {
        const LONG_LIMIT: &str = " --time-limit 20";
        let (input, args, bot) = self.parts().unwrap();
        let needs_longer_limit = !bot.is_empty() && !args.contains(LONG_LIMIT);
        let args = format!("{args}{}", if needs_longer_limit { LONG_LIMIT } else { "" });
        let output = reading(&mut command(&args, &bot), input.as_bytes());
        let lines =
            |output: &str| timeless(output).replace(LONG_LIMIT, "").lines().map(str::to_owned).collect();
        let (real, shown): (Vec<String>, Vec<String>) = (lines(output.out()), lines(&self.output));
        assert!(is_shown(&real, &shown), "{}:\n{}", self.line, output.out());
        output.says("");
    }
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
fn readme_shows_real_output() {
    let shown = Shown::on("README.md");
    assert!(shown.iter().any(|shown| shown.line == FROM_CHECKOUT), "README.md shows {FROM_CHECKOUT}");
    shown.iter().for_each(Shown::assert_is_real);
}

#[test]
fn docs_show_real_output() {
    let mut names = names_in(root().join("docs"));
    names.retain(|name| Path::new(name).extension().is_some_and(|end| end == "md"));
    let shown = names.iter().flat_map(|name| Shown::on(&format!("docs/{name}"))).collect_vec();
    assert!(shown.len() >= 10, "{} commands", shown.len());
    shown.iter().for_each(Shown::assert_is_real);
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
        let output = judge_reading("bot", lines("judge>").as_bytes());
        assert_eq!(output.exits(0).says("").out(), lines("bot>"), "{conversation}");
    }
}
