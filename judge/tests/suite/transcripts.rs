//! Transcripts: their content, their files, and the replay of games.

use serde_json::{Value, json};

use crate::support::{
    AtTerminal, FIND_ABOVE, JUDGE, Printed, TestDir, command, is_alive, judge, limited, reading,
    sandbox_option, start,
};

/// A bot that takes the first card, although the two middle cards would win, and then takes the same card again.
const BLUNDERS: &str = "read h; echo First; echo 1 1; read x; echo why >&2; echo 1 1; read x";

/// Records games, and returns the directory, the path and the text of the transcript.
fn record(args: &str, bot: &[&str]) -> (TestDir, String, String) {
    let here = TestDir::new();
    let file = here.file("game.jsonl");
    judge(&format!("run {args} --transcript {file}"), bot).says("");
    let transcript = here.read("game.jsonl");
    (here, file, transcript)
}

/// Returns the transcript of a bot that prints two moves at once, the second before its turn: the first line, and the
/// rest.
fn early() -> (String, String) {
    let script = "read h; echo First; printf '3 2\\n5 1\\n'; read x; read y; echo 6 1; read z";
    let (_, _, transcript) = record("6 1 2 --opponent slow", &["sh", "-c", script]);
    let (opening, rest) = transcript.split_once('\n').unwrap();
    (opening.to_owned(), rest.to_owned())
}

/// Checks that a second judge refuses to write to the same file, and that the first judge's transcript is complete.
#[test]
fn two_judges_do_not_share_a_transcript() {
    let dir = TestDir::new();
    let (file, here, go) = (dir.file("game.jsonl"), dir.fifo("here"), dir.fifo("go"));
    let run = format!("run 6 1 2 --opponent slow --time-limit 60 --transcript {file}");
    let bot = format!("read h; echo here > {here}; read x < {go}; echo First; echo 3 3; read x");
    let first = start(&mut command(&run, &["sh", "-c", &bot]));
    assert_eq!(std::fs::read_to_string(&here).unwrap(), "here\n");
    let second = judge(&run, &[]);
    std::fs::write(&go, "go\n").unwrap();
    first.wait_with_output().unwrap().exits(1);
    second.refuses("another process is writing to it; use a different file for each process\n");
    let replay = judge(&format!("replay {file}"), &[]);
    replay.begins("ILLEGAL 6 1 2").exits(0).says("");
    // When the first judge has ended, the next run replaces the file.
    judge(&run, &[]).exits(0);
    judge(&format!("replay {file}"), &[]).exits(0);
}

/// Checks that reaching the limit on file sizes is an error, and that the judge ends the bot.
#[test]
fn a_transcript_beyond_the_limit_on_sizes() {
    let here = TestDir::new();
    let file = here.file("game.jsonl");
    let script = format!("read h; echo $$ >{file}.bot; head -c 60000 /dev/zero >&2; exec sleep 100");
    let judge = command(&format!("run 6 1 2 --transcript {file}"), &["sh", "-c", &script]);
    limited("-f 8", &judge)
        .output()
        .unwrap()
        .exits(2)
        .says(&format!("judge: the transcript {file} cannot be written: File too large (os error 27)"));
    let bot = here.read("game.jsonl.bot");
    assert!(!is_alive(bot.trim()), "the bot is still running");
}

/// Checks that the longest lines of a transcript can be read. Such a line has a long command with control bytes.
#[test]
fn the_longest_lines_can_be_read() {
    let long = "\u{1}".repeat(100_000);
    let (_here, file, transcript) =
        record("6 1 2", &[&["sh", "-c", "read h; head -c 9 /dev/zero"], &[&*long; 2][..]].concat());
    assert!(transcript.lines().next().unwrap().len() > 1_200_000);
    assert!(transcript.contains("\"hex\":\"000000000000000000\""));
    judge(&format!("replay {file}"), &[]).exits(0).says("");
}

/// Checks that `--against` names the limit that the bot reached, and does not blame the bot for Ctrl-C.
#[test]
fn a_replay_against_a_bot_says_why_no_line_came() {
    let (opening, rest) = early();
    let against = |seconds: u64, script: &str| {
        let opening = opening.replace("5000000000,\"idle", &format!("{seconds}000000000,\"idle"));
        let transcript = format!("{opening}\n{rest}");
        reading(&mut command("replay - --against", &["sh", "-c", script]), transcript.as_bytes())
    };
    against(1, "read h; while :; do :; done").exits(1).begins(
        "DIFFERENT 6 1 2: the side: the transcript has \"First\", no First or Second was received: the bot took longer than 1 s of wall time for all its lines together\n",
    );
    against(60, "read h; head -c 100000 /dev/zero; read x")
        .prints("the transcript has \"First\", the bot printed \"\\x00\\x00");
    #[cfg(target_os = "linux")]
    {
        let script = format!("read h; {FIND_ABOVE}; kill -INT $above; exec sleep 100");
        crate::kernel::with_signals(|| against(60, &script)).exits(2).begins("INTERRUPTED 6 1 2\n");
    }
}

#[test]
fn a_replay_against_a_bot_keeps_the_sandbox() {
    let Some(sandbox) = sandbox_option() else { return };
    let outside = TestDir::new();
    let file = outside.file("file");
    let script = format!("read h; (: > {file}) 2>&- && echo Second || echo First; read x");
    let bot = ["sh", "-c", &script];
    let (_here, transcript, _) = record(&format!("6 1 2 {sandbox}"), &bot);
    judge(&format!("replay {transcript} --against"), &bot).begins("SAME 6 1 2: 1 line of");
}

/// Checks that the arrow keys go from move to move, B to the bot's blunder, End to the end, and that Q quits.
#[test]
fn keys_step_through_a_game() {
    const KEYS: [&str; 5] = ["\x1b[C", "b", "\x1b[D", "\x1b[F", "q"];
    let (_here, file, _) = record("6 1 2 --opponent slow", &["sh", "-c", BLUNDERS]);
    let mut terminal = AtTerminal::run(&[JUDGE, "replay", &file, "--step"]);
    let mut shown = String::new();
    for key in KEYS {
        shown += &terminal.read_to("Q: quit");
        terminal.press(key);
    }
    let (rest, code) = terminal.end();
    shown += &rest;
    let moves = shown.lines().filter_map(|line| Some(line.split_once(", move ")?.1.trim()));
    assert_eq!(moves.collect::<Vec<_>>(), ["0 of 2", "1 of 2", "1 of 2", "0 of 2", "2 of 2"], "{shown}");
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "1 bot 1 1 x#####",
        "move 1, \"1 1\", was a blunder",
        "\"3 2\" would have kept the win",
        "ILLEGAL: move 3: taking 1 at place 1",
    ] {
        assert!(words.contains(part), "{part}: {shown}");
    }
    assert_eq!(code, Some(0));
}

/// Returns the page of a recorded game, and the data in it.
fn page_of(args: &str, bot: &[&str]) -> (String, Value) {
    let (here, file, _) = record(args, bot);
    judge(&format!("replay {file} --html {}", here.file("game.html")), &[]).exits(0).says("");
    let html = here.read("game.html");
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
    let (_, data) = html.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let data = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    (html, data)
}

#[test]
fn a_page_is_one_file_with_all_of_a_game() {
    let (html, data) = page_of("6 1 2 --opponent slow --seed 7", &["sh", "-c", BLUNDERS]);
    for part in [
        "<span class=\"verdict\">ILLEGAL</span> 6 1 2 as First against slow (seed 7)</h1>",
        "<p>What to do: ",
        "<pre id=\"stderr\" tabindex=\"0\">why</pre>",
        ">judge run 6 1 2 --opponent slow --seed 7 -- sh -c ",
        "<td><td>1 1<th scope=row><button type=button>1</button> ✗<span class=hidden> blunder</span><td>Second\n",
        "<td>2 1<td><th scope=row><button type=button>2</button> ✗<span class=hidden> blunder</span><td>First\n",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let html = html.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert_eq!(json!([data["verdict"], data["side"]]), json!(["ILLEGAL", "First"]));
}

#[test]
fn a_longer_game_is_shortened() {
    let (html, data) = page_of("24000 1 1 --opponent slow", &[]);
    let shown = data["board"]["moves"].as_array().unwrap().len();
    assert!((4000..10_000).contains(&shown), "{shown} moves");
    assert_eq!(data["evaluation"]["winners"].as_array().unwrap().len(), shown + 1);
    let note =
        format!("The game has 24000 moves; the first {shown} are shown, so that the page stays small.");
    assert!(html.contains(&note) && html.contains(" rows are left out here"), "{note}");
    assert_eq!(data["moves"], 24_000);
}

#[cfg(target_os = "linux")]
#[test]
fn a_replay_needs_little_memory() {
    let (opening, rest) = early();
    let noise =
        format!("{{\"ns\":0,\"seat\":\"bot\",\"event\":\"stderr\",\"text\":\"{}\"}}\n", "a".repeat(1 << 20));
    let large = format!("{opening}\n{}{rest}", noise.repeat(130));
    for replay in [command("replay -", &[]), command("replay - --against", &[JUDGE, "bot"])] {
        // The limit includes about 70 MB of address space that each thread reserves but does not use.
        reading(&mut limited("-v 190000", &replay), large.as_bytes()).exits(0).says("");
    }
}

/// Checks that a line that is too long, or that has more values than a transcript can have in a line, is refused before
/// its values are stored.
#[cfg(target_os = "linux")]
#[test]
fn a_long_line_needs_little_memory() {
    let (opening, rest) = early();
    let many = format!(",\"more\":[{}{{}}]}}", "{\"a\":0},".repeat(4_700_000));
    let larger = |line: &str| format!("{}{many}\n", line.strip_suffix('}').unwrap());
    let many = larger("{\"ns\":0,\"seat\":\"bot\",\"event\":\"closed\"}");
    let long = " ".repeat(80 << 20);
    for (damaged, message) in [
        (larger(&opening), "line 1: expected the set-up of a game or a run, got \"{"),
        (format!("{opening}\n{many}{rest}"), "expected at most 1048576 values, got more"),
        (format!("{opening}\n{{{long}\n"), "line 2: expected a line of at most 83886080 bytes, got more"),
    ] {
        let replay = reading(&mut limited("-v 300000", &command("replay -", &[])), damaged.as_bytes());
        let error = replay.err();
        assert!(error.contains(message) && error.len() < 1000, "{message}: {error}");
        replay.exits(2);
    }
}

#[test]
#[ignore = "reads two million lines"]
fn a_flood_of_early_lines_is_refused() {
    let (opening, _) = early();
    let flood = "{\"ns\":0,\"seat\":\"bot\",\"event\":\"received\",\"text\":\"\"}\n".repeat(2_100_000);
    reading(&mut command("replay -", &[]), format!("{opening}\n{flood}").as_bytes())
        .complains("lines that were received early")
        .exits(2);
}
