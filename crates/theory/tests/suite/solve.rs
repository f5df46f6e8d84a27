//! `grundy solve` and `grundy count`.

use crate::support::{assert_prints, judge, judge_reading, root, text};

#[track_caller]
fn assert_answers(args: &str, input: &str, expected: &str) {
    let output = judge_reading(args, input.as_bytes());
    assert_eq!((text(&output.stdout), text(&output.stderr)), (expected, ""), "{args} < {input:?}");
    assert_eq!(output.status.code(), Some(0), "{args}");
}

/// Nothing is printed but the reason.
#[track_caller]
fn assert_refuses(args: &str, input: &[u8], reason: &str) {
    let output = judge_reading(args, input);
    assert_eq!(text(&output.stdout), "", "{args}");
    assert!(text(&output.stderr).contains(reason), "{args}: {}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{args}");
}

#[test]
fn a_position_in_words() {
    assert_prints(
        "solve square 7 ban 1",
        "game: square 7 ban 1\nwinner: First\nnimber: 1\nwinning moves: 1\n  1 4\n",
    );
    assert_prints("solve square 20", "game: square 20\nwinner: Second\nnimber: 0\nwinning moves: 0\n");
    assert_prints(
        "solve 6 1 2 --moves 1",
        "game: segment 6 1 2\nwinner: First\nnimber: 3\nwinning moves: 3 (listed: the first)\n  2 1\n",
    );
    assert_prints(
        "solve nim 1 3 5 8 9 --moves 1",
        "game: nim 1 3 5 8 9\nwinner: First\nnimber: 6\nwinning moves: 1\n  3 2\n",
    );
    assert_prints(
        "solve 1000000000000000000 3 5",
        "game: segment 1000000000000000000 3 5\nwinner: First\nnimber: out of reach\n\
         winning moves: out of reach (listed: 1, maybe not the first)\n  499999999999999999 4\n",
    );
    // v2 + 1 of each: 1, 19 and 4. Only the second pile can come to the XOR of the others, 5: 16 and any
    // power of 5.
    assert_prints(
        "solve divisor 999999999999999999 1000000000000000000 8 --moves 1",
        "game: divisor 999999999999999999 1000000000000000000 8\nwinner: First\nnimber: 22\n\
         winning moves: 19 (listed: the first)\n  2 16\n",
    );
    assert_prints("solve --nimber 2000 3 3", "9\n");
}

/// A list that is cut off leaves out no move before its last one.
#[test]
fn the_first_moves_by_place_are_listed() {
    let all = "2 2, 8 2, 10 2, 14 2, 16 2, 20 2, 22 2, 26 2, 32 2, 38 2, 42 2, 44 2, 50 2, 56 2";
    let lines: Vec<String> = all.split(", ").map(|mv| format!("  {mv}\n")).collect();
    for count in [2, 4, 14] {
        let head = "game: segment 100 1 2\nwinner: First\nnimber: 1\nwinning moves: 25 (listed: the first ";
        let expected = format!("{head}{count})\n{}", lines[..count].concat());
        assert_prints(&format!("solve 100 1 2 --moves {count}"), &expected);
    }
}

/// Few wide sums in a row of very many cards, whose moves are listed and counted at once; and a row whose moves
/// are too many to count.
#[test]
fn moves_of_huge_rows() {
    assert_prints(
        "solve 7876035336790 2625802879131 2625802879132 --moves 2",
        "game: segment 7876035336790 2625802879131 2625802879132\nwinner: First\nnimber: 2\n\
         winning moves: 2746601205 (listed: 2, maybe not the first)\n  2624429578529 2625802879132\n  2624429578530 2625802879131\n",
    );
    let solved =
        judge("solve segment 1125547172068098 504000409438948 504000409438949 --moves 3 --json", &[]);
    let json: serde_json::Value = serde_json::from_slice(&solved.stdout).unwrap();
    assert_eq!((&json["winner"], &json["nimber"]), (&"First".into(), &2.into()));
    assert_eq!(json["winning_moves"].as_array().unwrap().len(), 3);
    assert_prints(
        "solve 1000000000000000000 1 5 --moves 1",
        "game: segment 1000000000000000000 1 5\nwinner: First\nnimber: 51\n\
         winning moves: out of reach (listed: 1, maybe not the first)\n  168 1\n",
    );
    assert_refuses("solve 6 1 2 --moves 1000001", b"", "expected a number from 0 to 1000000");
}

#[test]
fn a_position_as_json() {
    assert_prints(
        "solve segment 20 3 5 + square 20 ban 1 + euclid 14 5 --moves 2 --json",
        "{\"schema\":1,\"game\":\"segment 20 3 5 + square 20 ban 1 + euclid 14 5\",\"winner\":\"First\",\"nimber\":1,\
         \"winning_moves\":[[5,5],[6,4]],\"winning_moves_are_first\":true,\"winning_moves_total\":7}\n",
    );
    let json = judge("solve 1000000000000000000 3 5 --json", &[]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["nimber"], serde_json::Value::Null);
    assert_eq!(json["winning_moves_total"], serde_json::Value::Null);
}

/// A row of 10^18 cards is worth one within the first period of 650, which begins at 8,941,813.
#[test]
fn rows_of_the_long_period() {
    let table = judge("table segment 1 5 --to 8942500 --format bin", &[]).stdout;
    let value = |n: usize| u16::from_le_bytes([table[16 + 2 * n], table[17 + 2 * n]]);
    let start = 8_941_813_u64;
    let n = start + (1_000_000_000_000_000_000 - start) % 650;
    assert_prints("solve --nimber 1000000000000000000 1 5", &format!("{}\n", value(n as usize)));
    let output = judge("solve segment 999999999999999999 1 5 + nim 9 --moves 3 --json", &[]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["winner"], "First");
    assert_eq!(answer["winning_moves"].as_array().unwrap().len(), 3);
}

/// A pile that only the sieve of outcomes reaches.
#[test]
fn a_single_large_pile_of_squares() {
    let output = judge("solve square 10000002 --moves 1", &[]);
    assert!(text(&output.stdout).starts_with("game: square 10000002\nwinner: First\nnimber: out of reach\n"));
    assert_refuses(
        "solve --nimber square 10000002",
        b"",
        "the nimber is out of reach, though the outcome is not: First wins",
    );
}

#[test]
fn subtract_a_square_from_its_own_input() {
    // The widely copied answer is Second, against the rule that a player who cannot move loses: from 7 - 4 = 3 there is no move.
    assert_answers("solve --format gmt003", "7 1 1", "First\n");
    assert_answers("solve --format gmt003", "7\n1\n1\n", "First\n");
    assert_answers("solve --format gmt003", "20 0\n", "Second\n");
    assert_answers("solve --format gmt003", "\t8\r\n2 1 4", "Second\n");
    assert_answers("solve --format gmt003 --nimber", "11 0", "1\n");
    assert_answers("solve --format gmt003-piles", "2 7 8\n0", "First\n");
    assert_answers("solve --format gmt003-piles --nimber", "2 7 8 1 1", "1\n");
    assert_answers("solve --format gmt003-piles", "3 5 5 20 0", "Second\n");
}

/// The small data set of the published archive.
#[test]
fn the_number_game_from_its_own_input() {
    let [input, answers] = ["in", "ans"].map(|end| {
        let path = root().join(format!("tests/data/codejam/number_game_subtask1.{end}"));
        std::fs::read_to_string(path).unwrap()
    });
    assert_answers("solve --format codejam", &input, &answers);
    assert_answers("solve --format codejam", "1\r\n1 6 1 6", "Case #1: 20\n");
    assert_answers("solve --format codejam", "0\n", "");
}

#[test]
fn malformed_input_is_refused_whole() {
    for (format, input, reason) in [
        (
            "gmt003",
            "",
            "line 1, field 1: expected the pile n from 1 to 1000000000000000000, got the end of the input",
        ),
        ("gmt003", "0 0", "line 1, field 1: expected the pile n from 1"),
        ("gmt003", "7 2\n1", "line 2, field 2: expected a banned number, 2 of 2, from 1"),
        ("gmt003", "7 1 1 5", "line 1, field 4: expected the end of the input, got \"5\""),
        ("gmt003", "7 1 +1", "got \"+1\""),
        ("gmt003", "7 1000000000000000000 1", "expected a banned number, 2 of 1000000000000000000,"),
        ("gmt003", "7 1 99999999999999999999", "got \"99999999999999999999\""),
        ("gmt003-piles", "2 7 x 0", "line 1, field 3: expected a pile, 2 of 2, from 1"),
        ("codejam", "2\n1 2 3 4\n1 2 3\n", "line 3, field 4: expected B2, got the end of the line"),
        ("codejam", "1\n1 2 3\n4", "line 2, field 4: expected B2, got the end of the line"),
        ("codejam", "1\n1 2 3 4 5", "line 2, field 5: expected the end of the input, got \"5\""),
        ("codejam", "2\n1 2 3 4 5 6 7 8", "line 2, field 5: expected the end of the line, got \"5\""),
        ("codejam", "1 1 2 3 4", "line 1, field 2: expected the end of the line, got \"1\""),
        ("codejam", "1\n3 2 3 4", "line 2, field 2: expected A2 from 3 to 1000000000000000000, got \"2\""),
        ("codejam", "2\n1 2 3 4", "line 2, field 5: expected A1 from 1"),
    ] {
        assert_refuses(&format!("solve --format {format}"), input.as_bytes(), reason);
    }
    assert_refuses("solve --format gmt003", b"7 1 \xff\0", "got \"\\xff\\x00\"");
    assert_refuses("solve 6 1", b"", "the header is malformed");
    assert_refuses("solve 6 1 2 seat first", b"", "expected a header without a seat");
    assert_refuses("solve 1000000000 3 3", b"", "the game is too large: a Grundy table");
    assert_refuses("solve", b"", "required arguments");
    assert_refuses("solve 6 1 2 --format gmt003", b"", "cannot be used with");
    assert_refuses("solve --format codejam --nimber", b"1\n1 1 1 1", "the codejam format only counts");
}

#[test]
fn counts() {
    assert_prints("count 1 6 1 6", "20\n");
    assert_prints("count 5 5 8 8", "0\n");
    let largest = "1000000000000000000";
    assert_prints(&format!("count 1 {largest} 1 {largest}"), "618033988749894847822620823115532966\n");
    assert_refuses("count 5 1 1 1", b"", "expected A1 <= A2, got 5 and 1");
    assert_refuses("count 1 1 5 1", b"", "expected B1 <= B2, got 5 and 1");
    assert_refuses("count 0 1 1 1", b"", "expected a number from 1 to 1000000000000000000");
    assert_refuses("count 1 1 1", b"", "required arguments");
}

/// Codes, and what cannot be written as "x y": moves that take nothing, or leave three heaps.
#[test]
fn codes() {
    assert_prints(
        "solve octal .77 9 --moves 2",
        "game: octal 0.77 9\nwinner: First\nnimber: 4\nwinning moves: 1\n  5 1\n",
    );
    assert_prints(
        "solve grundy 9 5",
        "game: grundy 9 5\nwinner: First\nnimber: 3\nwinning moves: 3\n  heap 9: take 0, leave 1 8\n  \
         heap 9: take 0, leave 4 5\n  heap 5: take 0, leave 2 3\n",
    );
    assert_prints(
        "solve octal 0.8 9 --json",
        "{\"schema\":1,\"game\":\"octal 0.8 9\",\"winner\":\"First\",\"nimber\":2,\"winning_moves\":[{\"heap\":9,\
         \"take\":1,\"leaves\":[2,3,3]}],\"winning_moves_are_first\":true,\"winning_moves_total\":1}\n",
    );
    // What is left counts, not where it lies.
    assert_prints(
        "solve octal 4.2 4",
        "game: octal 4.2 4\nwinner: First\nnimber: 1\nwinning moves: 3\n  heap 4: take 0, leave 1 3\n  \
         heap 4: take 0, leave 2 2\n  heap 4: take 1, leave 3\n",
    );
    assert_prints(
        "solve octal 4.2 4 --moves 1",
        "game: octal 4.2 4\nwinner: First\nnimber: 1\nwinning moves: 3 (listed: the first)\n  heap 4: take 0, leave 1 3\n",
    );
    assert_prints(
        "solve grundy 3 + octal 0.3 1",
        "game: grundy 3 + octal 0.3 1\nwinner: Second\nnimber: 0\nwinning moves: 0\n",
    );
    assert_prints("solve --nimber octal 4.7 5", "1\n");
    assert_prints("solve octal 4. 3 --moves 1", text(&judge("solve octal 4.0 3 --moves 1", &[]).stdout));
    assert_refuses("solve grundy 1000000000", b"", "the game is too large");
    assert_refuses("solve grundy 1000000000 5 5", b"", "the game is too large");
    assert_refuses(
        "run octal 4.7 9",
        b"",
        "a game in which each move takes cards and leaves two heaps at most",
    );
    assert_refuses("run grundy 9", b"", "got \"grundy 9\"");
}

/// Equal heaps cancel at sizes that no table reaches, also if moves take nothing or leave three heaps.
#[test]
fn equal_heaps_without_tables() {
    for pair in ["grundy 1e9 1e9", "octal 4.004 1e9 1e9", "octal 0.98 1e9 + octal 0.98 1e9"] {
        let game = pair.replace("1e9", "1000000000");
        let lost = "winner: Second\nnimber: 0\nwinning moves: 0\n";
        assert_prints(&format!("solve {pair}"), &format!("game: {game}\n{lost}"));
        assert_prints(&format!("solve --nimber {pair}"), "0\n");
        // Grundy's game of 9 is worth 1.
        assert_prints(
            &format!("solve {pair} + grundy 9 + nim 3"),
            &format!(
                "game: {game} + grundy 9 + nim 3\nwinner: First\nnimber: 2\nwinning moves: out of reach \
                 (listed: 1, maybe not the first)\n  heap 3: take 2, leave 1\n"
            ),
        );
    }
    // Of three equal heaps one is left, which is split into halves.
    let split = "winner: First\nnimber: out of reach\nwinning moves: out of reach (listed: 1, maybe not the first)\n  \
                 heap 1000000000: take 0, leave 500000000 500000000\n";
    let three = "octal 4.004 1000000000 1000000000 1000000000";
    assert_prints(&format!("solve {three}"), &format!("game: {three}\n{split}"));
    assert_refuses(
        &format!("solve --nimber {three}"),
        b"",
        "the nimber is out of reach, though the outcome is not: First wins",
    );
}

/// A period that the first heaps prove determines the values of all, and their moves.
#[test]
fn codes_with_a_period() {
    let solved = |header: &str| {
        let output = judge(&format!("solve {header} 1000000000000000000 --moves 1"), &[]);
        assert_eq!(output.status.code(), Some(0), "{header}");
        text(&output.stdout).lines().skip(1).map(str::to_owned).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(solved("octal 0.3"), "winner: Second; nimber: 0; winning moves: 0");
    let counted = solved("octal 0.137");
    assert!(counted.starts_with("winner: First; nimber: 7; winning moves: "), "{counted}");
    assert_eq!(
        solved("octal 4.7"),
        "winner: First; nimber: 2; winning moves: out of reach (listed: 1, maybe not the first);   \
         heap 1000000000000000000: take 0, leave 1 999999999999999999"
    );
    assert_eq!(solved("octal 0.f"), "winner: Second; nimber: 0; winning moves: 0");
    assert!(solved("octal 0.8").starts_with("winner: First; nimber: 333333333333333333; "));
}
