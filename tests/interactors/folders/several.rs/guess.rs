pub const GUESS: u32 = 1;
