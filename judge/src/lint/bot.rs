//! The checks of `judge lint` for bots: they show whether a bot follows the protocol, and how to fix a bot that does not.

use std::cell::RefCell;
use std::fmt::Display;
use std::process::ExitCode;

use itertools::Itertools;
use runner::escape::{printable_bytes, shell_word};
use runner::event::Exit;
use runner::stderr_excerpt::shown_lines;
use zeroxor::wire::{protocol, quoted};
use zeroxor::{GameKind, Move, Position, Side};

use crate::config::MatchConfig;
use crate::conversation::verdict::{Ruling, Verdict};
use crate::lint::{Check, CheckStatus, CheckSubject, Finding, LintOptions, run_checks};
use crate::referee::game::bot::Listener;
use crate::referee::game::exchange::Mover;
use crate::referee::game::explain::{EXIT, PRINT_NO_MORE, not_ended};
use crate::referee::game::game_runner::{GameRunner, GameStart};
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::report::picture::draw;
use crate::report::transcript::SetupLine;
use crate::trials::session::{BotSession, BotSource};
use crate::units;

/// Checks the bot of `config`.
pub(crate) fn lint(config: MatchConfig, options: LintOptions) -> anyhow::Result<ExitCode> {
    let (source, name) = (BotSource::new("the bot", &config)?, config.bot_name());
    let bot = BotUnderTest { source, config, chosen_sides: RefCell::default() };
    run_checks(&CHECKS, (&bot, &name), |number| bot.command_of_check(number), options)
}

pub(crate) const CHECKS: [Check<BotUnderTest>; 14] = [
    Check("answers the header", CheckSubject::Game, BotUnderTest::answers),
    Check("flushes every line", CheckSubject::Game, BotUnderTest::flushes),
    Check("plays by the rules and prints nothing else", CheckSubject::Game, |bot| {
        bot.plays_by_the_rules(&[GAME, LONGER_GAME, WIDE_GAME])
    }),
    Check("ends when it reads \"0 0\"", CheckSubject::Other, BotUnderTest::ends_when_it_has_won),
    Check("ends when it reads \"-1 -1\"", CheckSubject::Other, BotUnderTest::ends_when_it_has_lost),
    Check("reads lines that end with CRLF", CheckSubject::Other, BotUnderTest::reads_crlf),
    Check("ends when its input ends before a header", CheckSubject::Other, |bot| {
        Ok(bot.ends(bot.listener()?, &[], 0, false))
    }),
    Check("ends when its input ends during a game", CheckSubject::Other, BotUnderTest::ends_in_a_game),
    Check("plays the longest game in time", CheckSubject::LargeGame, |bot| {
        bot.plays_by_the_rules(&["2000 1 1"])
    }),
    // The winner follows from the nimbers of all shorter rows, or from symmetry.
    Check("plays a long row with L = R in time", CheckSubject::LargeGame, |bot| {
        bot.plays_by_the_rules(&["1999 3 3"])
    }),
    Check("plays a long row with many moves in time", CheckSubject::LargeGame, |bot| {
        bot.plays_by_the_rules(&["2000 1 1000"])
    }),
    Check("plays the side it is assigned", CheckSubject::Other, BotUnderTest::plays_the_assigned_side),
    Check("plays several games in one conversation", CheckSubject::Other, BotUnderTest::plays_several_games),
    Check("plays the other games", CheckSubject::Other, BotUnderTest::plays_other_games),
];

/// The game of most checks. First wins this game by symmetry.
const GAME: &str = "6 1 2";

/// A game that is too long for a search that does not remember positions.
const LONGER_GAME: &str = "20 1 2";

/// A game in which reading the numbers in another order and counting places from 0 lead to different moves.
const WIDE_GAME: &str = "9 1 5";

pub(crate) struct BotUnderTest {
    source: BotSource,
    config: MatchConfig,
    /// The sides that the bot has chosen in the games so far.
    chosen_sides: RefCell<Vec<Side>>,
}

impl BotUnderTest {
    fn answers(&self) -> anyhow::Result<Finding> {
        let game = self.game(GAME)?;
        let Some(side) = game.result.side else { return Ok(failure_finding(&game)) };
        let limit = units::time_limit(self.config.limits.wall);
        let found =
            format!("\"{side}\" to \"{GAME}\"; the limit is {limit} for all lines of a game together");
        Ok(Finding::pass(found))
    }

    fn flushes(&self) -> anyhow::Result<Finding> {
        let game = self.game(GAME)?;
        Ok(match game.result.ruling.verdict {
            Verdict::Idle => failure_finding(&game),
            _ => Finding::pass("every line was received when it was expected"),
        })
    }

    /// Plays games until one of them fails. A game that the bot has won never fails, even if the bot then ends badly: other
    /// checks test how the bot ends. A lost game does not fail either, because the protocol does not require a win, but it
    /// is reported.
    fn plays_by_the_rules(&self, headers: &[&str]) -> anyhow::Result<Finding> {
        let mut lost_games: Vec<FinishedGame> = Vec::new();
        for header in headers {
            let game = self.game(header)?;
            match game.result.ruling.verdict {
                Verdict::Won | Verdict::NoExit | Verdict::ExtraOutput | Verdict::Crashed
                    if game.result.has_won => {}
                Verdict::Lost => lost_games.push(game),
                _ => return self.failed_game(&game),
            }
        }
        let Some(game) = lost_games.first() else {
            return Ok(Finding::pass(format!("won {}", quoted_list(headers))));
        };
        let mut finding = Finding::new(CheckStatus::Lost, describe_lost(&lost_games));
        finding.again = game.setup.command();
        let sides = self.chosen_sides.borrow();
        if let Ok(side) = sides.iter().all_equal_value()
            && sides.len() > 1
        {
            finding.why.push(format!(
                "the bot chose {side} in every game so far, but the winning side depends on N, L and R"
            ));
        }
        Ok(finding)
    }

    /// Returns the finding for a failed game, or for `WIDE_GAME` if that fails alike with fewer possible causes.
    fn failed_game(&self, game: &FinishedGame) -> anyhow::Result<Finding> {
        let ruling = &game.result.ruling;
        if ruling.advice.len() > 1 {
            let other = self.game(WIDE_GAME)?;
            let Ruling { verdict, advice, .. } = &other.result.ruling;
            if *verdict == ruling.verdict && advice.len() < ruling.advice.len() {
                return Ok(failure_finding(&other));
            }
        }
        Ok(failure_finding(game))
    }

    /// Plays until a game is won. In the first two, any legal moves win for a bot that chooses the right side.
    fn ends_when_it_has_won(&self) -> anyhow::Result<Finding> {
        for header in ["1 1 1", "2 1 1", GAME, LONGER_GAME] {
            let game = self.game(header)?;
            if game.result.has_won {
                return Ok(match game.result.ruling.verdict {
                    Verdict::Won => Finding::pass("and exits with 0"),
                    _ => failure_finding(&game),
                });
            }
        }
        Ok(Finding::note("not tested: the bot won none of the short games, such as \"1 1 1\""))
    }

    /// Checks how the bot behaves at the end of a lost game: the judge sends `-1 -1` after the bot's first move.
    fn ends_when_it_has_lost(&self) -> anyhow::Result<Finding> {
        let Some(mut bot) = self.after_a_move()? else { return Ok(self.no_move()) };
        bot.send(protocol::LOST);
        Ok(self.ends(bot, &[GAME, protocol::LOST], 0, true))
    }

    fn ends_in_a_game(&self) -> anyhow::Result<Finding> {
        let Some(bot) = self.after_a_move()? else { return Ok(self.no_move()) };
        Ok(self.ends(bot, &[GAME], 1, false))
    }

    fn reads_crlf(&self) -> anyhow::Result<Finding> {
        let with_lf = self.game(GAME)?.result;
        let with_crlf = self.play(GAME, "\r\n")?.result;
        let Ruling { verdict, reason, .. } = &with_crlf.ruling;
        if (with_lf.ruling.verdict, &with_lf.moves) == (*verdict, &with_crlf.moves) {
            return Ok(Finding::pass("the same game as with LF"));
        }
        let advice = "ignore a CR at the end of a line, like a space";
        let stderr = shown_lines(&with_crlf.bot.stderr);
        Ok(Finding { stderr, ..Finding::fail(format!("{verdict}, {reason}"), advice) })
    }

    fn plays_the_assigned_side(&self) -> anyhow::Result<Finding> {
        for seat in ["first", "second"] {
            let header = format!("{GAME} seat {seat}");
            let game = self.game(&header)?;
            if !is_played(&game) {
                let found =
                    format!("the bot does not play \"{header}\"; the contest does not use such headers");
                return Ok(Finding { again: game.setup.command(), ..Finding::note(found) });
            }
        }
        Ok(Finding::pass("\"seat first\" and \"seat second\""))
    }

    fn plays_several_games(&self) -> anyhow::Result<Finding> {
        let config = MatchConfig { session: true, ..self.config.clone() };
        let again = config.run_command(&format!("{GAME} --games 2"));
        let mut session = BotSession::new("the bot", config, 2)?;
        let game = GameSetup::new(GAME.parse()?, OpponentKind::Perfect, 1);
        session.play(game.clone(), &mut ())?;
        if session.is_running() && is_played(&session.play(game, &mut ())?) {
            return Ok(Finding::pass("\"games 2\": the bot can be judged with --session"));
        }
        let found = "the bot does not support \"games 2\"; a contest starts the bot anew for each game";
        Ok(Finding { again, ..Finding::note(found) })
    }

    fn plays_other_games(&self) -> anyhow::Result<Finding> {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        let others = GameKind::all().filter(|&kind| kind != GameKind::Segment);
        let games = others.flat_map(GameKind::components).map(|game| game.to_string());
        for header in games.chain(["3 1 2 + 2 1 1".to_owned()]) {
            let is_known = is_played(&self.game(&header)?);
            if is_known { &mut known } else { &mut unknown }.push(header);
        }
        Ok(match (known.as_slice(), unknown.as_slice()) {
            (known, []) => Finding::pass(quoted_list(known)),
            ([], _) => {
                Finding::note("the bot plays only rows of cards, which are the only games of the contest")
            }
            (known, unknown) => {
                Finding::note(format!("{}, but not {}", quoted_list(known), quoted_list(unknown)))
            }
        })
    }

    fn game(&self, header: &str) -> anyhow::Result<FinishedGame> {
        self.play(header, "\n")
    }

    /// Plays a game in which the judge ends its lines with `line_end`.
    fn play(&self, header: &str, line_end: &'static str) -> anyhow::Result<FinishedGame> {
        let game = GameSetup::new(header.parse()?, OpponentKind::Perfect, 1);
        let is_chosen = game.header.side().is_none();
        let setup = SetupLine::new(game, self.config.clone(), None);
        let (mut bot, mut log) = (self.source.spawn()?, ());
        let mut runner = GameRunner::new(setup, &mut bot, &mut log)?;
        runner.line_end = line_end;
        let (game, _) = runner.run(GameStart::default())?;
        self.chosen_sides.borrow_mut().extend(game.result.side.filter(|_| is_chosen));
        Ok(game)
    }

    fn listener(&self) -> anyhow::Result<Listener> {
        Ok(Listener::new(self.source.spawn()?, self.config.limits))
    }

    /// Starts the bot and reads its first move. Returns `None` if the bot makes no move.
    fn after_a_move(&self) -> anyhow::Result<Option<Listener>> {
        let mut bot = self.listener()?;
        bot.send(GAME);
        if bot.line().is_some_and(|line| protocol::parse_side(&line) == Ok(Side::Second)) {
            bot.send("3 2");
        }
        Ok(bot.line().map(|_| bot))
    }

    fn no_move(&self) -> Finding {
        Finding { again: self.piped(&[GAME]), ..Finding::note("not tested: the bot makes no move") }
    }

    /// Ends the bot's input after the lines `sent`, and checks that the bot prints nothing more and exits with this code. If
    /// not, that is a note, or a fault if these lines ended the game. A bot that does not exit is always at fault.
    fn ends(&self, mut bot: Listener, sent: &[&str], code: i32, has_game_ended: bool) -> Finding {
        let wrong = |found: String, advice: &str| {
            if has_game_ended { Finding::fail(found, advice) } else { Finding::note(found) }
        };
        let finding = match (bot.end(), bot.lines.front()) {
            (Err(running), _) => {
                let end_of_input = "check the result of every read, and exit when there is no more input";
                let exit = if has_game_ended { EXIT } else { end_of_input };
                let (why, advice) = not_ended(running.as_ref(), exit);
                let found = "the bot did not exit by itself and was killed";
                Finding { why: why.into_iter().collect(), ..Finding::fail(found, &advice) }
            }
            (_, Some(extra)) => {
                wrong(format!("the bot printed {}, expected no output", quoted(extra)), PRINT_NO_MORE)
            }
            (Ok(exit), None) if exit == Exit::Code(code) => {
                Finding::pass(format!("prints nothing, and exits with {code}"))
            }
            (Ok(exit), None) => wrong(format!("the bot {exit}, expected exit code {code}"), EXIT),
        };
        Finding { again: self.piped(sent), stderr: shown_lines(&bot.stderr), ..finding }
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

    /// Returns the command that runs only the check with this number.
    fn command_of_check(&self, number: u64) -> Option<String> {
        // `writes_all` adds the options from the settings file, and `judge lint` does not have all of them. The command
        // needs none of them: `judge lint` reads the settings file itself.
        let run = MatchConfig { writes_all: false, ..self.config.clone() }.run_command("")?;
        Some(format!("judge lint --family segment --only {number}{}", run.strip_prefix("judge run ")?))
    }
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

/// Returns whether a game was played to its end. Other checks test how the process ends.
fn is_played(game: &FinishedGame) -> bool {
    matches!(game.result.ruling.verdict, Verdict::Won | Verdict::NoExit | Verdict::Lost)
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
