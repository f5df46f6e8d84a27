// A correct bot: binary search.

use std::io::{self, Write};

fn read_line() -> String {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    line.trim().to_owned()
}

fn main() {
    let (mut low, mut high): (u32, u32) = (1, read_line().parse().unwrap());
    loop {
        let q = (low + high) / 2;
        println!("? {q}");
        io::stdout().flush().unwrap();
        match read_line().as_str() {
            "<" => high = q - 1,
            ">" => low = q + 1,
            "=" => return println!("! {q}"),
            reply => panic!("unknown reply {reply:?}"),
        }
    }
}
