//! The documentation: the output it shows, its links, and the conversations of the protocol.

use crate::support::pages::{Page, docs, page, readme};
use crate::support::{Printed, command, has_python, judge_reading, reading, root, timeless};

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
    fn on(page: &Page) -> Vec<Self> {
        let mut shown: Vec<Self> = Vec::new();
        for block in page.blocks("console") {
            let first = shown.len();
            for line in block.lines() {
                if let Some(command) = line.strip_prefix("$ ") {
                    shown.push(Self { line: command.to_owned(), output: String::new() });
                } else {
                    let last = shown[first..].last_mut();
                    let last = last.unwrap_or_else(|| panic!("output before the first command: {line}"));
                    last.output.extend([line, "\n"]);
                }
            }
        }
        shown.retain(|shown| shown.arguments().is_some());
        shown
    }

    /// Returns the words that are piped into the command, and the command.
    fn split(&self) -> (String, &str) {
        match self.line.strip_prefix("echo ").and_then(|rest| rest.split_once(" | ")) {
            Some((words, command)) => (format!("{words}\n"), command),
            None => (String::new(), &self.line),
        }
    }

    /// Returns the judge's arguments and the bot's command; `None` if the command does not run the judge.
    fn arguments(&self) -> Option<(&str, Vec<&str>)> {
        let (_, command) = self.split();
        let args = match command.strip_prefix(FROM_CHECKOUT) {
            Some(args) => args.trim_start().trim_start_matches("-- "),
            None => command.strip_prefix("judge ")?,
        };
        let (args, bot) = args.split_once(" -- ").unwrap_or((args, ""));
        Some((args, bot.split_whitespace().collect()))
    }

    /// Checks that the command prints the shown output. A bot in Python may need more than the default time if many
    /// tests run at the same time.
    fn assert_is_real(&self) {
        const LONG_LIMIT: &str = " --time-limit 20";
        let (args, bot) = self.arguments().unwrap();
        let needs_longer_limit = !bot.is_empty() && !args.contains(LONG_LIMIT);
        let args = format!("{args}{}", if needs_longer_limit { LONG_LIMIT } else { "" });
        let output = reading(&mut command(&args, &bot), self.split().0.as_bytes());
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

/// Checks the output of the commands. Skips the bots in Python if Python is not installed.
fn assert_shows_real_output(shown: &[Shown]) {
    let has_python = has_python();
    shown
        .iter()
        .filter(|shown| has_python || !shown.line.contains("python3"))
        .for_each(Shown::assert_is_real);
}

#[test]
fn readme_shows_real_output() {
    let shown = Shown::on(&readme());
    assert!(shown.iter().any(|shown| shown.line == FROM_CHECKOUT), "README.md shows {FROM_CHECKOUT}");
    assert_shows_real_output(&shown);
}

#[test]
fn docs_show_real_output() {
    let shown: Vec<Shown> = docs().iter().flat_map(Shown::on).collect();
    assert!(shown.len() >= 10, "{} commands", shown.len());
    assert_shows_real_output(&shown);
}

/// Checks that the Rust in README.md is the example in the library's documentation, which is compiled and run.
#[test]
fn readme_shows_the_librarys_example() {
    let library = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../src/lib.rs")).unwrap();
    let example = library.split("//! ```\n").nth(1).unwrap();
    let shown = example.lines().map(|line| line.trim_start_matches("//!").trim_start_matches(' '));
    let shown = shown.filter(|line| !line.starts_with("# ")).flat_map(|line| [line, "\n"]);
    assert_eq!(readme().blocks("rust"), [shown.collect::<String>()]);
}

/// Checks that every link inside the repository leads to an existing file and to an existing heading.
#[track_caller]
fn assert_links_lead_somewhere(from: &Page) {
    for link in from.links().into_iter().filter(|link| !link.contains("://")) {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let path = if path.is_empty() { from.path.clone() } else { from.path.with_file_name(path) };
        let at = from.path.display();
        assert!(root().join(&path).exists(), "{at}: there is no {link}");
        if !anchor.is_empty() {
            let anchors = page(&path).anchors();
            assert!(anchors.iter().any(|known| known == anchor), "{at}: no {link} among {anchors:?}");
        }
    }
}

#[test]
fn links_lead_somewhere() {
    let mut pages = docs();
    pages.extend([readme(), page("CONTRIBUTING.md"), page("CHANGELOG.md")]);
    assert!(pages.iter().map(|page| page.links().len()).sum::<usize>() > 50);
    pages.iter().for_each(assert_links_lead_somewhere);
}

/// Checks that the bot prints its lines of each conversation in docs/protocol.md when it gets the judge's lines.
#[test]
fn the_conversations_of_the_protocol() {
    let conversations = page("docs/protocol.md").blocks("conversation");
    assert_eq!(conversations.len(), 4);
    for conversation in conversations {
        let lines = |speaker: &str| -> String {
            let lines = conversation.lines().filter_map(|line| line.strip_prefix(speaker));
            lines.flat_map(|line| [line.trim(), "\n"]).collect()
        };
        assert_eq!(
            lines("").lines().count(),
            lines("judge>").lines().count() + lines("bot>").lines().count()
        );
        let output = judge_reading("bot", lines("judge>").as_bytes());
        assert_eq!(output.exits(0).says("").out(), lines("bot>"), "{conversation}");
    }
}
