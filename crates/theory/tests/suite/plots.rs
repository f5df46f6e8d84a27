//! Plots of tables.

use crate::support::{TestDir, judge, root, text};

/// The plots in the book, and the commands that make them.
const BOOK: [(&str, &str); 3] = [
    ("kayles.svg", "segment 1 2 --to 200 --period --plot scatter"),
    ("kayles-residues.svg", "segment 1 2 --to 200 --period --plot residues --modulus 12"),
    ("windows.svg", "segment --all --to 40 --plot windows"),
];

#[test]
fn the_plots_of_the_book_are_current() {
    for (name, args) in BOOK {
        let output = judge(&format!("table {args}"), &[]);
        let committed = std::fs::read_to_string(root().join("docs/images").join(name)).unwrap();
        assert_eq!(text(&output.stdout), committed, "grundy table {args} --output docs/images/{name}");
        assert!(committed.contains(&format!("grundy table {args}\n")), "{name}");
    }
}

/// Checks that plots of few and of many values are SVG files of less than a megabyte, with their command.
#[test]
fn plots_are_small_files() {
    let here = TestDir::new();
    for args in [
        "segment 1 2 --to 10 --plot scatter",
        "segment 1 2 --to 1000000 --plot scatter",
        "segment 3 3 --to 20000 --plot scatter",
        "segment 3 3 --to 20000 --plot bars",
        "subtract take 2 5 9 --to 500 --plot residues --modulus 11",
        "square --to 100000 --plot outcomes",
        "euclid --to 200 --plot outcomes",
        "segment 1 2 --to 0 --plot scatter",
        "segment 1 2 --to 10 --period --plot scatter",
        "segment 1 2 --to 1000000 --period --plot scatter",
        "segment 3 7 --to 7999 --period --plot residues --modulus 24",
        "subtract take 2 5 9 --to 5000 --period --plot scatter",
        "octal 0.77 --to 2999 --period --plot scatter",
        "octal 0.16 --to 20000 --plot scatter",
        "octal 4.7 --to 500 --plot residues --modulus 5",
        "octal 0.8 --to 200 --plot scatter",
        "segment --all --to 1 --plot windows",
    ] {
        let file = here.file("plot.svg");
        let output = judge(&format!("table {args} --output {file}"), &[]);
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{args}");
        let svg = here.read("plot.svg");
        assert!(
            svg.starts_with("<!-- judge -->\n<svg ") && svg.ends_with("</svg>\n") && svg.len() < 1_000_000,
            "{args}: {}",
            svg.len()
        );
        assert!(svg.contains("<title>") && svg.contains(&format!("grundy table {args}\n")), "{args}");
    }
}

/// Checks that the pre-period, the first period, the values after it and the rare values have their own colours.
#[test]
fn the_parts_of_a_sequence_are_marked() {
    let count = |args: &str, fill: &str| {
        let svg = judge(&format!("table {args}"), &[]);
        text(&svg.stdout).matches(&format!("fill=\"{fill}\"")).count()
    };
    let args = "segment 1 2 --to 200 --period --plot scatter";
    let [before, first, after, rare] = ["#CC79A7", "#0072B2", "#009E73", "#D55E00"];
    // There are 201 values, 71 of them before the period of 12. Each colour also occurs once in the style and once in
    // the legend.
    assert_eq!((count(args, first), count(args, after)), (12 + 2, 118 + 2));
    assert_eq!(count(args, before) + count(args, rare), 71 + 4);
    // The rare values are those of 0, 3, 6, 11, 18, 22, 28, 34, 39 and 70 cards.
    assert_eq!(count(args, rare), 10 + 2);
    let plain = "segment 1 2 --to 200 --plot bars";
    assert_eq!((count(plain, first), count(plain, rare)), (1, 1));
    let subtract = judge("table subtract take 2 5 9 --to 100 --period --plot scatter", &[]);
    assert!(text(&subtract.stdout).contains("; period 7 from n = 0 on"), "{}", text(&subtract.stdout));
}
