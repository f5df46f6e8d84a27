//! The page of the standings.

use super::played;
use crate::support::{TestDir, judge, text};

const ARGS: &str = "--family nim --max-n 30 --pairs 20";

/// The charts and tables of a run; recorded games give the same page.
#[test]
fn a_page_of_a_run_and_of_recorded_games() {
    let here = TestDir::new();
    let (page, again, record) = (here.file("page.html"), here.file("again.html"), here.file("games.jsonl"));
    let bots = ["perfect", "greedy", "random"];
    let output = played(&format!("{ARGS} --html {page} --record {record}"), &bots);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let html = here.read("page.html");
    assert!(html.len() < 200_000, "{} bytes", html.len());
    assert_eq!(html.matches("<svg ").count(), 4);
    for shown in [
        "<title>120 games of 3 bots</title>",
        "<code>judge arena --family nim --max-n 30 --pairs 20 --html ",
        "<td>+207, 95 %: at least +140</td>",
        "<td>75 of 75 (95.2 to 100.0 %)</td>",
        "<th scope=\"row\">greedy</th><td>80</td><td>29</td><td>29 WON, 51 LOST</td>",
        "<th scope=\"col\">p99 ms</th>",
        "\nmilliseconds\n</text>",
        "\nElo\n</text>",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    let own = html.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
        assert!(!own.contains(outside), "{outside}");
    }
    let rated = judge(&format!("arena --rate {record} --html {again}"), &[]);
    assert_eq!((rated.status.code(), text(&rated.stderr)), (Some(0), ""));
    let body = |html: &str| html.split_once("</p>").unwrap().1.to_owned();
    assert_eq!(body(&here.read("again.html")), body(&html));
}

/// Two bots have one difference; a rule that was broken is named with the command.
#[test]
fn a_page_of_two_bots() {
    let here = TestDir::new();
    let page = here.file("page.html");
    let output = played(
        &format!("6 1 2 --html {page}"),
        &["good=bundled", "bad=sh -c 'read h; read x; echo \"<b>\"'"],
    );
    assert_eq!(output.status.code(), Some(1));
    let html = here.read("page.html");
    assert!(html.contains(">good against bad</th><td>at least "), "{html}");
    assert!(html.contains("<h2>bad</h2>\n<ul>\n<li>game 0: "), "{html}");
    assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"), "{html}");
}
