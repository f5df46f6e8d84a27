//! The checks of `judge lint`: they show whether a bot follows the protocol, and how to fix a bot that does not. This
//! file has the list of all checks, and the checks that exchange single lines with the bot.

mod bot_under_test;
mod games;

use anyhow::Context;
use zeroxor::Side;
use zeroxor::wire::{protocol, quoted};

pub(crate) use crate::lint::bot::bot_under_test::BotUnderTest;
use crate::lint::bot::bot_under_test::{Ending, GAME};
use crate::lint::bot::games::with_explanation;
use crate::lint::finding::{CheckStatus, Finding, Subject, UnderTest};
use crate::referee::game::explain::{EXIT, PRINT_NO_MORE, not_ended};
use runner::event::Exit;
use runner::listener::Listener;

/// All checks, in the order in which they run.
pub(crate) const CHECKS: [Check; 14] = [
    check("answers the header", Subject::Game, games::answers),
    check("flushes every line", Subject::Game, games::flushes),
    check("plays by the rules and prints nothing else", Subject::Game, games::plays),
    check("ends when it reads \"0 0\"", Subject::End, games::ends_when_it_has_won),
    check("ends when it reads \"-1 -1\"", Subject::End, ends_when_it_has_lost),
    check("reads lines that end with CRLF", Subject::Input, games::reads_crlf),
    check("ends when its input ends before a header", Subject::Input, ends_without_a_header),
    check("ends when its input ends during a game", Subject::Input, ends_in_a_game),
    check("plays the longest game in time", Subject::LargeGame, games::plays_the_longest_game),
    check("plays a long row with L = R in time", Subject::LargeGame, games::plays_a_narrow_window),
    check("plays a long row with many moves in time", Subject::LargeGame, games::plays_a_wide_window),
    check("plays the side it is assigned", Subject::Extra, games::plays_the_assigned_side),
    check("plays several games in one conversation", Subject::Extra, games::plays_several_games),
    check("plays the other games", Subject::Extra, games::plays_other_games),
];

const fn check(
    name: &'static str,
    subject: Subject,
    run: fn(&BotUnderTest) -> anyhow::Result<Finding>,
) -> Check {
    Check { name, subject, run }
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
            let killed = Finding::fail("the bot did not exit by itself and was killed", EXIT);
            with_explanation(killed, not_ended(running.as_ref(), EXIT))
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

/// A check of the protocol, with its name in the report and the stage to which it belongs.
pub(crate) struct Check {
    name: &'static str,
    subject: Subject,
    run: fn(&BotUnderTest) -> anyhow::Result<Finding>,
}

impl UnderTest for BotUnderTest {
    fn name(&self) -> String {
        self.bot_name()
    }

    fn checks(&self) -> Vec<(&'static str, Subject)> {
        CHECKS.iter().map(|check| (check.name, check.subject)).collect()
    }

    fn run(&self, number: u64) -> anyhow::Result<Finding> {
        let at = usize::try_from(number - 1)?;
        let check = CHECKS.get(at).with_context(|| format!("there is no check {number}"))?;
        let mut finding = (check.run)(self)?;
        let step = self.last_step();
        if finding.status != CheckStatus::Pass {
            finding.again = step.again.or_else(|| self.lint_command(number));
        }
        if finding.status == CheckStatus::Fail {
            finding.stderr = step.stderr;
        }
        Ok(finding)
    }
}
