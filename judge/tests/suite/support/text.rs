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

/// A report without what the games took: "5 moves in 1.5 ms (CPU ...): WHY" becomes "5 moves: WHY", and what
/// a search, a table or the moves of `judge arena` took is left out.
pub fn timeless(report: &str) -> String {
    let timeless = |line: &str| {
        if let Some((won, _)) = line.split_once(" won; ") {
            return format!("{won} won");
        }
        if let Some((games, _)) = line.split_once(", slowest answer ").filter(|_| line.starts_with("  size"))
        {
            return games.to_owned();
        }
        if let Some((name, _)) = line.split_once("  p50 ") {
            return name.trim_end().to_owned();
        }
        if line.starts_with("time: ") {
            return "time:".to_owned();
        }
        let took = [" moves in ", " move in "].iter().find_map(|noun| {
            let start = line.find(noun)? + noun.len() - " in ".len();
            Some(start..start + line[start..].find("): ")? + 1)
        });
        took.map_or(line.to_owned(), |took| format!("{}{}", &line[..took.start], &line[took.end..]))
    };
    report.lines().map(|line| timeless(line) + "\n").collect()
}
