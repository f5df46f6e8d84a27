//! Problems of `InteractBench`: `meta.json` has the limits and the mode, the folder `interactor` a source for each mode.

use std::time::Duration;

use anyhow::bail;
use serde::Deserialize;

use crate::trials::problem::inputs::{self, Input};
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::package::{Package, PackageTest};

pub(crate) const FILE: &str = "meta.json";

const FIXED: &str = "interactor/non_adaptive.cpp";
const ADAPTIVE: &str = "interactor/adaptive.cpp";

/// The number of the first case that is for the adaptive interactor.
const FIRST_ADAPTIVE: u32 = 101;

#[derive(Deserialize)]
pub(crate) struct Meta {
    interactor_mode: Option<String>,
    cpu_time_limit_ms: Option<u32>,
    memory_limit_mb: Option<u32>,
}

pub(crate) fn read(package: &mut Package, meta: &Meta) -> anyhow::Result<()> {
    let mode = meta.interactor_mode.as_deref().unwrap_or("both");
    let interactor = match mode {
        "non_adaptive" | "both" => FIXED,
        "adaptive" => ADAPTIVE,
        mode => bail!("interactor_mode: expected adaptive, non_adaptive or both, found {mode:?}"),
    };
    package.validator = Some(package.file(interactor)?);
    let mut tests = PackageTest::of_inputs(&package.root, inputs::find(&[package.root.join("cases")])?)?;
    for test in tests.iter_mut().filter(|test| mode == "both" && is_for_adaptive(&test.input)) {
        test.interactor = Some(package.file(ADAPTIVE)?);
    }
    package.tests = tests;
    let time = meta.cpu_time_limit_ms.map(|ms| Duration::from_millis(ms.into()));
    let memory = meta.memory_limit_mb.map(|mb| u64::from(mb) << 20);
    package.limits = PackageLimits::of_bot(time, memory)?.with_interactor();
    Ok(())
}

/// Returns whether a case of a problem with both modes is for the adaptive interactor.
fn is_for_adaptive(case: &Input) -> bool {
    let stem = case.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    stem.parse().is_ok_and(|number: u32| number >= FIRST_ADAPTIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::problem::format::tests::{assert_faults, folder, read, tests_of};

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
