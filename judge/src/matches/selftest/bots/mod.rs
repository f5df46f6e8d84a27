//! The hostile bots: what each does, and the verdict that is expected.

use std::ffi::OsString;
use std::time::Duration;

use crate::matches::selftest::action::Action;
use referee::config::MatchConfig;
use referee::setup::{GameSetup, OpponentKind};
use referee::transcript::SetupLine;
use referee::verdict::{Profile, Verdict};
use runner::limits::{DEFAULT_LIMITS, Limits};

mod endings;
mod output;
mod processes;
mod timing;

/// A hostile bot, the game it plays, and the verdict that is expected.
#[derive(Clone, Debug)]
pub(crate) struct HostileBot {
    pub(crate) name: &'static str,
    /// What it does, for the report.
    pub(crate) description: &'static str,
    actions: Vec<Action>,
    game: String,
    limits: Limits,
    pub(crate) sandboxed: bool,
    expected: Verdict,
    /// The expected verdict under the contest profile; `None` if only the strict profile is tested.
    expected_contest: Option<Verdict>,
    /// A text that the reason must contain.
    pub(crate) expected_reason: &'static str,
}

/// The game of most bots. Against the opponent that takes the least, First wins with 3 2, 5 1 and 6 1.
const GAME: &str = "6 1 2";

/// The wall limit of bots that end by themselves. They reach it on no machine, however busy.
const LONG_LIMIT: Duration = Duration::from_secs(20);

/// The wall limit of bots that only a limit ends.
const SHORT_LIMIT: Duration = Duration::from_secs(1);

const GRACE: Duration = Duration::from_millis(300);

/// The verdict of a bot that sleeps. Only on Linux does the judge know that it sleeps.
pub(in crate::matches::selftest) const IDLE: Verdict =
    if cfg!(target_os = "linux") { Verdict::Idle } else { Verdict::TimeWall };

impl HostileBot {
    fn new(name: &'static str, description: &'static str, expected: Verdict, actions: Vec<Action>) -> Self {
        let wall = if expected == IDLE || expected == Verdict::TimeWall { SHORT_LIMIT } else { LONG_LIMIT };
        Self {
            name,
            description,
            actions,
            game: GAME.to_owned(),
            limits: Limits { cpu: wall, wall, idle: wall, grace: GRACE, ..DEFAULT_LIMITS },
            sandboxed: false,
            expected,
            expected_contest: None,
            expected_reason: "",
        }
    }

    fn with_game(self, game: impl Into<String>) -> Self {
        Self { game: game.into(), ..self }
    }

    fn with_contest_verdict(self, verdict: Verdict) -> Self {
        Self { expected_contest: Some(verdict), ..self }
    }

    fn with_reason(self, expected_reason: &'static str) -> Self {
        Self { expected_reason, ..self }
    }

    fn with_limits(self, change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = self.limits;
        change(&mut limits);
        Self { limits, ..self }
    }

    fn sandboxed(self) -> Self {
        Self { sandboxed: true, ..self }
    }

    /// The longest time that its game may take. A game that ends at the wall limit may be played twice.
    pub(crate) fn time_limit(&self) -> Duration {
        let games = if self.expected == Verdict::TimeWall { 2 } else { 1 };
        self.limits.wall * games + Duration::from_secs(1)
    }

    /// The profiles under which it is judged, with the expected verdicts.
    pub(crate) fn verdicts(&self) -> Vec<(Profile, Verdict)> {
        let contest = self.expected_contest.map(|verdict| (Profile::Contest, verdict));
        [(Profile::Strict, self.expected)].into_iter().chain(contest).collect()
    }

    /// The set-up of its game under a profile. `judge` is the path of the judge's own program.
    pub(crate) fn setup(&self, profile: Profile, judge: &str) -> anyhow::Result<SetupLine> {
        let bot = [judge, "hostile", self.name].map(OsString::from).to_vec();
        let config = MatchConfig {
            profile,
            limits: self.limits,
            sandbox: self.sandboxed,
            bot,
            ..MatchConfig::default()
        };
        Ok(SetupLine::new(GameSetup::new(self.game.parse()?, OpponentKind::Slow, 1), config, None))
    }
}

/// The actions of the bot with this name, or of a process that a bot starts; `None` if there is none.
pub(crate) fn actions(name: &str) -> Option<Vec<Action>> {
    match name {
        "daemon" => Some(vec![Action::LeaveSession, Action::Start("sleeper")]),
        "sleeper" => Some(vec![Action::SleepForever]),
        "restarter" => Some(vec![Action::LeaveSession, Action::Start("restarter")]),
        _ => all().into_iter().find(|bot| bot.name == name).map(|bot| bot.actions),
    }
}

/// Every hostile bot.
pub(crate) fn all() -> Vec<HostileBot> {
    let mut bots = timing::silent();
    bots.extend(timing::busy());
    bots.extend(output::floods());
    bots.extend(processes::deaths());
    bots.extend(processes::escapes());
    bots.extend(output::strange_lines());
    bots.extend(output::strange_numbers());
    bots.extend(output::early_lines());
    bots.extend(endings::endings());
    bots
}

fn print(bytes: impl Into<Vec<u8>>) -> Action {
    Action::Print(bytes.into())
}

/// The actions of a bot that is First, and then does this.
fn first(then: impl IntoIterator<Item = Action>) -> Vec<Action> {
    [Action::Read, print("First\n")].into_iter().chain(then).collect()
}

/// The actions of a bot that makes its first move, reads the answer, and then does this.
fn at_move_3(then: impl IntoIterator<Item = Action>) -> Vec<Action> {
    first([print("3 2\n"), Action::Read].into_iter().chain(then))
}

/// The actions of a bot that wins, and then does this.
fn winner(then: impl IntoIterator<Item = Action>) -> Vec<Action> {
    at_move_3([print("5 1\n"), Action::Read, print("6 1\n")].into_iter().chain(then))
}
