//! Problems with an interactor of their own: runs bots against a foreign interactor on the inputs of a problem.

mod inputs;
mod lint;
mod report;
mod run;

pub(crate) use lint::InteractorUnderTest;
pub(crate) use report::{Form, Report};
pub(crate) use run::{DEFAULT_IDLE, Helper, ProblemRun, words};
