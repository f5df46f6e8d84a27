//! Finds the problem of a folder: its settings, its package, its interactor or its testing tool.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use runner::sources::folder::entries;
use runner::sources::language::{self, Language};
use toml::de::DeTable;

use crate::referee::interactor::style::Style;
use crate::settings;
use crate::trials::problem::archive;
use crate::trials::problem::format::{self, text_of};
use crate::trials::problem::inputs;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A settings file with the section `[problem]` or `[game]`, or one that is malformed.
    Settings(PathBuf),
    /// The folder of a package, or its archive.
    Package(PathBuf),
    Interactor(FoundInteractor),
    /// The subfolders of a contest's folder that have packages.
    Contest(Vec<PathBuf>),
    /// Several sources, any of which may be the interactor.
    Several(Vec<PathBuf>),
    /// A testing tool that the judge cannot use as it is, and how its problem can be run.
    Unread(PathBuf, &'static str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundInteractor {
    pub(crate) source: PathBuf,
    /// `None` if the source is no text.
    pub(crate) style: Option<Style>,
    pub(crate) inputs: Option<PathBuf>,
}

/// The advice for a tool that starts the solution, with a usage that is not known.
const STARTS_SOLUTION: &str = "this tool starts the solution itself, but its file does not show with which arguments: name them, as in \
     --interactor 'python3 testing_tool.py {input} {bot}' --style launcher";

/// The advice for a tool that has the solution on its stdin and stdout.
const TALKS_ON_PIPES: &str = "this tool needs the number of a test, which its file does not show: name it, as in --interactor \
     'python3 local_testing_tool.py 0'";

impl Found {
    /// Finds the problem of the folder `start`, or of the nearest folder above it that has one. Looks no further than a
    /// folder with `.git`, the folder `home`, and the file system of `start`.
    pub(crate) fn above(
        start: &Path,
        home: Option<&Path>,
        has_settings: bool,
        languages: &[Language],
    ) -> Option<Self> {
        let device = |folder: &Path| fs::metadata(folder).ok().map(|data| data.dev());
        for folder in start.ancestors().take_while(|folder| device(folder) == device(start)) {
            let found = in_folder(folder, has_settings, languages);
            if found.is_some() || folder.join(".git").exists() || Some(folder) == home {
                return found;
            }
        }
        None
    }

    /// Finds the problem at a path that the user named: a folder, one of the files by which a problem is recognized, any
    /// settings file, or the source of an interactor.
    pub(crate) fn at(path: &Path, languages: &[Language]) -> Option<Self> {
        if path.is_dir() {
            return in_folder(path, true, languages).or_else(|| by_contest(path));
        }
        if !path.is_file() {
            return None;
        }
        if path.extension().is_some_and(|end| end == "toml") {
            return Some(Self::Settings(path.to_owned()));
        }
        if archive::is_archive(path) {
            return Some(Self::Package(path.to_owned()));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let is_here = |found: &Self| found.file().file_name() == path.file_name();
        let found = package(folder).filter(is_here).or_else(|| by_testing_tool(folder).filter(is_here));
        found.or_else(|| is_source(path, languages).then(|| Self::Interactor(interactor(path, folder))))
    }

    /// Returns the file that was found, or by which a package was recognized; the first one of several.
    pub(crate) fn file(&self) -> PathBuf {
        match self {
            Self::Package(path) => format::find(path).map_or_else(|| path.clone(), |file| path.join(file)),
            Self::Settings(file) | Self::Unread(file, _) => file.clone(),
            Self::Interactor(interactor) => interactor.source.clone(),
            Self::Contest(paths) | Self::Several(paths) => paths.first().cloned().unwrap_or_default(),
        }
    }
}

/// Recognizes a contest by its packages, which Polygon puts into the folder `problems`.
fn by_contest(folder: &Path) -> Option<Found> {
    let inside = [folder, &folder.join("problems")].map(|folder| entries(folder).unwrap_or_default());
    let folders = inside.iter().flatten().filter(|path| path.is_dir());
    let packages: Vec<_> = folders.filter(|folder| format::find(folder).is_some()).cloned().collect();
    (!packages.is_empty()).then_some(Found::Contest(packages))
}

fn in_folder(folder: &Path, has_settings: bool, languages: &[Language]) -> Option<Found> {
    let settings = folder.join(settings::FILE);
    if has_settings && is_of_problem_or_game(&settings) {
        return Some(Found::Settings(settings));
    }
    package(folder).or_else(|| by_interactor(folder, languages)).or_else(|| by_testing_tool(folder))
}

fn package(folder: &Path) -> Option<Found> {
    format::find(folder).map(|_| Found::Package(folder.to_owned()))
}

/// Returns whether a settings file has one of the two sections. Returns true for a malformed file, so that its error is
/// reported.
fn is_of_problem_or_game(file: &Path) -> bool {
    let Some(text) = text_of(file) else { return file.is_file() };
    let Ok(table) = DeTable::parse(&text) else { return true };
    table.get_ref().keys().any(|section| ["problem", "game"].contains(&section.get_ref().as_ref()))
}

fn is_source(path: &Path, languages: &[Language]) -> bool {
    path.is_file() && language::of(path, languages).is_some()
}

/// The name of the source of an interactor, without its suffix, and the end of such a name after that of the problem.
const NAME: &str = "interactor";
const END_OF_NAME: &str = "_interactor";

fn by_interactor(folder: &Path, languages: &[Language]) -> Option<Found> {
    // A folder above the current one may not be readable.
    let mut sources = entries(folder).unwrap_or_default();
    sources.retain(|path| {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
        (stem == NAME || stem.ends_with(END_OF_NAME)) && is_source(path, languages)
    });
    match &sources[..] {
        [] => None,
        [source] => Some(Found::Interactor(interactor(source, folder))),
        _ => Some(Found::Several(sources)),
    }
}

/// The folders of inputs, and patterns for inputs, in the order in which they are tried.
const INPUTS: [&str; 9] =
    ["tests", "test", "cases", "testdata", "data/secret", "in", "in/*.txt", "io", "*.in"];

fn interactor(source: &Path, folder: &Path) -> FoundInteractor {
    let style = text_of(source).map(|text| Style::of_source(&text));
    let stem = source.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    // Files of competitest.nvim are named after the solution, and so is an interactor such as guess_interactor.py.
    let problem = stem.strip_suffix(END_OF_NAME).map_or("*".to_owned(), glob::Pattern::escape);
    let of_competitest = format!("{problem}_input[0-9]*.txt");
    let in_folder = |place: &str| {
        if place.contains('*') { inputs::in_pattern(folder, place) } else { folder.join(place) }
    };
    let mut places = INPUTS.into_iter().chain([&*of_competitest]).map(in_folder);
    let inputs = places.find(|place| inputs::find(std::slice::from_ref(place)).is_ok());
    FoundInteractor { source: source.to_owned(), style, inputs }
}

/// Recognizes the testing tools that contests give to their participants.
fn by_testing_tool(folder: &Path) -> Option<Found> {
    let mut tools = ["testing_tool.py", "local_testing_tool.py"].into_iter().map(|name| folder.join(name));
    let (tool, text) = tools.find_map(|tool| text_of(&tool).map(|text| (tool, text)))?;
    if !text.contains("subprocess") {
        return Some(Found::Unread(tool, TALKS_ON_PIPES));
    }
    if !text.lines().any(is_known_usage) {
        return Some(Found::Unread(tool, STARTS_SOLUTION));
    }
    Some(Found::Interactor(FoundInteractor { style: Some(Style::Launcher), ..interactor(&tool, folder) }))
}

/// Returns whether a line shows the usage `testing_tool.py -f INPUT BOT`, as in the tools of regional contests of ICPC.
fn is_known_usage(line: &str) -> bool {
    let after_option =
        line.split_once("testing_tool.py -f ").and_then(|(_, rest)| rest.split_once("<program"));
    after_option.is_some_and(|(input, _)| !input.trim().is_empty() && !input.contains(" -"))
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;
    use crate::trials::problem::format::tests::folder;

    /// Describes what was found in `folder`, with paths relative to it.
    fn described(found: Option<Found>, folder: &Path) -> String {
        let listed = |paths: Vec<PathBuf>| paths.iter().map(|path| path.display()).join(" ");
        let text = match found {
            None => "nothing".to_owned(),
            Some(Found::Settings(file)) => format!("settings {}", file.display()),
            Some(package @ Found::Package(..)) => format!("package {}", package.file().display()),
            Some(Found::Interactor(FoundInteractor { source, style, inputs })) => {
                let style = style.map_or("no style", Style::name);
                format!("{style} {} {}", source.display(), inputs.unwrap_or_default().display())
            }
            Some(Found::Contest(folders)) => format!("contest {}", listed(folders)),
            Some(Found::Several(sources)) => format!("several {}", listed(sources)),
            Some(Found::Unread(file, STARTS_SOLUTION)) => format!("starts solution {}", file.display()),
            Some(Found::Unread(file, _)) => format!("talks on pipes {}", file.display()),
        };
        text.replace(&format!("{}/", folder.display()), "").trim_end().to_owned()
    }

    #[test]
    fn problems_of_folders() {
        for (files, expected) in [
            (&["bot.cpp", "1.in", "1.out", "README.md"][..], "nothing"),
            // judge.toml
            (&["judge.toml:[game]\nfamily = 'nim'", "interactor.py"], "settings judge.toml"),
            (&["judge.toml:[problem]", "problem.yaml:type: interactive"], "settings judge.toml"),
            (&["judge.toml:[limits]\ntime = 1", "interactor.py"], "plain interactor.py"),
            (&["judge.toml:[limits]"], "nothing"),
            (&["judge.toml:[problem", "interactor.py"], "settings judge.toml"),
            // Packages
            (&["problem.yaml:problem_format_version: 2025-09", "interactor.py"], "package problem.yaml"),
            (&["problem.yaml:name: x\nvalidation: custom interactive"], "package problem.yaml"),
            (&["problem.yaml:limits:\n  memory: 512"], "package problem.yaml"),
            (&["problem.yaml:type: ["], "package problem.yaml"),
            (&["problem.yaml:pid: P1\nowner: 1\ntag: []"], "nothing"),
            (&["problem.xml:<problem revision='3'>\n<judging>"], "package problem.xml"),
            (&["problem.xml:<exercise/>", "interactor.py"], "plain interactor.py"),
            (&["problem.rbx.yml:name: a\ntimeLimit: 1000", "interactor.cpp"], "package problem.rbx.yml"),
            (
                &["problem.yaml:a: 1", "testdata/config.yaml:type: interactive"],
                "package testdata/config.yaml",
            ),
            (&["config.yaml:type: communication\nnum_processes: 2"], "package config.yaml"),
            (&["testdata/config.yml:type: interactive"], "package testdata/config.yml"),
            (&["config.yaml:type: default\nchecker_type: testlib", "1.in"], "package config.yaml"),
            (&["config.yaml:type: default", "interactor.cc", "test/1.in"], "plain interactor.cc test"),
            (&["config.yaml:a: 1\n---\nb: 2"], "nothing"),
            (&["init.yml:archive: a.zip\ntest_cases: []"], "package init.yml"),
            (&["init.yml:user: a"], "nothing"),
            (&["meta.json:{}", "interactor/adaptive.cpp", "cases/1.in"], "package meta.json"),
            (&["meta.json:{}", "interactor/README.md"], "nothing"),
            // Interactors
            (&["interactor.cc:#include <testlib.h>", "tests/01", "in/1.in"], "testlib interactor.cc tests"),
            (&["interactor.py:42 43", "tests/a.md", "data/secret/1.in"], "icpc interactor.py data/secret"),
            (&["interactor.cpp:#include \"validate.h\""], "icpc interactor.cpp"),
            (&["interactor.rs:x = 142; y = 43", "in/0000.txt"], "plain interactor.rs in/*.txt"),
            (&["guess_interactor.py", "2.in"], "plain guess_interactor.py *.in"),
            (&["a_interactor.py", "a_input0.txt", "b_input0.txt"], "plain a_interactor.py a_input[0-9]*.txt"),
            (&["interactor.py", "interactor.cpp", "interactor"], "several interactor.cpp interactor.py"),
            (&["interactor", "interactor.txt", "my-interactor.py"], "nothing"),
            // Testing tools
            (
                &["testing_tool.py:testing_tool.py -f in <program>\nsubprocess", "1.in"],
                "launcher testing_tool.py *.in",
            ),
            (
                &["testing_tool.py:testing_tool.py -f in -r 5 <program>\nsubprocess"],
                "starts solution testing_tool.py",
            ),
            (&["testing_tool.py:import subprocess", "1.in"], "starts solution testing_tool.py"),
            (&["local_testing_tool.py:input()"], "talks on pipes local_testing_tool.py"),
            (&["testing_tool.py", "interactor.py"], "plain interactor.py"),
        ] {
            let folder = folder(files);
            let found = in_folder(folder.path(), true, &language::known());
            assert_eq!(described(found, folder.path()), expected, "{files:?}");
        }
    }

    #[test]
    fn the_nearest_folder_counts() {
        let root = folder(&[
            "judge.toml:[game]",
            "guess/problem.yaml:type: interactive",
            "guess/submissions/accepted/right.py",
            "guess/output_validator/judge.toml:[limits]",
            "home/mine/bot.py",
            "checkout/.git/HEAD",
            "checkout/src/bot.py",
        ]);
        let root = root.path();
        for (start, has_settings, expected) in [
            ("", true, "settings judge.toml"),
            ("", false, "nothing"),
            ("guess", true, "package guess/problem.yaml"),
            ("guess/submissions/accepted", true, "package guess/problem.yaml"),
            ("guess/output_validator", true, "package guess/problem.yaml"),
            ("home/mine", true, "nothing"),
            ("checkout/src", true, "nothing"),
        ] {
            let home = root.join("home");
            let found = Found::above(&root.join(start), Some(&home), has_settings, &language::known());
            assert_eq!(described(found, root), expected, "{start}");
        }
    }

    #[test]
    fn problems_at_paths() {
        let here = folder(&[
            "my.toml:[problem]",
            "guess/problem.yaml:type: interactive",
            "guess/guard.py",
            "tool/testing_tool.py:subprocess",
            "bench/testdata/config.yaml:type: interactive",
            "statement.pdf",
            "contest/contest.yaml:name: x",
            "contest/b/problem.yaml:type: interactive",
            "contest/a/problem.xml:<problem><judging/></problem>",
            "contest/tool/README.md",
            "round/contest.xml:<contest/>",
            "round/problems/a/problem.xml:<problem><judging/></problem>",
            "x.zip",
        ]);
        for (path, expected) in [
            ("my.toml", "settings my.toml"),
            ("guess", "package guess/problem.yaml"),
            ("guess/problem.yaml", "package guess/problem.yaml"),
            ("guess/guard.py", "plain guess/guard.py"),
            ("tool/testing_tool.py", "starts solution tool/testing_tool.py"),
            ("bench", "package bench/testdata/config.yaml"),
            ("contest", "contest contest/a contest/b"),
            ("round", "contest round/problems/a"),
            ("x.zip", "package x.zip"),
            ("statement.pdf", "nothing"),
            ("missing", "nothing"),
            ("contest/tool", "nothing"),
        ] {
            let found = Found::at(&here.path().join(path), &language::known());
            assert_eq!(described(found, here.path()), expected, "{path}");
        }
    }
}
