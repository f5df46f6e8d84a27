//! Pages that the judge writes as files, opened in a browser: the replay of a game, and a run with an interactor.

use std::fs;

use crate::browser::Browser;
use crate::support::{Printed, TestDir, bot, judge, root, skip_without};

#[test]
#[ignore = "drives a browser"]
fn pages_in_a_browser() {
    let Some(browser) = Browser::start() else { return };
    a_game_is_replayed_in_a_browser(&browser);
    large_games_stay_usable(&browser);
    what_a_bot_prints_is_never_markup(&browser);
    // Last, because it changes the window.
    axe_finds_nothing(&browser);
}

/// A bot that takes the first card, although the two middle cards would win, and then takes the same card again.
const BLUNDERS: &str = "read h; echo First; echo 1 1; read x; echo why >&2; echo 1 1; read x";

fn page_of(args: &str, bot: &[&str]) -> (TestDir, String) {
    let here = TestDir::new();
    judge(&format!("run {args} --html {} --html-all", here.path().display()), bot).says("");
    let name = if args.contains("--interactor") { "run-1.html" } else { "game-1.html" };
    let page = here.file(name);
    assert!(fs::metadata(&page).unwrap().len() < 1_000_000, "{args}");
    (here, page)
}

/// Checks that the keys, the buttons, the slider and the list show the positions and the winning moves.
fn a_game_is_replayed_in_a_browser(browser: &Browser) {
    let (_here, page) = page_of("6 1 2 --opponent slow --seed 7", &["sh", "-c", BLUNDERS]);
    browser.open(&page);
    let shows = |status: &str| {
        browser.await_that(&format!("document.querySelector('#status').textContent === {status:?}"));
    };
    let cells = || browser.value("document.querySelectorAll('#board .cards .cell').length").as_u64().unwrap();
    shows("Start; First (the bot) wins with perfect play.");
    assert_eq!(cells(), 6);
    let first = "Move 1 of 2: The bot takes 1 at place 1; Second (the judge) wins with perfect play";
    browser.press("ArrowRight");
    shows(&format!("{first}."));
    assert_eq!(
        browser.text("#advice"),
        "Blunder: this move threw the win away; 3 2 would have kept it. Now 4 1 wins."
    );
    assert_eq!((cells(), browser.text("#board .taken")), (5, "1".to_owned()));
    browser.press("n");
    shows(&format!("{first}; XOR of the nimbers: 4."));
    assert_eq!(browser.text("#board .cards .value"), "∗4");
    browser.press("End");
    let second = "Move 2 of 2: The judge takes 1 at place 2; First (the bot) wins with perfect play";
    shows(&format!("{second}; XOR of the nimbers: 1."));
    let end = "Blunder: this move threw the win away; 4 1 would have kept it.";
    assert!(browser.text("#advice").starts_with(end), "{}", browser.text("#advice"));
    assert!(browser.text("#advice").contains("The end. ILLEGAL: move 3: taking 1 at place 1 is not legal"));
    browser.press("ArrowLeft");
    shows(&format!("{first}; XOR of the nimbers: 4."));
    browser.press("Home");
    browser.press("n");
    shows("Start; First (the bot) wins with perfect play.");
    browser.click("#forward");
    shows(&format!("{first}."));
    browser.click("#rows tr:last-child");
    shows(&format!("{second}."));
    browser.value("(() => { const s = document.querySelector('#slider'); s.value = 1; s.dispatchEvent(new Event('input')); })()");
    shows(&format!("{first}."));
    // Playing continues to the end and stops there.
    browser.value("(() => { window.seen = []; const play = document.querySelector('#play'); new MutationObserver(() => seen.push(play.textContent)).observe(play, { childList: true }); })()");
    browser.click("#play");
    browser.await_that("seen.join() === 'Pause,Play'");
    shows(&format!("{second}."));
    let again = browser.text("#again");
    assert!(again.starts_with("judge run 6 1 2 --opponent slow --seed 7 "), "{again}");
    assert_eq!(browser.console(), [""; 0]);
}

fn what_a_bot_prints_is_never_markup(browser: &Browser) {
    let path = bot("hostile_text.py");
    let (here, page) = page_of(
        "6 1 2 --opponent slow --time-limit 20",
        &["python3", &path, "</script><b onclick=x>", "<!--"],
    );
    let html = here.read("game-1.html");
    assert_eq!(html.matches("</script>").count(), 2);
    assert!(!html.contains(['\u{1b}', '\0', '\u{202e}', '\u{2028}']));
    browser.open(&page);
    assert!(browser.value("document.title").as_str().unwrap().starts_with("MALFORMED 6 1 2 as First"));
    assert_eq!(browser.value("document.scripts.length"), 2);
    assert_eq!(browser.value("document.querySelectorAll('img, b, [onclick], [onerror]').length"), 0);
    let shown = ["#rows", "#stderr", "#again"].map(|part| browser.text(part));
    assert!(shown.iter().all(|text| text.contains("</script><")), "{shown:?}");
    assert!(shown[0].contains("\\u{202e}3 2 \\u{1b}[7m\\u{0}"), "{}", shown[0]);
    assert!(shown[0].contains(&"<b>".repeat(1300)), "the long line is shown completely");
    assert_eq!(browser.console(), [""; 0]);
}

/// Checks that large games are drawn with a bounded number of elements, and that the page says what it leaves out.
fn large_games_stay_usable(browser: &Browser) {
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
        let short = &game[..game.len().min(30)];
        browser.open(&page);
        browser.press("End");
        // Drawing a large board needs some time.
        browser.await_that("!document.querySelector('#status').textContent.startsWith('Start')");
        let elements = browser.value("document.querySelectorAll('#board *').length").as_u64().unwrap();
        assert!((1..6000).contains(&elements), "{short}: {elements} elements");
        let shown = browser.text("#board");
        assert!(shown.contains(note), "{short}: {shown}");
        assert_eq!(browser.console(), [""; 0], "{short}");
    }
}

/// Checks that axe-core finds no violation on the page of a game and on that of a run, such as a low contrast or a
/// control without a name, and that no page needs scrolling to the side: in both themes, in a narrow and a wide window.
fn axe_finds_nothing(browser: &Browser) {
    let Some(axe) = axe() else { return };
    let (_game, game) = page_of("100 1 2 + nim 9 4 + euclid 9 4 --opponent greedy", &["sh", "-c", BLUNDERS]);
    let (_run, run) = page_of("--interactor cat", &["sh", "-c", "echo 1; read x"]);
    for (colours, width) in [("light", 360), ("light", 1280), ("dark", 360), ("dark", 1280)] {
        browser.emulate(colours, width);
        for page in [&game, &run] {
            let what = format!("{page}, {colours}, {width}");
            browser.open(page);
            browser.press("ArrowRight");
            let too_wide = browser.value("document.documentElement.scrollWidth - window.innerWidth");
            assert!(too_wide.as_i64().unwrap() <= 0, "{what}: {too_wide} pixels too wide");
            assert_eq!(violations(browser, &axe), [""; 0], "{what}");
        }
    }
}

fn violations(browser: &Browser, axe: &str) -> Vec<String> {
    let run = "axe.run().then(({ violations }) => violations.map(({ id, impact, help, nodes }) => `${impact} ${id}: ${help}: ${nodes.map((node) => node.html).slice(0, 3).join(' ')}`))";
    let found = browser.value(&format!("(() => {{ {axe}\nreturn {run}; }})()"));
    found.as_array().unwrap().iter().map(ToString::to_string).collect()
}

/// Returns the source of axe-core, which `.ci/run` installs.
fn axe() -> Option<String> {
    let file = root().join("target/axe/node_modules/axe-core/axe.min.js");
    let axe = fs::read_to_string(file).ok();
    if axe.is_none() {
        skip_without("axe-core (npm install --prefix target/axe axe-core@4.10.3)");
    }
    axe
}
