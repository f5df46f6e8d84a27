//! Packages of Codeforces Polygon: `problem.xml` names the interactor, the checker, the tests, the limits, and the
//! solutions with the verdicts that they promise.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use roxmltree::Node;
use runner::message::print_error;

use crate::conversation::role::Role;
use crate::referee::interactor::passes::Passes;
use crate::referee::interactor::style::TestCase;
use crate::text::counted;
use crate::trials::problem::expected::OutcomeRule;
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::package::{MAX_TESTS, OnlyCompared, Package};
use crate::trials::problem::tool::Generation;

pub(crate) const FILE: &str = "problem.xml";

pub(crate) fn read<'a>(package: &mut Package, problem: Node<'a, 'a>) -> anyhow::Result<()> {
    let judging = child(problem, "judging")?;
    for file in ["input-file", "output-file"] {
        let name = judging.attribute(file).unwrap_or_default();
        ensure!(name.is_empty(), "expected a problem on stdin and stdout, found the {file} {name:?}");
    }
    let assets = child(problem, "assets")?;
    let [interactor, checker] = ["interactor", "checker"].map(|name| element(assets, name));
    let is_tagged = nodes(problem, "tag").any(|tag| tag.attribute("value") == Some("run-twice"));
    let count = judging.attribute("run-count");
    let is_twice = match count {
        Some("1" | "2") => count == Some("2"),
        None => is_tagged,
        Some(count) => bail!("run-count: expected 1 or 2, found {count:?}"),
    };
    package.passes = match interactor {
        Some(_) if !is_twice => Passes::ONE,
        None if !is_twice => bail!(OnlyCompared("expected an interactor, found none".to_owned())),
        // Without <runs>, the interactor of such a problem is only for the first run.
        Some(interactor) if count.is_some() && element(interactor, "runs").is_none() => {
            Passes::Twice(Role::Interactor, Role::Checker)
        }
        Some(_) => Passes::Twice(Role::Interactor, Role::Interactor),
        None => Passes::Twice(Role::Checker, Role::Checker),
    };
    ensure!(
        checker.is_some() || !package.passes.has_role(Role::Checker),
        "expected <checker> in <assets>, found none"
    );
    let source = |program| package.file(source_path(program)?);
    (package.validator, package.checker) =
        (interactor.map(source).transpose()?, checker.map(source).transpose()?);
    // The only set of tests, or the one that decides.
    let mut sets = judging.children().filter(|node| node.has_tag_name("testset"));
    let is_only = sets.clone().count() == 1;
    let testset = sets.find(|set| is_only || set.attribute("name") == Some("tests"));
    let testset = testset.context("expected <testset name=\"tests\">, found none")?;
    read_tests(package, problem, testset)?;
    // The time is in milliseconds, the memory in bytes.
    let time = Duration::from_millis(number(testset, "time-limit")?);
    package.limits = PackageLimits::of_bot(Some(time), Some(number(testset, "memory-limit")?))?;
    for solution in nodes(assets, "solution") {
        let path = package.root.join(source_path(solution)?);
        let promised = OutcomeRule::of_words([solution.attribute("tag").unwrap_or_default()]);
        package.add_solution(&path, promised, (None, None))?;
    }
    Ok(())
}

/// Reads the tests in the order of their numbers. Inputs that are not there will be made in a temporary folder.
fn read_tests<'a>(package: &mut Package, problem: Node<'a, 'a>, testset: Node<'a, 'a>) -> anyhow::Result<()> {
    let made = tempfile::Builder::new().prefix("judge-inputs-").tempdir();
    let made = made.context("a folder for the inputs cannot be made")?;
    let mut listed = nodes(testset, "test");
    let count = match element(testset, "test-count") {
        Some(_) => number(testset, "test-count")?,
        None => listed.clone().count() as u64,
    };
    ensure!((1..=MAX_TESTS).contains(&count), "expected from 1 to {MAX_TESTS} tests, found {count}");
    let (inputs, answers) = (text(testset, "input-path-pattern")?, text(testset, "answer-path-pattern")?);
    for number in 1..=count {
        let (name, listed) = (numbered(inputs, number)?, listed.next());
        let answer = package.find_file(&numbered(answers, number)?)?;
        let input = if let Some(input) = package.find_file(&name)? {
            input
        } else {
            let input = made.path().join(number.to_string());
            let generation = generation(package, problem, listed, &name);
            let generation = generation.with_context(|| format!("test {number}"))?;
            package.generations.insert(input.clone(), generation);
            input
        };
        package.tests.push(TestCase { name, ..TestCase::new(input, answer) });
    }
    let without_answer = package.tests.iter().filter(|test| test.answer.is_none()).count() as u64;
    if without_answer > 0 {
        print_error(format_args!(
            "{FILE}: {} without an answer, which the programs may need: a full package has the answers, and doall.sh \
             makes them",
            counted(without_answer, "test")
        ));
    }
    package.unpacked.push(made);
    Ok(())
}

/// Returns how the input `name` of a test, which is not there, is made.
fn generation<'a>(
    package: &Package,
    problem: Node<'a, 'a>,
    test: Option<Node<'a, 'a>>,
    name: &str,
) -> anyhow::Result<Generation> {
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
    let mut sources = nodes(problem, "executable").filter_map(|executable| source_path(executable).ok());
    let source = sources.find(|source| Path::new(source).file_stem().is_some_and(|stem| stem == &**program));
    let source = source.with_context(|| {
        format!("expected an <executable> with the source of the generator {program}, found none: {INSTEAD}")
    })?;
    Ok(Generation { generator: package.file(source)?, args: args.iter().map(OsString::from).collect() })
}

/// Returns the elements with a name in `node` at any depth.
fn nodes<'a, 'input>(node: Node<'a, 'input>, name: &str) -> impl Iterator<Item = Node<'a, 'input>> + Clone {
    node.descendants().filter(move |node| node.has_tag_name(name))
}

fn element<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|node| node.has_tag_name(name))
}

fn child<'a>(node: Node<'a, 'a>, name: &str) -> anyhow::Result<Node<'a, 'a>> {
    element(node, name)
        .with_context(|| format!("expected <{name}> in <{}>, found none", node.tag_name().name()))
}

fn text<'a>(node: Node<'a, 'a>, name: &str) -> anyhow::Result<&'a str> {
    let text = child(node, name)?.text().with_context(|| format!("<{name}>: expected a text, found none"));
    Ok(text?.trim())
}

fn number<'a>(node: Node<'a, 'a>, name: &str) -> anyhow::Result<u64> {
    let text = text(node, name)?;
    text.parse().ok().with_context(|| format!("<{name}>: expected a number, found {text:?}"))
}

fn source_path<'a>(program: Node<'a, '_>) -> anyhow::Result<&'a str> {
    let path = element(program, "source").and_then(|source| source.attribute("path"));
    path.with_context(|| {
        format!("<{}>: expected <source> with a path, found none", program.tag_name().name())
    })
}

/// Returns a path with the number in place of `%d`, or of `%02d` for at least two digits.
fn numbered(pattern: &str, number: u64) -> anyhow::Result<String> {
    let parts = pattern.split_once('%').and_then(|(before, rest)| {
        let (digits, after) = rest.split_once('d')?;
        let width: usize = if digits.is_empty() { 0 } else { digits.strip_prefix('0')?.parse().ok()? };
        (width <= 9).then_some((before, width, after))
    });
    let (before, width, after) =
        parts.with_context(|| format!("expected a pattern such as tests/%02d, found {pattern:?}"))?;
    Ok(format!("{before}{number:0width$}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::problem::format::tests::{assert_fault, described, read, with_files};

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

    const FILES: &str = "files/check.cpp files/gen.cpp files/interact.cpp solutions/main.cpp solutions/wrong.cpp \
                         tests/01 tests/01.a tests/02 tests/02.a";

    /// Reads a package with this `problem.xml`.
    fn read_xml(xml: &str) -> (tempfile::TempDir, Package) {
        let here = with_files(FILE, xml, FILES);
        let package = read(here.path()).unwrap();
        (here, package)
    }

    #[test]
    fn parts_of_a_package() {
        let (_here, package) = read_xml(XML);
        assert_eq!(
            described(&package),
            "testlib files/interact.cpp files/check.cpp 1.5s 256 MiB\n\
             test tests/01: tests/01 tests/01.a\ntest tests/02: tests/02 tests/02.a\n\
             solutions/main.cpp: AC\nsolutions/wrong.cpp: AC or WA, at least one WA\n"
        );
        assert_eq!(package.passes, Passes::ONE);
    }

    #[test]
    fn faults_and_other_problems() {
        const INTERACTOR: &str = "files/interact.cpp";
        for fault in [
            ("</problem>", "", "problem.xml is malformed: "),
            ("<problem ", "<!DOCTYPE a [<!ENTITY b 'c'>]><problem ", "problem.xml is malformed: "),
            ("input-file=\"\"", "input-file=\"in.txt\"", "found the input-file \"in.txt\""),
            ("run-count=\"1\"", "run-count=\"3\"", "run-count: expected 1 or 2, found \"3\""),
            ("interactor>", "other>", "expected an interactor, found none"),
            ("<interactor><source", "<interactor><other", "<interactor>: expected <source>"),
            (INTERACTOR, "files/none.cpp", "expected the file files/none.cpp, found none"),
            (INTERACTOR, "/etc/passwd", "expected a file of the package"),
            ("name=\"tests\"", "name=\"others\"", "expected <testset name=\"tests\">"),
            ("1500", "0", "expected a time limit from 1 ms to 86400 s, found 0ns"),
            ("1500", "2s", "<time-limit>: expected a number, found \"2s\""),
            ("268435456", "0", "expected a memory limit from 1 byte to 1 TiB, found 0 bytes"),
            ("<test-count>2", "<test-count>3", "test 3: expected the file tests/03, found none"),
            ("tests/%02d<", "%02d<", "test 1: expected the file 01, found none: take a full package"),
            ("<test-count>2", "<test-count>4000000000", "expected from 1 to 10000 tests, found 4000000000"),
            ("tests/%02d<", "tests/01<", "expected a pattern such as tests/%02d"),
        ] {
            assert_fault(FILE, XML, FILES, fault);
        }
        let listed = XML.replace("<test-count>2</test-count>", "");
        assert_eq!(read_xml(&listed).1.tests.len(), 2);
        let unknown = XML.replace("\"wrong-answer\"", "\"new-tag\"");
        assert_eq!(read_xml(&unknown).1.solutions.unwrap().len(), 1);
    }

    #[test]
    fn inputs_that_are_made() {
        let missing = XML
            .replace("tests/%02d<", "%02d<")
            .replace("%02d.a", "%02d.b")
            .replace("<test method=\"manual\"/>", "<test method=\"generated\" cmd=\"gen -n 5 'a b'\"/>");
        let (_here, package) = read_xml(&missing);
        let made: Vec<_> =
            package.tests.iter().map(|test| &package.generations[test.input.as_ref().unwrap()]).collect();
        for (generation, args) in made.iter().zip([&["-n", "5", "a b"][..], &["7"]]) {
            let generator = package.root.join("files/gen.cpp");
            assert_eq!(
                **generation,
                Generation { generator, args: args.iter().map(OsString::from).collect() }
            );
        }
        assert!(made.len() == 2 && package.tests.iter().all(|test| test.answer.is_none()));
        let folder = package.tests[0].input.as_ref().unwrap().parent().unwrap().to_owned();
        drop(package);
        assert!(!folder.exists());
        let several = "test 2: \"gen 7\" makes the inputs of several tests, which the judge does not do: take a full package";
        for fault in [
            ("files/gen.cpp", "files/check.cpp", "test 1: expected an <executable> with the source"),
            ("cmd=\"gen 7\"", "cmd=\"gen 7\" from-file=\"2\"", several),
        ] {
            assert_fault(FILE, &missing, FILES, fault);
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
            let (_here, package) = read_xml(&xml);
            assert_eq!(package.passes, Passes::Twice(first, second), "{xml}");
            assert_eq!(package.validator.is_some(), first == Role::Interactor, "{xml}");
        }
        let unchecked = plain(&counted).replace("checker", "other");
        let error = "expected <checker> in <assets>, found none";
        assert_fault(FILE, &unchecked, FILES, ("<problem ", "<problem ", error));
    }

    #[test]
    fn numbers_in_paths() {
        for (pattern, number, expected) in [
            ("tests/%02d.a", 123, Some("tests/123.a")),
            ("%d.in", 7, Some("7.in")),
            ("%03d", 7, Some("007")),
            ("%2d", 7, None),
            ("%0999999999d", 7, None),
        ] {
            assert_eq!(numbered(pattern, number).ok().as_deref(), expected, "{pattern}");
        }
    }
}
