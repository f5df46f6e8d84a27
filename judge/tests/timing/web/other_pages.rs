//! The pages of analysis, transcripts, tables and known games, in a browser.

use serde_json::json;

use crate::browser::Browser;
use crate::browser::keys::RIGHT;
use crate::support::{Server, TestDir, bot, has_python, judge};

#[test]
#[ignore = "drives a browser"]
fn a_position_is_analysed() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    browser.visit(&server.page("analysis#game=nim+3+5+7"));
    assert_eq!(browser.text("#verdict"), "First wins with perfect play; the nimber is ∗1; 3 winning moves.");
    assert_eq!(
        browser.value("[...document.querySelectorAll('#winning button')].map((e) => e.textContent).join()"),
        "1 1,2 1,3 1"
    );
    assert_eq!(
        browser.value("[...document.querySelectorAll('#board .value')].map((e) => e.textContent).join()"),
        "∗3,∗5,∗7"
    );
    // A winning move leads to a lost position.
    browser.click("#winning button");
    browser.settle();
    assert_eq!(browser.text("#verdict"), "First wins with perfect play; the nimber is ∗0.");
    assert_eq!(browser.text("#status"), "Second is to move.");
    browser.click("#undo");
    browser.settle();
    assert!(browser.text("#verdict").contains("3 winning moves"));
    // The page says that the game is out of reach, and the board can still be used.
    browser.visit(&server.page("analysis#game=1000000000000+3+3"));
    assert!(
        browser.text("#verdict").starts_with("The winner cannot be computed: "),
        "{}",
        browser.text("#verdict")
    );
    browser.visit(&server.page("analysis#game=nim+1&moves=1+1"));
    assert_eq!(browser.text("#status"), "Second has no move, and has lost.");
}

/// Checks that transcripts can be opened by the file input and by dropping a file, and that their games can be chosen.
#[test]
#[ignore = "drives a browser"]
fn transcripts_are_opened() {
    let Some(browser) = Browser::start() else { return };
    let (server, here) = (Server::start(), TestDir::new());
    let file = here.file("games.jsonl");
    judge(
        &format!("run 6 1 2 --opponent slow --games 3 --seed 7 --transcript {file}"),
        &["sh", "-c", "read h; echo First; echo 1 1; read x; echo 1 1"],
    );
    browser.visit(&server.page("transcripts"));
    browser.choose_file("#file", &file);
    browser.await_that("!document.querySelector('#replay').hidden");
    assert_eq!(browser.text("#found"), "games.jsonl: 3 games.");
    assert!(
        browser.text("#title").starts_with("ILLEGAL6 1 2 as First against slow (seed 7)"),
        "{}",
        browser.text("#title")
    );
    browser.click("#games li:nth-child(3) button");
    browser.await_that("document.querySelector('#title').textContent.includes('(seed 9)')");
    browser.press(RIGHT);
    browser.await_that(
        "document.querySelector('#status').textContent.startsWith('Move 1 of 2: The bot takes 1 at place 1')",
    );
    // The key has also selected move 1 in the list of moves.
    assert_eq!(browser.text("#rows tr[aria-current] th button"), "1");
    drop_file(&browser, "{\"transcript\":2}\nnothing\n");
    browser.await_that("document.querySelector('#message').textContent !== ''");
    assert!(
        browser.text("#message").starts_with("Line 1: expected a transcript of version 4, got version 2"),
        "{}",
        browser.text("#message")
    );
    drop_file(&browser, "nothing");
    browser.await_that(
        "document.querySelector('#message').textContent.startsWith('Expected a transcript of the judge')",
    );
    drop_file(&browser, &here.read("games.jsonl"));
    browser.await_that("document.querySelector('#title').textContent.includes('(seed 7)')");
    assert_eq!(browser.text("#message"), "");
}

/// Drops a file with the content `content` on the page.
fn drop_file(browser: &Browser, content: &str) {
    browser.value(&format!(
        "(() => {{ const dataTransfer = new DataTransfer(); dataTransfer.items.add(new File([{}], 'dropped.jsonl')); document.dispatchEvent(new DragEvent('drop', {{ dataTransfer, bubbles: true, cancelable: true }})); }})()",
        json!(content)
    ));
}

/// Checks that the page shows a transcript and its file name as text.
#[test]
#[ignore = "drives a browser"]
fn a_transcript_is_never_markup() {
    let Some(browser) = Browser::start().filter(|_| has_python()) else { return };
    let (server, here) = (Server::start(), TestDir::new());
    let file = here.file("<img src=x onerror=alert(1)>.jsonl");
    let path = bot("hostile_text.py");
    let mut judge = crate::support::command("run 6 1 2 --opponent slow --time-limit 20 --transcript", &[]);
    judge.arg(&file).args(["--", "python3", &path, "</script><b onclick=x>", "<!--"]).output().unwrap();
    browser.visit(&server.page("transcripts"));
    browser.choose_file("#file", &file);
    browser.await_that("!document.querySelector('#replay').hidden");
    assert_eq!(browser.value("document.querySelectorAll('img, b, [onclick], [onerror]').length"), 0);
    assert!(browser.text("#found").starts_with("<img src=x onerror=alert(1)>.jsonl: 1 game."));
    let lines = browser.text("#rows");
    for shown in ["</script><script>document.title", "\\u{202e}3 2 \\u{1b}[7m\\u{0}", "\\xff\\xfe"] {
        assert!(lines.contains(shown), "{shown}: {lines}");
    }
    assert_eq!(browser.value("document.title").as_str().unwrap().split(' ').next(), Some("MALFORMED"));
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
#[ignore = "drives a browser"]
fn a_table_is_drawn() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    for (page, summary) in [
        ("tables#game=segment+1+2&to=200&plot=scatter", "period: 12 from n = 71 on, proven"),
        ("tables#game=octal+0.77&to=400&plot=residues", "period: 12 from n = 71 on, proven"),
        ("tables#game=square&to=100&plot=outcomes", "P-positions: 21"),
        ("tables#game=square&to=100&plot=bars", "largest nimber"),
        ("tables#game=subtract+take+2+5+9&to=100&plot=scatter", "period: "),
        ("tables#game=euclid&to=20&plot=outcomes", "P-positions"),
        ("tables#game=grundy&to=100&plot=", "largest nimber"),
    ] {
        browser.visit(&server.page(page));
        assert_eq!(browser.text("#message"), "", "{page}");
        assert!(browser.text("#summary").contains(summary), "{page}: {}", browser.text("#summary"));
        if !page.ends_with('=') {
            browser.await_that("document.querySelector('#plot-image').complete");
            assert!(
                browser.value("document.querySelector('#plot-image').naturalWidth").as_u64().unwrap() > 300,
                "{page}"
            );
        }
    }
    browser.visit(&server.page("tables#game=segmint+1+2&to=200&plot=scatter"));
    assert!(browser.text("#message").contains("segmint"), "{}", browser.text("#message"));
}

/// Checks that a plot fits its page after the window becomes narrower or wider, and that typed values are not lost.
#[test]
#[ignore = "drives a browser"]
fn a_plot_fits_the_window() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    browser.emulate("light", 1280);
    browser.visit(&server.page("tables#game=segment+1+2&to=200&plot=scatter"));
    let width = |wanted: &str| {
        browser.await_frame();
        browser.settle();
        browser.await_that(&format!(
            "((image) => image.complete && {wanted})(document.querySelector('#plot-image'))"
        ));
    };
    width("image.naturalWidth === 960");
    browser.emulate("light", 360);
    width("image.naturalWidth < 360 && image.naturalWidth >= 280");
    // A value that has been typed but not submitted is not drawn.
    browser.value("document.querySelector('#to').value = '100'");
    browser.emulate("light", 800);
    width("image.naturalWidth > 700 && image.alt.includes('sizes up to 200')");
    browser.click("#setup button");
    browser.emulate("light", 1280);
    width("image.naturalWidth === 960 && image.alt.includes('sizes up to 100')");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
#[ignore = "drives a browser"]
fn the_known_games_lead_to_play_and_tables() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    browser.visit(&server.page("games"));
    browser.await_that("document.querySelectorAll('#named tr').length > 5");
    let kayles = browser.value("[...document.querySelectorAll('#named tr')].find((e) => e.textContent.startsWith('Kayles')).textContent");
    assert!(kayles.as_str().unwrap().starts_with("Kaylesoctal 0.771271proven here"), "{kayles}");
    browser.leave(|| browser.click("#named a"));
    assert!(browser.text("#title").starts_with("octal 0.77 15: "), "{}", browser.text("#title"));
    browser.visit(&server.page("games"));
    browser.await_that("document.querySelectorAll('#windows tr').length > 5");
    browser.leave(|| browser.click("#windows a[href^=tables]"));
    assert!(browser.text("#summary").contains("segment 1 1"), "{}", browser.text("#summary"));
    assert_eq!(browser.console(), [""; 0]);
}
