//! Problems of `InteractBench`: `meta.json` has the limits and the mode, the folder `interactor` a source for each mode.

use std::time::Duration;

use anyhow::bail;
use serde::Deserialize;

use crate::trials::problem::inputs;
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::package::Package;

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
    package.tests = inputs::find(&[package.root.join("cases")])?;
    for input in package.tests.iter().filter_map(|test| test.input.as_ref()) {
        let stem = input.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if mode == "both" && stem.parse().is_ok_and(|number: u32| number >= FIRST_ADAPTIVE) {
            let own = package.file(ADAPTIVE)?;
            package.interactors.insert(input.clone(), own);
        }
    }
    let time = meta.cpu_time_limit_ms.map(|ms| Duration::from_millis(ms.into()));
    let memory = meta.memory_limit_mb.map(|mb| u64::from(mb) << 20);
    package.limits = PackageLimits::of_bot(time, memory)?.with_interactor();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::problem::format::tests::{assert_fault, described, read, with_files};

    const FILES: &str = "interactor/non_adaptive.cpp interactor/adaptive.cpp cases/001.in cases/101.in";

    #[test]
    fn cases_of_each_mode() {
        for (mode, interactor, of_second) in [
            ("\"non_adaptive\"", FIXED, None),
            ("\"adaptive\"", ADAPTIVE, None),
            ("\"both\"", FIXED, Some(ADAPTIVE)),
            ("null", FIXED, Some(ADAPTIVE)),
        ] {
            let limits = "\"cpu_time_limit_ms\": 1500, \"memory_limit_mb\": 64";
            let meta = format!("{{\"interactor_mode\": {mode}, {limits}}}");
            let folder = with_files(FILE, &meta, FILES);
            let package = read(folder.path()).unwrap();
            let tests = "test cases/001: cases/001.in -\ntest cases/101: cases/101.in -\n";
            assert_eq!(described(&package), format!("testlib {interactor} - 1.5s 64 MiB\n{tests}"));
            let file = |name: &str| package.root.join(name);
            let own = of_second.map(|source| (file("cases/101.in"), file(source)));
            assert_eq!(package.interactors, own.into_iter().collect(), "{mode}");
        }
    }

    #[test]
    fn faults() {
        let text = "{\"interactor_mode\": \"both\"}";
        let mode = "interactor_mode: expected adaptive, non_adaptive or both, found \"some\"";
        let malformed = "meta.json is malformed: ";
        assert_fault(FILE, text, FILES, ("both", "some", mode));
        assert_fault(FILE, text, FILES, ("\"both\"", "3", malformed));
        let missing = "expected the file interactor/adaptive.cpp, found none";
        assert_fault(FILE, text, &format!("{FIXED} cases/001.in"), ("both", "adaptive", missing));
        assert_fault(FILE, text, &format!("{FIXED} cases/101.in"), ("both", "both", missing));
    }
}
