//! Whole games between processes: a bot in Python that plays by the slow definition wins starts of all kinds of games.

use crate::support::{Printed, has_python, judge};

#[test]
fn a_bot_in_python() {
    if has_python() {
        let test = "test tests/data/inputs/all_games.txt --opponent perfect,random --session --time-limit 20";
        judge(test, &["python3", "tests/bots/definition.py"]).exits(0).prints(": 66 of 66 games won\n");
    }
}
