// This bot does not flush its BufWriter before it reads the next line.

use std::io::{BufWriter, Write, stdin, stdout};

fn main() {
    let mut lines = stdin().lines().map(Result::unwrap);
    lines.next();
    let mut out = BufWriter::new(stdout());
    writeln!(out, "First\n3 2").unwrap();
    for line in lines.take_while(|line| line != "0 0" && line != "-1 -1") {
        let first: u32 = line.split(' ').next().unwrap().parse().unwrap();
        writeln!(out, "{} 1", 7 - first).unwrap();
    }
}
