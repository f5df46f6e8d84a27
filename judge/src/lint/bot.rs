//! The checks of `judge lint` for bots: they show whether a bot follows the protocol, and how to fix a bot that does not.

use std::fmt::Display;

use itertools::Itertools;
use runner::event::Exit;
use runner::listener::Listener;
use zeroxor::wire::{protocol, quoted};
use zeroxor::{GameKind, Side};

use crate::conversation::ruling::Ruling;
use crate::conversation::verdict::Verdict;
use crate::lint::bot_under_test::{BotUnderTest, Ending, GAME, dialogue};
use crate::lint::{Check, CheckStatus, CheckSubject, Finding};
use crate::referee::game::explain::{EXIT, PRINT_NO_MORE, not_ended};
use crate::referee::game::result::GameResult;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameHeader;
use crate::units;

/// All checks, in the order in which they run.
pub(crate) const CHECKS: [Check<BotUnderTest>; 14] = [
    Check::new("answers the header", CheckSubject::Game, answers),
    Check::new("flushes every line", CheckSubject::Game, flushes),
    Check::new("plays by the rules and prints nothing else", CheckSubject::Game, plays),
    Check::new("ends when it reads \"0 0\"", CheckSubject::End, ends_when_it_has_won),
    Check::new("ends when it reads \"-1 -1\"", CheckSubject::End, ends_when_it_has_lost),
    Check::new("reads lines that end with CRLF", CheckSubject::Input, reads_crlf),
    Check::new("ends when its input ends before a header", CheckSubject::Input, ends_without_a_header),
    Check::new("ends when its input ends during a game", CheckSubject::Input, ends_in_a_game),
    Check::new("plays the longest game in time", CheckSubject::LargeGame, plays_the_longest_game),
    Check::new("plays a long row with L = R in time", CheckSubject::LargeGame, plays_a_narrow_window),
    Check::new("plays a long row with many moves in time", CheckSubject::LargeGame, plays_a_wide_window),
    Check::new("plays the side it is assigned", CheckSubject::Extra, plays_the_assigned_side),
    Check::new("plays several games in one conversation", CheckSubject::Extra, plays_several_games),
    Check::new("plays the other games", CheckSubject::Extra, plays_other_games),
];

/// A game in which two faults lead to different moves: reading the numbers of the header in another order, and counting
/// places from 0.
const WIDE_GAME: &str = "9 1 5";

/// A game that is too long for a search that does not remember positions.
const LONGER_GAME: &str = "20 1 2";

/// Checks the bot's answer to the header.
fn answers(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let game = bot_under_test.game(GAME)?;
    Ok(match game.result.side {
        Some(side) => {
            let limit = units::time_limit(bot_under_test.limits().wall);
            Finding::pass(format!(
                "\"{side}\" to \"{GAME}\"; the limit is {limit} for all lines of a game together"
            ))
        }
        None => failure_finding(&game),
    })
}

fn flushes(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let game = bot_under_test.game(GAME)?;
    Ok(match game.result.ruling.verdict {
        Verdict::Idle => failure_finding(&game),
        _ => Finding::pass("every line was received when it was expected"),
    })
}

fn plays(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    games_by_the_rules(bot_under_test, &[GAME, LONGER_GAME, WIDE_GAME])
}

/// Plays games until one of them fails. A game that the bot has won never fails, even if the bot then ends badly: other
/// checks test how the bot ends. A lost game does not fail either, because the protocol does not require a win, but it
/// is reported.
fn games_by_the_rules(bot_under_test: &BotUnderTest, headers: &[&str]) -> anyhow::Result<Finding> {
    let mut lost_games: Vec<FinishedGame> = Vec::new();
    for header in headers {
        let game = bot_under_test.game(header)?;
        match game.result.ruling.verdict {
            Verdict::Won | Verdict::NoExit | Verdict::ExtraOutput | Verdict::Crashed
                if game.result.has_won => {}
            Verdict::Lost => lost_games.push(game),
            _ => return failed_game(bot_under_test, &game),
        }
    }
    if let Some(game) = lost_games.first() {
        bot_under_test.set_last_game(game);
        let mut finding = Finding::new(CheckStatus::Lost, describe_lost(&lost_games));
        finding.why.extend(bot_under_test.only_side().map(|side| {
            format!("the bot chose {side} in every game so far, but the winning side depends on N, L and R")
        }));
        return Ok(finding);
    }
    Ok(Finding::pass(format!("won {}", quoted_list(headers))))
}

/// Returns the finding for a failed game. If `WIDE_GAME` gets the same verdict with less advice, returns the finding
/// for `WIDE_GAME` instead: less advice means fewer possible causes.
fn failed_game(bot_under_test: &BotUnderTest, game: &FinishedGame) -> anyhow::Result<Finding> {
    let finding = failure_finding(game);
    if finding.advice.len() > 1 {
        let other = bot_under_test.game(WIDE_GAME)?;
        let has_fewer = other.result.ruling.advice.len() < finding.advice.len();
        if other.result.ruling.verdict == game.result.ruling.verdict && has_fewer {
            return Ok(failure_finding(&other));
        }
        bot_under_test.set_last_game(game);
    }
    Ok(finding)
}

/// Returns the finding for a failed game: verdict, reason, explanation, and last lines.
fn failure_finding(game: &FinishedGame) -> Finding {
    let found = format!("{}, {}", game.result.ruling.verdict, game.result.ruling.reason);
    let failed = Finding { game: dialogue(game), ..Finding::new(CheckStatus::Fail, found) };
    let Ruling { why, advice, .. } = game.result.ruling.clone();
    Finding { why, advice, ..failed }
}

fn quoted_list(headers: &[impl Display]) -> String {
    headers.iter().map(|header| format!("\"{header}\"")).join(", ")
}

/// Returns a text that names the lost games and the first mistake in the first of them.
fn describe_lost(games: &[FinishedGame]) -> String {
    let headers: Vec<&GameHeader> = games.iter().map(|game| &game.setup.game.header).collect();
    let found = format!("by the rules, but it lost {}", quoted_list(&headers));
    let review = games.first().and_then(|game| game.review.as_ref()?.as_ref().ok());
    let first = review.and_then(|review| {
        let wrong = review.wrong_side.as_ref().map(ToString::to_string);
        wrong.or_else(|| review.blunders.first().map(ToString::to_string))
    });
    first.map_or_else(|| found.clone(), |first| format!("{found}: {first}"))
}

/// Checks how the bot behaves at the end of a game that it wins. In the first two games, a bot that chooses the right
/// side wins with any legal moves.
fn ends_when_it_has_won(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    for header in ["1 1 1", "2 1 1", GAME, LONGER_GAME] {
        let game = bot_under_test.game(header)?;
        if game.result.has_won {
            return Ok(match game.result.ruling.verdict {
                Verdict::Won => Finding::pass("and exits with 0"),
                _ => failure_finding(&game),
            });
        }
    }
    Ok(Finding::note("not tested: the bot won none of the short games, such as \"1 1 1\""))
}

fn reads_crlf(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let with_lf = bot_under_test.game(GAME)?.result;
    let with_crlf = bot_under_test.game_in_crlf(GAME)?;
    Ok(if (with_lf.ruling.verdict, &with_lf.moves) == (with_crlf.ruling.verdict, &with_crlf.moves) {
        Finding::pass("the same game as with LF")
    } else {
        let found = format!("{}, {}", with_crlf.ruling.verdict, with_crlf.ruling.reason);
        Finding::fail(found, "ignore a CR at the end of a line, like a space")
    })
}

/// Checks the contest's game with the most moves.
fn plays_the_longest_game(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    games_by_the_rules(bot_under_test, &["2000 1 1"])
}

/// Checks a game whose winner follows from the nimbers of all shorter rows, or from symmetry.
fn plays_a_narrow_window(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    games_by_the_rules(bot_under_test, &["1999 3 3"])
}

/// Checks a long game with many legal moves, which needs much time if the bot tries all of them.
fn plays_a_wide_window(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    games_by_the_rules(bot_under_test, &["2000 1 1000"])
}

fn plays_the_assigned_side(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    for seat in ["first", "second"] {
        let header = format!("{GAME} seat {seat}");
        if !is_played(&bot_under_test.game(&header)?.result) {
            return Ok(Finding::note(format!(
                "the bot does not play \"{header}\"; the contest does not use such headers"
            )));
        }
    }
    Ok(Finding::pass("\"seat first\" and \"seat second\""))
}

fn plays_several_games(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let is_played = bot_under_test.session(GAME)?.is_some_and(|second| is_played(&second));
    Ok(if is_played {
        Finding::pass("\"games 2\": the bot can be judged with --session")
    } else {
        Finding::note("the bot does not support \"games 2\"; a contest starts the bot anew for each game")
    })
}

fn plays_other_games(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    let others = GameKind::all().filter(|&kind| kind != GameKind::Segment);
    let games = others.flat_map(GameKind::components).map(|game| game.to_string());
    for header in games.chain(["3 1 2 + 2 1 1".to_owned()]) {
        let is_known = is_played(&bot_under_test.game(&header)?.result);
        if is_known { &mut known } else { &mut unknown }.push(header);
    }
    Ok(match (known.as_slice(), unknown.as_slice()) {
        (known, []) => Finding::pass(quoted_list(known)),
        ([], _) => Finding::note("the bot plays only rows of cards, which are the only games of the contest"),
        (known, unknown) => {
            Finding::note(format!("{}, but not {}", quoted_list(known), quoted_list(unknown)))
        }
    })
}

/// Returns whether a game was played to its end. Other checks test how the process ends.
fn is_played(result: &GameResult) -> bool {
    matches!(result.ruling.verdict, Verdict::Won | Verdict::NoExit | Verdict::Lost)
}

const END_OF_INPUT: &str = "check the result of every read, and exit when there is no more input";

/// Checks how the bot behaves at the end of a lost game: the judge sends `-1 -1` after the bot's first move.
fn ends_when_it_has_lost(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let Some(mut bot) = bot_after_a_move(bot_under_test)? else { return Ok(no_move()) };
    bot.send(protocol::LOST);
    bot_under_test.set_input(&[GAME, protocol::LOST]);
    let (exit, lines) = bot_under_test.end_input(bot);
    Ok(match (exit, lines.first()) {
        (Ending::Exited(Exit::Code(0)), None) => Finding::pass("and exits with 0"),
        (Ending::Killed(running), None) => {
            let (why, advice) = not_ended(running.as_ref(), EXIT);
            let killed = Finding::fail("the bot did not exit by itself and was killed", &advice);
            Finding { why: why.into_iter().collect(), ..killed }
        }
        (_, Some(extra)) => {
            Finding::fail(format!("the bot printed {} after the end", quoted(extra)), PRINT_NO_MORE)
        }
        (Ending::Exited(exit), None) => Finding::fail(format!("the bot {exit}"), EXIT),
    })
}

fn ends_without_a_header(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    bot_under_test.set_input(&[]);
    let (exit, lines) = bot_under_test.end_input(bot_under_test.listener()?);
    Ok(match (exit, lines.first()) {
        (Ending::Killed(_), _) => {
            Finding::fail("the bot did not exit by itself and was killed", END_OF_INPUT)
        }
        (Ending::Exited(Exit::Code(0)), None) => Finding::pass("prints nothing, and exits with 0"),
        (_, Some(line)) => Finding::note(format!("the bot printed {}, expected no output", quoted(line))),
        (Ending::Exited(exit), None) => Finding::note(format!("the bot {exit}, expected exit code 0")),
    })
}

fn ends_in_a_game(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let Some(bot) = bot_after_a_move(bot_under_test)? else { return Ok(no_move()) };
    Ok(match bot_under_test.end_input(bot).0 {
        Ending::Killed(_) => Finding::fail("the bot did not exit by itself and was killed", END_OF_INPUT),
        Ending::Exited(Exit::Code(1)) => Finding::pass("and exits with 1"),
        Ending::Exited(exit) => Finding::note(format!("the bot {exit}, expected exit code 1")),
    })
}

/// Starts the bot and reads its first move. Returns `None` if the bot makes no move.
fn bot_after_a_move(bot_under_test: &BotUnderTest) -> anyhow::Result<Option<Listener>> {
    let mut bot = bot_under_test.listener()?;
    bot_under_test.set_input(&[GAME]);
    bot.send(GAME);
    if bot.line().is_some_and(|line| protocol::parse_side(&line) == Ok(Side::Second)) {
        bot.send("3 2");
    }
    Ok(bot.line().map(|_| bot))
}

fn no_move() -> Finding {
    Finding::note("not tested: the bot makes no move")
}
