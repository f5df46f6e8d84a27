//! What the page does with games that it cannot play, and with moves that are out of reach, in a browser.

use super::play::Person;

/// Where the bot's move is out of reach the bot plays on: a game that has begun can be played to its end.
#[test]
fn a_bot_that_takes_too_long_plays_on() {
    let Some(person) = Person::at("square 20", "bot=Second") else { return };
    let browser = &person.browser;
    // The judge's answer when a process has taken all of its time.
    browser.value("(() => { const real = window.fetch; window.fetch = (url, sent) => sent.body.includes('\"bot\":{') && !sent.body.includes('hurried') ? Promise.resolve(new Response('the answer is out of reach', { status: 503 })) : real(url, sent); })()");
    browser.enter("#move", "9\u{e007}");
    browser.await_that("document.querySelectorAll('#moves li').length === 2");
    browser.settle();
    assert!(
        person.status().contains("It does not know who wins: that is out of reach."),
        "{}",
        person.status()
    );
    assert!(person.status().ends_with("It is your turn."), "{}", person.status());
    person.assert_no_errors();
}

/// Games whose moves cannot be written as a place and how many: the page says why not, and what can be done.
#[test]
fn games_that_split_heaps() {
    let Some(person) = Person::at("square 20", "bot=Second") else { return };
    let browser = &person.browser;
    for game in ["octal 4.7 9", "grundy 9", "nim 3 + octal 0.8 9"] {
        browser.value("document.querySelector('#header').value = ''");
        browser.enter("#header", &format!("{game}\u{e007}"));
        browser
            .await_that("document.querySelector('#message').textContent.includes('cannot be played here')");
        let message = browser.text("#message");
        assert!(message.contains(&format!("\"judge solve {game}\" at the terminal")), "{message}");
        // The game before goes on.
        assert!(browser.text("#title").starts_with("square 20: "), "{}", browser.text("#title"));
        browser.value("document.querySelector('#message').textContent = ''");
    }
    browser.visit(&person.server.page("analysis#game=grundy+9"));
    assert!(
        browser.text("#message").contains("The page Tables shows its nimbers"),
        "{}",
        browser.text("#message")
    );
    person.assert_refusals_alone(4);
}
