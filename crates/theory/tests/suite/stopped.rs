//! Runs that stop at a value that depends on values no longer in memory.

use std::fs;

use sha2::{Digest, Sha256};
use zeroxor::grundy::octal;
use zeroxor::grundy::segment::{NoHistory, SparseStream, Stopped};

use super::table::summary;
use crate::support::{TestDir, judge, text};

/// The end of the message of a run that stops.
const STOPPED: &str = "depends on values that are no longer in memory: \
     use --history FILE to keep all values in a file\n";

/// A stream that keeps as few values in memory as possible, and a copy of all values that it has returned.
struct Run {
    stream: SparseStream,
    values: Vec<u16>,
}

impl Run {
    fn of(code: &str) -> Self {
        let stream = octal::stream(code.parse().unwrap(), 0).unwrap();
        let values = stream.values_from(0).unwrap().collect();
        Self { stream, values }
    }

    /// Continues until `end` values are known.
    fn advance(&mut self, end: u64) -> Result<(), Stopped> {
        while self.stream.len() < end {
            let from = self.stream.len();
            let result = self.stream.advance((from + 5000).min(end), &mut NoHistory);
            self.values.extend(self.stream.values_from(from).unwrap());
            result?;
        }
        Ok(())
    }

    /// Returns the checkpoint of a run that has found these values.
    fn checkpoint(&self, game: &str, has_history: bool) -> Vec<u8> {
        let largest = self.values.iter().max().unwrap();
        let zeros: Vec<usize> = (0..self.values.len()).filter(|&n| self.values[n] == 0).collect();
        let head = serde_json::json!({
            "game": game,
            "run": { "listing": null, "has_history": has_history, "written": { "bytes": 0, "crc32": 0 } },
            "totals": {
                "values": self.values.len(),
                "largest": largest,
                "largest_at": self.values.iter().position(|value| value == largest),
                "zeros": zeros.len(),
                "first_zeros": zeros[..zeros.len().min(10)],
            },
            "repeat": null,
        });
        let mut bytes = format!("zeroxor-checkpoint 2\n{head}\n").into_bytes();
        bytes.extend(self.stream.save());
        let hash = Sha256::digest(&bytes);
        bytes.extend(hash.as_slice());
        bytes
    }
}

/// Checks that a run stops at a value that depends on values no longer in memory, and continues with a history.
///
/// A normal run keeps some million values in memory, and in few games a value depends on earlier values than these. The
/// run in this test therefore starts from a checkpoint with fewer values in memory.
#[test]
fn a_value_that_needs_the_history() {
    let here = TestDir::new();
    let [checkpoint, history, whole] = ["checkpoint", "history", "whole"].map(|name| here.file(name));
    let mut run = Run::of("0.034");
    run.advance(300_000).unwrap();
    let table = "table octal 0.034 --to 400000";

    fs::write(&checkpoint, run.checkpoint("octal 0.034", false)).unwrap();
    let output = judge(&format!("{table} --checkpoint {checkpoint}"), &[]);
    assert_eq!(output.status.code(), Some(1));
    let message = format!("stopped: the value at n = 374473 {STOPPED}");
    assert!(text(&output.stderr).ends_with(&message), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).starts_with("game: octal 0.034, n = 0 to 374472\n"),
        "{}",
        text(&output.stdout)
    );

    let bytes = run.values.iter().flat_map(|value| value.to_le_bytes());
    fs::write(&history, b"zeroxor values 1".iter().copied().chain(bytes).collect::<Vec<u8>>()).unwrap();
    fs::write(&checkpoint, run.checkpoint("octal 0.034", true)).unwrap();
    let output = judge(&format!("{table} --checkpoint {checkpoint} --history {history}"), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), summary(&format!("{table} --history {whole}")));
    assert!(fs::read(&history).unwrap() == fs::read(&whole).unwrap());

    // The values before the run stopped are also correct.
    let stopped = run.advance(400_000);
    assert_eq!(stopped, Err(Stopped::Unsettled { at: 374_473 }));
    let values = &fs::read(&whole).unwrap()[16..];
    assert!(
        run.values.iter().flat_map(|value| value.to_le_bytes()).eq(values[..2 * 374_473].iter().copied())
    );
}

/// Checks that under (2, 4) the value of 72,416,308 cards is the first that needs a history. The last rare value before
/// it is 67 million cards earlier.
#[test]
#[ignore = "two minutes"]
fn a_window_that_stops() {
    let here = TestDir::new();
    let table = "table segment 2 4 --to 73000000";
    let output = judge(table, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), format!("grundy: stopped: the value at n = 72416308 {STOPPED}"));
    assert!(text(&output.stdout).starts_with("game: segment 2 4, n = 0 to 72416307\n"));
    let whole = summary(&format!("{table} --history {}", here.file("history")));
    assert!(whole.starts_with("game: segment 2 4, n = 0 to 73000000\n"), "{whole}");
}
