// Hidden number, icpc style: icpc INPUT ANSWER FEEDBACKDIR. It exits with 42 (accepted) or 43 (wrong answer).

use std::cmp::Ordering;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::{env, fs, process};

const MAX_QUERIES: usize = 40;

/// Writes a line to the bot, which may have ended.
fn send(reply: &str) {
    let mut out = io::stdout();
    let _ = writeln!(out, "{reply}").and_then(|()| out.flush());
}

/// Splits `? 5` or `! 5` into its mark and its number. Returns `None` if the line has another form.
fn parse(line: &str) -> Option<(char, i64)> {
    let (mark, number) = line.trim_end().split_once(' ')?;
    let mark = mark.chars().next().filter(|_| matches!(mark, "?" | "!"))?;
    Some((mark, number.parse().ok()?))
}

/// Plays the game. Returns the number of queries, or what is wrong.
fn play(n: i64, x: i64) -> Result<usize, String> {
    send(&n.to_string());
    let (mut input, mut queries, mut line) = (io::stdin().lock(), 0, Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(|error| error.to_string())? == 0 {
            return Err("unexpected end of the bot's output".to_owned());
        }
        let text = String::from_utf8_lossy(&line);
        let Some((mark, number)) = parse(&text) else {
            let start: String = text.trim_end().chars().take(40).collect();
            return Err(format!("malformed line {start:?}"));
        };
        if mark == '!' {
            let wrong = || format!("the number is {x}, not {number}");
            return if number == x { Ok(queries) } else { Err(wrong()) };
        }
        queries += 1;
        if queries > MAX_QUERIES {
            return Err(format!("more than {MAX_QUERIES} queries"));
        }
        if !(1..=n).contains(&number) {
            return Err(format!("query {number} is outside 1..{n}"));
        }
        send(match x.cmp(&number) {
            Ordering::Less => "<",
            Ordering::Greater => ">",
            Ordering::Equal => "=",
        });
    }
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let [_, input, _answer, feedback, ..] = arguments.as_slice() else {
        eprintln!("usage: icpc INPUT ANSWER FEEDBACKDIR");
        process::exit(1);
    };
    let numbers: Vec<i64> =
        fs::read_to_string(input).unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect();
    let (code, judge, team) = match play(numbers[0], numbers[1]) {
        Ok(queries) => (42, format!("{queries} queries"), "correct"),
        Err(wrong) => (43, wrong, "wrong answer"),
    };
    fs::write(Path::new(feedback).join("judgemessage.txt"), judge + "\n").unwrap();
    fs::write(Path::new(feedback).join("teammessage.txt"), format!("{team}\n")).unwrap();
    if code == 43 {
        send("-1");
    }
    process::exit(code);
}
