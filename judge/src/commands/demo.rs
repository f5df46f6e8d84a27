//! `judge` alone: a short demonstration with the bundled bot.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use super::bot::bundled;
use super::run::play;
use crate::conversation::Spectator;
use crate::interrupt;
use crate::picture::Picture;
use crate::player::opponent::Kind;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::verdict::Verdict;

const TIME_LIMIT: Duration = Duration::from_secs(2);

/// Drawn move by move.
const DRAWN: (&str, Kind) = ("20 3 5", Kind::Stubborn);

/// Rows won by First and by Second, assigned seats, and every opponent.
const MORE: [(&str, Kind); 8] = [
    ("6 1 2", Kind::Perfect),
    ("15 2 2", Kind::Perfect),
    ("2000 1 1", Kind::Slow),
    ("2000 3 3", Kind::Stubborn),
    ("1999 2 2", Kind::Mirror),
    ("1234 5 678", Kind::Greedy),
    ("segment 500 4 9 seat first", Kind::Perfect),
    ("300 3 3 seat second", Kind::Random),
];

pub(crate) fn demo() -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let bot = bundled()?;
    let mut out = anstream::stdout();
    let mut console = Console::new(anstream::stdout());
    let mut picture = Picture::new(anstream::stdout());
    writeln!(
        out,
        "The bundled bot plays a row of 20 cards; a move takes 3 to 5 neighbouring cards, who cannot move loses."
    )?;
    writeln!(out, "The judge referees, and plays the longest fight against it.\n")?;
    let mut won = true;
    let mut play =
        |(game, opponent): (&'static str, Kind), spectator: &mut dyn Spectator| -> anyhow::Result<()> {
            let record = play(game, opponent, 1, TIME_LIMIT, &bot, spectator)?;
            won &= record.outcome.verdict == Verdict::Won;
            console.game(&record)
        };
    play(DRAWN, &mut picture)?;
    writeln!(out, "\nMore rows, against other opponents:\n")?;
    for game in MORE {
        play(game, &mut ())?;
    }
    writeln!(out)?;
    console.summary()?;
    writeln!(out, "\nJudge your own bot: judge run 2000 3 3 --opponent perfect -- python3 my_bot.py")?;
    Ok(if won { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
