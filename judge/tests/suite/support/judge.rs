//! Functions that run the judge.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;

use serde_json::Value;

use super::schema::assert_follows;
use super::stop_ignoring_signals;

pub const JUDGE: &str = env!("CARGO_BIN_EXE_judge");

pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap().to_owned()
}

/// What a program printed, as text, and checks of it. A check that fails shows all that was printed.
pub trait Printed {
    fn output(&self) -> &Output;

    fn code(&self) -> Option<i32> {
        self.output().status.code()
    }

    fn out(&self) -> &str {
        text(&self.output().stdout)
    }

    fn err(&self) -> &str {
        text(&self.output().stderr)
    }

    #[track_caller]
    fn json(&self) -> Vec<Value> {
        json_lines(&self.output().stdout)
    }

    /// Returns the report of the only run, which follows the schema.
    #[track_caller]
    fn report(&self) -> Value {
        let [line] = self.json().try_into().unwrap_or_else(|_| panic!("{}{}", self.out(), self.err()));
        assert_follows("run.schema.json", "", &line);
        line
    }

    #[track_caller]
    fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.code(), Some(code), "{}{}", self.out(), self.err());
        self
    }

    #[track_caller]
    fn prints(&self, words: &str) -> &Self {
        assert!(self.out().contains(words), "{words}: {}{}", self.out(), self.err());
        self
    }

    #[track_caller]
    fn begins(&self, words: &str) -> &Self {
        assert!(self.out().starts_with(words), "{words}: {}{}", self.out(), self.err());
        self
    }

    #[track_caller]
    fn complains(&self, words: &str) -> &Self {
        assert!(self.err().contains(words), "{words}: {}{}", self.out(), self.err());
        self
    }

    /// Checks that stderr is `words`, without its line ends.
    #[track_caller]
    fn says(&self, words: &str) -> &Self {
        assert_eq!(self.err().trim_end(), words, "{}", self.out());
        self
    }

    /// Checks that the arguments are refused: by exit code 2, with nothing on stdout, and `words` on stderr.
    #[track_caller]
    fn refuses(&self, words: &str) -> &Self {
        self.exits(2).complains(words);
        assert_eq!(self.out(), "", "{words}");
        self
    }
}

impl Printed for Output {
    fn output(&self) -> &Output {
        self
    }
}

/// The value of PATH for the judge. Its `python3` is the interpreter. If pyenv is installed, the first `python3` is a script
/// that starts 40 processes to find the interpreter, and needs more than twice its time.
pub static PATH: LazyLock<String> = LazyLock::new(|| {
    let path = std::env::var("PATH").unwrap();
    let script = "import os, sys; print(end=os.path.dirname(sys.executable))";
    let found = Command::new("python3").args(["-c", script]).output().expect("the tests need python3");
    let is_there = std::env::split_paths(&path).any(|folder| folder == Path::new(found.out()));
    if is_there { path } else { format!("{}:{path}", found.out()) }
});

/// Returns the command of the judge without arguments.
pub fn bare_command() -> Command {
    stop_ignoring_signals();
    let mut judge = Command::new(JUDGE);
    judge.env("PATH", &*PATH);
    judge
}

/// Runs the judge with arguments as typed in a shell.
pub fn judge_typed(folder: impl AsRef<Path>, arguments: &str) -> Output {
    bare_command().current_dir(folder).args(shlex::split(arguments).unwrap()).output().unwrap()
}

pub fn interactors() -> PathBuf {
    root().join("tests/interactors")
}

/// Runs the judge with `args`, split at blanks, and with `bot`.
pub fn judge(args: &str, bot: &[&str]) -> Output {
    command(args, bot).stdin(Stdio::null()).output().unwrap()
}

pub fn reading(command: &mut Command, input: &[u8]) -> Output {
    let mut child = start_talking(command);
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // Ignore a closed pipe: a judge that has refused its input may exit before the rest is written.
        scope.spawn(move || stdin.write_all(input).err());
        child.wait_with_output().unwrap()
    })
}

/// Starts a command without input, and with pipes for its output.
pub fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Starts a command with pipes for its input and output.
pub fn start_talking(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the command of the judge with `args` and `bot`.
pub fn command(args: &str, bot: &[&str]) -> Command {
    let mut judge = bare_command();
    judge.args(args.split_whitespace());
    if !bot.is_empty() {
        judge.arg("--").args(bot);
    }
    judge.current_dir(root());
    judge
}

/// Returns a command that runs `judge` and its bots with a limit, which is the arguments of ulimit(1).
pub fn limited(limit: &str, judge: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")]);
    shell.arg(judge.get_program()).args(judge.get_args()).current_dir(judge.get_current_dir().unwrap());
    shell.envs(judge.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell
}

/// Returns the games that `judge run --json` reports, without the summary, and the exit code.
pub fn games(args: &str, bot: &[&str]) -> (Vec<Value>, i32) {
    let output = judge(&format!("run --json {args}"), bot);
    assert_eq!(output.err(), "", "{args}");
    let mut games = output.json();
    games.retain(|line| line.get("summary").is_none());
    (games, output.code().unwrap())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Returns the values of an output that has one value on each line.
#[track_caller]
pub fn json_lines(output: &[u8]) -> Vec<Value> {
    text(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs the command that the judge printed for a run, in the folder of the run. Checks that it has the same result. The
/// shell is bash, because other shells have no quotes for control characters.
#[track_caller]
pub fn assert_repeats(folder: &Path, line: &Value) {
    let again = line.get("command").or(line.get("again")).and_then(Value::as_str).unwrap();
    let script = again.replacen("judge", JUDGE, 1).replacen(" -- ", " --json -- ", 1);
    let output =
        Command::new("bash").args(["-c", &script]).env("PATH", &*PATH).current_dir(folder).output().unwrap();
    let mut repeated = output.json();
    repeated.retain(|line| line["verdict"].is_string());
    assert_eq!(repeated.len(), 1, "{script}: {}", output.err());
    for field in ["verdict", "class", "reason", "seed", "input", "pass", "command"] {
        if let Some(value) = line.get(field) {
            assert_eq!(repeated[0][field], *value, "{field} of {script}");
        }
    }
    if let Some(passes) = line.get("passes") {
        let stderr = |passes: &Value| passes[0]["seats"][0]["stderr"].clone();
        assert_eq!(stderr(&repeated[0]["passes"]), stderr(passes), "{script}");
    }
}

/// Reads the rows of a table with `N` columns, which are separated by tabs. Comments begin with `#`.
pub fn table<const N: usize>(path: &Path) -> Vec<[String; N]> {
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|line| {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        fields.try_into().unwrap_or_else(|_| panic!("{}: expected {N} columns: {line}", path.display()))
    })
    .collect()
}

/// Returns a report without times and resources: "WHY (5 moves in 1.5 ms; CPU ...)" becomes "WHY (5 moves in".
pub fn timeless(report: &str) -> String {
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let timeless = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        // A row of the table of games has its title, the number of games won, and eight times.
        let is_won = |word: &str| is_number(word) && word.contains('/');
        if let Some(at) = words.len().checked_sub(9).filter(|&at| at > 0 && is_won(words[at])) {
            return words[..=at].join(" ");
        }
        let is_time = |pair: &[&str]| {
            let unit = pair[1].trim_end_matches([',', ';', ':', ')']);
            is_number(pair[0].trim_start_matches('(')) && ["ms", "s"].contains(&unit)
        };
        let time = words.windows(2).position(is_time);
        time.map_or(line.to_owned(), |time| words[..time].join(" "))
    };
    report.lines().map(|line| timeless(line) + "\n").collect()
}
