//! Who has played a game, as its page names them.

use serde::Serialize;
use zeroxor::{GameSpec, Side};

/// The two players, and the command that plays the game again.
#[derive(Debug, Serialize)]
pub(crate) struct Players {
    /// The one whose game it is: the bot that was judged, or a person.
    pub(crate) own: String,
    pub(crate) other: String,
    /// Whether they are people, so that there are no lines of a bot to show.
    pub(crate) people: bool,
    #[serde(skip)]
    pub(super) again: String,
}

impl Players {
    /// A bot, and the judge as its opponent.
    pub(super) fn bot_and_judge() -> Self {
        Self { own: "The bot".to_owned(), other: "The judge".to_owned(), people: false, again: String::new() }
    }

    /// A person on this side, against the bot of a level or another person.
    pub(crate) fn of_people(own: Side, level: Option<&str>, game: &GameSpec) -> Self {
        let number = if own == Side::First { [1, 2] } else { [2, 1] };
        let names = match level {
            Some("perfect") => ["You".to_owned(), "The bot".to_owned()],
            Some(level) => ["You".to_owned(), format!("The bot ({level})")],
            None => number.map(|number| format!("Player {number}")),
        };
        let options = match level {
            Some(level) => format!("--{} --level {level}", own.to_string().to_lowercase()),
            None => "--players 2".to_owned(),
        };
        let [own, other] = names;
        Self { own, other, people: true, again: format!("judge play {game} {options}") }
    }
}
