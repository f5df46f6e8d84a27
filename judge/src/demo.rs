//! `judge` without a command: a short demonstration with the bundled bot.

use std::io::{self, Write};
use std::process::ExitCode;

use runner::interrupt;

use crate::config::MatchConfig;
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::report::picture::Picture;
use crate::report::reporter::{Form, Reporter};
use crate::trials::session::BotSession;

const DRAWN_GAME: (&str, OpponentKind) = ("20 3 5", OpponentKind::Stubborn);

/// Further games. Each side wins some of them, two have assigned sides, and together they have every kind of opponent.
const MORE_GAMES: [(&str, OpponentKind); 10] = [
    ("6 1 2", OpponentKind::Perfect),
    ("15 2 2", OpponentKind::Perfect),
    ("2000 1 1", OpponentKind::Slow),
    ("2000 3 3", OpponentKind::Stubborn),
    ("1999 2 2", OpponentKind::Mirror),
    ("1234 5 678", OpponentKind::Greedy),
    ("segment 500 4 9 seat first", OpponentKind::Perfect),
    ("300 3 3 seat second", OpponentKind::Random),
    ("square 20 31 ban 4", OpponentKind::Perfect),
    ("segment 20 3 5 + nim 9 + euclid 14 5", OpponentKind::Stubborn),
];

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let mut out = io::stdout();
    writeln!(out, "The bundled bot plays a row of 20 cards. A move takes 3 to 5 neighbouring cards;")?;
    writeln!(
        out,
        "a player who cannot move loses. The judge plays the moves that delay its loss longest.\n"
    )?;
    let mut session = BotSession::new("the bot", MatchConfig::default(), 1 + MORE_GAMES.len() as u64)?;
    let mut reporter = Reporter::new(io::stdout(), Form::PLAIN);
    reporter.has_figures = false;
    let setup = |(header, opponent): (&str, OpponentKind)| -> anyhow::Result<GameSetup> {
        Ok(GameSetup::new(header.parse()?, opponent, 1))
    };
    let picture = &mut Picture::new(io::stdout());
    reporter.game(&session.play_alone(&setup(DRAWN_GAME)?, picture)?)?;
    writeln!(out, "\nMore games, against other opponents:\n")?;
    for game in MORE_GAMES {
        if reporter.is_stopped() {
            break;
        }
        reporter.game(&session.play_alone(&setup(game)?, &mut ())?)?;
    }
    writeln!(out)?;
    let code = reporter.end_games()?;
    writeln!(out, "\nJudge your own bot: judge run 20 1 2 -v -- python3 my_bot.py")?;
    Ok(code)
}
