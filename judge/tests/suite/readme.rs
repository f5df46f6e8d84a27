//! What README.md and the pages of docs/ show is what the judge prints.

use crate::support::pages::{Page, docs, readme};
use crate::support::{command, has_python, reading, text, timeless};

const FROM_CHECKOUT: &str = "cargo run --release -p judge";

/// How `grundy` is run from a checkout.
const GRUNDY_FROM_CHECKOUT: &str = "cargo run --release --bin grundy --";

/// A command of a console block, and the output shown below it.
struct Shown {
    /// `echo WORDS | COMMAND`, or a command alone.
    line: String,
    output: String,
}

impl Shown {
    /// The commands of a page's console blocks that run the judge or `grundy`.
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

    /// The words that are piped into the command, and the command.
    fn split(&self) -> (String, &str) {
        match self.line.strip_prefix("echo ").and_then(|rest| rest.split_once(" | ")) {
            Some((words, command)) => (format!("{words}\n"), command),
            None => (String::new(), &self.line),
        }
    }

    /// The judge's arguments and the bot's command, `None` if it runs neither the judge nor `grundy`.
    fn arguments(&self) -> Option<(&str, Vec<&str>)> {
        let (_, command) = self.split();
        let args = match command.strip_prefix(FROM_CHECKOUT) {
            Some(args) => args.trim_start().trim_start_matches("-- "),
            None => ["judge ", "grundy ", GRUNDY_FROM_CHECKOUT]
                .iter()
                .find_map(|program| command.strip_prefix(program))?,
        };
        let (args, bot) = args.split_once(" -- ").unwrap_or((args, ""));
        Some((args, bot.split_whitespace().collect()))
    }

    /// A bot in Python may need more than the default time where many tests run at once.
    fn assert_is_real(&self) {
        const PATIENT: &str = " --time-limit 20";
        let (args, bot) = self.arguments().unwrap();
        let is_patient = bot.is_empty() || args.contains(PATIENT);
        let args = format!("{args}{}", if is_patient { "" } else { PATIENT });
        let output = reading(&mut command(&args, &bot), self.split().0.as_bytes());
        let shown = |output: &str| timeless(output).replace(PATIENT, "");
        assert_eq!(shown(text(&output.stdout)), shown(&self.output), "the output of {}", self.line);
        assert_eq!(text(&output.stderr), "", "{}", self.line);
    }
}

/// Runs the commands of a page, without the bots in Python if there is no Python.
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
    assert!(shown.len() >= 3 && shown[0].line == FROM_CHECKOUT, "README.md starts with {FROM_CHECKOUT}");
    assert_shows_real_output(&shown);
}

#[test]
fn docs_show_real_output() {
    let shown: Vec<Shown> = docs().iter().flat_map(Shown::on).collect();
    assert!(shown.len() >= 10, "{} commands", shown.len());
    assert_shows_real_output(&shown);
}

/// The front page's lines of Rust are those of the library's own front page, which are compiled and run.
#[test]
fn readme_shows_the_librarys_example() {
    let library = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../src/lib.rs")).unwrap();
    let example = library.split("//! ```\n").nth(1).unwrap();
    let shown = example.lines().map(|line| line.trim_start_matches("//!").trim_start_matches(' '));
    let shown = shown.filter(|line| !line.starts_with("# ")).flat_map(|line| [line, "\n"]);
    assert_eq!(readme().blocks("rust"), [shown.collect::<String>()]);
}
