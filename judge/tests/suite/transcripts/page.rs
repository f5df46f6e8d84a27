//! The replay of a game as a page.

use serde_json::{Value, json};

use super::record;
use crate::support::{Printed, judge};

/// A bot that takes the first card, although the two middle cards would win, and then takes the same card again.
const BLUNDERS: &str = "read h; echo First; echo 1 1; read x; echo why >&2; echo 1 1; read x";

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
