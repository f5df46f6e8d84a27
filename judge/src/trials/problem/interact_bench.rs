//! Problems of `InteractBench`: `meta.json` has the limits and the mode, the folder `interactor` a source for each mode.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::referee::interactor::style::Style;
use crate::trials::problem::inputs::{self, Input};
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::package::{Package, PackageTest, file_in, root_of};
use crate::trials::problem::yaml::read_file;

pub(crate) const FILE: &str = "meta.json";

const FIXED: &str = "interactor/non_adaptive.cpp";
const ADAPTIVE: &str = "interactor/adaptive.cpp";

/// The number of the first case that is for the adaptive interactor.
const FIRST_ADAPTIVE: u32 = 101;

#[derive(Deserialize)]
struct Meta {
    interactor_mode: Option<String>,
    cpu_time_limit_ms: Option<u32>,
    memory_limit_mb: Option<u32>,
}

/// Reads the problem in `folder`.
///
/// # Errors
///
/// If a file is missing or malformed, or if the judge does not run such a problem.
pub(crate) fn read(folder: &Path) -> anyhow::Result<Package> {
    let path = folder.join(FILE);
    let text = read_file(&path)?.with_context(|| format!("{}: expected a file", path.display()))?;
    let meta = serde_json::from_str(&text).with_context(|| format!("{} is malformed", path.display()))?;
    package(folder, &meta).with_context(|| path.display().to_string())
}

fn package(folder: &Path, meta: &Meta) -> anyhow::Result<Package> {
    let root = root_of(folder)?;
    let mode = meta.interactor_mode.as_deref().unwrap_or("both");
    let is_adaptive = match mode {
        "non_adaptive" | "both" => false,
        "adaptive" => true,
        mode => bail!("interactor_mode: expected adaptive, non_adaptive or both, found {mode:?}"),
    };
    let interactor = file_in(&root, if is_adaptive { ADAPTIVE } else { FIXED })?;
    let mut tests = PackageTest::of_inputs(&root, inputs::find(&[root.join("cases")])?)?;
    for test in tests.iter_mut().filter(|test| mode == "both" && is_for_adaptive(&test.input)) {
        test.interactor = Some(file_in(&root, ADAPTIVE)?);
    }
    let time = meta.cpu_time_limit_ms.map(|ms| Duration::from_millis(ms.into()));
    let memory = meta.memory_limit_mb.map(|mb| u64::from(mb) << 20);
    let limits = PackageLimits::of_bot(time, memory)?.with_interactor();
    Ok(Package::in_one_pass((folder, root), (Some(interactor), Style::Testlib), limits, tests))
}

/// Returns whether a case of a problem with both modes is for the adaptive interactor.
fn is_for_adaptive(case: &Input) -> bool {
    let stem = case.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    stem.parse().is_ok_and(|number: u32| number >= FIRST_ADAPTIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::problem::format::tests::{assert_faults, folder, tests_of};

    const FILES: [&str; 5] = ["meta.json", FIXED, ADAPTIVE, "cases/001.in", "cases/101.in"];

    #[test]
    fn cases_of_each_mode() {
        for (mode, interactor, of_second) in [
            ("\"non_adaptive\"", FIXED, None),
            ("\"adaptive\"", ADAPTIVE, None),
            ("\"both\"", FIXED, Some(ADAPTIVE)),
            ("null", FIXED, Some(ADAPTIVE)),
        ] {
            let limits = "\"cpu_time_limit_ms\": 1500, \"memory_limit_mb\": 64";
            let meta = format!("meta.json:{{\"interactor_mode\": {mode}, {limits}}}");
            let folder = folder(&[&[&*meta], &FILES[1..]].concat());
            let package = read(folder.path()).unwrap();
            assert!(package.validator.as_ref().unwrap().ends_with(interactor), "{mode}");
            let names: Vec<_> = tests_of(&package).into_iter().map(|(name, ..)| name).collect();
            assert_eq!(names, ["cases/001", "cases/101"], "{mode}");
            let own = package.tests.iter().map(|test| test.interactor.as_deref());
            let expected = of_second.map(|source| package.root.join(source));
            assert_eq!(own.collect::<Vec<_>>(), [None, expected.as_deref()], "{mode}");
            assert_eq!(package.default_limits(), (Duration::from_millis(1500), 64 << 20));
        }
    }

    #[test]
    fn faults() {
        assert_faults(
            "{\"interactor_mode\": \"both\"}",
            &FILES,
            &[
                ("both", "some", "interactor_mode: expected adaptive, non_adaptive or both, found \"some\""),
                ("\"both\"", "3", "meta.json is malformed: "),
            ],
        );
        let files = ["meta.json", FIXED, "cases/001.in"];
        assert_faults(
            "{\"interactor_mode\": \"both\"}",
            &files,
            &[("both", "adaptive", "adaptive.cpp cannot be read")],
        );
        let files = ["meta.json", FIXED, "cases/101.in"];
        assert_faults("{}", &files, &[("{}", "{}", "adaptive.cpp cannot be read")]);
    }
}
