// This bot panics: an index is out of bounds.

use std::io::stdin;

fn main() {
    let mut lines = stdin().lines().map(Result::unwrap);
    let n: usize = lines.next().unwrap().split(' ').next().unwrap().parse().unwrap();
    println!("First\n{} 2", n / 2);
    let mut left = vec![true; n];
    for line in lines.take_while(|line| line != "0 0") {
        left[n] = false;
        println!("{line}");
    }
}
