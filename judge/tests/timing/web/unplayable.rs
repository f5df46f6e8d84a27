//! The behaviour of the page in a browser for games that it cannot play, moves that are out of reach, and refused
//! requests.

use super::play::Person;
use crate::browser::Browser;
use crate::browser::keys::ENTER;

/// Replaces the page's `fetch`, so that a request for a turn is answered with 503 if `condition` holds. In `condition`,
/// `body` is the body of the request.
fn refuse_turns(browser: &Browser, condition: &str) {
    browser.value(&format!(
        "(() => {{ window.realFetch ??= fetch; window.fetch = (url, {{ body, ...rest }}) => url === 'api/turn' && ({condition}) ? Promise.resolve(new Response('the answer needs more time or memory', {{ status: 503 }})) : realFetch(url, {{ body, ...rest }}); }})()"
    ));
}

/// Checks that the bot moves without tables if its move is out of reach, so that the game can be continued.
#[test]
#[ignore = "drives a browser"]
fn a_bot_that_takes_too_long_plays_on() {
    let Some(person) = Person::at("square 20", "bot=Second") else { return };
    let browser = &person.browser;
    refuse_turns(browser, "!body.includes('hurried')");
    browser.enter("#move", &format!("9{ENTER}"));
    browser.settle();
    assert_eq!(person.status(), "The bot takes 1. It could not compute who wins. It is your turn.");
    person.assert_no_errors();
}

/// Checks that the page reports a refused turn, keeps the game that it shows, and lets the person try again.
#[test]
#[ignore = "drives a browser"]
fn a_judge_that_refuses_loses_no_game() {
    let Some(person) = Person::at("square 20", "bot=Second") else { return };
    let browser = &person.browser;
    let refused = |act: &dyn Fn()| {
        browser.value("document.querySelector('#message').textContent = ''");
        refuse_turns(browser, "true");
        act();
        browser.settle();
        assert_eq!(browser.text("#message"), "The answer needs more time or memory.");
        refuse_turns(browser, "false");
    };
    refused(&|| browser.enter("#move", &format!("9{ENTER}")));
    assert_eq!(person.status(), "It is your turn.");
    browser.click("#make-move");
    browser.settle();
    assert_eq!((browser.text("#message"), person.moves().len()), (String::new(), 2));
    for button in ["#undo", "#resign", "#again"] {
        refused(&|| browser.click(button));
        browser.click("#hint");
        browser.settle();
        assert!(browser.text("#hint-text").starts_with("Hint 1 of "), "{button}");
    }
    let moves = person.moves();
    browser.enter("#move", &format!("1{ENTER}"));
    browser.settle();
    assert_eq!((&person.moves()[..2], person.moves().len()), (&moves[..], 4));
    // The analysis keeps its position too.
    browser.visit(&person.server.page("analysis#game=nim+3+5&moves=2+2"));
    refused(&|| browser.click("#undo"));
    assert_eq!(browser.text("#status"), "Second is to move.");
    browser.click("#undo");
    browser.settle();
    assert_eq!(browser.text("#status"), "First is to move.");
    person.assert_no_errors();
}

/// Checks that the page refuses games with moves that leave three heaps, and says what the person can do instead.
#[test]
#[ignore = "drives a browser"]
fn games_that_leave_three_heaps() {
    let Some(person) = Person::at("square 20", "bot=Second") else { return };
    let browser = &person.browser;
    for game in ["octal c.7 9", "octal 0.[8] 9", "nim 3 + octal 0.8 9"] {
        browser.enter("#header", &format!("{game}{ENTER}"));
        browser
            .await_that("document.querySelector('#message').textContent.includes('cannot be played here')");
        let message = browser.text("#message");
        assert!(
            message.contains(&format!("at the terminal, \"grundy solve {game}\" shows who wins")),
            "{message}"
        );
        // The previous game continues.
        assert!(browser.text("#title").starts_with("square 20: "), "{}", browser.text("#title"));
        browser.value("document.querySelector('#message').textContent = ''");
    }
    browser.visit(&person.server.page("analysis#game=octal+0.8+9"));
    assert!(
        browser.text("#message").contains("The page Tables shows its nimbers"),
        "{}",
        browser.text("#message")
    );
    person.assert_only_refusals(4);
}
