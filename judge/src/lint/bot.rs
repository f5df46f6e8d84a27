//! The checks of `judge lint` for bots: they show whether a bot follows the protocol, and how to fix a bot that does not.

use std::cell::RefCell;
use std::fmt::Display;
use std::process::ExitCode;

use itertools::Itertools;
use runner::escape::{printable_bytes, shell_word};
use runner::event::{Exit, StillRunning};
use runner::stderr_excerpt::shown_lines;
use zeroxor::wire::{protocol, quoted};
use zeroxor::{GameKind, Move, Position, Side};

use crate::config::MatchConfig;
use crate::conversation::verdict::Verdict;
use crate::lint::{Check, CheckStatus, CheckSubject, Finding, LintOptions, run_checks};
use crate::referee::game::bot::{Listener, Process};
use crate::referee::game::exchange::Mover;
use crate::referee::game::explain::{EXIT, PRINT_NO_MORE, not_ended};
use crate::referee::game::game_runner::{GameRunner, GameStart};
use crate::referee::game::review::{FinishedGame, GameResult};
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::report::picture::draw;
use crate::report::transcript::SetupLine;
use crate::trials::session::BotSource;
use crate::units;

/// Checks the bot of `config`.
pub(crate) fn lint(config: MatchConfig, options: LintOptions) -> anyhow::Result<ExitCode> {
    let (source, name) = (BotSource::new("the bot", &config)?, config.bot_name());
    let bot = BotUnderTest { source, config, chosen_sides: RefCell::default() };
    run_checks(&CHECKS, (&bot, &name), |number| bot.command_of_check(number), options)
}

pub(crate) const CHECKS: [Check<BotUnderTest>; 14] = [
    Check("answers the header", CheckSubject::Game, answers),
    Check("flushes every line", CheckSubject::Game, flushes),
    Check("plays by the rules and prints nothing else", CheckSubject::Game, |bot| {
        games_by_the_rules(bot, &[GAME, LONGER_GAME, WIDE_GAME])
    }),
    Check("ends when it reads \"0 0\"", CheckSubject::Other, ends_when_it_has_won),
    Check("ends when it reads \"-1 -1\"", CheckSubject::Other, ends_when_it_has_lost),
    Check("reads lines that end with CRLF", CheckSubject::Other, reads_crlf),
    Check("ends when its input ends before a header", CheckSubject::Other, ends_without_a_header),
    Check("ends when its input ends during a game", CheckSubject::Other, ends_in_a_game),
    Check("plays the longest game in time", CheckSubject::LargeGame, |bot| {
        games_by_the_rules(bot, &["2000 1 1"])
    }),
    // The winner follows from the nimbers of all shorter rows, or from symmetry.
    Check("plays a long row with L = R in time", CheckSubject::LargeGame, |bot| {
        games_by_the_rules(bot, &["1999 3 3"])
    }),
    Check("plays a long row with many moves in time", CheckSubject::LargeGame, |bot| {
        games_by_the_rules(bot, &["2000 1 1000"])
    }),
    Check("plays the side it is assigned", CheckSubject::Other, plays_the_assigned_side),
    Check("plays several games in one conversation", CheckSubject::Other, plays_several_games),
    Check("plays the other games", CheckSubject::Other, plays_other_games),
];

/// A game in which reading the numbers in another order and counting places from 0 lead to different moves.
const WIDE_GAME: &str = "9 1 5";

/// A game that is too long for a search that does not remember positions.
const LONGER_GAME: &str = "20 1 2";

fn answers(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let game = bot_under_test.game(GAME)?;
    Ok(match game.result.side {
        Some(side) => {
            let limit = units::time_limit(bot_under_test.config.limits.wall);
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
        let mut finding = Finding::new(CheckStatus::Lost, describe_lost(&lost_games));
        finding.again = game.setup.command();
        let sides = bot_under_test.chosen_sides.borrow();
        if let Ok(side) = sides.iter().all_equal_value()
            && sides.len() > 1
        {
            finding.why.push(format!(
                "the bot chose {side} in every game so far, but the winning side depends on N, L and R"
            ));
        }
        return Ok(finding);
    }
    Ok(Finding::pass(format!("won {}", quoted_list(headers))))
}

/// Returns the finding for a failed game, or for `WIDE_GAME` if that fails alike with fewer possible causes.
fn failed_game(bot_under_test: &BotUnderTest, game: &FinishedGame) -> anyhow::Result<Finding> {
    let finding = failure_finding(game);
    if finding.advice.len() > 1 {
        let other = bot_under_test.game(WIDE_GAME)?;
        let has_fewer = other.result.ruling.advice.len() < finding.advice.len();
        if other.result.ruling.verdict == game.result.ruling.verdict && has_fewer {
            return Ok(failure_finding(&other));
        }
    }
    Ok(finding)
}

fn failure_finding(game: &FinishedGame) -> Finding {
    let stderr = shown_lines(&game.result.bot.stderr);
    let (again, game_lines) = (game.setup.command(), dialogue(game));
    Finding { game: game_lines, again, stderr, ..Finding::ruled(&game.result.ruling) }
}

fn quoted_list(headers: impl IntoIterator<Item: Display>) -> String {
    headers.into_iter().map(|header| format!("\"{header}\"")).join(", ")
}

fn describe_lost(games: &[FinishedGame]) -> String {
    let headers = quoted_list(games.iter().map(|game| &game.setup.game.header));
    let found = format!("by the rules, but it lost {headers}");
    let review = games.first().and_then(|game| game.review.as_ref()?.as_ref().ok());
    let first = review.and_then(|review| review.blunders.first());
    first.map_or_else(|| found.clone(), |first| format!("{found}: {first}"))
}

/// Plays until a game is won. In the first two, any legal moves win for a bot that chooses the right side.
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
    let mut process = bot_under_test.source.spawn()?;
    let (with_crlf, _) = bot_under_test.play(&mut process, GAME, GameStart::default(), "\r\n")?;
    let with_crlf = with_crlf.result;
    Ok(if (with_lf.ruling.verdict, &with_lf.moves) == (with_crlf.ruling.verdict, &with_crlf.moves) {
        Finding::pass("the same game as with LF")
    } else {
        let found = format!("{}, {}", with_crlf.ruling.verdict, with_crlf.ruling.reason);
        let stderr = shown_lines(&with_crlf.bot.stderr);
        Finding { stderr, ..Finding::fail(found, "ignore a CR at the end of a line, like a space") }
    })
}

fn plays_the_assigned_side(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    for seat in ["first", "second"] {
        let header = format!("{GAME} seat {seat}");
        let game = bot_under_test.game(&header)?;
        if !is_played(&game.result) {
            let found = format!("the bot does not play \"{header}\"; the contest does not use such headers");
            return Ok(Finding { again: game.setup.command(), ..Finding::note(found) });
        }
    }
    Ok(Finding::pass("\"seat first\" and \"seat second\""))
}

fn plays_several_games(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let mut process = bot_under_test.source.spawn()?;
    let start = GameStart { games: Some(2), may_play_on: true };
    let mut has_played = bot_under_test.play(&mut process, GAME, start, "\n")?.1;
    if has_played {
        process.begin_game();
        let (second, _) = bot_under_test.play(&mut process, GAME, GameStart::default(), "\n")?;
        has_played = is_played(&second.result);
    }
    if has_played {
        return Ok(Finding::pass("\"games 2\": the bot can be judged with --session"));
    }
    let config = MatchConfig { session: true, ..bot_under_test.config.clone() };
    let again = config.run_command(&format!("{GAME} --games 2"));
    let found = "the bot does not support \"games 2\"; a contest starts the bot anew for each game";
    Ok(Finding { again, ..Finding::note(found) })
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

const NOT_ENDED: &str = "the bot did not exit by itself and was killed";

const END_OF_INPUT: &str = "check the result of every read, and exit when there is no more input";

/// Checks how the bot behaves at the end of a lost game: the judge sends `-1 -1` after the bot's first move.
fn ends_when_it_has_lost(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let Some(mut bot) = bot_after_a_move(bot_under_test)? else { return Ok(bot_under_test.no_move()) };
    bot.send(protocol::LOST);
    Ok(bot_under_test.end_input(bot, &[GAME, protocol::LOST], |ending, extra| match (ending, extra) {
        (Ok(Exit::Code(0)), None) => Finding::pass("and exits with 0"),
        (Err(running), None) => {
            let (why, advice) = not_ended(running.as_ref(), EXIT);
            Finding { why: why.into_iter().collect(), ..Finding::fail(NOT_ENDED, &advice) }
        }
        (_, Some(extra)) => {
            Finding::fail(format!("the bot printed {} after the end", quoted(extra)), PRINT_NO_MORE)
        }
        (Ok(exit), None) => Finding::fail(format!("the bot {exit}"), EXIT),
    }))
}

fn ends_without_a_header(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    Ok(bot_under_test.end_input(bot_under_test.listener()?, &[], |ending, line| match (ending, line) {
        (Err(_), _) => Finding::fail(NOT_ENDED, END_OF_INPUT),
        (Ok(Exit::Code(0)), None) => Finding::pass("prints nothing, and exits with 0"),
        (_, Some(line)) => Finding::note(format!("the bot printed {}, expected no output", quoted(line))),
        (Ok(exit), None) => Finding::note(format!("the bot {exit}, expected exit code 0")),
    }))
}

fn ends_in_a_game(bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
    let Some(bot) = bot_after_a_move(bot_under_test)? else { return Ok(bot_under_test.no_move()) };
    Ok(bot_under_test.end_input(bot, &[GAME], |ending, _| match ending {
        Err(_) => Finding::fail(NOT_ENDED, END_OF_INPUT),
        Ok(Exit::Code(1)) => Finding::pass("and exits with 1"),
        Ok(exit) => Finding::note(format!("the bot {exit}, expected exit code 1")),
    }))
}

/// Starts the bot and reads its first move. Returns `None` if the bot makes no move.
fn bot_after_a_move(bot_under_test: &BotUnderTest) -> anyhow::Result<Option<Listener>> {
    let mut bot = bot_under_test.listener()?;
    bot.send(GAME);
    if bot.line().is_some_and(|line| protocol::parse_side(&line) == Ok(Side::Second)) {
        bot.send("3 2");
    }
    Ok(bot.line().map(|_| bot))
}

/// The game of most checks. First wins this game by symmetry.
const GAME: &str = "6 1 2";

pub(crate) struct BotUnderTest {
    source: BotSource,
    config: MatchConfig,
    /// The sides that the bot has chosen in the games so far.
    chosen_sides: RefCell<Vec<Side>>,
}

impl BotUnderTest {
    fn game(&self, header: &str) -> anyhow::Result<FinishedGame> {
        Ok(self.play(&mut self.source.spawn()?, header, GameStart::default(), "\n")?.0)
    }

    /// Returns the command that sends `lines` to the bot, and then ends its input.
    fn piped(&self, lines: &[&str]) -> Option<String> {
        // The path of a compiled source is not useful in a command, so no command is shown.
        let typed = if self.config.started.is_none() { self.config.bot.as_slice() } else { &[] };
        let words: Option<Vec<String>> = typed.iter().map(|word| shell_word(word.to_str()?).ok()).collect();
        let bot = words.filter(|words| !words.is_empty())?.join(" ");
        Some(match lines {
            [] => format!("{bot} < /dev/null"),
            lines => format!("printf '%s\\n' '{}' | {bot}", lines.join("' '")),
        })
    }

    fn no_move(&self) -> Finding {
        Finding { again: self.piped(&[GAME]), ..Finding::note("not tested: the bot makes no move") }
    }

    fn listener(&self) -> anyhow::Result<Listener> {
        Ok(Listener::new(self.source.spawn()?, self.config.limits))
    }

    /// Ends the bot's input, after the lines `sent`. `finding` gets what [`Listener::end`] returns, and the first of the bot's
    /// lines that had not been read before.
    fn end_input(
        &self,
        mut bot: Listener,
        sent: &[&str],
        finding: impl FnOnce(Result<Exit, Option<StillRunning>>, Option<&Vec<u8>>) -> Finding,
    ) -> Finding {
        let ending = bot.end();
        Finding {
            again: self.piped(sent),
            stderr: shown_lines(&bot.stderr),
            ..finding(ending, bot.lines.front())
        }
    }

    fn play(
        &self,
        bot: &mut Process,
        header: &str,
        start: GameStart,
        line_end: &'static str,
    ) -> anyhow::Result<(FinishedGame, bool)> {
        let setup = GameSetup::new(header.parse()?, OpponentKind::Perfect, 1);
        let is_chosen = setup.header.side().is_none();
        let setup = SetupLine::new(setup, self.config.clone(), None);
        let mut log = ();
        let mut runner = GameRunner::new(setup, bot, &mut log)?;
        runner.line_end = line_end;
        let (game, plays_on) = runner.run(start)?;
        self.chosen_sides.borrow_mut().extend(game.result.side.filter(|_| is_chosen));
        Ok((game, plays_on))
    }

    /// Returns the command that runs only the check with this number.
    fn command_of_check(&self, number: u64) -> Option<String> {
        // `writes_all` adds the options from the settings file, and `judge lint` does not have all of them. The command
        // needs none of them: `judge lint` reads the settings file itself.
        let run = MatchConfig { writes_all: false, ..self.config.clone() }.run_command("")?;
        Some(format!("judge lint --family segment --only {number}{}", run.strip_prefix("judge run ")?))
    }
}

const MAX_SHOWN_MOVES: usize = 4;

const MAX_SHOWN_BYTES: usize = 60;

/// The width of the drawn position beside a line, in characters.
const DRAWN_WIDTH: usize = 40;

/// Returns the last lines of a game, the newest last. Returns no lines if the bot printed none.
fn dialogue(game: &FinishedGame) -> Vec<String> {
    let (result, header) = (&game.result, &game.setup.game.header);
    if result.side.is_none() && result.last_line.is_empty() {
        return Vec::new();
    }
    let Ok(mut position) = Position::new(header.game()) else { return Vec::new() };
    let mut lines = vec![line("judge", header.text(), Some((&position, None)))];
    lines.extend(result.side.map(|side| line("bot", &side.to_string(), None)));
    let hidden = result.moves.len().saturating_sub(MAX_SHOWN_MOVES);
    if hidden > 0 {
        lines.push(format!("({hidden} moves before)"));
    }
    for (ply, &mv) in (1_u64..).zip(&result.moves) {
        if position.play(mv).is_err() {
            return lines;
        }
        if ply > hidden as u64 {
            let who = if Mover::of(ply, result.side) == Mover::Bot { "bot" } else { "judge" };
            lines.push(line(who, &mv.to_string(), Some((&position, Some(mv)))));
        }
    }
    if result.has_won {
        lines.push(line("judge", "0 0", None));
    }
    if !result.last_line.is_empty() {
        let shown = &result.last_line[..result.last_line.len().min(MAX_SHOWN_BYTES)];
        lines.push(line("bot", &printable_bytes(shown), None));
    }
    lines
}

fn line(who: &str, text: &str, position: Option<(&Position, Option<Move>)>) -> String {
    let drawing = position.map_or_else(String::new, |(position, mv)| draw(position, mv, DRAWN_WIDTH));
    format!("{:<6} {text:<12}  {drawing}", format!("{who}>")).trim_end().to_owned()
}
