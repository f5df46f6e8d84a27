// The output is not flushed. At the end of its input the bot panics, and the BufWriter then writes its buffer.

use std::io::{BufWriter, Write};

fn main() {
    let mut lines = std::io::stdin().lines();
    let mut next = || lines.next().unwrap().unwrap();
    let mut out = BufWriter::new(std::io::stdout());
    let (mut low, mut high): (u32, u32) = (1, next().parse().unwrap());
    loop {
        let q = (low + high) / 2;
        writeln!(out, "? {q}").unwrap();
        match next().as_str() {
            "<" => high = q - 1,
            ">" => low = q + 1,
            _ => return writeln!(out, "! {q}").unwrap(),
        }
    }
}
