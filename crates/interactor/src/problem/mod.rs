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

pub use lint::InteractorUnderTest;
pub use package::Package;
pub use replay::RunReplay;
pub use report::{Form, Report};
pub use run::{
    DEFAULT_IDLE, Helper, INTERACTOR_CPU, INTERACTOR_MEMORY, PackageSource, ProblemRun, Source, words,
};
pub use run_files::RunFileOptions;
pub use stress::{Effort, StressRun};
pub use table::{LimitOrigin, SubmissionTable};
pub use test::Test;
pub use transcript::is_run;
