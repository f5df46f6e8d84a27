//! The checks that play whole games.

use itertools::Itertools;

use super::bot_under_test::BotUnderTest;
use super::finding::{CheckStatus, Finding};
use crate::referee::finished_game::FinishedGame;
use crate::referee::result::GameResult;
use crate::referee::verdict::Verdict;
use crate::report::text::counted;

/// The game of most checks. First wins it by symmetry.
pub(super) const GAME: &str = "6 1 2";

/// A game that is too long for a search without a memory.
const LONGER_GAME: &str = "20 1 2";

/// Checks the answer to the header.
pub(super) fn answers(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let result = bot_under_test.game(GAME)?.result;
    Ok(match result.side {
        Some(side) => {
            let limit = bot_under_test.limits().wall.as_secs_f64();
            Finding::pass(format!("\"{side}\" to \"{GAME}\"; the limit is {limit} s for all lines of a game"))
        }
        None => Finding::failed_game(&result),
    })
}

pub(super) fn flushes(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let result = bot_under_test.game(GAME)?.result;
    Ok(match result.verdict {
        Verdict::Idle => Finding::failed_game(&result),
        _ => Finding::pass("every line was received when it was expected"),
    })
}

pub(super) fn plays(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let small = game_by_the_rules(bot_under_test, GAME)?;
    if small.status == CheckStatus::Fail {
        return Ok(small);
    }
    let longer = game_by_the_rules(bot_under_test, LONGER_GAME)?;
    match (small.status, longer.status) {
        (CheckStatus::Pass, CheckStatus::Pass) => {
            Ok(Finding::pass(format!("{}; {}", small.found, longer.found)))
        }
        // Once more, so that it is the last step, which is shown.
        (_, CheckStatus::Pass) => game_by_the_rules(bot_under_test, GAME),
        _ => Ok(longer),
    }
}

/// Plays a game. How the bot ends has its own checks. Whether it wins is not a question of the protocol.
fn game_by_the_rules(bot_under_test: &BotUnderTest, header: &str) -> anyhow::Result<Finding> {
    let game = bot_under_test.game(header)?;
    let GameResult { verdict, has_won, ref moves, .. } = game.result;
    Ok(match verdict {
        Verdict::Won | Verdict::NoExit | Verdict::ExtraOutput | Verdict::Crashed if has_won => {
            Finding::pass(format!("won \"{header}\" in {}", counted(moves.len() as u64, "move")))
        }
        Verdict::Lost => Finding::note(lost(&game)),
        _ => Finding::failed_game(&game.result),
    })
}

/// How a game was lost.
fn lost(game: &FinishedGame) -> String {
    let header = &game.setup.game.header;
    let review = game.review.as_ref().and_then(|review| review.as_ref().ok());
    let first = review.and_then(|review| {
        let wrong = review.wrong_side.as_ref().map(ToString::to_string);
        wrong.or_else(|| review.blunders.first().map(ToString::to_string))
    });
    match first {
        Some(first) => format!("by the rules, but it lost \"{header}\": {first}"),
        None => format!("by the rules, but it lost \"{header}\""),
    }
}

/// Checks the end of a game that the bot wins: the first two are won by any legal moves of the right side.
pub(super) fn ends_when_it_has_won(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    for header in ["1 1 1", "2 1 1", GAME, LONGER_GAME] {
        let result = bot_under_test.game(header)?.result;
        if result.has_won {
            return Ok(match result.verdict {
                Verdict::Won => Finding::pass("and exits with 0"),
                _ => Finding::failed_game(&result),
            });
        }
    }
    Ok(Finding::note("not seen: the bot wins no short game, as \"1 1 1\""))
}

pub(super) fn reads_crlf(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let with_lf = bot_under_test.game(GAME)?.result;
    let with_crlf = bot_under_test.game_in_crlf(GAME)?;
    Ok(if (with_lf.verdict, &with_lf.moves) == (with_crlf.verdict, &with_crlf.moves) {
        Finding::pass("the same game as with LF")
    } else {
        let found = format!("{}, {}", with_crlf.verdict, with_crlf.reason);
        Finding::fail(found, "ignore a CR at the end of a line, like a space")
    })
}

/// The game with the most moves.
pub(super) fn plays_the_longest_game(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    game_by_the_rules(bot_under_test, "2000 1 1")
}

/// A game whose winner is found by the nimbers of all shorter rows, unless by symmetry.
pub(super) fn plays_a_narrow_window(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    game_by_the_rules(bot_under_test, "1999 3 3")
}

/// A game with the most legal moves, each of which costs time if all are tried.
pub(super) fn plays_a_wide_window(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    game_by_the_rules(bot_under_test, "2000 1 1000")
}

pub(super) fn plays_the_assigned_side(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    for seat in ["first", "second"] {
        let header = format!("{GAME} seat {seat}");
        if !is_played(&bot_under_test.game(&header)?.result) {
            return Ok(Finding::note(format!(
                "it does not play \"{header}\"; the contest has no such header"
            )));
        }
    }
    Ok(Finding::pass("\"seat first\" and \"seat second\""))
}

pub(super) fn plays_several_games(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let is_played = bot_under_test.session(GAME)?.is_some_and(|second| is_played(&second));
    Ok(if is_played {
        Finding::pass("\"games 2\": the bot can be judged with --session")
    } else {
        Finding::note("it does not know \"games 2\"; a contest starts the bot once for each game")
    })
}

pub(super) fn plays_other_games(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for header in ["square 7", "divisor 6", "subtract 9 take 2 3", "nim 3 4", "euclid 14 5", "3 1 2 + 2 1 1"]
    {
        let is_known = is_played(&bot_under_test.game(header)?.result);
        if is_known { &mut known } else { &mut unknown }.push(header);
    }
    let list = |headers: &[&str]| headers.iter().map(|header| format!("\"{header}\"")).join(", ");
    Ok(match (known.as_slice(), unknown.as_slice()) {
        (known, []) => Finding::pass(list(known)),
        ([], _) => Finding::note("it knows rows of cards alone, as the contest has them"),
        (known, unknown) => Finding::note(format!("{}, but not {}", list(known), list(unknown))),
    })
}

/// Whether a game was played to its end. How the process ends has its own checks.
fn is_played(result: &GameResult) -> bool {
    matches!(result.verdict, Verdict::Won | Verdict::NoExit | Verdict::Lost)
}
