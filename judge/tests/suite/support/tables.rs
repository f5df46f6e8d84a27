//! Tables of programs with mistakes, and what the judge must say about each.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Reads the rows of a table with `N` columns, which are separated by tabs. Comments begin with `#`.
pub fn table<const N: usize>(path: &Path) -> Vec<[String; N]> {
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|line| {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        fields.try_into().unwrap_or_else(|_| panic!("{}: expected {N} columns: {line}", path.display()))
    })
    .collect()
}

/// Checks rows, `at_once` at a time, because most of them wait. `check` returns how a row differs from what is expected;
/// `None` if they agree.
pub fn check_rows<R: Sync>(rows: &[R], at_once: usize, check: impl Fn(&R) -> Option<String> + Sync) {
    let next = AtomicUsize::new(0);
    let failures: Vec<String> = thread::scope(|scope| {
        let check = || {
            let mut failures = Vec::new();
            while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                failures.extend(check(row));
            }
            failures
        };
        let threads: Vec<_> = (0..at_once).map(|_| scope.spawn(check)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    // Write immediately. The output of eprintln! is held back until all tests have ended.
    std::io::stderr().write_all(failures.concat().as_bytes()).unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
