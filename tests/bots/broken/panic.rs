// This bot panics: an index is out of bounds.

use std::io;

fn read() -> Vec<usize> {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    line.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn main() {
    let header = read();
    let n = header[0];
    println!("First");
    let y = 2 - n % 2;
    println!("{} {y}", (n - y) / 2 + 1);
    let mut left = vec![true; n];
    loop {
        let reply = read();
        if reply[0] == 0 {
            break;
        }
        left[n] = false;
        println!("{} {}", n - reply[0] - reply[1] + 2, reply[1]);
    }
}
