//! A starter bot for rows of cards. It plays legal moves and knows no strategy.
//!
//! From a row of N cards the players in turn take L to R neighbouring cards. A player who cannot move loses.
//!
//! ```text
//! the judge sends    N L R       the header
//! the bot answers    First       or Second: the side that it plays
//! then in turn       x y         take the y cards x, x+1, ..., x+y-1
//! the bot            0 0         I have no move
//! the judge at last  0 0         the bot has won; or -1 -1: the bot has lost
//! ```
//!
//! Only these lines go to stdout, and each is flushed. Print everything else with `eprintln!`.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

fn choose_side(_n: usize, _l: usize, _r: usize) -> &'static str {
    "First"
}

/// Returns the move that takes the first L neighbouring cards, or `None`. `cards[x]` says whether card x is left.
fn choose_move(cards: &[bool], l: usize, _r: usize) -> Option<(usize, usize)> {
    let mut in_a_row = 0;
    for (x, &is_left) in cards.iter().enumerate() {
        in_a_row = if is_left { in_a_row + 1 } else { 0 };
        if in_a_row == l {
            return Some((x + 1 - l, l));
        }
    }
    None
}

fn take(cards: &mut [bool], x: usize, y: usize) {
    cards[x..x + y].fill(false);
}

fn send(line: &str) -> io::Result<()> {
    println!("{line}");
    io::stdout().flush()
}

/// Returns the numbers of the next line; `None` at the end of the input.
fn read() -> Result<Option<Vec<i64>>, Box<dyn Error>> {
    let mut line = String::new();
    if io::stdin().read_line(&mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?))
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let Some(header) = read()? else { return Ok(ExitCode::SUCCESS) };
    let &[n, l, r] = header.as_slice() else { return Err("expected a header N L R".into()) };
    let (n, l, r) = (n.try_into()?, l.try_into()?, r.try_into()?);
    let mut cards = vec![true; n + 1];
    cards[0] = false; // The cards are numbered from 1.
    let side = choose_side(n, l, r);
    send(side)?;
    let mut is_my_turn = side == "First";
    loop {
        if is_my_turn {
            let (x, y) = choose_move(&cards, l, r).unwrap_or((0, 0));
            send(&format!("{x} {y}"))?;
            take(&mut cards, x, y);
        } else {
            // The input has ended in the middle of the game.
            let Some(numbers) = read()? else { return Ok(ExitCode::FAILURE) };
            let &[x, y] = numbers.as_slice() else { return Err("expected a move x y".into()) };
            if x <= 0 {
                return Ok(ExitCode::SUCCESS); // The game is over.
            }
            take(&mut cards, x.try_into()?, y.try_into()?);
        }
        is_my_turn = !is_my_turn;
    }
}
