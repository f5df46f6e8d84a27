//! The accessibility of the pages: the checks of axe-core, contrast, and windows of several widths.

use serde_json::Value;

use crate::browser::Browser;
use crate::support::{Server, TestDir, judge, root, skip_without};

/// The pages in states that show as many elements as possible.
const PAGES: [&str; 8] = [
    "#game=segment+20+3+5+%2B+nim+3+5&level=perfect&bot=Second&moves=9+4",
    "#game=square+18&level=perfect&bot=Second&moves=1+4,1+4,1+9,1+1",
    "#game=euclid+34+21&bot=none",
    "#game=1000000+1+2&bot=Second",
    "analysis#game=octal+0.77+15+9+%2B+euclid+9+4&moves=5+2",
    "tables#game=segment+1+2&to=200&plot=scatter",
    "games",
    "transcripts",
];

/// Returns the violations that axe-core finds on the shown page.
fn violations(browser: &Browser, axe: &str) -> Vec<String> {
    let run = "axe.run().then(({ violations }) => violations.map(({ id, impact, help, nodes }) => `${impact} ${id}: ${help}: ${nodes.map((node) => node.html).slice(0, 3).join(' ')}`))";
    let found: Value = browser.value(&format!("(() => {{ {axe}\nreturn {run}; }})()"));
    found.as_array().unwrap().iter().map(ToString::to_string).collect()
}

/// Returns the source of axe-core, which `.ci/run` installs.
fn axe() -> Option<String> {
    let file = root().join("target/axe/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(file).ok();
    if axe.is_none() {
        skip_without("axe-core (npm install --prefix target/axe axe-core@4.10.3)");
    }
    axe
}

#[test]
#[ignore = "drives a browser"]
fn axe_finds_nothing() {
    let Some(browser) = Browser::start() else { return };
    let Some(axe) = axe() else { return };
    let server = Server::start();
    let here = TestDir::new();
    let (file, replay) = (here.file("game.jsonl"), here.file("game.html"));
    judge(&format!("run 20 3 5 + nim 3 5 --opponent random --transcript {file}"), &[]);
    judge(&format!("replay {file} --html {replay}"), &[]);
    for colours in ["light", "dark"] {
        browser.emulate(colours, 1280);
        for page in PAGES {
            browser.visit(&server.page(page));
            if page == "transcripts" {
                browser.choose_file("#file", &file);
                browser.await_that("!document.querySelector('#replay').hidden");
            }
            assert_eq!(violations(&browser, &axe), [""; 0], "{page}, {colours}");
        }
        browser.open(&replay);
        assert_eq!(violations(&browser, &axe), [""; 0], "the replay, {colours}");
    }
}

#[test]
#[ignore = "drives a browser"]
fn every_text_can_be_read() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    for page in PAGES {
        browser.visit(&server.page(page));
        for colours in ["light", "dark"] {
            for width in [320, 360, 1280] {
                browser.emulate(colours, width);
                browser.assert_readable(&format!("{page}, {colours}, {width}"));
            }
        }
        let nameless = "[...document.querySelectorAll('button, input, select')].filter((e) => !(e.textContent.trim() && e.tagName === 'BUTTON' || e.ariaLabel || e.labels?.length)).length";
        assert_eq!(browser.value(nameless), 0, "{page}");
    }
}
