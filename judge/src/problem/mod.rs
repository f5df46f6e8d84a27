//! Problems with an interactor of their own: runs bots against a foreign interactor on the inputs of a problem.

mod inputs;
mod report;
mod run;
mod shrink;
mod stress;
mod tool;

pub(crate) use report::{Form, Report};
pub(crate) use run::{DEFAULT_IDLE, Helper, ProblemRun, words};
pub(crate) use stress::{Effort, StressRun};
