//! Packages in the formats `legacy` and `2025-09`: their tests, validator, limits and arguments.
//!
//! Source: Kattis and ICPC, Problem Package Format (2025), <https://www.kattis.com/problem-package-format/>.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use runner::message::print_error;
use runner::sources::folder::entries;

use crate::conversation::role::Role;
use crate::keys::{names, text, words};
use crate::referee::interactor::passes::Passes;
use crate::referee::interactor::style::{Style, TestCase};
use crate::trials::problem::constants::Constants;
use crate::trials::problem::grading::{Graders, Grading};
use crate::trials::problem::limits::{LEGACY_LIMITS, LIMITS, PackageLimits, number_from};
use crate::trials::problem::package::{OnlyCompared, Package};
use crate::trials::problem::yaml::{YamlFile, warn_of_unknown};

pub(crate) const FILE: &str = "problem.yaml";

/// The keys of `problem.yaml` in all formats: those that the judge reads, and others. `legacy` has more.
const KEYS: &[&[&str]] = &[
    &["problem_format_version", "type", "limits", "constants"],
    &["name", "uuid", "version", "credits", "source", "license", "rights_owner", "embargo_until"],
    &["keywords", "languages", "allow_file_writing"],
];
const LEGACY_KEYS: &[&[&str]] = &[&["author", "source_url", "validation", "validator_flags", "grading"]];

/// The keys of `testdata.yaml`, `test_group.yaml` and the YAML file of a test: those that the judge reads, and others. `legacy` has more.
const TEST_KEYS: &[&[&str]] = &[
    &["args", "output_validator_args"],
    &["input_validator_args", "static_validator_args", "input_visualizer_args", "output_visualizer_args"],
    &["max_score", "score_aggregation", "static_validation_score", "require_pass"],
    &["full_feedback", "hint", "description"],
];
const LEGACY_TEST_KEYS: &[&[&str]] = &[
    &["on_reject", "grading", "grader_flags", "accept_score", "reject_score", "range"],
    &["output_validator_flags", "input_validator_flags"],
];

/// The format of a package, which decides the keys that the package may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormatVersion {
    Legacy,
    /// A draft of `2025-09`, which may have the keys of `legacy` too.
    Draft,
    Final,
}

impl FormatVersion {
    fn of(version: &str, path: &Path) -> Self {
        match version {
            "legacy" | "legacy-icpc" => Self::Legacy,
            "2025-09" => Self::Final,
            _ => {
                if !version.ends_with("draft") {
                    print_error(format_args!(
                        "{}: problem_format_version: expected legacy, legacy-icpc or 2025-09, found {version}, which is \
                         read as 2025-09",
                        path.display()
                    ));
                }
                Self::Draft
            }
        }
    }

    /// Returns the lists of keys that a file may have: `keys`, and `legacy` unless the format is final.
    fn keys<'a>(self, keys: &[&'a [&'a str]], legacy: &[&'a [&'a str]]) -> Vec<&'a [&'a str]> {
        [keys, if self == Self::Final { &[] } else { legacy }].concat()
    }
}

/// Reads the rest of a package whose `problem.yaml` is `yaml`.
pub(crate) fn read(mut package: Package, yaml: &YamlFile) -> anyhow::Result<Package> {
    let (folder, path) = (package.folder.clone(), &yaml.path);
    let in_problem = || path.display().to_string();
    let mut keys = yaml.keys()?;
    let version = keys.read("problem_format_version", text)?;
    let format = FormatVersion::of(version.as_deref().unwrap_or("legacy"), path);
    warn_of_unknown(&in_problem(), keys.unread().iter(), &format.keys(KEYS, LEGACY_KEYS));
    let mut limits = keys.inner("limits")?.unwrap_or_default();
    let place = format!("{}: limits", path.display());
    warn_of_unknown(&place, limits.unread().iter(), &format.keys(LIMITS, LEGACY_LIMITS));
    let types = keys.read("type", names)?.unwrap_or_default();
    let (mut kinds, mut flags) = (types.clone(), None);
    if format != FormatVersion::Final {
        kinds.extend(keys.read("validation", names)?.unwrap_or_default());
        flags = keys.read("validator_flags", words)?;
    }
    let has = |word: &str| kinds.iter().any(|kind| kind == word);
    let is_multi_pass = has("multi-pass");
    if !is_multi_pass && !has("interactive") {
        let found = if types.is_empty() { "pass-fail".to_owned() } else { types.join(" ") };
        let expected = format!("expected an interactive or multi-pass problem, found the type {found}");
        return Err(anyhow!(OnlyCompared(expected)).context(in_problem()));
    }
    let included = folder.join("include");
    ensure!(
        !included.is_dir(),
        "{}: packages whose submissions need included files cannot be run",
        included.display()
    );
    let passes = limits.parsed("validation_passes", number_from("a number", 2..=u32::MAX));
    let most = if is_multi_pass { passes?.unwrap_or(2) } else { 1 };
    let role = if has("interactive") { Role::Interactor } else { Role::Validator };
    package.passes = Passes::AsAsked { role, most };
    package.style = Style::Icpc;
    package.solutions = None;
    package.is_legacy = format == FormatVersion::Legacy;
    package.limits = PackageLimits::read(&mut limits, &folder, package.is_legacy)?;
    package.constants = keys.read("constants", Constants::read)?.unwrap_or_default();
    let minimizes = keys.read("grading", |grading| Ok::<_, &str>(grading["objective"] == "min"))?;
    package.graders = (has("scoring") && package.is_legacy).then(|| Graders {
        minimizes: minimizes == Some(true),
        by_validator: has("score"),
        ..Graders::default()
    });
    package.args = flags.unwrap_or_default().into_iter().map(OsString::from).collect();
    let data = package.root.join("data");
    let mut inherited =
        Inherited { format, of_validator: Vec::new(), of_bot: Vec::new(), grading: Grading::default() };
    inherited.read_group(&mut package, &data, "")?;
    for part in ["sample", "secret"] {
        if data.join(part).is_dir() {
            inherited.find_tests(&mut package, &data.join(part), part)?;
        }
    }
    package.args.append(&mut inherited.of_validator);
    let how = generation(&package.root);
    ensure!(
        !package.tests.is_empty(),
        "{}: expected tests, found none: a test is a file NAME.in in data/sample or data/secret{how}",
        folder.display()
    );
    if !how.is_empty() && !package.tests.iter().any(|test| test.name.starts_with("secret/")) {
        print_error(format_args!("{}: only the samples are there, no secret tests{how}", folder.display()));
    }
    package.validator = Some(validator(&package)?);
    Ok(package)
}

/// What the files of the folders above a test say about it.
#[derive(Clone)]
struct Inherited {
    format: FormatVersion,
    /// The validator's arguments after those that `problem.yaml` gives for all tests.
    of_validator: Vec<OsString>,
    of_bot: Vec<OsString>,
    grading: Grading,
}

const MAX_DEPTH: usize = 16;

impl Inherited {
    /// Adds the tests in `folder`, in the order of their names. `name` is the folder's path below `data`.
    fn find_tests(&self, package: &mut Package, folder: &Path, name: &str) -> anyhow::Result<()> {
        ensure!(
            name.split('/').count() <= MAX_DEPTH,
            "{}: expected folders of tests at most {MAX_DEPTH} deep",
            folder.display()
        );
        let mut inherited = self.clone();
        inherited.read_group(package, folder, name)?;
        for (file, path) in named_entries(folder)? {
            if path.is_dir() {
                ensure!(
                    path.extension().is_none_or(|end| end != "files"),
                    "{}: tests with files for the submission cannot be run",
                    path.display()
                );
                inherited.find_tests(package, &path, &format!("{name}/{file}"))?;
            } else if let Some(stem) = file.strip_suffix(".in") {
                let answer = path.with_extension("ans");
                ensure!(
                    answer.is_file(),
                    "{}: expected the answer of the test, found none",
                    answer.display()
                );
                package.ensure_inside(&path)?;
                package.ensure_inside(&answer)?;
                let mut inherited = inherited.clone();
                inherited.read_test(package, &path.with_extension("yaml"), false)?;
                package.tests.push(TestCase {
                    name: format!("{name}/{stem}"),
                    args: [&package.args[..], &inherited.of_validator].concat(),
                    bot_args: inherited.of_bot,
                    ..TestCase::new(path, Some(answer))
                });
            }
        }
        Ok(())
    }

    /// Reads what the files of a group of tests say. `name` is the folder's path below `data`.
    fn read_group(&mut self, package: &mut Package, folder: &Path, name: &str) -> anyhow::Result<()> {
        let of_legacy = folder.join("testdata.yaml");
        if self.format == FormatVersion::Final && of_legacy.is_file() {
            print_error(format_args!(
                "{} is ignored: in the format 2025-09 its name is test_group.yaml",
                of_legacy.display()
            ));
        } else {
            self.read_test(package, &of_legacy, true)?;
        }
        self.read_test(package, &folder.join("test_group.yaml"), true)?;
        if let Some(graders) = &mut package.graders {
            graders.gradings.insert(name.to_owned(), self.grading.clone());
        }
        Ok(())
    }

    /// Sets what the file `path` gives, if the file exists. Constants are replaced only in the file of a group of tests.
    fn read_test(&mut self, package: &mut Package, path: &Path, is_group: bool) -> anyhow::Result<()> {
        let Some(mut yaml) = YamlFile::read(path)? else { return Ok(()) };
        if let Some(text) = package.constants.replaced(&yaml.text).filter(|_| is_group) {
            yaml.text = text;
        }
        let mut keys = yaml.keys()?;
        let known = self.format.keys(TEST_KEYS, LEGACY_TEST_KEYS);
        warn_of_unknown(&path.display().to_string(), keys.unread().iter(), &known);
        // The flags, or a map with the name of the validator and its flags.
        let flags = match "output_validator_flags" {
            _ if self.format == FormatVersion::Final => None,
            key if keys.is_map(key) => {
                let named = keys.inner(key)?.map(|mut named| named.read("flags", words)).transpose()?;
                named.map(Option::unwrap_or_default)
            }
            key => keys.read(key, words)?,
        };
        if let Some(words) = keys.read("output_validator_args", words)?.or(flags) {
            self.of_validator = words.into_iter().map(OsString::from).collect();
        }
        if let Some(words) = keys.read("args", words)? {
            self.of_bot = words.into_iter().map(OsString::from).collect();
        }
        if keys.read("grading", text)?.as_deref() == Some("custom") && package.graders.take().is_some() {
            print_error(format_args!(
                "{}: the package's own grader is not run, so the verdicts are compared test by test",
                path.display()
            ));
        }
        if is_group && package.graders.is_some() {
            self.grading = self.grading.inherited(&mut keys)?;
        }
        Ok(())
    }
}

/// Returns how the tests of a package are generated, as the end of a sentence; empty if the package does not show it.
fn generation(root: &Path) -> String {
    if root.join("generators/generators.yaml").is_file() {
        return "; generators/generators.yaml generates them by \"bt generate\" of BAPCtools".to_owned();
    }
    let mut scripts = ["data", "data/secret", "generators", "."].into_iter().flat_map(|folder| {
        ["generator.sh", "generate.sh", "gen.sh"].map(|name| Path::new(folder).join(name))
    });
    let script = scripts.find(|script| root.join(script).is_file());
    script.map_or_else(String::new, |script| format!("; the script {} generates them", script.display()))
}

/// Returns the names and paths of the entries of a folder, sorted by name. Leaves out what the format ignores: hidden
/// files, and, with a warning, names with characters that the format does not allow.
pub(crate) fn named_entries(folder: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let is_name = |name: &&str| {
        name.len() <= 255
            && !name.starts_with(['-', '.'])
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
    };
    let mut named = Vec::new();
    for path in entries(folder)? {
        match path.file_name().and_then(OsStr::to_str).filter(is_name) {
            Some(name) => named.push((name.to_owned(), path)),
            None => print_error(format_args!(
                "{} is ignored: in a package a name consists of letters, digits, \"_\", \".\" and \"-\", and does not \
                 begin with \"-\"",
                path.display()
            )),
        }
    }
    Ok(named)
}

/// Returns the validator: the only program of `output_validators` or `output_validator`, or the folder itself.
fn validator(package: &Package) -> anyhow::Result<PathBuf> {
    let mut folders =
        ["output_validators", "output_validator"].map(|name| package.root.join(name)).into_iter();
    let programs = folders.find(|programs| programs.is_dir()).with_context(|| {
        format!(
            "{}: expected the validator in the folder output_validator or output_validators, found none",
            package.root.display()
        )
    })?;
    let mut inside = named_entries(&programs)?;
    inside.retain(|(name, _)| !is_readme(name));
    let is_program = ["build", "run", "__main__.py"].iter().any(|name| programs.join(name).is_file());
    let validator = match &inside[..] {
        _ if is_program => programs,
        [] => bail!("{}: expected the validator, found an empty folder", programs.display()),
        [(_, program)] => program.clone(),
        _ => programs,
    };
    package.ensure_inside(&validator)?;
    Ok(validator)
}

pub(crate) fn is_readme(name: &str) -> bool {
    ["readme", "readme.txt", "readme.md"].contains(&name.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::FILE;
    use crate::trials::problem::format::tests::{assert_fault, folder, read};

    #[test]
    fn faults_of_the_problem() {
        let files = "output_validator/run data/secret/1.in data/secret/1.ans";
        let problem = "type: interactive\nlimits: {time_limit: 1}\n";
        for fault in [
            ("interactive", "[interactive", "problem.yaml is malformed"),
            ("interactive", "pass-fail", "expected an interactive or multi-pass problem, found the type"),
            ("time_limit: 1", "time_limit: -1", r#"time_limit": expected a number of seconds from 0.001"#),
            ("time_limit: 1", "time_multiplier: .nan", r#"time_multiplier": expected a number from 1"#),
            ("time_limit: 1", "time_multiplier: 0.5", r#"time_multiplier": expected"#),
            ("time_limit: 1", "time_resolution: 1e18", r#"time_resolution": expected a number"#),
            ("time_limit: 1", "time_multipliers: {ac_to_time_limit: 1e9}", r#"ac_to_time_limit": expected"#),
            ("time_limit: 1", "memory: 0", r#"memory": expected a number of MiB from 1"#),
            ("limits:", "validator_flags: \"'\"\nlimits:", "unclosed quote"),
        ] {
            assert_fault(FILE, problem, files, fault);
        }
        for (files, expected) in [
            ("output_validator/run data/secret/1.in", "1.ans: expected the answer of the test, found none"),
            (&format!("{files} data/secret/test_group.yaml:["), "test_group.yaml is malformed"),
            (&format!("{files} include/default/a.h"), "submissions need included files cannot be run"),
            (&format!("{files} data/secret/a.files/a"), "tests with files for the submission cannot be run"),
            ("output_validator/README.md data/secret/1.in data/secret/1.ans", "found an empty folder"),
        ] {
            assert_fault(FILE, problem, files, ("limits", "limits", expected));
        }
    }

    /// Checks empty values, and numbers as flags. The flags of a group follow those of the problem.
    #[test]
    fn arguments_of_the_validator() {
        for (problem, group, expected) in [
            ("limits:\nvalidator_flags:", "--letters ab", &["--letters", "ab"][..]),
            ("limits: {time_multipliers: }", "--letters ab", &["--letters", "ab"]),
            ("validator_flags: --letters ab", "1e-6", &["--letters", "ab", "1e-6"]),
            ("validator_flags: --letters ab", "", &["--letters", "ab"]),
            ("validator_flags: 1 --x", "{name: a, flags: 7}", &["1", "--x", "7"]),
        ] {
            let problem = format!("problem.yaml:validation: custom multi-pass\n{problem}\n");
            let group = format!("data/secret/testdata.yaml:output_validator_flags: {group}\n");
            let files =
                [&problem, &group, "output_validators/check", "data/secret/1.in", "data/secret/1.ans"];
            let folder = folder(&files);
            let package = read(folder.path()).unwrap();
            assert_eq!(package.tests[0].args, expected, "{problem} {group}");
        }
    }
}
