//! The page for playing games, in a browser.

use zeroxor::{GameSpec, Move, Position, Solver};

use crate::browser::Browser;
use crate::browser::keys::{DOWN, ENTER, HOME, LEFT, RIGHT, TAB, UP};
use crate::support::{Server, TestDir, judge, text};

/// A JavaScript expression for the moves so far in the page's address.
const MOVES: &str = "new URLSearchParams(location.hash.slice(1)).get('moves')";

/// A person at the page.
pub struct Person {
    pub browser: Browser,
    pub server: Server,
}

impl Person {
    /// Opens the page with a game at the level `perfect`. The address also has `fields`, such as `bot=Second`. Returns
    /// `None` without a browser.
    pub fn at(game: &str, fields: &str) -> Option<Self> {
        let person = Self { browser: Browser::start()?, server: Server::start() };
        person.browser.visit(&person.address(game, fields));
        Some(person)
    }

    fn address(&self, game: &str, fields: &str) -> String {
        let game = game.replace('+', "%2B").replace(' ', "+");
        self.server.page(&format!("#game={game}&level=perfect&{fields}"))
    }

    pub fn status(&self) -> String {
        self.browser.text("#status")
    }

    /// Returns the moves so far from the page's address.
    pub fn moves(&self) -> Vec<Move> {
        let moves = self.browser.value(MOVES);
        let moves = moves.as_str().unwrap().split(", ").filter(|mv| !mv.is_empty());
        let moves = moves.map(|mv| mv.split_once(' ').unwrap());
        moves
            .map(|(place, take)| Move { place: place.parse().unwrap(), take: take.parse().unwrap() })
            .collect()
    }

    /// Wins a game. At each turn `choose` enters a winning move.
    fn win(&self, game: &str, choose: impl Fn(&Position, Move)) {
        let game: GameSpec = game.parse().unwrap();
        let mut solver = Solver::new();
        loop {
            let mut position = Position::new(&game).unwrap();
            self.moves().into_iter().for_each(|mv| position.play(mv).unwrap());
            if position.is_over() {
                break;
            }
            let mv = solver.winning_move(&position).unwrap().expect("the person only gets won positions");
            let moves = self.browser.value(MOVES);
            choose(&position, mv);
            self.browser.await_that(&format!("{MOVES} !== {moves}"));
            self.browser.settle();
        }
        assert!(self.status().ends_with("You have won: the bot has no move left."), "{}", self.status());
        assert!(self.browser.text("#review-text").starts_with("The bot made no mistake"));
    }

    pub fn assert_no_errors(&self) {
        assert_eq!(self.browser.console(), [""; 0]);
    }

    /// Checks that the browser's console has only refused requests, and that there are `count` of them.
    pub fn assert_only_refusals(&self, count: usize) {
        let console = self.browser.console();
        assert!(console.len() == count && console.iter().all(|line| line.contains("422")), "{console:?}");
    }
}

#[test]
#[ignore = "drives a browser"]
fn a_game_is_won_by_clicks() {
    let game = "segment 20 3 5";
    let Some(person) = Person::at(game, "bot=Second") else { return };
    let browser = &person.browser;
    assert_eq!(person.status(), "It is your turn.");
    let pick = |place: u64, choice: &str| {
        browser.click(&format!("#board .cell[data-place='{place}']"));
        browser.await_text("#choice", choice);
    };
    // The first click chooses the smallest number of cards that a move may take. The second click extends the choice.
    pick(9, "Take cards 9 to 11");
    pick(13, "Take cards 9 to 13");
    person.win(game, |_, Move { place, take }| {
        pick(place, &format!("Take cards {place} to {}", place + 2));
        if take > 3 {
            pick(place + take - 1, &format!("Take cards {place} to {}", place + take - 1));
        }
        browser.click("#make-move");
    });
    person.assert_no_errors();
}

#[test]
#[ignore = "drives a browser"]
fn a_game_is_won_by_keys() {
    let game = "nim 3 5 7";
    let Some(person) = Person::at(game, "bot=Second") else { return };
    let browser = &person.browser;
    browser.emulate("light", 1280);
    browser.value("document.activeElement.blur()");
    let mut tabs = 0;
    while browser.value("document.activeElement.id") != "board" {
        browser.press(TAB);
        browser.await_frame();
        tabs += 1;
        assert!(tabs < 20, "the board is reached by Tab");
    }
    person.win(game, |position, Move { place, take }| {
        let index = position.live_heaps().position(|heap| heap.place == place).unwrap();
        browser.press(HOME);
        for _ in 0..index {
            browser.press(RIGHT);
        }
        // No key is lost while the page requests the legal moves.
        browser.press(&format!("{}{ENTER}", UP.repeat(take as usize - 1)));
    });
    person.assert_no_errors();
}

/// Checks that the same keys choose cards, heaps and numbers in the games of a sum.
#[test]
#[ignore = "drives a browser"]
fn keys_choose_in_rows_and_sums() {
    let Some(person) = Person::at("6 1 2 + euclid 5 12 + square 9", "bot=none") else { return };
    let browser = &person.browser;
    browser.click("#status");
    browser.value("document.querySelector('#board').focus()");
    let press = |keys: &str, expected: &str| {
        browser.press(keys);
        browser.await_text("#choice", expected);
    };
    press(RIGHT, "Take card 1");
    press(RIGHT, "Take card 2");
    press(UP, "Take cards 2 to 3");
    press(UP, "Take cards 2 to 3");
    press(LEFT, "Take card 1");
    for card in 2..=6 {
        press(RIGHT, &format!("Take card {card}"));
    }
    // In a pair the larger number becomes smaller.
    press(RIGHT, "Take 5 at place 8");
    press(UP, "Take 10 at place 8");
    press(RIGHT, "Take 1 at place 9");
    press(UP, "Take 4 at place 9");
    browser.press(ENTER);
    browser.await_that(&format!("{MOVES} === '9 4'"));
    browser.settle();
    assert_eq!(person.status(), "Player 2 is to move.");
    person.assert_no_errors();
}

#[test]
#[ignore = "drives a browser"]
fn a_game_of_splits_is_won_by_clicks() {
    let game = "grundy 9";
    let Some(person) = Person::at(game, "bot=Second") else { return };
    let browser = &person.browser;
    person.win(game, |position, Move { place, .. }| {
        // A mark divides each two rows that follow each other.
        let splits = position.heaps().count() - 1;
        assert_eq!(browser.value("document.querySelectorAll('#board .split').length"), splits);
        browser.click(&format!("#board .cell[data-place='{place}']"));
        browser.await_text("#choice", &format!("Split the row before card {place}"));
        assert_eq!(browser.value("document.querySelectorAll('#board .split.chosen').length"), 1);
        browser.click("#make-move");
    });
    assert_eq!(browser.value("document.querySelectorAll('#board .split.last').length"), 1);
    person.assert_no_errors();
}

/// Checks that the same keys and clicks choose splits and cards, and that the status names a split.
#[test]
#[ignore = "drives a browser"]
fn keys_and_clicks_choose_splits() {
    let Some(person) = Person::at("octal 4.7 3 + grundy 4", "bot=none") else { return };
    let browser = &person.browser;
    browser.click("#status");
    browser.value("document.querySelector('#board').focus()");
    let press = |keys: &str, expected: &str| {
        browser.press(keys);
        browser.await_text("#choice", expected);
    };
    press(RIGHT, "Take card 1");
    press(RIGHT, "Split the row before card 2");
    press(UP, "Take card 2");
    press(DOWN, "Split the row before card 2");
    press(RIGHT, "Split the row before card 3");
    // In Grundy's game each move splits.
    press(RIGHT, "Split the row before card 5");
    press(LEFT, "Split the row before card 3");
    press(LEFT, "Split the row before card 2");
    press(LEFT, "Take card 1");
    press(DOWN, "Take card 1");
    // A second click takes the card.
    for choice in ["Split the row before card 2", "Take card 2", "Split the row before card 2"] {
        browser.click("#board .cell[data-place='2']");
        browser.await_text("#choice", choice);
    }
    browser.press(ENTER);
    browser.await_that(&format!("{MOVES} === '2 0'"));
    browser.settle();
    browser.visit(&person.address("grundy 3", "bot=First"));
    browser.await_that(
        "document.querySelector('#status').textContent.startsWith('The bot splits the row before card ')",
    );
    person.assert_no_errors();
}

#[test]
#[ignore = "drives a browser"]
fn hints_say_more_each_time() {
    let Some(person) = Person::at("nim 1 5 1", "bot=Second") else { return };
    let browser = &person.browser;
    for hint in [
        "Hint 1 of 3: A move wins from here. Ask again for more.",
        "Hint 2 of 3: A move in the pile at place 2 wins. Ask again for more.",
        "Hint 3 of 3: 2 5 wins.",
    ] {
        browser.click("#hint");
        browser.settle();
        assert_eq!(browser.text("#hint-text"), hint);
    }
    // The last move is chosen on the board.
    assert_eq!(browser.text("#choice"), "Take 5 at place 2");
    browser.click("#make-move");
    browser.settle();
    assert_eq!(browser.text("#hint-text"), "");
    browser.visit(&person.address("nim 1 1", "bot=Second"));
    browser.press("h");
    browser.settle();
    assert_eq!(browser.text("#hint-text"), "Hint 1 of 1: No move wins against perfect play.");
}

#[test]
#[ignore = "drives a browser"]
fn a_move_is_taken_back() {
    let Some(person) = Person::at("square 18", "bot=Second") else { return };
    let browser = &person.browser;
    assert_eq!(browser.value("document.querySelector('#undo').ariaDisabled"), "true");
    browser.click("#takes button:nth-of-type(2)");
    browser.click("#make-move");
    browser.settle();
    assert_eq!(person.status(), "The bot takes 4. It is your turn.");
    assert_eq!(person.moves().len(), 2);
    browser.click("#undo");
    browser.settle();
    assert_eq!((person.status().as_str(), person.moves().len()), ("It is your turn.", 0));
    // After a resignation, undo takes back only the resignation.
    browser.click("#make-move");
    browser.settle();
    let moves = person.moves();
    browser.click("#resign");
    browser.settle();
    assert_eq!(person.status(), "The bot has won: you have resigned.");
    browser.press("u");
    browser.settle();
    assert_eq!((person.status().as_str(), person.moves()), ("It is your turn.", moves));
    person.assert_no_errors();
}

#[test]
#[ignore = "drives a browser"]
fn an_illegal_move_is_refused() {
    let Some(person) = Person::at("square 18", "bot=Second") else { return };
    let browser = &person.browser;
    let type_move = |text: &str| {
        browser.click("#status");
        browser.value("document.querySelector('#move').blur()");
        browser.click("#move");
        browser.press(&format!("{text}{ENTER}"));
        browser.settle();
        browser.text("#message")
    };
    assert_eq!(type_move("5"), "Taking 5 at place 1 is not legal: that is not a perfect square.");
    assert_eq!(person.moves(), []);
    assert_eq!(type_move("25"), "Taking 25 at place 1 is not legal: the pile has only 18.");
    assert_eq!(type_move("two"), "Type how many to take, or choose on the board.");
    // The game continues, and the next move can be typed at once.
    assert_eq!(type_move("1"), "");
    assert_eq!(browser.value("document.activeElement.id"), "move");
    assert_eq!(person.moves().len(), 2);
    person.assert_only_refusals(2);
}

/// Checks that the review names the move that threw the win away, and shows the position before it.
#[test]
#[ignore = "drives a browser"]
fn a_lost_game_is_reviewed() {
    let Some(person) = Person::at("square 18", "bot=Second&moves=1+4,+1+4,+1+9,+1+1") else { return };
    let browser = &person.browser;
    assert_eq!(person.status(), "The bot has won: you have no move left.");
    assert_eq!(browser.text("#review-text"), "Move 1 (4) threw your win away; 1 would have kept it.");
    assert_eq!(browser.value("document.querySelectorAll('#blunders li').length"), 1);
    browser.click("#blunders button");
    browser.await_text("#ply", "After move 0 of 4");
    browser.click("#moves li:last-child button");
    browser.await_text("#ply", "After move 4 of 4");
    // The move is taken back, and the game continues from that position.
    browser.click("#undo");
    browser.settle();
    assert_eq!(person.moves().len(), 2);
    assert_eq!(browser.value("document.querySelector('#review').hidden"), true);
    person.assert_no_errors();
}

/// Checks that the game can be saved as a transcript, and as a page that works without the server.
#[test]
#[ignore = "drives a browser"]
fn a_game_is_saved() {
    let Some(person) = Person::at("square 18", "bot=Second&moves=1+4,+1+4,+1+9,+1+1") else { return };
    let browser = &person.browser;
    let save = |button: &str| {
        browser.value("(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return make(blob); }; window.saved = null; HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; }; })()");
        browser.click(button);
        browser.await_that("window.saved !== null");
        (browser.value("window.savedName"), browser.value("window.saved").as_str().unwrap().to_owned())
    };
    let here = TestDir::new();
    let (name, transcript) = save("#save-transcript");
    assert_eq!(name, "game.jsonl");
    let file = here.write("game.jsonl", transcript);
    let replayed = judge(&format!("replay {file}"), &[]);
    assert!(text(&replayed.stdout).starts_with("LOST "), "{replayed:?}");
    let (name, page) = save("#save-page");
    assert_eq!(name, "game.html");
    let file = here.write("game.html", page);
    person.assert_no_errors();
    let Person { browser, server } = person;
    drop(server);
    browser.open(&file);
    assert_eq!(browser.text("h1"), "LOSTsquare 18: You against the bot");
    browser.press(RIGHT);
    browser.await_text(
        "#advice",
        "Blunder: this move threw the win away; 1 1 would have kept it. Now 1 4 wins.",
    );
}

/// Checks that two tabs have two different games, and that a page that is loaded again continues its game.
#[test]
#[ignore = "drives a browser"]
fn two_tabs_are_two_games() {
    let Some(person) = Person::at("nim 3 5", "bot=Second") else { return };
    let browser = &person.browser;
    browser.click("#make-move");
    browser.await_text("#message", "Type a place and how many to take, such as 4 2, or choose on the board.");
    browser.enter("#move", "2 2");
    browser.click("#make-move");
    browser.settle();
    let moves = person.moves();
    assert_eq!(moves.len(), 2);
    let first = browser.new_tab();
    browser.visit(&person.address("square 18", "bot=none"));
    browser.click("#make-move");
    browser.settle();
    assert_eq!((person.status().as_str(), person.moves().len()), ("Player 2 is to move.", 1));
    browser.show_tab(&first);
    assert_eq!(person.moves(), moves);
    assert_eq!(browser.text("#title"), "nim 3 5: you are First, the bot (perfect) is Second");
    browser.leave(|| {
        browser.value("location.reload()");
    });
    assert_eq!(person.moves(), moves);
    assert!(person.status().ends_with("It is your turn."));
}

#[test]
#[ignore = "drives a browser"]
fn a_new_game_is_set_up() {
    let Some(person) = Person::at("nim 3", "bot=Second") else { return };
    let browser = &person.browser;
    for (kind, header) in [
        ("Row of cards", "segment 20 3 5"),
        ("Kayles", "octal 0.77 15"),
        ("Sum of games", "segment 12 2 3 + square 20 + nim 5"),
    ] {
        let choose = |id: &str, text: &str| {
            browser.value(&format!(
                "(() => {{ const s = document.querySelector('#{id}'); s.value = [...s.options].find((o) => o.textContent === '{text}').value; s.dispatchEvent(new Event('change')); }})()"
            ));
        };
        choose("kind", kind);
        choose("opponent", "The bot, easy");
        choose("own-side", "second");
        browser.click("#start");
        browser.settle();
        assert_eq!(browser.text("#title"), format!("{header}: you are Second, the bot (easy) is First"));
        assert!(person.status().starts_with("The bot takes "), "{}", person.status());
        assert_eq!(person.moves().len(), 1);
        choose("opponent", "Another person");
        browser.click("#start");
        browser.settle();
        assert_eq!(person.status(), "Player 1 is to move.");
    }
    // A text that is not a game is refused, and the previous game continues.
    browser.value("document.querySelector('#header').value = 'nimm 3'");
    browser.click("#start");
    browser.settle();
    assert!(browser.text("#message").ends_with("did you mean \"nim\"?"), "{}", browser.text("#message"));
    assert!(browser.text("#title").starts_with("segment 12 2 3 + square 20 + nim 5"));
}

/// Checks that a person who wants no motion sees the bot's move immediately. Other persons first see the message that
/// the bot moves.
#[test]
#[ignore = "drives a browser"]
fn motion_is_reduced() {
    let Some(person) = Person::at("square 18", "bot=Second") else { return };
    let browser = &person.browser;
    let shown = |browser: &Browser| {
        browser.value(
            "(() => { window.seen = []; new MutationObserver(() => window.seen.push(document.querySelector('#status').textContent)).observe(document.querySelector('#status'), { childList: true }); })()",
        );
        browser.click("#make-move");
        browser.settle();
        browser.value("window.seen")
    };
    assert_eq!(shown(browser)[0], "The bot moves.");
    browser.emulate("dark", 1280);
    browser.visit(&person.address("square 18", "bot=Second"));
    let seen = shown(browser);
    assert!(seen.as_array().unwrap().iter().all(|status| status != "The bot moves."), "{seen}");
    let moving = "[...document.querySelectorAll('*')].filter((e) => { const s = getComputedStyle(e); return s.transitionDuration !== '0s' || s.animationName !== 'none' || s.scrollBehavior !== 'auto'; }).length";
    assert_eq!(browser.value(moving), 0);
}

/// Checks that the page shows the content of an address as text.
#[test]
#[ignore = "drives a browser"]
fn an_address_is_never_markup() {
    let hostile = "%3Cimg src=x onerror=document.title=1%3E";
    let Some(person) = Person::at(hostile, "bot=Second") else { return };
    let browser = &person.browser;
    browser.settle();
    assert!(browser.text("#message").starts_with("The game is malformed: "), "{}", browser.text("#message"));
    assert_eq!(browser.value("document.querySelectorAll('img, [onerror]').length"), 0);
    assert_eq!(browser.value("document.title"), "Play · judge");
    assert_eq!(
        browser.value("document.querySelector('#header').value"),
        "<img src=x onerror=document.title=1>"
    );
    browser.visit(&person.server.page(&format!("analysis#game=nim+3&moves={hostile}")));
    assert_eq!(browser.value("document.querySelectorAll('img, [onerror]').length"), 0);
}
