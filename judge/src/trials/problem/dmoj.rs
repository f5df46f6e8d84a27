//! Problems of DMOJ: `init.yml` names the interactor, the tests and the archive that has their files. The tests of a
//! problem in `tests/*/test.yml` are its solutions with their promises and limits.

use std::path::PathBuf;
use std::slice;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use runner::message::print_error;
use runner::sources::folder::entries;
use serde::Deserialize;
use serde_json::Value;

use crate::keys::{names, texts};
use crate::referee::interactor::style::{Style, TestCase};
use crate::trials::problem::archive;
use crate::trials::problem::expected::OutcomeRule;
use crate::trials::problem::inputs;
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::package::{OnlyCompared, Package, is_header};
use crate::trials::problem::yaml::{NumberText, YamlFile};

pub(crate) const FILE: &str = "init.yml";

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Init {
    archive: Option<String>,
    interactive: Option<Interactive>,
    custom_judge: Value,
    signature_grader: Value,
    generator: Value,
    /// `true` if bots need not flush.
    unbuffered: String,
    /// A list of cases, or a map with patterns for the names of their files.
    test_cases: Value,
}

#[derive(Deserialize)]
struct Interactive {
    /// A text or a list of texts.
    files: Value,
    #[serde(rename = "type")]
    kind: Option<String>,
    flags: Option<Value>,
    args_format_string: Option<String>,
    /// `false` if the interactor has to flush.
    #[serde(default)]
    unbuffered: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CaseOrBatch {
    r#in: Option<String>,
    out: Option<String>,
    generator: Value,
    batched: Vec<CaseOrBatch>,
}

/// The file `test.yml`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SolutionFile {
    source: String,
    expect: Option<Value>,
    /// In seconds.
    time: Option<NumberText<f64>>,
    /// In KiB.
    memory: Option<NumberText<u32>>,
}

pub(crate) fn read(package: &mut Package, init: &Init) -> anyhow::Result<()> {
    for (key, value) in [("custom_judge", &init.custom_judge), ("signature_grader", &init.signature_grader)] {
        ensure!(
            value.is_null(),
            "{key}: expected a problem with the key interactive: the judge runs no grader of DMOJ in Python or in the \
             process of the bot; name a program that talks with the bot by --interactor"
        );
    }
    let only_compared = || OnlyCompared("expected the key interactive, found none".to_owned());
    let interactive = init.interactive.as_ref().ok_or_else(only_compared)?;
    package.style = interactive.style()?;
    package.validator = Some(interactive.source(package)?);
    package.unbuffers_interactor = !interactive.unbuffered.eq_ignore_ascii_case("false");
    if let Some(name) = &init.archive {
        let unpacked = archive::unpack(&package.file(name)?)?;
        // A file of the problem comes before one of its archive.
        package.places.push(unpacked.path().canonicalize()?);
        package.unpacked.push(unpacked);
    }
    init.read_tests(package)?;
    read_solutions(package)?;
    if init.unbuffered.eq_ignore_ascii_case("true") {
        print_error(format_args!(
            "{FILE}: unbuffered: with this key, DMOJ accepts a bot that does not flush; the judge does not"
        ));
    }
    Ok(())
}

impl Interactive {
    fn style(&self) -> anyhow::Result<Style> {
        let kind = self.kind.as_deref().unwrap_or("default");
        let (style, arguments) = match kind {
            "default" => (Style::Dmoj, "{input_file} {answer_file}"),
            "coci" => (Style::Coci, "{input_file} {answer_file}"),
            "testlib" => (Style::Testlib, "{input_file} {output_file} {answer_file}"),
            _ => bail!("interactive: type: expected default, testlib or coci, found {kind}"),
        };
        let typed = self.args_format_string.as_deref().unwrap_or(arguments);
        ensure!(
            typed.split_whitespace().eq(arguments.split_whitespace()),
            "interactive: args_format_string: expected {arguments:?} for the type {kind}, found {typed:?}: for other \
             arguments type --interactor 'COMMAND {{input}} {{answer}}' --style plain"
        );
        Ok(style)
    }

    /// Returns the source of the interactor. Other files of the interactor must be headers.
    fn source(&self, package: &Package) -> anyhow::Result<PathBuf> {
        ensure!(
            self.flags.is_none(),
            "interactive: flags: expected none: compile the interactor yourself, and name it by --interactor"
        );
        let files = texts(&self.files).map_err(|error| anyhow!("interactive: files: {error}"))?;
        let sources: Vec<_> = files.iter().filter(|file| !is_header(file)).collect();
        match &sources[..] {
            [source] => package.file(source),
            _ => bail!(
                "interactive: files: expected one source and headers, found {} sources: put them into a folder, and name \
                 it by --interactor",
                sources.len()
            ),
        }
    }
}

impl Init {
    /// Reads the tests that `test_cases` lists, or if it is missing, those of the archive.
    fn read_tests(&self, package: &mut Package) -> anyhow::Result<()> {
        if self.test_cases.is_null() {
            let unpacked =
                package.places.get(1).context("test_cases: expected a list of cases, or an archive")?;
            package.tests = inputs::find(slice::from_ref(unpacked))?;
            return Ok(());
        }
        ensure!(
            self.test_cases.is_array(),
            "test_cases: expected a list of cases, found patterns: name the inputs by --interactor and --input"
        );
        let listed: Vec<CaseOrBatch> =
            serde_json::from_value(self.test_cases.clone()).context("test_cases")?;
        let cases = listed
            .iter()
            .flat_map(|case| if case.batched.is_empty() { slice::from_ref(case) } else { &case.batched });
        for (number, case) in (1..).zip(cases) {
            ensure!(
                case.r#in.is_some() || self.generator.is_null() && case.generator.is_null(),
                "test {number}: expected an input file: the judge runs no generator of DMOJ; name the inputs by \
                 --interactor and --input"
            );
            let file = |name: &String| package.file(name).with_context(|| format!("test {number}"));
            let answer = case.out.as_ref().map(file).transpose()?;
            // The interactor of a case without a file has no input.
            let input = case.r#in.as_ref().map_or_else(|| Ok("/dev/null".into()), file)?;
            package.tests.push(TestCase { name: number.to_string(), ..TestCase::new(input, answer) });
        }
        Ok(())
    }
}

/// Reads the solutions with their own limits, and sets the largest of these as the limits of the problem.
fn read_solutions(package: &mut Package) -> anyhow::Result<()> {
    let (mut time, mut memory) = (None, None);
    let tests = package.root.join("tests");
    let folders = if tests.is_dir() { entries(&tests)? } else { Vec::new() };
    for test in folders {
        let Some(yaml) = YamlFile::read(&test.join("test.yml"))? else { continue };
        let file: SolutionFile = yaml.parse()?;
        let seconds = file.time.map(|NumberText(time)| Duration::try_from_secs_f64(time)).transpose();
        let kib = file.memory.map(|NumberText(kib)| u64::from(kib) << 10);
        let own = seconds.map_err(anyhow::Error::from).and_then(|time| PackageLimits::of_bot(time, kib));
        let own = own.with_context(|| yaml.path.display().to_string())?;
        time = time.max(own.time);
        memory = memory.max(own.memory);
        let promised = file.expect.as_ref().map(names).transpose();
        let promised = promised.map_err(|error| anyhow!("{}: expect: {error}", yaml.path.display()))?;
        let promised = promised.unwrap_or_default();
        let promised = OutcomeRule::of_words(promised.iter().map(String::as_str));
        package.add_solution(&test.join(&file.source), promised, (own.time, own.memory))?;
    }
    package.limits = PackageLimits::of_bot(time, memory)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::problem::format::tests::{assert_fault, described, read, with_files};

    const TEXT: &str = "interactive: {files: [i.py, i.h], type: coci}\ntest_cases:\n- {in: a.1.in, out: a.1.out, points: 1}\n\
                        - batched:\n  - {in: a.2.in}\n  - {points: 3}\n";
    const FILES: &str = "i.py i.h a.1.in a.1.out a.2.in";

    #[test]
    fn parts_of_a_problem() {
        let solutions = "tests/x/a.py tests/y/b.py tests/z/b.py";
        let folder = with_files(FILE, TEXT, &format!("{FILES} {solutions}"));
        for (solution, text) in [
            ("x", "language: PY3\ntime: 1.5\nmemory: 65536\nsource: a.py\nexpect: [TLE, WA]"),
            ("y", "source: b.py\nexpect: AC\ntime: 1"),
            ("z", "source: b.py\nexpect: IE"),
        ] {
            std::fs::write(folder.path().join(format!("tests/{solution}/test.yml")), text).unwrap();
        }
        let package = read(folder.path()).unwrap();
        assert_eq!(
            described(&package),
            "coci i.py - 1.5s 64 MiB\n\
             test a.1: a.1.in a.1.out\ntest a.2: a.2.in -\ntest 3: /dev/null -\n\
             tests/y/b.py: AC\ntests/x/a.py: AC or WA or TLE, at least one WA or TLE\n"
        );
        assert!(package.unbuffers_interactor);
        let limits = package.solutions.iter().flatten().map(|solution| solution.limits);
        let of_slow = (Some(Duration::from_millis(1500)), Some(64 << 20));
        assert_eq!(limits.collect::<Vec<_>>(), [(Some(Duration::from_secs(1)), None), of_slow]);
        std::fs::write(folder.path().join(FILE), TEXT.replace("type: coci", "unbuffered: False")).unwrap();
        let flushes = read(folder.path()).unwrap();
        assert_eq!((flushes.style, flushes.unbuffers_interactor), (Style::Dmoj, false));
    }

    #[test]
    fn faults_and_other_problems() {
        for fault in [
            ("", "custom_judge: a.py", "custom_judge: expected a problem with the key"),
            ("", "signature_grader: {entry: a}", "signature_grader: expected"),
            ("interactive: {", "other: {", "expected the key interactive, found none"),
            ("coci", "peg", "type: expected default, testlib or coci, found peg"),
            ("type: coci", "flags: [-DX]", "flags: expected none"),
            ("type: coci", "args_format_string: x", "args_format_string: expected \"{input"),
            ("i.h", "j.py", "files: expected one source and headers, found 2 sources"),
            ("[i.py, i.h]", "[j.py]", "expected the file j.py, found none"),
            ("a.2.in", "a.3.in", "test 2: "),
            ("a.2.in", "../a.in", "test 2: "),
            ("{points: 3}", "{generator: g.py}", "test 3: expected an input file"),
            ("- {in: a.1.in", "- {in: [a.1.in]", "test_cases: "),
            ("", "archive: none.zip", "expected the file none.zip, found none"),
            ("", "archive: i.py", "i.py: expected a zip archive"),
        ] {
            assert_fault(FILE, TEXT, FILES, fault);
        }
        for fault in [
            ("x", "y", "test_cases: expected a list of cases, found patterns"),
            ("test_cases: {input_format: x}", "", "test_cases: expected a list of cases, or an archive"),
        ] {
            assert_fault(FILE, "interactive: {files: i.py}\ntest_cases: {input_format: x}\n", FILES, fault);
        }
    }
}
