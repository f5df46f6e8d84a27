//! How a bot and an interactor are run and judged.

use runner::limits::{Limits, OUTPUT_LIMIT};

use crate::conversation::facts::{Confinement, Excused, OutputLimit, Turn};
use crate::conversation::language::Language;
use crate::referee::interactor::style::Style;

/// The output limit for a problem that sets none.
pub(crate) const DEFAULT_OUTPUT: OutputLimit = OutputLimit { bytes: OUTPUT_LIMIT as u64, with_stderr: false };

/// How the two programs of a run are judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    pub(crate) style: Style,
    /// Whether the interactor is a tester whose program has the text of a line with a score.
    pub(crate) gives_scores: bool,
    pub(crate) turn: Turn,
    pub(crate) limits: Limits,
    pub(crate) output: OutputLimit,
    pub(crate) interactor_limits: Limits,
    /// The limit on what the interactor writes to the bot, and on the size of the next pass's input.
    pub(crate) interactor_output: OutputLimit,
    /// The score that is accepted. A smaller one, or without it any score, is partial.
    pub(crate) full_score: Option<f64>,
    /// The languages of the bot and of the interactor.
    pub(crate) languages: [Language; 2],
    pub(crate) excused: Excused,
    pub(crate) confinement: Confinement,
}
