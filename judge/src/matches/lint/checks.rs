//! The checks of `judge lint`, in their order.

use std::time::Instant;

use itertools::Itertools;
use zeroxor::Side;
use zeroxor::wire::{protocol, quoted};

use super::{BotUnderTest, Check, Finding};
use crate::process::listener::Listener;
use crate::referee::event::{Event, Exit};
use crate::referee::result::GameResult;
use crate::referee::verdict::Verdict;

/// All checks. If the first one fails, the others are not run.
pub(crate) const CHECKS: [Check; 11] = [
    Check { name: "answers the header", run: answers },
    Check { name: "flushes every line", run: flushes },
    Check { name: "plays by the rules and prints nothing else", run: plays },
    Check { name: "ends when it reads \"0 0\"", run: ends_when_it_has_won },
    Check { name: "ends when it reads \"-1 -1\"", run: ends_when_it_has_lost },
    Check { name: "reads lines that end with CRLF", run: reads_crlf },
    Check { name: "ends when its input ends before a header", run: ends_without_a_header },
    Check { name: "ends when its input ends during a game", run: ends_in_a_game },
    Check { name: "plays the side it is assigned", run: plays_the_assigned_side },
    Check { name: "plays several games in one conversation", run: plays_several_games },
    Check { name: "plays the other games", run: plays_other_games },
];

/// The game of most checks. First wins it by symmetry.
const GAME: &str = "6 1 2";

const FLUSH: &str = "flush stdout after every line, as in print(..., flush=True), cout << endl, fflush(stdout) or \
    System.out.flush()";
const READ_LINES_AND_FLUSH: &str = "read one line at a time, not to the end of the input, and flush stdout after every \
    line, as in print(..., flush=True), cout << endl, fflush(stdout) or System.out.flush()";
const EXIT: &str = "after reading \"0 0\" or \"-1 -1\", print nothing more and exit with code 0";
const END_OF_INPUT: &str = "check the result of every read, and exit when there is no more input";

/// Checks the answer to the header, and finds out why if there is none.
fn answers(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let mut bot = bot_under_test.listener()?;
    bot_under_test.set_input(&[GAME]);
    let started = Instant::now();
    bot.send(GAME);
    let line = bot.line();
    let took = started.elapsed().as_secs_f64() * 1e3;
    let Some(line) = line else { return Ok(no_answer(bot_under_test, bot)) };
    Ok(match protocol::parse_side(&line) {
        Ok(side) => {
            let limit = bot_under_test.limits().wall.as_secs_f64();
            Finding::pass(format!("\"{side}\" to \"{GAME}\" after {took:.1} ms; the limit is {limit} s"))
        }
        Err(error) => Finding::fail(
            error.to_string(),
            "print First or Second, spelled exactly like that, as the first line",
        ),
    })
}

fn no_answer(bot_under_test: &BotUnderTest, bot: Listener) -> Finding {
    let stop = bot.stop().cloned();
    let (exit, lines) = bot_under_test.end_input(bot);
    match (stop, lines.first()) {
        (Some(Event::Limit(_)), Some(late)) => Finding::fail(
            format!("{} was received only after the judge had ended the input", quoted(late)),
            READ_LINES_AND_FLUSH,
        ),
        (Some(Event::Limit(_)), None) => Finding::fail(
            format!("nothing was received within {} s", bot_under_test.limits().idle.as_secs_f64()),
            "read one line \"N L R\", print First or Second and a newline, and flush stdout",
        ),
        _ => {
            let how = exit.map_or("closed its stdout".to_owned(), |exit| exit.to_string());
            let hint = "run it yourself, and read its stderr";
            Finding::fail(format!("the bot {how} before it answered"), hint)
        }
    }
}

fn flushes(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let result = bot_under_test.game(GAME)?;
    Ok(match result.verdict {
        Verdict::Idle => Finding::fail(result.reason, FLUSH),
        _ => Finding::pass("every line was received when it was expected"),
    })
}

fn plays(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let result = bot_under_test.game(GAME)?;
    let hint = match result.verdict {
        Verdict::Won | Verdict::NoExit => {
            return Ok(Finding::pass(format!("won in {} moves", result.moves.len())));
        }
        Verdict::Lost => return Ok(Finding::pass(format!("lost in {} moves", result.moves.len()))),
        Verdict::ExtraOutput | Verdict::Malformed => {
            "print only First or Second, and then \"x y\" for each move of the bot; print everything else on stderr"
        }
        Verdict::Illegal => "take L to R neighbouring cards that neither side has taken yet",
        Verdict::Resigned => "print \"0 0\" only when the bot has no legal move left",
        Verdict::Idle => FLUSH,
        Verdict::TimeCpu | Verdict::TimeWall => {
            "answer faster: the time limit is for all moves of a game together"
        }
        Verdict::Crashed | Verdict::ExitedEarly => {
            "keep playing until the judge sends \"0 0\" or \"-1 -1\"; judge run shows the last lines of the bot's stderr"
        }
        _ => "judge run shows more about this game",
    };
    Ok(Finding::fail(verdict_and_reason(&result), hint))
}

/// Checks the end of a game that the bot wins with any legal move, if it chooses the right side.
fn ends_when_it_has_won(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    for (header, side, moves) in [("1 1 1", Side::First, 1), ("2 1 1", Side::Second, 2)] {
        let result = bot_under_test.game(header)?;
        if result.side == Some(side) && result.moves.len() == moves {
            return Ok(match result.verdict {
                Verdict::Won => Finding::pass("and exits with 0"),
                _ => Finding::fail(verdict_and_reason(&result), EXIT),
            });
        }
    }
    Ok(Finding::note("not seen: the bot does not win \"1 1 1\" as First, nor \"2 1 1\" as Second"))
}

/// Checks the end of a game that the bot has lost: the judge sends `-1 -1` after any move.
fn ends_when_it_has_lost(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let Some(mut bot) = bot_after_a_move(bot_under_test)? else { return Ok(no_move()) };
    bot.send(protocol::LOST);
    bot_under_test.set_input(&[GAME, protocol::LOST]);
    let (exit, lines) = bot_under_test.end_input(bot);
    Ok(match (exit, lines.first()) {
        (Some(Exit::Code(0)), None) => Finding::pass("and exits with 0"),
        (None, _) => Finding::fail("the bot did not exit by itself and was killed", EXIT),
        (_, Some(extra)) => Finding::fail(format!("the bot printed {} after the end", quoted(extra)), EXIT),
        (Some(exit), None) => Finding::fail(format!("the bot {exit}"), EXIT),
    })
}

fn reads_crlf(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let (with_lf, with_crlf) = (bot_under_test.game(GAME)?, bot_under_test.game_in_crlf(GAME)?);
    Ok(if (with_lf.verdict, &with_lf.moves) == (with_crlf.verdict, &with_crlf.moves) {
        Finding::pass("the same game as with LF")
    } else {
        Finding::fail(verdict_and_reason(&with_crlf), "ignore a CR at the end of a line, like a space")
    })
}

fn ends_without_a_header(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    bot_under_test.set_input(&[]);
    let (exit, lines) = bot_under_test.end_input(bot_under_test.listener()?);
    Ok(match (exit, lines.first()) {
        (None, _) => Finding::fail("the bot did not exit by itself and was killed", END_OF_INPUT),
        (Some(Exit::Code(0)), None) => Finding::pass("prints nothing, and exits with 0"),
        (_, Some(line)) => Finding::note(format!("the bot printed {}, no output was expected", quoted(line))),
        (Some(exit), None) => Finding::note(format!("the bot {exit}, exit code 0 was expected")),
    })
}

fn ends_in_a_game(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let Some(bot) = bot_after_a_move(bot_under_test)? else { return Ok(no_move()) };
    Ok(match bot_under_test.end_input(bot).0 {
        None => Finding::fail("the bot did not exit by itself and was killed", END_OF_INPUT),
        Some(Exit::Code(1)) => Finding::pass("and exits with 1"),
        Some(exit) => Finding::note(format!("the bot {exit}, exit code 1 was expected")),
    })
}

fn plays_the_assigned_side(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    for seat in ["first", "second"] {
        let result = bot_under_test.game(&format!("{GAME} seat {seat}"))?;
        if !is_played(&result) {
            return Ok(Finding::note(format!("not with \"seat {seat}\": {}", verdict_and_reason(&result))));
        }
    }
    Ok(Finding::pass("\"seat first\" and \"seat second\""))
}

fn plays_several_games(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let (first, second) = bot_under_test.session(GAME)?;
    Ok(match second {
        Some(second) if is_played(&second) => {
            Finding::pass("\"games 2\": the bot can be judged with --session")
        }
        last => {
            Finding::note(format!("not with \"games 2\": {}", verdict_and_reason(&last.unwrap_or(first))))
        }
    })
}

fn plays_other_games(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for header in ["square 7", "divisor 6", "subtract 9 take 2 3", "nim 3 4", "euclid 14 5", "3 1 2 + 2 1 1"]
    {
        let is_known = is_played(&bot_under_test.game(header)?);
        if is_known { &mut known } else { &mut unknown }.push(header);
    }
    let list = |headers: &[&str]| headers.iter().map(|header| format!("\"{header}\"")).join(", ");
    Ok(match (known.as_slice(), unknown.as_slice()) {
        (known, []) => Finding::pass(list(known)),
        ([], _) => Finding::note("none of them"),
        (known, unknown) => Finding::note(format!("{}, but not {}", list(known), list(unknown))),
    })
}

/// A bot that has made its first move; `None` if it makes none.
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
    Finding::note("not seen: the bot makes no move")
}

/// Whether a game was played to its end. How the process ends has its own checks.
fn is_played(result: &GameResult) -> bool {
    matches!(result.verdict, Verdict::Won | Verdict::NoExit | Verdict::Lost)
}

fn verdict_and_reason(result: &GameResult) -> String {
    format!("{}, {}", result.verdict, result.reason)
}
