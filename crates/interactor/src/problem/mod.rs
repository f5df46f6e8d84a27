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

pub use lint::InteractorUnderTest;
pub use package::Package;
pub use replay::RunReplay;
pub use report::{Form, Report};
pub use run::{
    DEFAULT_IDLE, INTERACTOR_CPU, INTERACTOR_MEMORY, InteractorOrigin, PackageConditions, ProblemProgram,
    ProblemRun, split_command,
};
pub use run_files::RunFileOptions;
pub use stress::{SearchBounds, StressRun};
pub use table::{LimitOrigin, SubmissionTable};
pub use test::Test;
pub use transcript::is_run;
