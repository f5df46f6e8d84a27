//! The page of a search.

use crate::support::{TestDir, judge, perfect_but, text};

/// Verdicts by opponent, times, and the first game that was not won with its command.
#[test]
fn a_page_of_a_search() {
    let here = TestDir::new();
    let page = here.file("page.html");
    let won = judge(&format!("stress --max-n 20 --games 40 --html {page}"), &[]);
    assert_eq!((won.status.code(), text(&won.stderr)), (Some(0), ""));
    let html = here.read("page.html");
    for shown in [
        "<title>Search for a game that is not won by the bundled bot</title>",
        "<code>judge stress --max-n 20 --games 40 --html ",
        "<th scope=\"row\">all games</th><td>40 of 40 (91.2 to 100.0 %)</td>",
        "<th scope=\"row\">all games</th><td>40</td><td>40</td><td>40 WON</td>",
        "<th scope=\"row\">perfect</th>",
        "<pre tabindex=\"0\">the bundled bot: 40 of 40 games won",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    assert_eq!((html.matches("<svg ").count(), html.matches("<script").count()), (3, 0));
    let bot = perfect_but("[ $1 -gt 9 ] && { echo '<b>'; exit; };");
    let lost =
        judge(&format!("stress --max-n 20 --games 40 --keep-going --html {page}"), &["sh", "-c", &bot]);
    assert_eq!(lost.status.code(), Some(1));
    let html = here.read("page.html");
    assert!(html.contains("<h2>all games</h2>\n<ul>\n<li>game 0: MALFORMED "), "{html}");
    assert!(html.contains("<li>again: judge run ") && html.contains("&lt;b&gt;"), "{html}");
    assert!(!html.contains("<b>"), "{html}");
}
