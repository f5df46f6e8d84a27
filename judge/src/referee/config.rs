//! The terms on which games are played.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::referee::limits::DEFAULT_LIMITS;
use crate::referee::limits::{Limits, LimitsBy};
use crate::referee::verdict::Profile;

/// What is asked of a bot in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Terms {
    pub(crate) profile: Profile,
    pub(crate) limits: Limits,
    pub(crate) limits_by: LimitsBy,
    /// Whether one process plays all games, as long as it can.
    pub(crate) session: bool,
    pub(crate) sandbox: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            profile: Profile::Contest,
            limits: DEFAULT_LIMITS,
            limits_by: LimitsBy::Auto,
            session: false,
            sandbox: false,
        }
    }
}

impl Terms {
    /// The options that ask for these terms, as far as they are not the default.
    pub(crate) fn options(&self) -> Vec<String> {
        let Self { profile, limits, limits_by, session, sandbox } = *self;
        let mut options = Vec::new();
        let mut add = |is_set: bool, name: &str, value: String| {
            if is_set {
                options.push(name.to_owned());
                options.extend(Some(value).filter(|value| !value.is_empty()));
            }
        };
        let seconds = |time: std::time::Duration| time.as_secs_f64().to_string();
        add(limits.cpu != DEFAULT_LIMITS.cpu, "--time-limit", seconds(limits.cpu));
        add(limits.wall != limits.cpu, "--wall-limit", seconds(limits.wall));
        add(limits.idle != limits.wall, "--idle-limit", seconds(limits.idle));
        add(limits.memory != DEFAULT_LIMITS.memory, "--memory-limit", (limits.memory >> 20).to_string());
        add(limits.processes != DEFAULT_LIMITS.processes, "--processes", limits.processes.to_string());
        add(limits.grace != DEFAULT_LIMITS.grace, "--grace", seconds(limits.grace));
        if let Some(by) = limits_by.to_possible_value().filter(|_| limits_by != LimitsBy::Auto) {
            add(true, "--limits", by.get_name().to_owned());
        }
        add(profile == Profile::Strict, "--profile", "strict".to_owned());
        add(session, "--session", String::new());
        add(sandbox, "--sandbox", String::new());
        options
    }
}
