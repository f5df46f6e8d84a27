//! The contest bot. Speaks the protocol on stdin and stdout; writes errors and the log to stderr.

use std::io::Write;
use std::process::ExitCode;

use zeroxor::GameKind;
use zeroxor::wire::run_on_stdio;

fn help() -> String {
    let games = GameKind::all();
    let games = games.map(|kind| format!("  {}\n      {}\n", kind.form(), kind.help()));
    let games = games.collect::<Vec<_>>().concat();
    format!(
        "\
Plays impartial subtraction games over stdin and stdout, and wins whenever theory allows.

Usage: zeroxor < JUDGE > JUDGE

The bot reads a header line, answers First or Second, and then exchanges moves with the judge: \"x y\"
takes y at place x, and \"x 0\" splits a row before card x. Known headers:

{games}  GAME + GAME ...
      a sum: a move is made in one of the games
  misere GAME ...
      misère play of a game or sum: the player who makes the last move loses

A header may end in \"seat first\" or \"seat second\"; a line \"games T\" announces T games.

Options:
  -h, --help       print this help
  -V, --version    print the version

Environment:
  RUST_LOG=info    log each game on stderr: the header, the side, the moves, the end
  RUST_LOG=debug   also log the tables, and why each move is made

Exit codes:
  0  all games ended
  1  the conversation broke off, or stdout cannot be written to
  2  wrong usage, a malformed line, an illegal move, or a game too large
"
    )
}

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    match args.iter().map(|arg| arg.to_str()).collect::<Vec<_>>().as_slice() {
        [] => {
            start_log();
            run_on_stdio()
        }
        [Some("-h" | "--help")] => print(&help()),
        [Some("-V" | "--version")] => print(concat!("zeroxor ", env!("CARGO_PKG_VERSION"), "\n")),
        _ => {
            let words = args.iter().map(|arg| arg.to_string_lossy()).collect::<Vec<_>>().join(" ");
            let error = format!("zeroxor: expected no argument, --help or --version, got {words:?}\n");
            let _ = std::io::stderr().write_all(error.as_bytes());
            ExitCode::from(2)
        }
    }
}

/// Starts the log on stderr that `RUST_LOG` asks for, if it is set. Each line has the time since the start.
fn start_log() {
    if std::env::var_os("RUST_LOG").is_none() {
        return;
    }
    let start = std::time::Instant::now();
    env_logger::Builder::from_default_env()
        .format(move |line, record| {
            let millis = start.elapsed().as_secs_f64() * 1e3;
            writeln!(line, "{millis:9.3} ms  {:<5} {}", record.level(), record.args())
        })
        .init();
}

fn print(text: &str) -> ExitCode {
    let mut out = std::io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Ignore a closed pipe.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "zeroxor: stdout cannot be written to: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
