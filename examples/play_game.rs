//! A conversation of the contest within one process: the bot against a judge that always makes the first legal move.
//!
//! The judge's lines depend on the bot's lines, so the bot runs in its own thread.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Write};
use std::thread;

use zeroxor::wire::protocol::{NO_MOVE, parse_bot_turn, parse_side};
use zeroxor::wire::session;
use zeroxor::{Position, Side};

fn main() -> Result<(), Box<dyn Error>> {
    let game = "20 3 5".parse()?;
    let (from_judge, mut to_bot) = io::pipe()?;
    let (from_bot, to_judge) = io::pipe()?;
    let bot = thread::spawn(move || session::run(BufReader::new(from_judge), to_judge));

    let mut lines = BufReader::new(from_bot).split(b'\n');
    let mut receive = move || lines.next().unwrap_or(Err(io::ErrorKind::UnexpectedEof.into()));
    let mut send = |line: &dyn std::fmt::Display| {
        println!("judge> {line}");
        writeln!(to_bot, "{line}")
    };
    let mut position = Position::new(&game)?;
    send(&game)?;
    let side = parse_side(&receive()?)?;
    println!("bot>   {side}");
    let mut is_bots_turn = side == Side::First;
    loop {
        if is_bots_turn {
            let mv = parse_bot_turn(&receive()?)?.ok_or("the bot has no move")?;
            println!("bot>   {mv}");
            position.play(mv)?;
        } else if let Some(mv) = position.nth_move(0) {
            send(&mv)?;
            position.play(mv)?;
        } else {
            send(&NO_MOVE)?;
            break;
        }
        is_bots_turn = !is_bots_turn;
    }
    bot.join().map_err(|_| "the bot's thread has failed")??;
    Ok(())
}
