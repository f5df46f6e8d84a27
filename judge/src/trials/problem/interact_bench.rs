//! Problems of `InteractBench`: `meta.json` has the limits and the mode, the folder `interactor` a source for each mode.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use runner::message::print_error;
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
    let mut inputs = inputs::find(&[root.join("cases")])?;
    let for_adaptive = |input: &Input| {
        let stem = input.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        stem.parse().is_ok_and(|number: u32| number >= FIRST_ADAPTIVE)
    };
    if mode == "both" && inputs.iter().any(for_adaptive) {
        inputs.retain(|input| !for_adaptive(input));
        print_error(format_args!(
            "{FILE}: the cases from {FIRST_ADAPTIVE} on are not run, because they are for {ADAPTIVE}; to run one, type \
             --interactor {ADAPTIVE} --style testlib --input cases/{FIRST_ADAPTIVE}.in"
        ));
    }
    let time = meta.cpu_time_limit_ms.map(|ms| Duration::from_millis(ms.into()));
    let memory = meta.memory_limit_mb.map(|mb| u64::from(mb) << 20);
    let tests = PackageTest::of_inputs(&root, inputs)?;
    let limits = PackageLimits::of_bot(time, memory)?;
    Ok(Package::in_one_pass((folder, root), (Some(interactor), Style::Testlib), limits, tests))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::problem::format::tests::{assert_faults, folder, tests_of};

    const FILES: [&str; 5] = ["meta.json", FIXED, ADAPTIVE, "cases/001.in", "cases/101.in"];

    #[test]
    fn cases_of_each_mode() {
        for (mode, interactor, cases) in [
            ("\"non_adaptive\"", FIXED, &["cases/001", "cases/101"][..]),
            ("\"adaptive\"", ADAPTIVE, &["cases/001", "cases/101"]),
            ("\"both\"", FIXED, &["cases/001"]),
            ("null", FIXED, &["cases/001"]),
        ] {
            let limits = "\"cpu_time_limit_ms\": 1500, \"memory_limit_mb\": 64";
            let meta = format!("meta.json:{{\"interactor_mode\": {mode}, {limits}}}");
            let folder = folder(&[&[&*meta], &FILES[1..]].concat());
            let package = read(folder.path()).unwrap();
            assert!(package.validator.as_ref().unwrap().ends_with(interactor), "{mode}");
            let names: Vec<_> = tests_of(&package).into_iter().map(|(name, ..)| name).collect();
            assert_eq!(names, cases, "{mode}");
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
    }
}
