//! The documentation: its links, its picture, and the conversations of the protocol.

use crate::support::pages::{Page, docs, page, readme};
use crate::support::{TestDir, assert_prints, assert_refuses, judge, judge_reading, root, text};

/// Every link inside the repository leads to a file, and to a heading of it.
#[track_caller]
fn assert_links_lead_somewhere(from: &Page) {
    for link in from.links().into_iter().filter(|link| !link.contains("://")) {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let path = if path.is_empty() { from.path.clone() } else { from.path.with_file_name(path) };
        let at = from.path.display();
        assert!(root().join(&path).exists(), "{at}: there is no {link}");
        if !anchor.is_empty() {
            let anchors = page(&path).anchors();
            assert!(anchors.iter().any(|known| known == anchor), "{at}: no {link} among {anchors:?}");
        }
    }
}

#[test]
fn links_lead_somewhere() {
    let mut pages = docs();
    pages.extend([readme(), page("CONTRIBUTING.md"), page("CHANGELOG.md")]);
    assert!(pages.iter().map(|page| page.links().len()).sum::<usize>() > 50);
    pages.iter().for_each(assert_links_lead_somewhere);
}

/// The book has every page, and no link leads out of it.
#[test]
fn the_book_is_whole() {
    let summary = page("docs/SUMMARY.md");
    for page in docs().iter().filter(|page| page.path != summary.path) {
        let name = page.path.file_name().unwrap().to_str().unwrap();
        assert!(summary.links().contains(&name), "docs/SUMMARY.md has no {name}");
        for link in page.links() {
            assert!(!link.starts_with(".."), "{name}: {link} leads out of the book");
        }
    }
}

/// The bot prints its lines of a conversation when it is sent the judge's lines.
#[test]
fn the_conversations_of_the_protocol() {
    let conversations = page("docs/protocol.md").blocks("conversation");
    assert_eq!(conversations.len(), 2);
    for conversation in conversations {
        let lines = |speaker: &str| -> String {
            let lines = conversation.lines().filter_map(|line| line.strip_prefix(speaker));
            lines.flat_map(|line| [line.trim(), "\n"]).collect()
        };
        assert_eq!(
            lines("").lines().count(),
            lines("judge>").lines().count() + lines("bot>").lines().count()
        );
        let output = judge_reading("bot", lines("judge>").as_bytes());
        assert_eq!(
            (text(&output.stdout), text(&output.stderr)),
            (lines("bot>").as_str(), ""),
            "{conversation}"
        );
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn the_specification_is_printed() {
    assert_prints("protocol", &page("docs/protocol.md").text);
    assert_refuses("protocol 6 1 2", "unexpected argument '6' found");
}

/// The picture of README.md shows the game as it is played now.
#[test]
fn the_picture_is_current() {
    let here = TestDir::new();
    let game = here.file("game.jsonl");
    judge(&format!("run 20 3 5 --opponent stubborn --transcript {game}"), &[]);
    let drawn = judge(&format!("replay {game} --svg -"), &[]);
    let committed = std::fs::read_to_string(root().join("docs/images/game.svg")).unwrap();
    assert_eq!(
        text(&drawn.stdout),
        committed,
        "judge run 20 3 5 --opponent stubborn --transcript game.jsonl; judge replay game.jsonl --svg docs/images/game.svg"
    );
}
