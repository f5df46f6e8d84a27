//! The checks, in their order.

use std::time::Instant;

use itertools::Itertools;
use zeroxor::Side;
use zeroxor::wire::{protocol, quoted};

use super::{Check, Finding, Harness};
use crate::process::listener::Listener;
use crate::referee::event::{Event, Exit};
use crate::referee::result::GameResult;
use crate::referee::verdict::Verdict;

/// The first decides whether there is any point in the others.
pub(crate) const CHECKS: [Check; 11] = [
    Check { name: "answers the header", run: answers },
    Check { name: "flushes every line", run: flushes },
    Check { name: "plays by the rules and prints nothing else", run: plays },
    Check { name: "ends when it is told \"0 0\"", run: ends_when_it_has_won },
    Check { name: "ends when it is told \"-1 -1\"", run: ends_when_it_has_lost },
    Check { name: "reads lines that end by CRLF", run: reads_crlf },
    Check { name: "ends when its input ends before a header", run: ends_without_a_header },
    Check { name: "ends when its input ends in a game", run: ends_in_a_game },
    Check { name: "takes the seat it is assigned", run: takes_a_seat },
    Check { name: "plays several games in one conversation", run: plays_on },
    Check { name: "plays the other games", run: plays_other_games },
];

/// The game of most checks. First wins it by symmetry.
const GAME: &str = "6 1 2";

const FLUSH: &str = "flush stdout after every line, as in print(..., flush=True), cout << endl, fflush(stdout) or \
    System.out.flush()";
const EXIT: &str = "when \"0 0\" or \"-1 -1\" has been read, print nothing more and return from main with 0";
const END_OF_INPUT: &str =
    "look at the result of every read, and end the program when there is nothing more to read";

/// A header's answer, the time it takes, and if there is none, why.
fn answers(harness: &Harness) -> anyhow::Result<Finding> {
    let mut bot = harness.listener()?;
    let started = Instant::now();
    bot.send(GAME);
    let line = bot.line();
    let took = started.elapsed().as_secs_f64() * 1e3;
    let Some(line) = line else { return Ok(no_answer(harness, bot)) };
    Ok(match protocol::parse_side(&line) {
        Ok(side) => {
            let limit = harness.limits().wall.as_secs_f64();
            Finding::pass(format!("\"{side}\" to \"{GAME}\" after {took:.1} ms, it has {limit} s"))
        }
        Err(error) => Finding::fail(
            error.to_string(),
            "print First or Second, spelled like that and alone in a line, before anything else",
        ),
    })
}

fn no_answer(harness: &Harness, bot: Listener) -> Finding {
    let stop = bot.stop().cloned();
    let (exit, said) = harness.hang_up(bot);
    match (stop, said.first()) {
        (Some(Event::Limit(_)), Some(late)) => {
            Finding::fail(format!("{} came only when its input had ended", quoted(late)), FLUSH)
        }
        (Some(Event::Limit(_)), None) => Finding::fail(
            format!("nothing came within {} s", harness.limits().wall.as_secs_f64()),
            "read one line \"N L R\", then print First or Second, end the line and flush",
        ),
        _ => {
            let how = exit.map_or("closed its stdout".to_owned(), |exit| exit.to_string());
            let hint = "run it by hand: echo 6 1 2 | BOT; its stderr tells more";
            Finding::fail(format!("the bot {how} and had not answered"), hint)
        }
    }
}

fn flushes(harness: &Harness) -> anyhow::Result<Finding> {
    let result = harness.game(GAME)?;
    Ok(match result.verdict {
        Verdict::Idle => Finding::fail(result.reason, FLUSH),
        _ => Finding::pass("every line came without a flush being missed"),
    })
}

fn plays(harness: &Harness) -> anyhow::Result<Finding> {
    let result = harness.game(GAME)?;
    let hint = match result.verdict {
        Verdict::Won | Verdict::NoExit => {
            return Ok(Finding::pass(format!("won in {} moves", result.moves.len())));
        }
        Verdict::Lost => return Ok(Finding::pass(format!("lost in {} moves", result.moves.len()))),
        Verdict::ExtraOutput | Verdict::Malformed => {
            "print only the side and then \"x y\" for each of its own moves; everything else belongs on stderr"
        }
        Verdict::Illegal => "take L to R neighbouring cards that neither side has taken yet",
        Verdict::Resigned => "print \"0 0\" only when no move is left",
        Verdict::Idle => FLUSH,
        Verdict::TimeCpu | Verdict::TimeWall => "answer sooner; all moves of a game share the time limit",
        Verdict::Crashed | Verdict::ExitedEarly => {
            "go on until \"0 0\" or \"-1 -1\" comes; judge run shows the end of its stderr"
        }
        _ => "play the game with judge run to see more",
    };
    Ok(Finding::fail(told(&result), hint))
}

/// Wins that cannot be missed: the only card, or the second of two.
fn ends_when_it_has_won(harness: &Harness) -> anyhow::Result<Finding> {
    for (header, side, moves) in [("1 1 1", Side::First, 1), ("2 1 1", Side::Second, 2)] {
        let result = harness.game(header)?;
        if result.side == Some(side) && result.moves.len() == moves {
            return Ok(match result.verdict {
                Verdict::Won => Finding::pass("and exits with 0"),
                _ => Finding::fail(told(&result), EXIT),
            });
        }
    }
    Ok(Finding::note("not seen: the bot does not win \"1 1 1\" as First, nor \"2 1 1\" as Second"))
}

/// It is told that it has lost, whatever it has moved.
fn ends_when_it_has_lost(harness: &Harness) -> anyhow::Result<Finding> {
    let Some(mut bot) = in_a_game(harness)? else { return Ok(no_move()) };
    bot.send(protocol::LOST);
    let (exit, said) = harness.hang_up(bot);
    Ok(match (exit, said.first()) {
        (Some(Exit::Code(0)), None) => Finding::pass("and exits with 0"),
        (None, _) => Finding::fail("the bot did not end by itself and was killed", EXIT),
        (_, Some(extra)) => Finding::fail(format!("the bot printed {} after the end", quoted(extra)), EXIT),
        (Some(exit), None) => Finding::fail(format!("the bot {exit}"), EXIT),
    })
}

fn reads_crlf(harness: &Harness) -> anyhow::Result<Finding> {
    let (with_lf, with_crlf) = (harness.game(GAME)?, harness.game_in_crlf(GAME)?);
    Ok(if (with_lf.verdict, &with_lf.moves) == (with_crlf.verdict, &with_crlf.moves) {
        Finding::pass("the same game as with LF")
    } else {
        Finding::fail(told(&with_crlf), "take a CR before the end of a line for a blank")
    })
}

fn ends_without_a_header(harness: &Harness) -> anyhow::Result<Finding> {
    let (exit, said) = harness.hang_up(harness.listener()?);
    Ok(match (exit, said.first()) {
        (None, _) => Finding::fail("the bot did not end by itself and was killed", END_OF_INPUT),
        (Some(Exit::Code(0)), None) => Finding::pass("silent, and exits with 0"),
        (_, Some(said)) => Finding::note(format!("the bot printed {}, no output was expected", quoted(said))),
        (Some(exit), None) => Finding::note(format!("the bot {exit}, exit code 0 was expected")),
    })
}

fn ends_in_a_game(harness: &Harness) -> anyhow::Result<Finding> {
    let Some(bot) = in_a_game(harness)? else { return Ok(no_move()) };
    Ok(match harness.hang_up(bot).0 {
        None => Finding::fail("the bot did not end by itself and was killed", END_OF_INPUT),
        Some(Exit::Code(1)) => Finding::pass("and exits with 1"),
        Some(exit) => Finding::note(format!("the bot {exit}, exit code 1 was expected")),
    })
}

fn takes_a_seat(harness: &Harness) -> anyhow::Result<Finding> {
    for seat in ["first", "second"] {
        let result = harness.game(&format!("{GAME} seat {seat}"))?;
        if !is_played(&result) {
            return Ok(Finding::note(format!("not \"seat {seat}\": {}", told(&result))));
        }
    }
    Ok(Finding::pass("\"seat first\" and \"seat second\""))
}

fn plays_on(harness: &Harness) -> anyhow::Result<Finding> {
    let (first, second) = harness.session(GAME)?;
    Ok(match second {
        Some(second) if is_played(&second) => {
            Finding::pass("\"games 2\": the bot can be judged with --session")
        }
        last => Finding::note(format!("not \"games 2\": {}", told(&last.unwrap_or(first)))),
    })
}

fn plays_other_games(harness: &Harness) -> anyhow::Result<Finding> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for header in ["square 7", "divisor 6", "subtract 9 take 2 3", "nim 3 4", "euclid 14 5", "3 1 2 + 2 1 1"]
    {
        let is_known = is_played(&harness.game(header)?);
        if is_known { &mut known } else { &mut unknown }.push(header);
    }
    let list = |headers: &[&str]| headers.iter().map(|header| format!("\"{header}\"")).join(", ");
    Ok(match (known.as_slice(), unknown.as_slice()) {
        (known, []) => Finding::pass(list(known)),
        ([], _) => Finding::note("none of them"),
        (known, unknown) => Finding::note(format!("{}, but not {}", list(known), list(unknown))),
    })
}

/// The bot when it has made a move; `None` if it makes none.
fn in_a_game(harness: &Harness) -> anyhow::Result<Option<Listener>> {
    let mut bot = harness.listener()?;
    bot.send(GAME);
    if bot.line().is_some_and(|line| protocol::parse_side(&line) == Ok(Side::Second)) {
        bot.send("3 2");
    }
    Ok(bot.line().map(|_| bot))
}

fn no_move() -> Finding {
    Finding::note("not seen: the bot makes no move")
}

/// Whether a game was played to its end; that of the bot is a check of its own.
fn is_played(result: &GameResult) -> bool {
    matches!(result.verdict, Verdict::Won | Verdict::NoExit | Verdict::Lost)
}

fn told(result: &GameResult) -> String {
    format!("{}, {}", result.verdict, result.reason)
}
