//! `judge` alone: a short demonstration with the bundled bot.

use std::io::Write;
use std::process::ExitCode;

use crate::matches::opponent::Kind;
use crate::matches::series::{Arena, Conditions, Fixture, Series};
use crate::process::interrupt;
use crate::referee::config::Terms;
use crate::referee::verdict::Profile;
use crate::report::console::Console;
use crate::report::picture::Picture;

/// Drawn move by move.
const DRAWN: (&str, Kind) = ("20 3 5", Kind::Stubborn);

/// Games won by First and by Second, assigned seats, and every opponent.
const MORE: [(&str, Kind); 10] = [
    ("6 1 2", Kind::Perfect),
    ("15 2 2", Kind::Perfect),
    ("2000 1 1", Kind::Slow),
    ("2000 3 3", Kind::Stubborn),
    ("1999 2 2", Kind::Mirror),
    ("1234 5 678", Kind::Greedy),
    ("segment 500 4 9 seat first", Kind::Perfect),
    ("300 3 3 seat second", Kind::Random),
    ("square 20 31 ban 4", Kind::Perfect),
    ("segment 20 3 5 + nim 9 + euclid 14 5", Kind::Stubborn),
];

pub(crate) fn demo() -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let mut out = anstream::stdout();
    writeln!(
        out,
        "The bundled bot plays a row of 20 cards; a move takes 3 to 5 neighbouring cards, who cannot move loses."
    )?;
    writeln!(out, "The judge referees, and plays the longest fight against it.\n")?;
    let terms = Terms { profile: Profile::Strict, ..Terms::default() };
    let arena = Arena::new(Conditions { bot: Vec::new(), terms }, 1 + MORE.len() as u64, ())?;
    let mut series = Series::new(arena, Console::new(anstream::stdout()));
    let fixture = |(game, opponent): (&str, Kind)| {
        let game = game.to_owned();
        Fixture { game, opponent, seed: 1, line: Vec::new() }
    };
    series.play(fixture(DRAWN), &mut Picture::new(anstream::stdout()))?;
    writeln!(out, "\nMore games, against other opponents:\n")?;
    for game in MORE {
        series.play(fixture(game), &mut ())?;
    }
    writeln!(out)?;
    let code = series.end()?;
    writeln!(out, "\nJudge your own bot: judge run 2000 3 3 --opponent perfect -- python3 my_bot.py")?;
    Ok(code)
}
