//! Running the judge and `grundy`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use super::heed_signals;

/// The judge's program, in the tests of its own package.
pub const JUDGE: &str = match option_env!("CARGO_BIN_EXE_judge") {
    Some(path) => path,
    None => "",
};

/// The name of `grundy` and of its commands. A command line that begins with one of them is for that program, any other
/// for the judge.
const OF_GRUNDY: [&str; 7] = ["grundy", "solve", "count", "table", "octal", "sweep", "atlas"];

/// The program whose command line begins with this word.
pub fn program_of(word: &str) -> PathBuf {
    static JUDGE: OnceLock<PathBuf> = OnceLock::new();
    static GRUNDY: OnceLock<PathBuf> = OnceLock::new();
    let (path, name, own) = if OF_GRUNDY.contains(&word) {
        (&GRUNDY, "grundy", option_env!("CARGO_BIN_EXE_grundy"))
    } else {
        (&JUDGE, "judge", option_env!("CARGO_BIN_EXE_judge"))
    };
    // Cargo builds the programs of the package that is tested, and not those of the others. An ordinary user is given those
    // that root has built.
    let built = || match std::env::var_os(name) {
        Some(path) => PathBuf::from(path),
        None => escargot::CargoBuild::new().arg("--workspace").bin(name).run().unwrap().path().to_owned(),
    };
    path.get_or_init(|| own.map_or_else(built, PathBuf::from)).clone()
}

/// The variable by which no games are kept. The tests that lose games would fill the corpus of the repository.
pub const NO_CORPUS: (&str, &str) = ("JUDGE_CORPUS", "");

/// The root of the repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap().to_owned()
}

/// The name of the program whose command line this is.
pub fn program_name(args: &str) -> &'static str {
    if OF_GRUNDY.contains(&args.split(' ').next().unwrap_or_default()) { "grundy" } else { "judge" }
}

/// The judge with these arguments, split at blanks, and this bot.
pub fn judge(args: &str, bot: &[&str]) -> Output {
    command(args, bot).stdin(Stdio::null()).output().unwrap()
}

/// The judge with these arguments and this input.
pub fn judge_reading(args: &str, input: &[u8]) -> Output {
    reading(&mut command(args, &[]), input)
}

/// What a command does with this input.
pub fn reading(command: &mut Command, input: &[u8]) -> Output {
    let mut child = start_talking(command);
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // A judge that has refused its input may be gone before the rest is written.
        scope.spawn(move || stdin.write_all(input).err());
        child.wait_with_output().unwrap()
    })
}

/// A command that has been started without input; what it prints can be read.
pub fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A command that has been started, with pipes for all it reads and prints.
pub fn start_talking(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The judge with these arguments and this bot, yet to be started; `grundy`, if the first word is one of its own.
pub fn command(args: &str, bot: &[&str]) -> Command {
    heed_signals();
    let mut judge = Command::new(program_of(args.split_whitespace().next().unwrap_or_default()));
    judge.args(args.trim_start().trim_start_matches("grundy").split_whitespace());
    if !bot.is_empty() {
        judge.arg("--").args(bot);
    }
    judge.current_dir(root());
    judge.envs([NO_CORPUS]);
    judge
}

/// The judge, and with it its bots, with a limit of the stack as ulimit(1) takes it.
pub fn with_stack(limit: &str, judge: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -Ss {limit} && exec \"$0\" \"$@\"")]);
    shell.arg(judge.get_program()).args(judge.get_args()).current_dir(judge.get_current_dir().unwrap());
    shell.envs(judge.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell
}

/// The games that `judge run --json` reports, without their summary, and its exit code.
pub fn games(args: &str, bot: &[&str]) -> (Vec<Value>, i32) {
    let output = judge(&format!("run --json {args}"), bot);
    assert_eq!(text(&output.stderr), "", "{args}");
    let mut games = json_lines(&output.stdout);
    games.retain(|line| line.get("summary").is_none());
    (games, output.status.code().unwrap())
}

/// Every game is won, and there are that many.
#[track_caller]
pub fn assert_all_won(args: &str, bot: &[&str], expected: usize) {
    let (games, code) = games(args, bot);
    for game in &games {
        assert_eq!(game["verdict"], "WON", "{game}");
    }
    assert_eq!((games.len(), code), (expected, 0), "{args}");
}

/// The bot wins `games` games from each of these starts against each of these opponents.
#[track_caller]
pub fn assert_wins_starts(starts: &[&str], opponents: &[&str], games: usize, options: &str, bot: &[&str]) {
    let args = format!("test - --json --opponent {} --games {games} {options}", opponents.join(","));
    let output = reading(&mut command(&args, bot), starts.join("\n").as_bytes());
    let mut played = json_lines(&output.stdout);
    played.retain(|line| line.get("summary").is_none());
    for game in &played {
        assert_eq!(game["verdict"], "WON", "{game}");
    }
    let expected = starts.len() * opponents.len() * games;
    assert_eq!((played.len(), text(&output.stderr), output.status.code()), (expected, "", Some(0)), "{args}");
}

/// The judge prints that, and nothing else.
#[track_caller]
pub fn assert_prints(args: &str, expected: &str) {
    let output = judge(args, &[]);
    assert_eq!((text(&output.stdout), text(&output.stderr)), (expected, ""), "{args}");
    assert_eq!(output.status.code(), Some(0), "{args}");
}

/// The judge refuses these arguments with this bot, and says so in these words among others.
#[track_caller]
pub fn assert_refused(args: &str, bot: &[&str], message: &str) {
    let output = judge(args, bot);
    assert_eq!(output.status.code(), Some(2), "{args}");
    assert_eq!(text(&output.stdout), "", "{args}");
    assert!(text(&output.stderr).contains(message), "{args}: {}", text(&output.stderr));
}

/// The judge refuses these arguments without a bot.
#[track_caller]
pub fn assert_refuses(args: &str, message: &str) {
    assert_refused(args, &[], message);
}

/// An output as text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The values of an output that has one on each line.
#[track_caller]
pub fn json_lines(output: &[u8]) -> Vec<Value> {
    text(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A report without what the games took: "WHY (5 moves in 1.5 ms; CPU ...)" becomes "WHY (5 moves)", and what a search,
/// a table or the moves of `judge arena` took is left out.
pub fn timeless(report: &str) -> String {
    let timeless = |line: &str| {
        if let Some((won, _)) = line.split_once(" won; ").filter(|(_, rest)| rest.contains(" played in ")) {
            return format!("{won} won");
        }
        if let Some((games, _)) = line.split_once(", slowest answer ").filter(|_| line.starts_with("  size"))
        {
            return games.to_owned();
        }
        if line.starts_with("slowest start") {
            return line.split(" (").next().unwrap_or(line).to_owned();
        }
        // A time follows, as it does not in the head of a table.
        let is_time = |text: &str| text.trim_start().starts_with(|c: char| c.is_ascii_digit());
        if let Some((name, _)) = line.split_once("  p50 ").filter(|(_, rest)| is_time(rest)) {
            return name.trim_end().to_owned();
        }
        // A row of the table of games: what it is about, how many were won, and eight times.
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(at) = words.len().checked_sub(9).filter(|&at| at > 0 && words[at].contains('/')) {
            return words[..=at].join(" ");
        }
        if line.starts_with("time: ") {
            return "time:".to_owned();
        }
        let took =
            [" moves in ", " move in "].iter().find_map(|noun| line.rfind(noun).map(|at| at + noun.len()));
        took.filter(|_| line.ends_with(')'))
            .map_or(line.to_owned(), |took| format!("{})", &line[..took - " in ".len()]))
    };
    report.lines().map(|line| timeless(line) + "\n").collect()
}
