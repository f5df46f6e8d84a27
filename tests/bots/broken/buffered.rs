// This bot does not flush its BufWriter before it reads the next line.

use std::io::{self, BufWriter, Write};

fn read() -> Vec<usize> {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    line.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn main() {
    let header = read();
    let n = header[0];
    let mut out = BufWriter::new(io::stdout());
    writeln!(out, "First").unwrap();
    let y = 2 - n % 2;
    writeln!(out, "{} {y}", (n - y) / 2 + 1).unwrap();
    loop {
        let reply = read();
        if reply[0] == 0 {
            break;
        }
        writeln!(out, "{} {}", n - reply[0] - reply[1] + 2, reply[1]).unwrap();
    }
}
