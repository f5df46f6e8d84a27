//! Packages of Codeforces Polygon: `problem.xml` names the interactor, the checker, the tests, the limits, and the
//! solutions with the verdicts that they promise.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use roxmltree::{Document, Node};
use runner::message::print_error;

use crate::referee::interactor::passes::{PassesError, WantedPasses};
use crate::referee::interactor::style::Style;
use crate::text::counted;
use crate::trials::problem::generation::Generation;
use crate::trials::problem::inputs::Input;
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::package::{
    MAX_TESTS, OnlyCompared, Package, PackageTest, ensure_inside, root_of,
};
use crate::trials::problem::submissions::Submission;
use crate::trials::problem::yaml::read_file;

/// The file of a package.
pub(crate) const FILE: &str = "problem.xml";

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
    let root = root_of(folder)?;
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
        let assets = child(self.problem, "assets")?;
        let [interactor, checker] = ["interactor", "checker"].map(|name| element(assets, name));
        let count = judging.attribute("run-count");
        let passes = match count {
            Some("2") => 2,
            None if has_tag("run-twice") => 2,
            None | Some("1") => 1,
            Some(count) => bail!("run-count: expected 1 or 2, found {count:?}"),
        };
        // Without <runs>, the interactor of such a problem is only for the first run.
        let is_only_first =
            count == Some("2") && interactor.is_some_and(|interactor| element(interactor, "runs").is_none());
        let wanted = WantedPasses {
            passes: Some(passes),
            interactive: is_only_first.then_some(1),
            has_interactor: interactor.is_some(),
            has_checker: checker.is_some(),
            has_between: false,
        };
        let passes = wanted.passes().map_err(|error| match error {
            PassesError::Missing(name) if passes == 1 => {
                OnlyCompared { expected: format!("expected an {name}, found none") }.into()
            }
            PassesError::Missing(name) => anyhow!("expected <{name}> in <assets>, found none"),
            error => error.into(),
        })?;
        let testset = testset(judging)?;
        let made = tempfile::Builder::new().prefix("judge-inputs-").tempdir();
        let made = made.context("a folder for the inputs cannot be made")?;
        let (tests, solutions) = (self.tests(testset, made.path())?, self.solutions(assets, folder)?);
        let validator = interactor.map(|program| self.source(program)).transpose()?;
        let checker = checker.map(|program| self.source(program)).transpose()?;
        let style = (validator, Style::Testlib);
        let package = Package::in_one_pass((folder, self.root), style, limits(testset)?, tests);
        Ok(Package { passes, checker, solutions: Some(solutions), unpacked: vec![made], ..package })
    }

    /// Returns the path of a file of the package.
    fn path(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.root.join(name);
        ensure_inside(&self.root, &path)?;
        Ok(path)
    }

    /// Returns the path of the source of a program.
    fn source(&self, program: Node<'_, '_>) -> anyhow::Result<PathBuf> {
        self.path(source_path(program)?)
    }

    /// Returns the tests in the order of their numbers. Inputs that are not there will be made in the folder `made`.
    fn tests(&self, testset: Node<'_, '_>, made: &Path) -> anyhow::Result<Vec<PackageTest>> {
        let listed: Vec<_> = testset.descendants().filter(|node| node.has_tag_name("test")).collect();
        let count = match testset.children().find(|node| node.has_tag_name("test-count")) {
            Some(_) => number(testset, "test-count")?,
            None => listed.len().try_into().unwrap_or(u64::MAX),
        };
        let count = u32::try_from(count).ok().filter(|count| (1..=MAX_TESTS).contains(count));
        let count = count.with_context(|| format!("expected from 1 to {MAX_TESTS} tests"))?;
        let [inputs, answers] = ["input-path-pattern", "answer-path-pattern"].map(|name| text(testset, name));
        let (inputs, answers) = (inputs?, answers?);
        let mut without_answer = 0;
        let mut tests = Vec::new();
        for number in 1..=count {
            let (name, answer) = (numbered(inputs, number)?, numbered(answers, number)?);
            let answer = self.root.join(&answer).is_file().then(|| self.path(&answer)).transpose()?;
            without_answer += u64::from(answer.is_none());
            tests.push(if self.root.join(&name).is_file() {
                PackageTest::new(name.clone(), Input { path: self.path(&name)?, answer })
            } else {
                let listed = listed.get(number as usize - 1).copied();
                let generation = self.generation(listed, &name).with_context(|| format!("test {number}"))?;
                let path = made.join(number.to_string());
                PackageTest { generation: Some(generation), ..PackageTest::new(name, Input { path, answer }) }
            });
        }
        if without_answer > 0 {
            print_error(format_args!(
                "{FILE}: {} without an answer, which the programs may need: a full package has the answers, and doall.sh \
                 makes them",
                counted(without_answer, "test")
            ));
        }
        Ok(tests)
    }

    /// Returns how the input `name`, which is not there, is made.
    fn generation(&self, test: Option<Node<'_, '_>>, name: &str) -> anyhow::Result<Generation> {
        const INSTEAD: &str = "take a full package, or run its doall.sh, which makes the tests";
        let missing = || format!("expected the file {name}, found none: {INSTEAD}");
        let test = test.with_context(missing)?;
        let command = test.attribute("cmd").with_context(missing)?;
        ensure!(
            test.attribute("from-file").is_none(),
            "{command:?} makes the inputs of several tests, which the judge does not do: {INSTEAD}"
        );
        let words = shlex::split(command).unwrap_or_default();
        let (program, args) = words.split_first().with_context(missing)?;
        let sources = self.problem.descendants().filter(|node| node.has_tag_name("executable"));
        let mut sources = sources.map(source_path).collect::<anyhow::Result<Vec<_>>>()?;
        sources.retain(|source| Path::new(source).file_stem().is_some_and(|stem| stem == &**program));
        let source = sources.first().with_context(|| {
            format!(
                "expected an <executable> with the source of the generator {program}, found none: {INSTEAD}"
            )
        })?;
        Ok(Generation { generator: self.path(source)?, args: args.iter().map(OsString::from).collect() })
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
fn element<'a>(node: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|node| node.has_tag_name(name))
}

/// Returns the element `name` in `node`, which must have it.
fn child<'a>(node: Node<'a, 'a>, name: &str) -> anyhow::Result<Node<'a, 'a>> {
    element(node, name)
        .with_context(|| format!("expected <{name}> in <{}>, found none", node.tag_name().name()))
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
    PackageLimits::of_bot(Some(time), Some(number(testset, "memory-limit")?))
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
    use crate::conversation::role::Role;
    use crate::conversation::verdict::Verdict;
    use crate::referee::interactor::passes::Passes;
    use crate::trials::problem::expected::Outcome;

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
        <files><executables><executable><source path="files/gen.cpp"/></executable></executables></files>
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

    const FILES: [&str; 9] = [
        "files/check.cpp",
        "files/gen.cpp",
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
        assert_eq!((package.style, package.passes), (Style::Testlib, Passes::ONE));
        assert_eq!(inside(package.validator.as_deref().unwrap()), "files/interact.cpp");
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
            ("run-count=\"1\"", "run-count=\"3\"", "run-count: expected 1 or 2, found \"3\""),
            ("interactor>", "other>", "expected an interactor, found none"),
            (
                "<source path=\"files/interact.cpp\" type=\"cpp.g++17\"/>",
                "",
                "<interactor>: expected <source>",
            ),
            ("files/interact.cpp", "files/none.cpp", "files/none.cpp cannot be read"),
            ("files/interact.cpp", "/etc/passwd", "expected a file of the package"),
            ("name=\"tests\"", "name=\"others\"", "expected <testset name=\"tests\">"),
            ("1500", "0", "expected a time limit from 1 ms to 86400 s, found 0ns"),
            ("1500", "2s", "<time-limit>: expected a number, found \"2s\""),
            ("268435456", "0", "expected a memory limit from 1 byte to 1 TiB, found 0 bytes"),
            (
                "<test-count>2",
                "<test-count>3",
                "test 3: expected the file tests/03, found none: take a full package",
            ),
            ("tests/%02d<", "%02d<", "test 1: expected the file 01, found none: take a full package"),
            ("<test-count>2", "<test-count>4000000000", "expected from 1 to 10000 tests"),
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
    fn inputs_that_are_made() {
        let missing = XML
            .replace("tests/%02d<", "%02d<")
            .replace("%02d.a", "%02d.b")
            .replace("<test method=\"manual\"/>", "<test method=\"generated\" cmd=\"gen -n 5 'a b'\"/>");
        let (here, package) = read_xml(&missing).unwrap();
        let args: Vec<_> = package
            .tests
            .iter()
            .map(|test| {
                let Generation { generator, args } = test.generation.as_ref().unwrap();
                assert_eq!(*generator, here.path().canonicalize().unwrap().join("files/gen.cpp"));
                assert_eq!(test.input.answer, None);
                (&*test.name, args.iter().map(|arg| arg.to_str().unwrap()).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(args, [("01", vec!["-n", "5", "a b"]), ("02", vec!["7"])]);
        let folder = package.tests[0].input.path.parent().unwrap().to_owned();
        drop(package);
        assert!(!folder.exists());
        for (from, to, expected) in [
            (
                "files/gen.cpp",
                "files/check.cpp",
                "test 1: expected an <executable> with the source of the generator gen, found none",
            ),
            (
                "cmd=\"gen 7\"",
                "cmd=\"gen 7\" from-file=\"2\"",
                "test 2: \"gen 7\" makes the inputs of several tests, which the judge does not do: take a full package",
            ),
        ] {
            let error = read_xml(&missing.replace(from, to)).map(|_| ()).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn solutions_that_are_run_twice() {
        const CHECKER: Role = Role::Checker;
        let tagged = XML.replace(" run-count=\"1\"", "").replace("value=\"games\"", "value=\"run-twice\"");
        let counted = XML.replace("run-count=\"1\"", "run-count=\"2\"");
        let with_runs = |xml: &str| xml.replace("</interactor>", "<runs><run>1</run></runs></interactor>");
        let plain = |xml: &str| xml.replace("interactor>", "other>");
        for (xml, first, second) in [
            (plain(&counted), CHECKER, CHECKER),
            (plain(&tagged), CHECKER, CHECKER),
            (counted.clone(), Role::Interactor, CHECKER),
            (with_runs(&counted), Role::Interactor, Role::Interactor),
            (tagged.clone(), Role::Interactor, Role::Interactor),
        ] {
            let (_here, package) = read_xml(&xml).unwrap();
            assert_eq!(package.passes, Passes::Twice(first, second), "{xml}");
            assert_eq!(package.validator.is_some(), first == Role::Interactor, "{xml}");
        }
        let unchecked = plain(&counted).replace("checker", "other");
        let error = read_xml(&unchecked).map(|_| ()).unwrap_err();
        assert!(error.ends_with("expected <checker> in <assets>, found none"), "{error}");
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
                solution.expected.difference(&verdicts, &BTreeSet::default()).is_none()
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
