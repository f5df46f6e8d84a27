// Guesses 1, which is in another source.
mod guess;

fn main() {
    println!("! {}", guess::GUESS);
}
