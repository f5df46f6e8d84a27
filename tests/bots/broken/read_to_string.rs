// This bot reads until the end of the input before it answers.

use std::io::{self, Read};

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    let header: Vec<usize> = input.split_whitespace().map(|word| word.parse().unwrap()).collect();
    println!("First");
    println!("{} 2", header[0] / 2);
}
