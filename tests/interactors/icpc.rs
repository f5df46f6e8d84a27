// Hidden number, icpc style: icpc INPUT ANSWER FEEDBACKDIR. It exits with 42 (accepted) or 43 (wrong answer).

use std::cmp::Ordering;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::{env, fs, process};

const MAX_QUERIES: usize = 40;

/// Writes a line to the bot, which may have ended.
fn send(reply: &str) {
    let _ = writeln!(stdout(), "{reply}").and_then(|()| stdout().flush());
}

/// Plays the game. Returns the number of queries, or what is wrong.
fn play(n: i64, x: i64) -> Result<usize, String> {
    send(&n.to_string());
    for (queries, line) in stdin().lock().split(b'\n').enumerate() {
        let line = line.map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        let malformed = || format!("malformed line {:?}", text.chars().take(40).collect::<String>());
        let (mark, number) = text.split_once(' ').ok_or_else(malformed)?;
        let number: i64 = number.parse().map_err(|_| malformed())?;
        match mark {
            "!" if number == x => return Ok(queries),
            "!" => return Err(format!("the number is {x}, not {number}")),
            "?" if queries == MAX_QUERIES => return Err(format!("more than {MAX_QUERIES} queries")),
            "?" if !(1..=n).contains(&number) => return Err(format!("query {number} is outside 1..{n}")),
            "?" => send(match x.cmp(&number) {
                Ordering::Less => "<",
                Ordering::Greater => ">",
                Ordering::Equal => "=",
            }),
            _ => return Err(malformed()),
        }
    }
    Err("unexpected end of the bot's output".to_owned())
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let [_, input, _answer, feedback, ..] = &arguments[..] else { panic!("expected three arguments") };
    let input = fs::read_to_string(input).unwrap();
    let mut numbers = input.split_whitespace().map(|word| word.parse().unwrap());
    let (code, message) = match play(numbers.next().unwrap(), numbers.next().unwrap()) {
        Ok(queries) => (42, format!("{queries} queries\n")),
        Err(wrong) => (43, format!("{wrong}\n")),
    };
    fs::write(Path::new(feedback).join("judgemessage.txt"), message).unwrap();
    if code == 43 {
        send("-1");
    }
    process::exit(code);
}
