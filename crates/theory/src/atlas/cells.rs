//! Formats the cells of the atlas's tables.

use crate::period_status::ProvenPeriod;
use crate::row_game::RowGame;
use crate::sweep::{Findings, SweepGame, SweepRecord};

/// Formats a number with a comma after every three digits.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats the length of a period, with the saltus if the period is arithmetic.
pub(super) fn length_of(ProvenPeriod { period, saltus }: ProvenPeriod) -> String {
    let length = number(period.length);
    saltus.map_or_else(|| length.clone(), |saltus| format!("{length} (saltus {})", number(saltus.get())))
}

/// Returns the short name of a game, without the word for its family: `(1, 3)`, `0.77`, `{1, 2}`.
pub(super) fn name(game: &SweepGame) -> String {
    match game {
        SweepGame::Row(RowGame::Window(window)) => format!("({}, {})", window.l(), window.r()),
        SweepGame::Row(RowGame::Code(code)) => code.to_string(),
        SweepGame::Subtract(takes) => {
            let takes: Vec<String> = takes.iter().map(u64::to_string).collect();
            format!("{{{}}}", takes.join(", "))
        }
    }
}

/// Formats the cousins of a game with the short names that [`name`] returns.
pub(super) fn cousins(record: &SweepRecord) -> String {
    let cousin = |text: &String| {
        let (game, at) = text.split_once(" at ").map_or((text.as_str(), ""), |(game, at)| (game, at));
        let game = SweepGame::read(game).map_or_else(|| game.to_owned(), |game| name(&game));
        if at.is_empty() { game } else { format!("{game} at {at}") }
    };
    record.cousins.iter().map(cousin).collect::<Vec<_>>().join("; ")
}

/// Formats the number of rare values and the last heap with a rare value; `-` if they are unknown.
pub(super) fn rares(record: &SweepRecord) -> String {
    match (record.found.rares, record.found.last_rare) {
        (Some(rares), Some(last)) => format!("{}, {}", number(rares), number(last)),
        _ => "-".to_owned(),
    }
}

/// Formats the largest value and the first heap that has it.
pub(super) fn largest(record: &SweepRecord) -> String {
    let found = &record.found;
    format!("{} at {}", number(found.largest), number(found.largest_at))
}

/// Formats the least power of ten above the largest known heap, and the estimated time to reach it from heap 0.
pub(super) fn effort(found: &Findings) -> String {
    let power = found.n.max(1).ilog10() + 1;
    let seconds = found.steps_to(10_u64.saturating_pow(power)) / 1_000_000_000;
    let time = match seconds {
        0..120 => format!("{} s", seconds.max(1)),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", number(seconds / 86_400)),
    };
    format!("10^{power}: {time}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_commas() {
        let texts = [0, 999, 1000, 12_345, 1_000_000].map(number);
        assert_eq!(texts, ["0", "999", "1,000", "12,345", "1,000,000"]);
    }

    #[test]
    fn names_of_games() {
        let names = ["segment 1 3", "octal 0.77", "subtract take 1 2"]
            .map(|game| name(&SweepGame::read(game).unwrap()));
        assert_eq!(names, ["(1, 3)", "0.77", "{1, 2}"]);
    }
}
