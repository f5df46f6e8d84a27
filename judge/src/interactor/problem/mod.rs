//! Runs bots against the interactor that comes with a problem, on the inputs of the problem.

mod constants;
mod document;
mod inputs;
mod limits;
mod lint;
mod package;
mod page;
mod replay;
mod report;
mod rows;
mod run;
mod run_files;
mod run_line;
mod shrink;
mod stress;
mod submissions;
mod table;
mod test;
mod tool;
mod transcript;
mod yaml;

pub(crate) use lint::InteractorUnderTest;
pub(crate) use package::Package;
pub(crate) use replay::RunReplay;
pub(crate) use report::{Form, Report};
pub(crate) use run::{
    DEFAULT_IDLE, INTERACTOR_CPU, INTERACTOR_MEMORY, InteractorOrigin, PackageConditions, ProblemProgram,
    ProblemRun, split_command,
};
pub(crate) use run_files::RunFileOptions;
pub(crate) use stress::{SearchBounds, StressRun};
pub(crate) use table::{LimitOrigin, SubmissionTable};
pub(crate) use test::Test;
pub(crate) use transcript::is_run;
