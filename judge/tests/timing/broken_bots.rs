//! The bots of `tests/bots/broken`, each with a common mistake, and the report that the judge must print for each.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::support::{TestDir, command, has_program, json_lines, root, skip, table, text, with_stack};

/// A line of `expected.tsv`.
struct Expected {
    bot: String,
    arguments: String,
    verdict: String,
    class: String,
    /// The text that the report contains.
    words: String,
}

fn directory() -> PathBuf {
    root().join("tests/bots/broken")
}

/// Reads the lines of `expected.tsv`.
fn expected() -> Vec<Expected> {
    let rows = table(&directory().join("expected.tsv")).into_iter();
    rows.map(|[bot, arguments, verdict, class, words]| Expected { bot, arguments, verdict, class, words })
        .collect()
}

/// The usual limit of the stack, in KiB.
const USUAL_STACK: &str = "8192";

/// A language, with the commands that compile and start its bots.
struct Language {
    extension: &'static str,
    /// The programs that are needed.
    programs: &'static [&'static str],
    /// The command that compiles `$source` into the directory `$out`; empty if no command is needed.
    compile: &'static str,
    /// The bot's command; `$name` is its name without the extension.
    start: &'static [&'static str],
}

const LANGUAGES: [Language; 5] = [
    Language { extension: "py", programs: &["python3"], compile: "", start: &["python3", "$source"] },
    Language {
        extension: "cpp",
        programs: &["g++"],
        compile: "g++ -std=c++20 -O1 -o \"$out/$name\" \"$source\"",
        start: &["$out/$name"],
    },
    Language {
        extension: "java",
        programs: &["javac", "java"],
        compile: "javac -d \"$out\" \"$source\"",
        start: &["java", "-cp", "$out", "$name"],
    },
    Language { extension: "js", programs: &["node"], compile: "", start: &["node", "$source"] },
    Language {
        extension: "rs",
        programs: &["rustc"],
        compile: "rustc --edition 2024 -O -o \"$out/$name\" \"$source\"",
        start: &["$out/$name"],
    },
];

impl Language {
    /// Returns whether the language's programs are installed. If not, its bots are skipped.
    fn is_installed(&self) -> bool {
        self.programs.iter().all(|program| has_program(program, &["--version"]))
    }

    /// Compiles the bot and plays its game. Returns how the report differs from the table; `None` if they agree.
    fn check(&self, expected: &Expected) -> Option<String> {
        let Expected { bot, arguments, verdict, class, words } = expected;
        let here = TestDir::new();
        let source = directory().join(bot).into_os_string().into_string().unwrap();
        let (name, out) = (bot.split('.').next().unwrap(), here.file(""));
        let variables = [("source", source.as_str()), ("name", name), ("out", out.trim_end_matches('/'))];
        let compiler = Command::new("sh").args(["-c", self.compile]).envs(variables).output().unwrap();
        if !compiler.status.success() {
            return Some(format!("{bot} does not compile: {}", text(&compiler.stderr)));
        }
        let fill = |word: &str| {
            variables
                .iter()
                .fold(word.to_owned(), |word, (name, value)| word.replace(&format!("${name}"), value))
        };
        let start: Vec<String> = self.start.iter().map(|word| fill(word)).collect();
        let start: Vec<&str> = start.iter().map(String::as_str).collect();
        let transcript = here.file("transcript.jsonl");
        let arguments = format!("run {arguments} --transcript {transcript}");
        let mut judge = with_stack(USUAL_STACK, &command(&arguments, &start));
        // The judge removes this variable, which would hide a missing flush.
        judge.env("PYTHONUNBUFFERED", "1");
        // These variables change the amount of the bots' output.
        judge.env_remove("RUST_BACKTRACE").env_remove("NODE_OPTIONS");
        let output = judge.output().unwrap();
        let report = text(&output.stdout);
        let is_expected = report.starts_with(&format!("{verdict} ")) && report.contains(words);
        let code = i32::from(verdict != "WON");
        let recorded = recorded_class(&transcript);
        (!is_expected || recorded != *class || output.status.code() != Some(code)).then(|| {
            format!(
                "{bot}: expected {verdict}, {class}, with {words:?}, got {recorded}, {report}{}",
                text(&output.stderr)
            )
        })
    }
}

#[test]
fn every_broken_bot_gets_its_verdict_and_its_reason() {
    let languages: Vec<&Language> = LANGUAGES.iter().filter(|language| language.is_installed()).collect();
    let language = |bot: &str| {
        let extension = Path::new(bot).extension().unwrap();
        languages.iter().find(|language| extension == language.extension)
    };
    let rows: Vec<Expected> = expected().into_iter().filter(|row| language(&row.bot).is_some()).collect();
    check_rows(&rows, 6, |row| language(&row.bot).unwrap().check(row));
}

/// Checks that the report names recursion as a possible cause if the stack limit is so large that recursion reaches the
/// memory limit first.
#[test]
fn a_recursion_without_a_stack_limit() {
    let allowed = Command::new("sh").args(["-c", "ulimit -Ss unlimited"]).output().unwrap().status.success();
    if !allowed {
        return skip("this machine has a hard limit of the stack");
    }
    if !LANGUAGES[1].is_installed() {
        return;
    }
    let bot = directory().join("recursion.cpp").into_os_string().into_string().unwrap();
    let judge = command("run 6 1 2 --memory-limit 64M --time-limit 20", &[&bot]);
    for (limit, words) in [
        (
            "unlimited",
            "no game on a row of 6 has more than 6 moves: perhaps infinite recursion (here the stack",
        ),
        (
            "1048576",
            "(here the stack may fill the memory: see ulimit -s), a loop that never stops allocating, or a",
        ),
    ] {
        let output = with_stack(limit, &judge).output().unwrap();
        let report = text(&output.stdout);
        assert!(
            report.starts_with("MEMORY ") && report.contains(words),
            "{limit}: {report}{}",
            text(&output.stderr)
        );
    }
    let report = with_stack("4096", &judge).output().unwrap();
    let report = text(&report.stdout);
    assert!(report.starts_with("CRASHED ") && report.contains("a full stack, 4 MiB, though"), "{report}");
}

/// Checks that the table contains every bot of the directory, and that each bot begins with a comment.
#[test]
fn the_table_is_whole() {
    let table: BTreeSet<String> = expected().into_iter().map(|expected| expected.bot).collect();
    let files =
        fs::read_dir(directory()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let bots: BTreeSet<String> = files.filter(|name| name != "expected.tsv").collect();
    assert_eq!(table, bots);
    assert!(bots.len() >= 40);
    for bot in bots {
        let extension = bot.rsplit('.').next().unwrap();
        assert!(LANGUAGES.iter().any(|language| language.extension == extension), "{bot}: no such language");
        let source = fs::read_to_string(directory().join(&bot)).unwrap();
        assert!(source.starts_with("# ") || source.starts_with("// "), "{bot}: no comment");
    }
}

/// Returns the class of the only game or run of a transcript.
pub fn recorded_class(transcript: &str) -> String {
    let lines = fs::read(transcript).map(|lines| json_lines(&lines)).unwrap_or_default();
    lines.last().map_or_else(String::new, |line| line["class"].as_str().unwrap_or_default().to_owned())
}

/// Checks rows, `at_once` at a time, because most of them wait. `check` returns how a row differs from what is
/// expected; `None` if they agree.
pub fn check_rows<R: Sync>(rows: &[R], at_once: usize, check: impl Fn(&R) -> Option<String> + Sync) {
    let next = AtomicUsize::new(0);
    let failures: Vec<String> = thread::scope(|scope| {
        let check = || {
            let mut failures = Vec::new();
            while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                failures.extend(check(row));
            }
            failures
        };
        let threads: Vec<_> = (0..at_once).map(|_| scope.spawn(check)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    // Write immediately. The output of eprintln! is held back until all tests have ended.
    std::io::stderr().write_all(failures.concat().as_bytes()).unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
