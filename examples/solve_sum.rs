//! Prints who wins a sum of games, and some winning moves.
//!
//! `cargo run --example solve_sum -- "segment 20 3 5 + nim 3 5"`

use std::error::Error;

use zeroxor::{Analysis, GameSpec, Outcome, Position, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let words = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let words = if words.is_empty() { "segment 20 3 5 + nim 3 5" } else { &words };
    let game: GameSpec = words.parse()?;
    let analysis = Analysis::of(&Position::new(&game)?, &mut Solver::new(), 5)?;
    match analysis.outcome {
        Outcome::N => println!("{game}: First wins"),
        Outcome::P => println!("{game}: Second wins"),
    }
    for mv in analysis.winning_moves {
        println!("a winning move: {mv}");
    }
    Ok(())
}
