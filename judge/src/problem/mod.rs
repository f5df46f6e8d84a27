//! Problems with an interactor of their own: runs bots against a foreign interactor on the inputs of a problem.

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
    DEFAULT_IDLE, Helper, INTERACTOR_CPU, INTERACTOR_MEMORY, PackageSource, ProblemRun, Source, words,
};
pub(crate) use run_files::RunFileOptions;
pub(crate) use stress::{Effort, StressRun};
pub(crate) use table::{LimitOrigin, SubmissionTable};
pub(crate) use test::Test;
pub(crate) use transcript::is_run;
