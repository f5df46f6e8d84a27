//! Packages of Codeforces Polygon: `problem.xml` names the interactor, the checker, the tests, the limits, and the
//! solutions with the verdicts that they promise.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use roxmltree::{Document, Node};
use runner::message::print_error;

use crate::conversation::facts::Turn;
use crate::referee::interactor::style::Style;
use crate::trials::problem::constants::Constants;
use crate::trials::problem::inputs::Input;
use crate::trials::problem::limits::{Factors, MAX_TIME, PackageLimits};
use crate::trials::problem::package::{Package, PackageTest, ensure_inside};
use crate::trials::problem::submissions::Submission;
use crate::trials::problem::yaml::read_file;

/// The file of a package.
pub(crate) const FILE: &str = "problem.xml";

/// Maximum number of tests.
const MAX_TESTS: u32 = 10_000;

/// Reads the package in `folder`.
///
/// # Errors
///
/// If a file is missing or malformed, or if the judge does not run such a problem.
pub(crate) fn read(folder: &Path) -> anyhow::Result<Package> {
    let path = folder.join(FILE);
    let text = read_file(&path)?.with_context(|| format!("{}: expected a file", path.display()))?;
    let in_file = || path.display().to_string();
    let document = Document::parse(&text).with_context(|| format!("{} is malformed", path.display()))?;
    let root = folder.canonicalize().with_context(|| format!("{} cannot be read", folder.display()))?;
    let reader = Reader { root, problem: document.root_element() };
    reader.package(folder).with_context(in_file)
}

/// Reads the elements of `problem.xml`.
struct Reader<'a> {
    /// The folder of the package as an absolute path.
    root: PathBuf,
    problem: Node<'a, 'a>,
}

impl Reader<'_> {
    fn package(self, folder: &Path) -> anyhow::Result<Package> {
        let judging = child(self.problem, "judging")?;
        for file in ["input-file", "output-file"] {
            let name = judging.attribute(file).unwrap_or_default();
            ensure!(name.is_empty(), "expected a problem on stdin and stdout, found the {file} {name:?}");
        }
        let has_tag = |tag: &str| {
            let tags = self.problem.children().filter(|node| node.has_tag_name("tags"));
            tags.flat_map(|tags| tags.children()).any(|node| node.attribute("value") == Some(tag))
        };
        let runs = judging.attribute("run-count").unwrap_or("1");
        ensure!(
            runs == "1" && !has_tag("run-twice"),
            "expected a problem that runs a solution once: the judge does not run it twice"
        );
        let assets = child(self.problem, "assets")?;
        let interactor = self.source(assets, "interactor")?.context(
            "expected an interactor, found none: the judge runs no problem whose outputs are only compared",
        )?;
        let testset = testset(judging)?;
        Ok(Package {
            folder: folder.to_owned(),
            turn: Turn::WithBot,
            max_passes: 1,
            validator: interactor,
            style: Style::Testlib,
            checker: self.source(assets, "checker")?,
            limits: limits(testset)?,
            constants: Constants::default(),
            tests: self.tests(testset)?,
            args: Vec::new(),
            is_legacy: true,
            graders: None,
            solutions: Some(self.solutions(assets, folder)?),
            root: self.root,
        })
    }

    /// Returns the path of a file of the package.
    fn path(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.root.join(name);
        ensure_inside(&self.root, &path)?;
        Ok(path)
    }

    /// Returns the source of the program in the element `name`; `None` if there is no such element.
    fn source(&self, assets: Node<'_, '_>, name: &str) -> anyhow::Result<Option<PathBuf>> {
        let Some(program) = assets.children().find(|node| node.has_tag_name(name)) else { return Ok(None) };
        self.path(source_path(program)?).map(Some)
    }

    /// Returns the tests in the order of their numbers.
    fn tests(&self, testset: Node<'_, '_>) -> anyhow::Result<Vec<PackageTest>> {
        let listed = testset.descendants().filter(|node| node.has_tag_name("test")).count();
        let count = match testset.children().find(|node| node.has_tag_name("test-count")) {
            Some(_) => number(testset, "test-count")?,
            None => listed.try_into().unwrap_or(u64::MAX),
        };
        let count = u32::try_from(count).ok().filter(|count| (1..=MAX_TESTS).contains(count));
        let count = count.with_context(|| format!("expected from 1 to {MAX_TESTS} tests"))?;
        let [inputs, answers] = ["input-path-pattern", "answer-path-pattern"].map(|name| text(testset, name));
        let (inputs, answers) = (inputs?, answers?);
        let test = |number| {
            let file = |pattern| -> anyhow::Result<(String, PathBuf)> {
                let name = numbered(pattern, number)?;
                ensure!(
                    self.root.join(&name).is_file(),
                    "expected the file {name} of test {number}, found none: take a full package, or run its doall.sh, \
                     which makes the tests"
                );
                let path = self.path(&name)?;
                Ok((name, path))
            };
            let ((name, path), (_, answer)) = (file(inputs)?, file(answers)?);
            let input = Input { path, answer: Some(answer) };
            Ok(PackageTest { name, input, args: Vec::new(), bot_args: Vec::new() })
        };
        (1..=count).map(test).collect()
    }

    /// Returns the solutions; those that must be accepted come first. `folder` is the folder of the package as it was
    /// typed, with which the commands of a report begin.
    fn solutions(&self, assets: Node<'_, '_>, folder: &Path) -> anyhow::Result<Vec<Submission>> {
        let mut solutions = Vec::new();
        let listed = assets.descendants().filter(|node| node.has_tag_name("solution"));
        for solution in listed {
            let name = source_path(solution)?;
            let tag = solution.attribute("tag").unwrap_or_default();
            ensure_inside(&self.root, &self.root.join(name))?;
            match Submission::of_tag(tag, name, folder.join(name)) {
                Some(submission) => solutions.push(submission),
                None => print_error(format_args!(
                    "{FILE}: {name} is not run: its tag {tag:?} is not known, so it promises nothing"
                )),
            }
        }
        solutions.sort_by_key(|solution| !solution.is_accepted());
        Ok(solutions)
    }
}

/// Returns the element `name` in `node`.
fn child<'a>(node: Node<'a, 'a>, name: &str) -> anyhow::Result<Node<'a, 'a>> {
    let found = node.children().find(|node| node.has_tag_name(name));
    found.with_context(|| format!("expected <{name}> in <{}>, found none", node.tag_name().name()))
}

fn text<'a>(node: Node<'a, '_>, name: &str) -> anyhow::Result<&'a str> {
    let found = node.children().find(|node| node.has_tag_name(name)).and_then(|node| node.text());
    found.map(str::trim).with_context(|| format!("expected <{name}> with a text, found none"))
}

fn number(node: Node<'_, '_>, name: &str) -> anyhow::Result<u64> {
    let text = text(node, name)?;
    text.parse().ok().with_context(|| format!("<{name}>: expected a number, found {text:?}"))
}

fn source_path<'a>(program: Node<'a, '_>) -> anyhow::Result<&'a str> {
    let source = program.children().find(|node| node.has_tag_name("source"));
    let path = source.and_then(|source| source.attribute("path"));
    path.with_context(|| {
        format!("<{}>: expected <source> with a path, found none", program.tag_name().name())
    })
}

/// Returns the set of the tests that decide: `tests`, or the only one.
fn testset<'a>(judging: Node<'a, 'a>) -> anyhow::Result<Node<'a, 'a>> {
    let sets: Vec<_> = judging.children().filter(|node| node.has_tag_name("testset")).collect();
    if let [set] = &sets[..] {
        return Ok(*set);
    }
    let named = sets.iter().find(|set| set.attribute("name") == Some("tests"));
    named.copied().context("expected <testset name=\"tests\">, found none")
}

/// Returns the limits: the time is in milliseconds, the memory in bytes.
fn limits(testset: Node<'_, '_>) -> anyhow::Result<PackageLimits> {
    let time = Duration::from_millis(number(testset, "time-limit")?);
    ensure!(
        !time.is_zero() && time <= MAX_TIME,
        "<time-limit>: expected from 1 to {} milliseconds",
        MAX_TIME.as_millis()
    );
    let memory = number(testset, "memory-limit")?;
    ensure!(memory > 0, "<memory-limit>: expected at least 1 byte");
    Ok(PackageLimits {
        time: Some(time),
        memory: Some(memory),
        output: None,
        validation_time: None,
        validation_memory: None,
        validation_output: None,
        factors: Factors { from_accepted: 1.0, to_too_slow: None, bind_given_limit: false },
        time_resolution: Duration::from_secs(1),
    })
}

/// Returns a path with the number in place of `%d`, or of `%02d` for at least two digits.
fn numbered(pattern: &str, number: u32) -> anyhow::Result<String> {
    let parts = pattern.split_once('%').and_then(|(before, rest)| {
        let (digits, after) = rest.split_once('d')?;
        let width: usize = if digits.is_empty() { 0 } else { digits.strip_prefix('0')?.parse().ok()? };
        (width <= 9).then_some((before, width, after))
    });
    match parts {
        Some((before, width, after)) => Ok(format!("{before}{number:0width$}{after}")),
        None => bail!("expected a pattern such as tests/%02d, found {pattern:?}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;
    use crate::conversation::verdict::Verdict;
    use crate::trials::problem::submissions::Outcome;

    const XML: &str = r#"<problem short-name="x">
        <judging input-file="" output-file="" run-count="1">
            <testset name="pretests"><test-count>7</test-count></testset>
            <testset name="tests">
                <time-limit>1500</time-limit>
                <memory-limit>268435456</memory-limit>
                <test-count>2</test-count>
                <input-path-pattern>tests/%02d</input-path-pattern>
                <answer-path-pattern>tests/%02d.a</answer-path-pattern>
                <tests><test method="manual"/><test method="generated" cmd="gen 7"/></tests>
            </testset>
        </judging>
        <assets>
            <checker name="std::ncmp.cpp"><source path="files/check.cpp"/></checker>
            <interactor><source path="files/interact.cpp" type="cpp.g++17"/></interactor>
            <solutions>
                <solution tag="wrong-answer"><source path="solutions/wrong.cpp"/></solution>
                <solution tag="main"><source path="solutions/main.cpp"/></solution>
            </solutions>
        </assets>
        <tags><tag value="games"/></tags>
    </problem>"#;

    const FILES: [&str; 8] = [
        "files/check.cpp",
        "files/interact.cpp",
        "solutions/main.cpp",
        "solutions/wrong.cpp",
        "tests/01",
        "tests/01.a",
        "tests/02",
        "tests/02.a",
    ];

    /// Reads a package with this `problem.xml`.
    fn read_xml(xml: &str) -> Result<(tempfile::TempDir, Package), String> {
        let here = tempfile::tempdir().unwrap();
        for file in FILES {
            let path = here.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        fs::write(here.path().join(FILE), xml).unwrap();
        let package = read(here.path()).map_err(|error| format!("{error:#}"))?;
        Ok((here, package))
    }

    #[test]
    fn parts_of_a_package() {
        let (here, package) = read_xml(XML).unwrap();
        let root = here.path().canonicalize().unwrap();
        let inside = |path: &Path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        assert_eq!((package.style, package.turn, package.max_passes), (Style::Testlib, Turn::WithBot, 1));
        assert_eq!(inside(&package.validator), "files/interact.cpp");
        assert_eq!(inside(package.checker.as_deref().unwrap()), "files/check.cpp");
        assert_eq!(package.default_limits(), (Duration::from_millis(1500), 256 << 20));
        let tests: Vec<_> = package
            .tests
            .iter()
            .map(|test| {
                (test.name.clone(), inside(&test.input.path), inside(test.input.answer.as_deref().unwrap()))
            })
            .collect();
        let test = |number: u32| {
            let name = format!("tests/{number:02}");
            (name.clone(), name.clone(), format!("{name}.a"))
        };
        assert_eq!(tests, [test(1), test(2)]);
        let solutions = package.solutions.unwrap();
        let solutions: Vec<_> =
            solutions.iter().map(|solution| (&*solution.name, solution.is_accepted())).collect();
        assert_eq!(solutions, [("solutions/main.cpp", true), ("solutions/wrong.cpp", false)]);
    }

    #[test]
    fn faults_and_other_problems() {
        for (from, to, expected) in [
            ("</problem>", "", "problem.xml is malformed: "),
            ("<problem ", "<!DOCTYPE a [<!ENTITY b 'c'>]><problem ", "problem.xml is malformed: "),
            ("input-file=\"\"", "input-file=\"in.txt\"", "found the input-file \"in.txt\""),
            ("run-count=\"1\"", "run-count=\"2\"", "does not run it twice"),
            ("value=\"games\"", "value=\"run-twice\"", "does not run it twice"),
            ("interactor>", "other>", "expected an interactor, found none"),
            (
                "<source path=\"files/interact.cpp\" type=\"cpp.g++17\"/>",
                "",
                "<interactor>: expected <source>",
            ),
            ("files/interact.cpp", "files/none.cpp", "files/none.cpp cannot be read"),
            ("files/interact.cpp", "/etc/passwd", "expected a file of the package"),
            ("name=\"tests\"", "name=\"others\"", "expected <testset name=\"tests\">"),
            ("1500", "0", "<time-limit>: expected from 1 to 86400000 milliseconds"),
            ("1500", "2s", "<time-limit>: expected a number, found \"2s\""),
            ("268435456", "0", "<memory-limit>: expected at least 1 byte"),
            (
                "<test-count>2",
                "<test-count>3",
                "expected the file tests/03 of test 3, found none: take a full package",
            ),
            ("<test-count>2", "<test-count>4000000000", "expected from 1 to 10000 tests"),
            ("%02d.a", "%02d.b", "expected the file tests/01.b of test 1"),
            ("tests/%02d<", "tests/01<", "expected a pattern such as tests/%02d"),
        ] {
            assert!(XML.contains(from), "{from}");
            let error = read_xml(&XML.replace(from, to)).map(|_| ()).unwrap_err();
            assert!(error.contains(expected), "{from} {to}: {error}");
        }
        let listed = XML.replace("<test-count>2</test-count>", "");
        assert_eq!(read_xml(&listed).unwrap().1.tests.len(), 2);
        let unknown = read_xml(&XML.replace("\"wrong-answer\"", "\"new-tag\"")).unwrap();
        assert_eq!(unknown.1.solutions.unwrap().len(), 1);
    }

    #[test]
    fn promises_of_tags() {
        use Verdict::{Accepted, Crashed, Memory, TimeCpu, WrongAnswer};
        for (tag, kept, broken) in [
            ("main", &[Accepted, Accepted][..], &[Accepted, WrongAnswer][..]),
            ("accepted", &[Accepted], &[TimeCpu]),
            ("wrong-answer", &[Accepted, WrongAnswer], &[Accepted]),
            ("presentation-error", &[WrongAnswer], &[WrongAnswer, TimeCpu]),
            ("time-limit-exceeded", &[Accepted, TimeCpu], &[TimeCpu, WrongAnswer]),
            ("time-limit-exceeded-or-accepted", &[Accepted], &[WrongAnswer]),
            ("memory-limit-exceeded", &[Memory], &[TimeCpu]),
            ("time-limit-exceeded-or-memory-limit-exceeded", &[TimeCpu, Memory], &[Accepted]),
            ("rejected", &[Accepted, Crashed], &[Accepted]),
            ("failed", &[WrongAnswer, TimeCpu], &[Accepted]),
        ] {
            let solution = Submission::of_tag(tag, "a.cpp", "a.cpp".into()).unwrap();
            let is_kept = |verdicts: &[Verdict]| {
                let verdicts: Vec<_> =
                    verdicts.iter().map(|&verdict| ("tests/01", verdict, Outcome::of(verdict))).collect();
                solution.unexpected(&verdicts, &BTreeSet::default()).is_none()
            };
            assert!(is_kept(kept) && !is_kept(broken), "{tag}");
        }
    }

    #[test]
    fn numbers_in_paths() {
        for (pattern, number, expected) in [
            ("tests/%02d", 7, Some("tests/07")),
            ("tests/%02d.a", 123, Some("tests/123.a")),
            ("%d.in", 7, Some("7.in")),
            ("%03d", 7, Some("007")),
            ("tests/01", 7, None),
            ("%2d", 7, None),
            ("%0999999999d", 7, None),
        ] {
            assert_eq!(numbered(pattern, number).ok().as_deref(), expected, "{pattern}");
        }
    }
}
