//! The parts of a replay that only the local page needs: the players of a game with a person, and a note about a
//! recorded verdict that differs.

use super::recorder::Speaker;
use super::{Players, Replay};
use common::text::shortened_to;
use referee::transcript::ResultLine;
use referee::verdict::Verdict;

impl Replay {
    /// Sets the players of a game with a person, and the command that plays the game again at the terminal. Removes the
    /// events, the waiting times and all facts except for the number of moves, because nothing was measured.
    pub(crate) fn name_players(&mut self, players: Players, again: String) {
        let other = players.other.replace("The bot", "the bot");
        self.title = format!("{}: {} against {other}", shortened_to(&self.game, 100), players.own);
        let (own, has) = (&players.own, if players.own == "You" { "have" } else { "has" });
        let wins = "no move left, which wins in misère play";
        self.reason = match self.verdict {
            Verdict::Won if self.misere => format!("{own} {has} {wins}"),
            Verdict::Won => format!("{other} has no move left"),
            Verdict::Lost if self.misere => format!("{other} has {wins}"),
            Verdict::Lost => format!("{own} {has} no move left"),
            Verdict::Resigned => format!("{own} {has} resigned"),
            _ => "the game is not over".to_owned(),
        };
        self.facts = vec![("moves", self.moves.to_string())];
        self.lines.retain(|line| line.from != Speaker::Event);
        self.lines.iter_mut().for_each(|line| line.waited = None);
        self.again = Some(again);
        self.players = players;
    }

    /// Adds a note if the recorded verdict differs from the one that the events give.
    pub(crate) fn compare(&mut self, recorded: &ResultLine) {
        if recorded.verdict != self.verdict {
            self.notes.push(format!(
                "The recorded verdict is {}, but the recorded events give {}.",
                recorded.verdict, self.verdict
            ));
        }
    }
}
