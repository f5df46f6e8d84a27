//! The replay of a game as a page, as a file and in a browser.

use serde_json::Value;

use super::record;
use crate::support::{Browser, TestDir, assert_refuses, bot, has_python, judge, text};

/// A bot that takes the first card, where the middle would win, and then a card that is not there.
const BLUNDERS: &str = "read h; echo First; echo 1 1; read x; echo why >&2; echo 1 1; read x";

/// The page of a recorded game: its directory, and its path.
fn page_of(args: &str, bot: &[&str]) -> (TestDir, String) {
    let (here, file, _) = record(args, bot);
    let page = here.file("game.html");
    let output = judge(&format!("replay {file} --html {page}"), &[]);
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{args}");
    (here, page)
}

/// The data of a page.
fn data(page: &str) -> Value {
    let html = std::fs::read_to_string(page).unwrap();
    let (_, data) = html.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_is_one_file_with_all_of_a_game() {
    let (here, page) = page_of("6 1 2 --opponent slow --seed 7", &["sh", "-c", BLUNDERS]);
    let html = here.read("game.html").replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
    let data = data(&page);
    assert_eq!((&data["verdict"], &data["side"]), (&"ILLEGAL".into(), &"First".into()));
    assert_eq!(data["stderr"], "why");
    assert!(
        data["again"].as_str().unwrap().starts_with("judge run 6 1 2 --opponent slow --seed 7 -- sh -c ")
    );
    let lines = data["lines"].as_array().unwrap();
    let moves: Vec<_> = lines.iter().filter(|line| line["isMove"] == true).collect();
    let moves: Vec<_> =
        moves.iter().map(|line| (line["from"].as_str().unwrap(), line["text"].as_str().unwrap())).collect();
    assert_eq!(moves, [("bot", "1 1"), ("judge", "2 1")]);
    assert_eq!(data["evaluation"]["winners"], serde_json::json!(["First", "Second", "First"]));
    assert_eq!(data["evaluation"]["blunders"][0]["better"], serde_json::json!([3, 2]));
}

/// A game of the contest's largest size is far below a megabyte.
#[test]
fn a_long_game_is_a_small_file() {
    let (here, _) = page_of("2000 1 1 --opponent random", &[]);
    let size = here.read("game.html").len();
    assert!(size < 400_000, "{size} bytes");
}

/// The page of a game that is far longer has its beginning, and says so.
#[test]
fn a_longer_game_is_shortened() {
    let (here, page) = page_of("24000 1 1 --opponent slow", &[]);
    let size = here.read("game.html").len();
    assert!(size < 1_000_000, "{size} bytes");
    let data = data(&page);
    let shown = data["board"]["moves"].as_array().unwrap().len();
    assert!((4000..10_000).contains(&shown), "{shown} moves");
    assert_eq!(data["evaluation"]["winners"].as_array().unwrap().len(), shown + 1);
    let notes = data["notes"].to_string();
    assert!(
        notes.contains(&format!("moves; the first {shown} are shown, so that the page stays small.")),
        "{notes}"
    );
    assert!(notes.contains(" lines are listed."), "{notes}");
    assert_eq!(data["moves"], 24_000);
    let lines = data["lines"].as_array().unwrap();
    assert!(lines.iter().all(|line| line["moves"].as_u64().unwrap() as usize <= shown));
    let Some(browser) = Browser::start() else { return };
    browser.open(&here.file("game.html"));
    assert_eq!(browser.value("document.querySelector('#slider').max"), shown.to_string());
    let part = format!("This page shows the first {shown} of 24000 moves. In these: 0 blunders by the bot");
    assert!(browser.text("#key").contains(&part), "{}", browser.text("#key"));
    browser.click("#last");
    assert!(
        browser.text("#status").starts_with(&format!("Move {shown} of 24000: ")),
        "{}",
        browser.text("#status")
    );
    assert!(
        browser.text("#advice").starts_with("The page ends here, but the game went on. "),
        "{}",
        browser.text("#advice")
    );
}

/// As many piles as a header may have, each as large as it may be.
#[test]
fn many_large_piles_are_a_small_file() {
    let piles = format!("nim{}", " 1000000000000000000".repeat(10_000));
    let bot = ["sh", "-c", "read h; echo First; read x"];
    let (here, page) = page_of(&format!("{piles} --opponent greedy --time-limit 20"), &bot);
    let size = here.read("game.html").len();
    assert!(size < 1_000_000, "{size} bytes");
    assert_eq!(data(&page)["board"]["heaps"].as_array().unwrap().len(), 10_000);
}

#[test]
fn pages_of_a_run() {
    let here = TestDir::new();
    let pages = here.file("pages");
    let lost = judge(&format!("run 6 1 2 --games 2 --seed 5 --html {pages}"), &["sh", "-c", BLUNDERS]);
    assert_eq!(lost.status.code(), Some(1));
    assert!(
        here.read("pages/game-1.html").contains("<title>ILLEGAL 6 1 2 as First against perfect (seed 5)")
    );
    assert!(here.read("pages/game-2.html").contains("(seed 6)</title>"));
    let won = here.file("won");
    judge(&format!("run 6 1 2 --html {won}"), &[]);
    assert_eq!(std::fs::read_dir(&won).unwrap().count(), 0);
    judge(&format!("run 6 1 2 --html {won} --html-all --seed 4"), &[]);
    assert!(
        here.read("won/game-1.html").contains("<title>WON 6 1 2 as First against perfect (seed 4)</title>")
    );
}

#[test]
fn pages_of_several_games() {
    let (here, file, _) = record("6 1 2 --games 3", &[]);
    let page = here.file("game.html");
    let refused = judge(&format!("replay {file} --html {page}"), &[]);
    assert_eq!(refused.status.code(), Some(2));
    let message =
        "expected one game for the file of --html, got more: choose one with --game K, or give a directory";
    assert!(text(&refused.stderr).contains(message), "{}", text(&refused.stderr));
    assert!(!std::fs::exists(&page).unwrap());
    let chosen = judge(&format!("replay {file} --html {page} --game 2"), &[]);
    assert_eq!((text(&chosen.stderr), chosen.status.code()), ("", Some(0)));
    assert!(here.read("game.html").contains("(seed 2)</title>"));
    let pages = here.directory("pages");
    judge(&format!("replay {file} --html {pages}"), &[]);
    assert!(here.read("pages/game-3.html").contains("(seed 3)</title>"));
    let missing = judge(&format!("replay {file} --game 4"), &[]);
    assert!(
        text(&missing.stderr).contains("expected --game 1 to 3, the games of the transcript"),
        "{missing:?}"
    );
    assert_refuses("run 6 1 2 --html-all", "--html <DIR>");
    assert_refuses("run 6 1 2 --html /dev/null/pages", "the folder /dev/null/pages for pages cannot be made");
}

const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";

/// By keys, buttons, the slider and the list, one position after the other is shown, with what wins.
#[test]
fn a_game_is_gone_through_in_a_browser() {
    let Some(browser) = Browser::start() else { return };
    let (_here, page) = page_of("6 1 2 --opponent slow --seed 7", &["sh", "-c", BLUNDERS]);
    browser.open(&page);
    let status = || browser.text("#status");
    let cells = || browser.value("document.querySelectorAll('#board .cards .cell').length").as_u64().unwrap();
    assert_eq!(status(), "Start; First (the bot) wins with perfect play.");
    assert_eq!(cells(), 6);
    browser.press(RIGHT);
    assert_eq!(status(), "Move 1 of 2: The bot takes 1 at 1; Second (the judge) wins with perfect play.");
    assert_eq!(
        browser.text("#advice"),
        "Blunder: this move threw the win away; 3 2 would have kept it. Now 4 1 wins."
    );
    assert_eq!((cells(), browser.text("#board .taken")), (5, "1".to_owned()));
    browser.press("n");
    assert!(status().ends_with("XOR of the nimbers: 4."), "{}", status());
    assert_eq!(browser.text("#board .cards .value"), "∗4");
    browser.press(END);
    let end = "Blunder: this move threw the win away; 4 1 would have kept it.";
    assert!(browser.text("#advice").starts_with(end), "{}", browser.text("#advice"));
    assert!(browser.text("#advice").contains("The end. ILLEGAL: move 3: taking 1 at place 1 is not legal"));
    browser.press(LEFT);
    browser.press(HOME);
    assert!(status().starts_with("Start;"));
    browser.click("#forward");
    browser.click("tbody tr:last-child");
    assert!(status().starts_with("Move 2 of 2"), "{}", status());
    browser.value("(() => { const s = document.querySelector('#slider'); s.value = 1; s.dispatchEvent(new Event('input')); })()");
    assert!(status().starts_with("Move 1 of 2"), "{}", status());
    // Playing goes on to the end and stops there.
    browser.click("#play");
    assert_eq!(browser.text("#play"), "Pause");
    let end = "new Promise((done) => { const look = () => document.querySelector('#play').textContent === 'Play' ? done(document.querySelector('#slider').value) : setTimeout(look, 20); look(); })";
    assert_eq!(browser.value(end), "2");
    assert_eq!(browser.text("#again"), data(&page)["again"].as_str().unwrap());
    assert_eq!(browser.console(), [""; 0]);
}

/// What a bot prints, its stderr and its command are text, and never markup.
#[test]
fn what_a_bot_prints_is_never_markup() {
    let Some(browser) = Browser::start().filter(|_| has_python()) else { return };
    let path = bot("hostile_text.py");
    let (here, page) = page_of(
        "6 1 2 --opponent slow --time-limit 20",
        &["python3", &path, "</script><b onclick=x>", "<!--"],
    );
    let html = here.read("game.html");
    assert_eq!(html.matches("</script>").count(), 2);
    assert!(!html.contains(['\u{1b}', '\0', '\u{202e}', '\u{2028}']));
    browser.open(&page);
    assert!(browser.value("document.title").as_str().unwrap().starts_with("MALFORMED 6 1 2 as First"));
    assert_eq!(browser.value("document.scripts.length"), 2);
    assert_eq!(browser.value("document.querySelectorAll('img, b, [onclick], [onerror]').length"), 0);
    let lines = browser.text("#rows");
    for shown in
        ["</script><script>document.title", "\\u{202e}3 2 \\u{1b}[7m\\u{0}", "\\xff\\xfe", "{{x}} ${1} &lt;"]
    {
        assert!(lines.contains(shown), "{shown}: {lines}");
    }
    assert!(browser.text("#stderr").contains("</script><script>"));
    assert!(
        browser.text("#stderr").contains("\\u{202e}order\\u{202c} \\u{1b}[2J \\u{0} אב \\u{2028} \\xff\\xfe")
    );
    assert!(browser.text("#again").contains("'</script><b onclick=x>'"));
    // The long line is shown whole when it is chosen.
    browser.value("[...document.querySelectorAll('tbody tr')].find((row) => row.textContent.includes('<b><b>')).click()");
    assert_eq!(browser.text("#line"), "<b>".repeat(1300));
    assert_eq!(browser.console(), [""; 0]);
}

/// Games of every size are drawn with a bounded number of elements, and the page says what is left out.
#[test]
fn large_games_stay_usable() {
    let Some(browser) = Browser::start() else { return };
    let piles = format!("nim{}", " 700 1000000000000000000".repeat(5000));
    for (game, note) in [
        ("1000000000000000000 1 2".to_owned(), "Rows of more than 5,000 cards in all are shortened"),
        (piles, "300 of 10000 piles are shown, those around the last move."),
        ("2000 1 1".to_owned(), ""),
        (["4 1 2"; 500].join(" + "), "30 of 500 games of the sum are shown"),
    ] {
        let bot: &[&str] =
            if game == "2000 1 1" { &[] } else { &["sh", "-c", "read h; echo Second; read x; exit 3"] };
        let (_here, page) = page_of(&format!("{game} --opponent greedy --time-limit 20"), bot);
        browser.open(&page);
        let short = &game[..game.len().min(30)];
        browser.press(END);
        // A large board takes a moment to draw.
        browser.await_that("!document.querySelector('#status').textContent.startsWith('Start')");
        let elements = browser.value("document.querySelectorAll('#board *').length").as_u64().unwrap();
        assert!((1..6000).contains(&elements), "{short}: {elements} elements");
        let shown = browser.text("#board");
        assert!(shown.contains(note), "{short}: {shown}");
        assert_eq!(browser.console(), [""; 0], "{short}");
    }
}

/// Light and dark have enough contrast, and a narrow window needs no scrolling to the side.
#[test]
fn every_text_can_be_read() {
    let Some(browser) = Browser::start() else { return };
    let (_here, page) = page_of("100 1 2 + nim 9 4 + euclid 9 4 --opponent greedy", &["sh", "-c", BLUNDERS]);
    browser.open(&page);
    for colours in ["light", "dark"] {
        for width in [360, 1280] {
            browser.emulate(colours, width);
            browser.press(HOME);
            browser.press(RIGHT);
            browser.assert_readable(&format!("{colours}, {width}"));
        }
    }
    // Every control has a name, and can be reached by the keyboard.
    let nameless = "[...document.querySelectorAll('button, input')].filter((e) => !(e.textContent.trim() || e.ariaLabel || e.labels?.length)).length";
    assert_eq!(browser.value(nameless), 0);
}
