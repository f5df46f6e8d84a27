//! The game of cards as a problem package: its files, and their paths in each format.

use clap::ValueEnum;

/// A format of problem packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PackageFormat {
    /// Version 2025-09
    Icpc,
    /// The older format, which has no version number
    Legacy,
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileContent {
    Text(String),
    /// The text of an executable script.
    Script(&'static str),
    /// The judge's own program.
    Judge,
}

/// A problem package, as the paths and contents of its files.
pub(crate) struct Package {
    pub(crate) files: Vec<(String, FileContent)>,
}

const STATEMENT: &str = include_str!("../../package/statement.tex");
const INPUT_VALIDATOR: &str = include_str!("../../package/input_validator.cpp");
const BUILD: &str = include_str!("../../package/build.sh");
const RUN: &str = include_str!("../../package/run.sh");
const VALIDATOR_README: &str = include_str!("../../package/README.md");

/// The submissions, each in the directory of its expected verdict. `submission/abc278_g.rs` is not among them, because
/// the tools for problem packages use older editions of Rust.
const SUBMISSIONS: [(&str, &str); 8] = [
    ("accepted/accepted.cpp", include_str!("../../package/submissions/accepted.cpp")),
    ("wrong_answer/always_first.cpp", include_str!("../../package/submissions/always_first.cpp")),
    ("wrong_answer/forgets.cpp", include_str!("../../package/submissions/forgets.cpp")),
    ("wrong_answer/gives_up.cpp", include_str!("../../package/submissions/gives_up.cpp")),
    ("wrong_answer/lower_case.cpp", include_str!("../../package/submissions/lower_case.cpp")),
    ("wrong_answer/too_talkative.cpp", include_str!("../../package/submissions/too_talkative.cpp")),
    ("run_time_error/crashes.cpp", include_str!("../../package/submissions/crashes.cpp")),
    ("time_limit_exceeded/never_ends.cpp", include_str!("../../package/submissions/never_ends.cpp")),
];

/// The samples: a name, a start, and the lines of a game as the statement shows them.
const SAMPLES: [(&str, &str, &str); 2] = [
    ("1", "6 1 2", "<6 1 2\n>First\n>3 2\n<1 1\n>5 1\n<6 1\n>2 1\n<0 0\n"),
    ("2", "2 1 1", "<2 1 1\n>Second\n<1 1\n>2 1\n<0 0\n"),
];

/// The secret test cases: a name and a start.
const SECRETS: [(&str, &str); 24] = [
    ("01-one-card", "1 1 1"),
    ("02-whole-row-of-two", "2 2 2"),
    ("03-single-cards-second", "4 1 1"),
    ("04-small-second", "5 2 2"),
    ("05-small-wide", "10 2 7"),
    ("06-small-second-pairs", "15 2 2"),
    ("07-small-second-triples", "14 3 3"),
    ("08-small-pairs", "16 2 2"),
    ("09-second-pairs", "35 2 2"),
    ("10-whole-row", "2000 2000 2000"),
    ("11-all-but-one", "2000 1999 1999"),
    ("12-all-or-all-but-one", "2000 1999 2000"),
    ("13-any-number", "2000 1 2000"),
    ("14-single-cards-second", "2000 1 1"),
    ("15-single-cards-first", "1999 1 1"),
    ("16-symmetric-pairs", "1998 2 2"),
    ("17-pairs", "1999 2 2"),
    ("18-second-pairs-large", "1997 2 2"),
    ("19-symmetric-two-lengths", "2000 1 2"),
    ("20-symmetric-many-lengths", "1999 4 77"),
    ("21-odd-triples", "2000 3 3"),
    ("22-odd-tens", "1999 10 10"),
    ("23-second-long", "2000 667 667"),
    ("24-long", "2000 999 999"),
];

/// Inputs that the input validator must refuse: a name and the input.
const INVALID: [(&str, &str); 8] = [
    ("empty", ""),
    ("large", "2001 1 1\n"),
    ("order", "6 2 1\n"),
    ("too-wide", "6 1 7\n"),
    ("zero", "6 0 1\n"),
    ("leading-zero", "06 1 2\n"),
    ("blanks", "6  1 2\n"),
    ("two-lines", "6 1 2\n6 1 2\n"),
];

impl PackageFormat {
    fn problem(self) -> &'static str {
        match self {
            Self::Icpc => include_str!("../../package/icpc.yaml"),
            Self::Legacy => include_str!("../../package/legacy.yaml"),
        }
    }

    fn statement(self) -> &'static str {
        match self {
            Self::Icpc => "statement",
            Self::Legacy => "problem_statement",
        }
    }

    fn validator(self) -> &'static str {
        match self {
            Self::Icpc => "output_validator",
            Self::Legacy => "output_validators/judge",
        }
    }
}

impl Package {
    pub(crate) fn new(format: PackageFormat) -> Self {
        let mut package = Self { files: Vec::new() };
        package.add_text("problem.yaml", format.problem());
        package.add_text(&format!("{}/problem.en.tex", format.statement()), STATEMENT);
        package.add_text("input_validators/input_validator.cpp", INPUT_VALIDATOR);
        for (name, start, interaction) in SAMPLES {
            package.add_case(&format!("sample/{name}"), start);
            package.add_text(&format!("data/sample/{name}.interaction"), interaction);
            if format == PackageFormat::Icpc {
                // The statement shows the interaction instead of the input, so the files for download are separate.
                package.add_text(&format!("data/sample/{name}.in.download"), &format!("{start}\n"));
                package.add_text(&format!("data/sample/{name}.ans.download"), "");
            }
        }
        for (name, start) in SECRETS {
            package.add_case(&format!("secret/{name}"), start);
        }
        // The legacy format has no directory for invalid inputs.
        for (name, input) in INVALID.iter().filter(|_| format == PackageFormat::Icpc) {
            package.add_text(&format!("data/invalid_input/{name}.in"), input);
        }
        for (name, source) in SUBMISSIONS {
            package.add_text(&format!("submissions/{name}"), source);
        }
        let validator = format.validator();
        package.add_text(&format!("{validator}/README.md"), VALIDATOR_README);
        package.files.extend([
            (format!("{validator}/build"), FileContent::Script(BUILD)),
            (format!("{validator}/run"), FileContent::Script(RUN)),
            (format!("{validator}/judge"), FileContent::Judge),
        ]);
        package
    }

    /// Adds a text file.
    fn add_text(&mut self, path: &str, text: &str) {
        self.files.push((path.to_owned(), FileContent::Text(text.to_owned())));
    }

    /// Adds a test case. Its answer is empty, because the judge itself knows who wins.
    fn add_case(&mut self, name: &str, start: &str) {
        self.add_text(&format!("data/{name}.in"), &format!("{start}\n"));
        self.add_text(&format!("data/{name}.ans"), "");
    }
}
