//! The opponent of a bot, as the runner of a game uses it.

use zeroxor::Move;

use referee::verdict::Verdict;

/// What an opponent does when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpponentTurn {
    Move(Move),
    /// It has no move left.
    NoMove,
    /// It has ended its game before, with this verdict.
    Forfeit(Verdict),
    /// It has not answered yet, and is asked again.
    Pending,
}

/// The opponent of a bot in one game.
pub(crate) trait Opponent {
    /// Makes a legal move of the bot.
    fn bot_played(&mut self, mv: Move) -> anyhow::Result<()>;

    /// Makes its own move, or says why there is none.
    ///
    /// # Errors
    ///
    /// If it cannot play.
    fn play(&mut self) -> anyhow::Result<OpponentTurn>;

    /// Is told that the bot has no move left.
    fn bot_has_no_move(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    /// Is told that the bot has ended the game in another way before the end.
    fn bot_forfeited(&mut self, _verdict: Verdict) -> anyhow::Result<()> {
        Ok(())
    }
}
