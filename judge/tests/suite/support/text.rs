//! Outputs as text.

use serde_json::Value;

/// An output as text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The values of an output that has one on each line.
#[track_caller]
pub fn json_lines(output: &[u8]) -> Vec<Value> {
    text(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A report without what the games took: "WHY (5 moves in 1.5 ms; CPU ...)" becomes "WHY (5 moves)", and what a search,
/// a table or the moves of `judge arena` took is left out.
pub fn timeless(report: &str) -> String {
    let timeless = |line: &str| {
        if let Some((won, _)) = line.split_once(" won; ").filter(|(_, rest)| rest.contains(" played in ")) {
            return format!("{won} won");
        }
        if let Some((games, _)) = line.split_once(", slowest answer ").filter(|_| line.starts_with("  size"))
        {
            return games.to_owned();
        }
        if line.starts_with("slowest start") {
            return line.split(" (").next().unwrap_or(line).to_owned();
        }
        // A time follows, as it does not in the head of a table.
        let is_time = |text: &str| text.trim_start().starts_with(|c: char| c.is_ascii_digit());
        if let Some((name, _)) = line.split_once("  p50 ").filter(|(_, rest)| is_time(rest)) {
            return name.trim_end().to_owned();
        }
        // A row of the table of games: what it is about, how many were won, and eight times.
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(at) = words.len().checked_sub(9).filter(|&at| at > 0 && words[at].contains('/')) {
            return words[..=at].join(" ");
        }
        if line.starts_with("time: ") {
            return "time:".to_owned();
        }
        let took =
            [" moves in ", " move in "].iter().find_map(|noun| line.rfind(noun).map(|at| at + noun.len()));
        took.filter(|_| line.ends_with(')'))
            .map_or(line.to_owned(), |took| format!("{})", &line[..took - " in ".len()]))
    };
    report.lines().map(|line| timeless(line) + "\n").collect()
}
