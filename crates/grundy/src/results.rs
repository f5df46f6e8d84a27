//! The solved games of `docs/results`.

use zeroxor::grundy::segment::Period;

use crate::cousins::CodeForm;
use crate::rows::RowGame;

/// The tables of solved games: the file, the name of its games in a header, and its text.
const FILES: [(&str, &str, &str); 2] = [
    ("docs/results/octal.tsv", "octal", include_str!("../../../docs/results/octal.tsv")),
    ("docs/results/windows.tsv", "segment", include_str!("../../../docs/results/windows.tsv")),
];

/// A game with the period that is recorded for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Solved {
    pub game: RowGame,
    pub period: Period,
    /// The file that records the period.
    pub file: &'static str,
    /// Whether `grundy` proved the period. Others are published, and were not checked here.
    pub is_proven: bool,
}

pub(crate) fn solved() -> impl Iterator<Item = Solved> {
    FILES.into_iter().flat_map(|(file, name, text)| {
        text.lines().skip(1).filter_map(move |line| {
            let [game, _, length, start, _, _, commit] = line.split('\t').collect::<Vec<_>>()[..] else {
                return None;
            };
            Some(Solved {
                game: RowGame::read(&format!("{name} {game}"))?,
                period: Period { start: start.parse().ok()?, length: length.parse().ok()? },
                file,
                is_proven: commit != "-",
            })
        })
    })
}

/// The recorded period of a game, or of a game with the same values up to a shift.
pub(crate) fn find(game: RowGame) -> Option<Solved> {
    let form = form(game);
    solved().find_map(|solved| {
        let same_window = game.window().is_some_and(|window| solved.game.window() == Some(window));
        let is_same = solved.game == game || same_window;
        let more = if is_same { 0 } else { form?.more_than(&self::form(solved.game)?)? };
        let start = solved.period.start.saturating_add_signed(more);
        Some(Solved { game, period: Period { start, ..solved.period }, ..solved })
    })
}

fn form(game: RowGame) -> Option<CodeForm> {
    match game {
        RowGame::Code(code) => CodeForm::of(code),
        RowGame::Window(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Rows;

    /// Proves again what needs at most 3000 values.
    #[test]
    fn short_periods() {
        let (mut lines, mut proven) = (0, 0);
        for (_, name, text) in FILES {
            for line in text.lines().skip(1) {
                lines += 1;
                let [game, to, numbers @ .., _] = &line.split('\t').collect::<Vec<_>>()[..] else {
                    panic!("{line}")
                };
                let Some(to) = to.parse().ok().filter(|&to: &u64| to <= 3000) else { continue };
                let rows = Rows::compute(RowGame::read(&format!("{name} {game}")).unwrap(), to, true);
                let Period { start, length } = rows.period.unwrap();
                let largest = *rows.sequence.values.iter().max().unwrap();
                let largest_at =
                    rows.sequence.values.iter().position(|&value| value == largest).unwrap() as u64;
                let found = [length, start, largest.into(), largest_at].map(|number| number.to_string());
                assert_eq!(found[..], *numbers, "{game}");
                proven += 1;
            }
        }
        assert_eq!((solved().count(), lines), (796, 796));
        assert!(proven > 700, "{proven}");
    }

    /// Finds a window, its code, and codes whose cousins have heaps of one card more or less.
    #[test]
    fn games_with_the_same_values() {
        for (game, start, length) in [
            ("octal 0.16", 105_351, 149_459),
            ("segment 1 5", 8_941_813, 650),
            ("octal 0.77777", 8_941_813, 650),
            ("octal 0.454", 160_949_019, 60_620_715),
            ("octal 0.1777", 160_949_018, 60_620_715),
        ] {
            let found = find(RowGame::read(game).unwrap()).unwrap();
            assert_eq!((found.period, found.is_proven), (Period { start, length }, true), "{game}");
        }
        assert!(!find(RowGame::read("octal 0.106").unwrap()).unwrap().is_proven);
        assert_eq!(find(RowGame::read("octal 0.6").unwrap()), None);
    }
}
