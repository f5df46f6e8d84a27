//! The command line of this judge, to be shown or used again.

use std::ffi::OsString;

use crate::escape::shell_word;

/// The options that only say where and how a run is done, not what its results are: with a value, and without one.
const PLACE_WITH_VALUE: [&str; 15] = [
    "--record",
    "--resume",
    "--checkpoint",
    "--shard",
    "--shards",
    "--emit",
    "--jobs",
    "-j",
    "--csv",
    "--html",
    "--transcripts",
    "--corpus",
    "--output",
    "-o",
    "--time",
];
const PLACE_FLAGS: [&str; 7] =
    ["--affinity", "--force", "--json", "--all-transcripts", "--no-corpus", "--verbose", "-v"];

/// The command that makes the results of the run, all of them and on one machine; `None` if it is not UTF-8.
pub(crate) fn of_run() -> Option<String> {
    without(&PLACE_WITH_VALUE, &PLACE_FLAGS)
}

/// This command without some options: those with a value, and those without one. `None` if it is not UTF-8.
pub(crate) fn without(with_value: &[&str], flags: &[&str]) -> Option<String> {
    #[cfg(target_os = "linux")]
    let (_, args) = crate::process::supervisor::split(std::env::args_os().collect());
    #[cfg(not(target_os = "linux"))]
    let args: Vec<OsString> = std::env::args_os().collect();
    written(&args, with_value, flags)
}

fn written(args: &[OsString], with_value: &[&str], flags: &[&str]) -> Option<String> {
    let mut words = vec!["judge".to_owned()];
    let mut args = args.iter().skip(1).map(|word| word.to_str());
    let mut is_bot = false;
    while let Some(word) = args.next() {
        let word = word?;
        is_bot |= word == "--";
        if !is_bot && with_value.contains(&word) {
            args.next();
            continue;
        }
        let is_joined = |option: &&str| match word.strip_prefix(*option) {
            Some(rest) if option.starts_with("--") => rest.starts_with('='),
            Some(rest) => !rest.is_empty(),
            None => false,
        };
        if is_bot || !flags.contains(&word) && !with_value.iter().any(is_joined) {
            words.push(shell_word(word).ok()?);
        }
    }
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_do_not_decide_the_results_are_left_out() {
        let command = |line: &str| {
            let args: Vec<_> = shlex::split(line).unwrap().into_iter().map(OsString::from).collect();
            written(&args, &PLACE_WITH_VALUE, &PLACE_FLAGS).unwrap()
        };
        assert_eq!(
            command(
                "/bin/judge arena --shard 3/7 --bot 'a=x --shard 1/2' --jobs=4 -j 4 -j8 --csv out --html out --json 3 1 2"
            ),
            "judge arena --bot 'a=x --shard 1/2' 3 1 2"
        );
        assert_eq!(
            command("judge stress --games 9 --checkpoint=f -v --shards 3 -- ./bot -v --shards 3 -j4"),
            "judge stress --games 9 -- ./bot -v --shards 3 -j4"
        );
    }
}
