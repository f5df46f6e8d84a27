//! Problems with an interactor of their own: runs bots against a foreign interactor on the inputs of a problem.

mod inputs;
mod lint;
mod package;
mod report;
mod run;
mod shrink;
mod stress;
mod submissions;
mod table;
mod tool;

pub(crate) use lint::InteractorUnderTest;
pub(crate) use package::Package;
pub(crate) use report::{Form, Report};
pub(crate) use run::{
    DEFAULT_IDLE, Helper, INTERACTOR_CPU, INTERACTOR_MEMORY, PackageSource, ProblemRun, Source, Test, words,
};
pub(crate) use stress::{Effort, StressRun};
pub(crate) use table::SubmissionTable;
