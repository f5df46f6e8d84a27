//! What the page does with games that it cannot play, moves that are out of reach, and requests that are refused, in a
//! browser.

use super::play::Person;
use crate::browser::Browser;

/// Lets the judge answer that a turn is out of reach if this condition holds, in which `body` is the request.
fn refuse_turns(browser: &Browser, condition: &str) {
    browser.value(&format!(
        "(() => {{ window.realFetch ??= fetch; window.fetch = (url, {{ body, ...rest }}) => url === 'api/turn' && ({condition}) ? Promise.resolve(new Response('the answer is out of reach', {{ status: 503 }})) : realFetch(url, {{ body, ...rest }}); }})()"
    ));
}

/// If the bot's move is out of reach, the bot moves without tables: a game that has begun can be played to its end.
#[test]
fn a_bot_that_takes_too_long_plays_on() {
    let Some(person) = Person::at("square 20", "bot=Second") else { return };
    let browser = &person.browser;
    refuse_turns(browser, "!body.includes('hurried')");
    browser.enter("#move", "9\u{e007}");
    browser.settle();
    assert_eq!(
        person.status(),
        "The bot takes 1. It does not know who wins: that is out of reach. It is your turn."
    );
    person.assert_no_errors();
}

/// Games whose moves cannot be written as a place and how many: the page says why not, and what can be done.
#[test]
fn games_that_split_heaps() {
    let Some(person) = Person::at("square 20", "bot=Second") else { return };
    let browser = &person.browser;
    for game in ["octal 4.7 9", "grundy 9", "nim 3 + octal 0.8 9"] {
        browser.enter("#header", &format!("{game}\u{e007}"));
        browser
            .await_that("document.querySelector('#message').textContent.includes('cannot be played here')");
        let message = browser.text("#message");
        assert!(message.contains(&format!("\"judge solve {game}\" at the terminal")), "{message}");
        // The game before continues.
        assert!(browser.text("#title").starts_with("square 20: "), "{}", browser.text("#title"));
        browser.value("document.querySelector('#message').textContent = ''");
    }
    browser.visit(&person.server.page("analysis#game=grundy+9"));
    assert!(
        browser.text("#message").contains("The page Tables shows its nimbers"),
        "{}",
        browser.text("#message")
    );
    person.assert_only_refusals(4);
}
