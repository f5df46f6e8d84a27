//! The inputs of a problem and their answers, found by the names of the files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use itertools::Itertools;
use runner::sources::folder::entries;

use crate::referee::interactor::style::TestCase;

/// The file extensions of answers, in the order in which they are tried.
const ANSWER_EXTENSIONS: [&str; 3] = ["ans", "a", "out"];

/// Returns a test for each input that the arguments name: files, folders, and patterns such as `tests/*.in`. An argument that names
/// no input is an error.
pub(crate) fn find(arguments: &[PathBuf]) -> anyhow::Result<Vec<TestCase>> {
    let mut inputs = Vec::new();
    for argument in arguments {
        let found = inputs_of(argument)?;
        ensure!(
            !found.is_empty(),
            "{}: expected an input, found {}",
            argument.display(),
            if argument.is_dir() {
                "no file NAME.in and no file without an ending in this folder; its subfolders are not searched"
            } else {
                "no such file or folder, and no file that the pattern matches"
            }
        );
        inputs.extend(found);
    }
    let mut tests: Vec<TestCase> = inputs.into_iter().unique().map(with_answer).collect();
    // A pattern such as `tests/*` names the answers too.
    let answers: BTreeSet<PathBuf> = tests.iter().filter_map(|test| test.answer.clone()).collect();
    tests.retain(|test| test.input.as_ref().is_none_or(|input| !answers.contains(input)));
    Ok(tests)
}

/// Returns the file that is named, or the files that match a pattern, or the inputs of a folder: the files that end in `.in`,
/// or if there are none, the files without an ending.
fn inputs_of(argument: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let is_folder = argument.is_dir();
    let mut files = if is_folder {
        entries(argument)?
    } else if argument.exists() {
        return Ok(vec![argument.to_owned()]);
    } else {
        let text = argument.to_str().with_context(|| format!("{}: expected UTF-8", argument.display()))?;
        let options =
            glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::default() };
        let paths = glob::glob_with(text, options);
        paths
            .with_context(|| format!("{text}: expected a file, a folder or a pattern"))?
            .collect::<Result<_, _>>()?
    };
    files.retain(|path| path.is_file());
    if is_folder {
        let is_input = |path: &PathBuf| path.extension().is_some_and(|end| end == "in");
        let has_inputs = files.iter().any(is_input);
        files.retain(|path| if has_inputs { is_input(path) } else { path.extension().is_none() });
    }
    files.sort_by_cached_key(|path| by_numbers(path));
    Ok(files)
}

/// Returns a key that sorts paths by name, with numbers by value: `2.in` comes before `10.in`.
fn by_numbers(path: &Path) -> Vec<(u64, String)> {
    let name = path.to_string_lossy();
    let parts = name.as_bytes().chunk_by(|one, next| one.is_ascii_digit() == next.is_ascii_digit());
    let key = |part: &[u8]| {
        let text = String::from_utf8_lossy(part).into_owned();
        (text.parse().unwrap_or(u64::MAX), text)
    };
    parts.map(key).collect()
}

/// Returns a pattern for files below `folder`, whose own name may have characters of patterns.
pub(crate) fn in_pattern(folder: &Path, pattern: &str) -> PathBuf {
    Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(pattern)
}

/// Finds the answer beside an input: for `1.in` it is `1.ans` or `1.in.ans`, and for `01` it is `01.ans`. The
/// extensions `a` and `out` are tried after `ans`. For `bot_input0.txt`, a test of competitest.nvim, the answer is
/// `bot_output0.txt`.
fn with_answer(path: PathBuf) -> TestCase {
    let beside = |ending: &&str| {
        let replaced = path.with_extension(ending);
        let mut added = path.clone().into_os_string();
        added.push(format!(".{ending}"));
        [replaced, PathBuf::from(added)].into_iter().find(|answer| *answer != path && answer.is_file())
    };
    let of_competitest = || {
        let (start, end) = path.file_name()?.to_str()?.rsplit_once("_input")?;
        Some(path.with_file_name(format!("{start}_output{end}"))).filter(|answer| answer.is_file())
    };
    let answer = ANSWER_EXTENSIONS.iter().find_map(beside).or_else(of_competitest);
    TestCase::new(path, answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::problem::format::tests::folder;

    #[test]
    fn folders_files_and_patterns() {
        let kattis = folder(&["10.in", "2.in", "2.ans", "10.out", "1.in", "note.txt", ".hidden.in"]);
        let all = &[("1.in", None), ("2.in", Some("2.ans")), ("10.in", Some("10.out"))][..];
        let polygon = folder(&["01", "01.a", "02", "02.a", "03"]);
        let competitest = folder(&["a_input0.txt", "a_input10.txt", "a_output0.txt"]);
        for (folder, argument, expected) in [
            (&kattis, "", all),
            (&kattis, "*.in", all),
            (&kattis, "[0-9]*", all),
            (&kattis, "2.in", &all[1..2]),
            (&competitest, "a_input*", &[("a_input0.txt", Some("a_output0.txt")), ("a_input10.txt", None)]),
            (&polygon, "", &[("01", Some("01.a")), ("02", Some("02.a")), ("03", None)]),
        ] {
            let tests = find(&[folder.path().join(argument)]).unwrap();
            let name = |path: &Option<PathBuf>| Some(path.as_ref()?.file_name()?.to_str()?.to_owned());
            let found: Vec<_> =
                tests.iter().map(|test| (name(&test.input).unwrap(), name(&test.answer))).collect();
            let found: Vec<_> = found.iter().map(|(input, answer)| (&**input, answer.as_deref())).collect();
            assert_eq!(found, expected, "{argument}");
        }
    }

    #[test]
    fn arguments_without_an_input() {
        let folder = folder(&["1.ans"]);
        for argument in ["", "2.in", "*.in", "[", "no/such"] {
            assert!(find(&[folder.path().join(argument)]).is_err(), "{argument}");
        }
    }
}
