//! Tables as pictures.

use crate::pages::root;
use crate::support::{TestDir, assert_refuses, judge, text};

/// The pictures of the book, and the commands that make them.
const BOOK: [(&str, &str); 2] = [
    ("kayles.svg", "segment 1 2 --to 200 --plot scatter"),
    ("kayles-residues.svg", "segment 1 2 --to 200 --plot residues --modulus 12"),
];

#[test]
fn the_plots_of_the_book_are_current() {
    for (name, args) in BOOK {
        let output = judge(&format!("table {args}"), &[]);
        let committed = std::fs::read_to_string(root().join("docs/images").join(name)).unwrap();
        assert_eq!(text(&output.stdout), committed, "judge table {args} --output docs/images/{name}");
        assert!(committed.contains(&format!("judge table {args}\n")), "{name}");
    }
}

/// Plots of few and of many values are small files.
#[test]
fn every_plot_is_a_small_file() {
    let here = TestDir::new();
    for args in [
        "segment 1 2 --to 10 --plot scatter",
        "segment 1 2 --to 10000000 --plot scatter",
        "segment 3 3 --to 20000 --plot scatter",
        "segment 3 3 --to 20000 --plot bars",
        "subtract take 2 5 9 --to 500 --plot residues --modulus 11",
        "square --to 100000 --plot outcomes",
        "euclid --to 200 --plot outcomes",
        "segment 1 2 --to 0 --plot scatter",
    ] {
        let file = here.file("plot.svg");
        let output = judge(&format!("table {args} --output {file}"), &[]);
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{args}");
        let svg = here.read("plot.svg");
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.len() < 1_000_000,
            "{args}: {}",
            svg.len()
        );
        assert!(svg.contains("<title>") && svg.contains(&format!("judge table {args}\n")), "{args}");
    }
}

#[test]
fn plots_that_a_table_does_not_have() {
    assert_refuses("table square --to 10 --plot scatter", "expected a table of nimbers for this plot");
    assert_refuses("table segment 1 2 --to 10 --plot residues", "expected --modulus P with --plot residues");
    assert_refuses("table segment 1 2 --to 8000 --plot residues --modulus 12", "expected --to below 8000");
    assert_refuses("table segment --all --to 10 --plot scatter", "expected --all with the summary");
    assert_refuses("table segment 1 2 --to 10 --plot scatter --format csv", "cannot be used with");
}
